package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"helpdesk/cmd/internal/cli"
)

// A standard error that nobody reads holds nobody up; what was left out is
// counted once somebody reads again.
func TestLossy(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	log := cli.NewLossy(w)
	line := strings.Repeat("x", 999) + "\n"
	for range 3000 {
		if n, err := log.Write([]byte(line)); n != len(line) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	log.Flush(10 * time.Millisecond) // Nobody reads, so this only waits.
	var read bytes.Buffer
	var reading sync.WaitGroup
	reading.Add(1)
	go func() {
		defer reading.Done()
		_, _ = io.Copy(&read, r)
	}()
	log.Flush(time.Minute)
	fmt.Fprintln(log, "the last line")
	log.Flush(time.Minute)
	w.Close()
	reading.Wait()
	kept := strings.Count(read.String(), line)
	if kept == 0 || kept > 2100 {
		t.Errorf("%d of 3000 lines were kept", kept)
	}
	want := fmt.Sprintf("%d log lines were left out because standard error was not read\nthe last line\n", 3000-kept)
	if !strings.HasSuffix(read.String(), want) {
		t.Errorf("the log ends in %q, want %q", read.String()[max(0, read.Len()-200):], want)
	}
}
