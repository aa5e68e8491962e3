package stdio_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// Brief and slow calls in any mixture, some of them cancelled at the worst
// moment: each is answered once, or at most once when it was cancelled.
func TestEveryCallIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			c := open(t, newWorkshop(t, server.Options{}).Server, stdio.Options{})
			const calls = 500
			cancelledIDs := map[string]bool{}
			for i := range calls {
				tool := []string{"nap", "doze", "rest", "at_once"}[random.IntN(4)]
				arguments := `{}`
				if tool != "at_once" {
					arguments = fmt.Sprintf(`{"us":%d}`, []int{0, 0, 200, 1000, random.IntN(20_000)}[random.IntN(5)])
				}
				c.send(call(i, tool, arguments))
				if random.IntN(5) == 0 {
					victim := max(0, i-random.IntN(5))
					c.send(cancelled(victim))
					cancelledIDs[fmt.Sprint(victim)] = true
				}
			}
			answers := byID(c.finish())
			for i := range calls {
				id := fmt.Sprint(i)
				if n := len(answers[id]); n > 1 || n == 0 && !cancelledIDs[id] {
					t.Errorf("call %s (cancelled: %v) has %d answers", id, cancelledIDs[id], n)
				}
				for _, answer := range answers[id] {
					contains(t, answer, `"isError":false`)
				}
			}
		})
	}
}

// A call that takes its time holds up nobody, and is remembered: the next
// call of that tool starts elsewhere, until the tool is brief again.
func TestSlowCallHoldsUpNobody(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, server.Options{})
	c := open(t, w.Server, stdio.Options{})
	c.send(call(1, "gate", `{}`), call(2, "at_once", `{}`))
	c.expect(`"id":2`, `"done"`)
	c.send(call(3, "gate", `{}`))
	until(t, "the second slow call runs", func() bool { return w.began.Load() == 3 })
	if w.brief.Load() {
		t.Error("a tool that was slow is expected to be brief")
	}
	close(w.gate)
	c.next()
	c.next()
	for i := 4; !w.brief.Load(); i++ {
		if i > 10_000 {
			t.Fatal("a tool that returns at once is never called brief again")
		}
		c.send(call(i, "gate", `{}`))
		c.next()
	}
	if rest := c.finish(); len(rest) > 0 {
		t.Errorf("the server also says %q", rest)
	}
}

// The bounds of one connection: calls, bytes, and one call an id.
func TestBoundsOfOneConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options stdio.Options
		id      int
		want    string
	}{
		"calls":          {stdio.Options{MaxInFlight: 3}, 9, "The server is busy: 3 requests of this connection are open; nothing was changed"},
		"bytes":          {stdio.Options{MaxInFlightBytes: 4 * len(call(9, "gate", `{}`))}, 9, "The server is busy: the open requests of this connection hold"},
		"the id is open": {stdio.Options{}, 1, "a request with this id is still running"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, server.Options{})
			c := open(t, w.Server, test.options)
			for i := range 3 {
				c.send(call(i, "gate", `{}`))
				until(t, "the call runs", func() bool { return w.began.Load() == int64(i+1) })
				c.settle()
			}
			padded := strings.Replace(call(test.id, "at_once", `{}`), `{"jsonrpc"`, `{"padding":"`+strings.Repeat("x", 300)+`","jsonrpc"`, 1)
			c.send(padded)
			c.expect(fmt.Sprintf(`"id":%d,"error"`, test.id), test.want)
			close(w.gate)
			for range 3 {
				c.expect(`"open"`)
			}
			until(t, "there is room again", func() bool {
				c.send(padded)
				return strings.Contains(c.next(), `"done"`)
			})
		})
	}
}

// Calls that wait for a place do not hold up the reading either.
func TestFloodWaitsElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, server.Options{MaxConcurrent: 2, MaxQueued: 3})
	c := open(t, w.Server, stdio.Options{})
	for i := range 8 {
		c.send(call(i, "gate", `{}`))
	}
	refused := 0
	for range 3 {
		c.expect("The server is busy: 2 calls are running and 3 wait", `"isError":true`)
		refused++
	}
	if others := c.settle(); len(others) > 0 {
		t.Fatalf("after %d refusals the server says %q", refused, others)
	}
	close(w.gate)
	for _, answer := range c.finish() {
		contains(t, answer, `"open"`)
		refused++
	}
	if refused != 8 {
		t.Errorf("%d of 8 calls were answered", refused)
	}
}

// The first line is reported once, blank ones do not count.
func TestFirstMessageIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, server.Options{})
	var first []string
	c := open(t, w.Server, stdio.Options{FirstMessage: func(line []byte) { first = append(first, string(line)) }})
	c.send("", " \r", "hello", call(1, "gate", `{}`), call(2, "gate", `{}`), ping)
	close(w.gate)
	c.finish()
	if len(first) != 1 || first[0] != "hello" {
		t.Errorf("reported were %q", first)
	}
}

// Nothing stays behind a connection, however it ended.
func TestNoGoroutineStaysBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	w := newWorkshop(t, server.Options{ToolsChange: true})
	for i := range 60 {
		c := open(t, w.Server, stdio.Options{})
		c.send(initialize, call(1, "nap", `{"us":3000}`), call(2, "gate", `{}`), listen("l"), withProgress(3, "steps", `{}`), cancelled(2))
		c.settle()
		switch i % 3 {
		case 0:
			c.finish()
		case 1:
			c.stop()
			c.end()
		default:
			c.out.Close()
			c.in.Close()
			c.end()
		}
	}
	until(t, "all goroutines ended", func() bool { return runtime.NumGoroutine() <= before })
}
