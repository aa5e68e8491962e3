package stdio_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// ways are the two ways a connection ends in order.
var ways = map[string]func(*client){
	"end of input": func(c *client) { c.in.Close() },
	"signal":       func(c *client) { c.stop() },
}

// Whatever runs when the end comes is answered once: with its result if it
// finishes in time, with words about what may have happened if not.
func TestEndAnswersEverything(t *testing.T) {
	t.Parallel()
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, server.Options{})
			defer close(w.gate)
			c := open(t, w.Server, stdio.Options{Drain: 500 * time.Millisecond})
			for i := range 20 {
				c.send(call(i, "nap", `{"us":100000}`))
			}
			c.send(call("a", "stubborn", `{}`), call("b", "stubborn", `{}`), call("c", "gate", `{}`), listen("l"))
			lines := c.settle()
			end(c)
			lines = append(lines, c.end()...)
			answers := byID(lines)
			for i := range 20 {
				one(t, answers, fmt.Sprint(i), `"text":"rested"`, `"isError":false`)
			}
			for _, id := range []string{`"a"`, `"b"`, `"c"`} {
				one(t, answers, id, "was cut short because the server is stopping. Nothing was changed", `"isError":true`)
			}
			one(t, answers, `"l"`, `"resultType":"complete"`)
			all := strings.Join(lines, "\n")
			contains(t, all, "notifications/subscriptions/acknowledged")
			notice, result := strings.Index(all, `"method":"notifications/cancelled"`), strings.Index(all, `"id":"l","result"`)
			if notice < 0 || notice > result {
				t.Errorf("the notice of the subscription's end is at %d, its result at %d; want the notice first", notice, result)
			}
		})
	}
}

func one(t testing.TB, answers map[string][]string, id string, parts ...string) {
	t.Helper()
	if got := answers[id]; len(got) != 1 {
		t.Fatalf("%s has %d answers, want one: %.300q", id, len(got), got)
	}
	contains(t, answers[id][0], parts...)
}

// With nothing to do the end is at once, whatever time calls would have had
// and whether or not the input can be interrupted.
func TestIdleEndIsPrompt(t *testing.T) {
	t.Parallel()
	for name, pipe := range map[string]func() (io.Reader, io.Writer){
		"os.Pipe":  func() (io.Reader, io.Writer) { r, w := osPipe(t); return r, w },
		"net.Pipe": func() (io.Reader, io.Writer) { r, w := net.Pipe(); return r, w },
		"io.Pipe":  func() (io.Reader, io.Writer) { r, w := io.Pipe(); return r, w },
	} {
		t.Run(name, func(t *testing.T) {
			stdin, in := pipe()
			out, stdout := pipe()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				ended <- stdio.ServeConn(ctx, newWorkshop(t, server.Options{}).Server, stdin, stdout, stdio.Options{Drain: time.Hour})
			}()
			go io.WriteString(in, ping+"\n")
			answer := make([]byte, 1000)
			if n, err := out.Read(answer); err != nil || !strings.Contains(string(answer[:n]), `"result":{}`) {
				t.Fatalf("ping is answered with %q, %v", answer[:n], err)
			}
			stop()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("the end is %v, want nil", err)
				}
			case <-time.After(patience):
				t.Error("an idle connection waits for its drain time")
			}
		})
	}
}

// Half a line is no last line when a signal interrupts the reading.
func TestSignalInTheMiddleOfALine(t *testing.T) {
	t.Parallel()
	for range 20 {
		c := open(t, newWorkshop(t, server.Options{}).Server, stdio.Options{})
		// One write is read at once, so the half line is in memory when the
		// answer comes.
		if _, err := io.WriteString(c.in, ping+"\n"+ping[:20]); err != nil {
			t.Fatal(err)
		}
		c.expect(`"id":"ping","result":{}`)
		c.stop()
		if rest := c.end(); len(rest) > 0 {
			t.Fatalf("half a line was answered with %q", rest)
		}
	}
}

// At the end of input, though, what lacks its line end is a line.
func TestLastLineWithoutLineEnd(t *testing.T) {
	t.Parallel()
	c := open(t, newWorkshop(t, server.Options{}).Server, stdio.Options{})
	if _, err := io.WriteString(c.in, ping); err != nil {
		t.Fatal(err)
	}
	if rest := c.finish(); len(rest) != 1 {
		t.Fatalf("the last line is answered with %q", rest)
	}
}

// What was read before a signal is answered, and a subscription that opens
// only then is ended as gracefully as the older ones.
func TestSignalDuringABurst(t *testing.T) {
	t.Parallel()
	log, stopping := signalLog()
	var c *client
	connected := make(chan struct{})
	c = open(t, newWorkshop(t, server.Options{}).Server, stdio.Options{
		Drain: time.Hour,
		Log:   log,
		FirstMessage: func([]byte) {
			<-connected
			c.stop()
			<-stopping
			// The log line comes just before the connection begins to stop;
			// both orders must give the same answers.
			time.Sleep(20 * time.Millisecond)
		},
	})
	close(connected)
	c.send(ping, call(1, "at_once", `{}`), listen("l"), call(2, "nap", `{"us":20000}`))
	answers := byID(c.end())
	one(t, answers, `"ping"`, `"result":{}`)
	one(t, answers, `1`, `"done"`)
	one(t, answers, `2`, `"rested"`)
	one(t, answers, `"l"`, `"resultType":"complete"`)
}

// A client that does not read cannot keep the server from ending: neither with
// a full pipe and a call that is writing into it, nor with so much unsent that
// the last words would have to wait.
func TestEndWhileTheClientDoesNotRead(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"progress":      {withProgress(1, "flood", `{}`), call(2, "stubborn", `{}`)},
		"large answers": {call(1, "big_behind_gate", `{"bytes":3000000}`), call(2, "stubborn", `{}`)},
	} {
		for way, end := range ways {
			if name == "progress" && way == "end of input" {
				way += " with a call that would go on for ever"
			}
			t.Run(name+"/"+way, func(t *testing.T) {
				t.Parallel()
				w := newWorkshop(t, server.Options{})
				c := connect(t, w.Server, stdio.Options{Drain: 100 * time.Millisecond})
				c.send(lines...)
				until(t, "both calls run", func() bool { return w.began.Load() == 2 })
				if name == "large answers" {
					for i := range 8 {
						c.send(call(10+i, "big_behind_gate", `{"bytes":3000000}`))
					}
					until(t, "all run", func() bool { return w.began.Load() == 10 })
					close(w.gate)
					c.send(call("slow", "nap", `{"us":1000000}`))
				} else {
					defer close(w.gate)
				}
				end(c)
				select {
				case err := <-c.ended:
					if err != nil {
						t.Errorf("the end is %v, want nil", err)
					}
				case <-time.After(patience):
					t.Fatal("the connection does not end")
				}
			})
		}
	}
}
