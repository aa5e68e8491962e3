package stdio_test

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// signalLog is a log that tells when the connection begins to stop.
func signalLog() (log *slog.Logger, stopping <-chan struct{}) {
	began := make(chan struct{})
	return slog.New(slog.NewTextHandler(&firstWrite{began: began}, nil)), began
}

type firstWrite struct {
	once  sync.Once
	began chan struct{}
}

func (w *firstWrite) Write(p []byte) (int, error) {
	w.once.Do(func() { close(w.began) })
	return len(p), nil
}

// A client that closed its end is noticed by whoever writes to it, even when
// its other end stays open and silent.
func TestClientStopsReading(t *testing.T) {
	t.Parallel()
	for name, provoke := range map[string]func(*workshop, *client){
		"a brief call": func(_ *workshop, c *client) { c.send(call(1, "at_once", `{}`)) },
		"a late answer": func(w *workshop, c *client) {
			c.send(call(1, "gate", `{}`))
			until(t, "the call runs", func() bool { return w.began.Load() == 1 })
			time.Sleep(20 * time.Millisecond) // Let another goroutine take over the reading.
			close(w.gate)
		},
		"progress": func(_ *workshop, c *client) { c.send(withProgress(1, "flood", `{}`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, server.Options{})
			c := connect(t, w.Server, stdio.Options{})
			c.out.Close()
			provoke(w, c)
			select {
			case err := <-c.ended:
				if err != nil {
					t.Errorf("the end is %v, want nil", err)
				}
			case <-time.After(patience):
				t.Fatal("nobody noticed that the client stopped reading")
			}
		})
	}
}

// lateWrites counts what is written after the connection is over.
type lateWrites struct {
	over atomic.Bool
	late atomic.Int64
}

func (w *lateWrites) Write(p []byte) (int, error) {
	if w.over.Load() {
		w.late.Add(1)
	}
	return len(p), nil
}

// After ServeConn returned the stream is the caller's again.
func TestNothingIsWrittenAfterTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, server.Options{ToolsChange: true})
	stdin, in := io.Pipe()
	out := &lateWrites{}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- stdio.ServeConn(ctx, w.Server, stdin, out, stdio.Options{Drain: 10 * time.Millisecond, MaxLine: 1000})
		out.over.Store(true)
	}()
	long := make([]byte, 100_000)
	for i := range long {
		long[i] = 'x'
	}
	io.WriteString(in, initialize+"\n"+call(1, "stubborn", `{}`)+"\n"+withProgress(2, "stubborn", `{}`)+"\n")
	until(t, "the calls run", func() bool { return w.began.Load() == 2 })
	go in.Write(long) // The reader is in the middle of a line that is too long.
	time.Sleep(10 * time.Millisecond)
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	close(w.gate)
	addTool(t, w, "another", func(context.Context, *server.Call, none) (server.Text, error) { return "", nil })
	go io.WriteString(in, "\n"+ping+"\n"+call(3, "at_once", `{}`)+"\n")
	time.Sleep(50 * time.Millisecond)
	if n := out.late.Load(); n > 0 {
		t.Errorf("%d writes came after the end", n)
	}
	if n := w.began.Load(); n != 2 {
		t.Errorf("%d calls ran, want 2: one was taken after the end", n)
	}
	in.Close()
}
