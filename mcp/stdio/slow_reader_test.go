package stdio_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// A client that sends much and reads nothing is made to wait: what it is owed
// stays bounded. When it reads at last, all of it is there, each call's
// progress before its answer; and meanwhile nobody else noticed.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, server.Options{})
	c := connect(t, w.Server, stdio.Options{Drain: time.Minute})
	// One late answer that does not fit the pipe keeps its own goroutine
	// writing, so that the reader could go on.
	c.send(call("late", "big_behind_gate", `{"bytes":1000000}`))
	until(t, "it runs", func() bool { return w.began.Load() == 1 })
	time.Sleep(20 * time.Millisecond)
	close(w.gate)
	const calls, size = 2000, 60_000
	go func() {
		var lines strings.Builder
		for i := range calls {
			if i%2 == 0 {
				lines.WriteString(call(i, "big", fmt.Sprintf(`{"bytes":%d}`, size)) + "\n")
			} else {
				lines.WriteString(withProgress(i, "steps", `{}`) + "\n")
			}
		}
		io.WriteString(c.in, lines.String())
		c.in.Close()
	}()
	seen := int64(-1)
	until(t, "the server takes no more", func() bool {
		now := w.began.Load()
		still := now == seen
		seen = now
		time.Sleep(200 * time.Millisecond)
		return still
	})
	// 16 MiB wait to be sent, twice while the large line is written, and every
	// open call may hold its own answer.
	if most := int64(2*(16<<20+1<<20)/size + stdio.DefaultMaxInFlight); seen > most {
		t.Errorf("%d calls of %d bytes were answered for nobody, want at most %d", seen, size, most)
	}

	other := open(t, w.Server, stdio.Options{})
	other.send(call(1, "at_once", `{}`))
	other.expect(`"done"`)
	other.finish()

	c.read()
	lines := c.end()
	answers := byID(lines)
	one(t, answers, `"late"`)
	progress := map[string]int{}
	for _, line := range lines {
		for i := range 3 {
			if j := strings.Index(line, fmt.Sprintf(`,"progress":%d,`, i+1)); j > 0 {
				token := line[strings.Index(line, `"progressToken":`)+len(`"progressToken":`) : j]
				if progress[token]++; progress[token] != i+1 {
					t.Fatalf("progress %d of call %s came out of order", i+1, token)
				}
			}
		}
		if i := strings.Index(line, `"climbed"`); i > 0 {
			id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"jsonrpc":"2.0","id":`), ",")
			if progress[id] != 3 {
				t.Fatalf("call %s was answered after %d of 3 reports", id, progress[id])
			}
		}
	}
	for i := range calls {
		// On a slow machine many calls are open at once, and those beyond the
		// limit are told so.
		one(t, answers, fmt.Sprint(i))
		if got := answers[fmt.Sprint(i)][0]; !strings.Contains(got, `"isError":false`) && !strings.Contains(got, "The server is busy") {
			t.Errorf("call %d is answered by %.300s", i, got)
		}
	}
}
