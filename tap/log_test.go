//go:build unix

package tap_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"helpdesk/tap"
	"helpdesk/transcript"
)

// disk is a file that can be full, and then not.
type disk struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	full bool
	left int // how many bytes a full disk still takes
}

var errFull = errors.New("no space left on device")

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full {
		n := min(len(p)/2, d.left)
		d.left -= n
		d.buf.Write(p[:n])
		return n, errFull
	}
	return d.buf.Write(p)
}

func (d *disk) set(full bool) {
	d.mu.Lock()
	d.full, d.left = full, 1000
	d.mu.Unlock()
}

// TestFullDisk goes on with the session and says once what is wrong.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, exact := range []bool{false, true} {
		input := strings.Repeat("0123456789abcde\n", 1<<16)
		var out bytes.Buffer
		told := 0
		res := run(t, server(t, tap.Config{
			Stdin: strings.NewReader(input), Stdout: &out, Exact: exact,
			Log:      transcript.NewWriter(&disk{full: true}, transcript.Header{}),
			LogError: func(error) { told++ },
		}, "echo"))
		if out.String() != input {
			t.Errorf("exact %v: %d bytes came through of %d", exact, out.Len(), len(input))
		}
		if !errors.Is(res.LogErr, errFull) || told != 1 || res.LostBytes == 0 {
			t.Errorf("exact %v: got %+v, told %d times", exact, res, told)
		}
	}
}

// TestDiskRecovers fills the disk for a while. The record then says how much
// is missing, to the byte, and is undamaged.
func TestDiskRecovers(t *testing.T) {
	t.Parallel()
	d := &disk{}
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	line := []byte(strings.Repeat("x", 4095) + "\n")
	sent := 0
	turn := func(n int) {
		answer := make([]byte, len(line))
		for range n {
			if _, err := clientOut.Write(line); err != nil {
				t.Error(err)
			}
			if _, err := io.ReadFull(clientIn, answer); err != nil || !bytes.Equal(answer, line) {
				t.Errorf("the answer is %q (%v)", answer, err)
			}
			sent++
		}
	}
	go func() {
		turn(10)
		d.set(true)
		turn(200)
		d.set(false)
		turn(10)
		clientOut.Close()
	}()
	w := transcript.NewWriter(d, transcript.Header{})
	res := run(t, server(t, tap.Config{Stdin: in, Stdout: out, Log: w}, "echo"))
	if !errors.Is(res.LogErr, errFull) || res.LostBytes == 0 {
		t.Fatalf("got %+v", res)
	}
	records, err := transcript.ReadAll(&d.buf, 0)
	if err != nil {
		t.Fatal(err)
	}
	rec := recording{records: records}
	missing := int64(0)
	for _, stream := range []transcript.Stream{transcript.Stdin, transcript.Stdout} {
		data, dropped := rec.bytes(stream)
		if got := int64(len(data)) + dropped; got != int64(sent*len(line)) {
			t.Errorf("%s: %d bytes recorded and %d dropped are not the %d sent", stream, len(data), dropped, sent*len(line))
		}
		missing += dropped
	}
	if missing != res.LostBytes {
		t.Errorf("the record says that %d bytes are missing, the result %d", missing, res.LostBytes)
	}
	if rec.count(transcript.KindExit) != 1 || rec.count(transcript.KindEOF) != 3 {
		t.Errorf("events are missing from the record")
	}
}

// stuck is a file that never takes anything, like a disk that hangs.
type stuck struct{ release chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	<-s.release
	return len(p), nil
}

// TestStuckDisk does not wait for it, neither in the session nor at the end.
func TestStuckDisk(t *testing.T) {
	t.Parallel()
	s := stuck{make(chan struct{})}
	t.Cleanup(func() { close(s.release) })
	input := strings.Repeat("0123456789abcde\n", 1<<16)
	var out bytes.Buffer
	res := run(t, server(t, tap.Config{
		Stdin: strings.NewReader(input), Stdout: &out, QueueBytes: 256 << 10, Grace: 50 * time.Millisecond,
		Log: transcript.NewWriter(s, transcript.Header{}),
	}, "echo"))
	if out.String() != input {
		t.Errorf("%d bytes came through of %d", out.Len(), len(input))
	}
	if res.LogErr == nil || res.LostBytes < int64(len(input)) {
		t.Errorf("got %+v", res)
	}
}

// TestSlowRecord leaves bytes out when they come faster than they are
// recorded, and counts them; with Exact it lets them wait instead.
func TestSlowRecord(t *testing.T) {
	t.Parallel()
	input := strings.Repeat("0123456789abcde\n", 1<<15)
	for _, exact := range []bool{false, true} {
		var out bytes.Buffer
		var rec recording
		cfg := tap.Config{
			Stdin: strings.NewReader(input), Stdout: &out,
			QueueBytes: 128 << 10, QueueCount: 4, Exact: exact,
		}
		ended := make(chan struct{})
		cfg.Record = func(r transcript.Record) {
			if !exact && r.Kind == transcript.KindStart {
				// Nothing is recorded until all has passed.
				<-ended
			}
			rec.add(r)
		}
		var res tap.Result
		done := make(chan struct{})
		clientIn, clientOut := io.Pipe()
		cfg.Stdout, cfg.PipeEnds = clientOut, true
		go func() {
			defer close(done)
			res = run(t, server(t, cfg, "echo"))
		}()
		if n, err := io.Copy(&out, clientIn); err != nil || n != int64(len(input)) {
			t.Fatalf("exact %v: %d bytes came through (%v)", exact, n, err)
		}
		close(ended)
		<-done
		lost := int64(0)
		for _, stream := range []transcript.Stream{transcript.Stdin, transcript.Stdout} {
			data, dropped := rec.bytes(stream)
			if int64(len(data))+dropped != int64(len(input)) {
				t.Errorf("exact %v: %s: %d bytes recorded and %d dropped are not the %d sent", exact, stream, len(data), dropped, len(input))
			}
			lost += dropped
		}
		if exact != (lost == 0) || lost != res.LostBytes {
			t.Errorf("exact %v: the record says that %d bytes are missing, the result %d", exact, lost, res.LostBytes)
		}
		if lines := res.LostLines; exact != (lines == 0) || lines > 2<<15 {
			t.Errorf("exact %v: %d lines are missing", exact, lines)
		}
	}
}

// TestExactEnd waits for the record at the end too, until a signal asks for
// the end.
func TestExactEnd(t *testing.T) {
	t.Parallel()
	s := stuck{make(chan struct{})}
	t.Cleanup(func() { close(s.release) })
	signals := make(chan os.Signal)
	ended := make(chan struct{})
	clientIn, out := io.Pipe()
	go func() {
		_, _ = io.ReadFull(clientIn, make([]byte, len("ready\n")))
		// The first signal ends the server; one of the later ones, the waiting.
		for {
			select {
			case signals <- syscall.SIGTERM:
				time.Sleep(20 * time.Millisecond)
			case <-ended:
				return
			}
		}
	}()
	res := run(t, server(t, tap.Config{
		Stdout: out, Signals: signals, Exact: true, Grace: time.Millisecond,
		Log: transcript.NewWriter(s, transcript.Header{}),
	}, "print", "ready\n", "sleep"))
	close(ended)
	if res.Signal != syscall.SIGTERM || res.LogErr == nil {
		t.Errorf("got %+v", res)
	}
}
