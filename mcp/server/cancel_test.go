package server_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// talks wants progress and all log messages.
func talks(tool string) string {
	return requestWith("tools/call", `"name":"`+tool+`"`, "{}", `,"progressToken":"p","io.modelcontextprotocol/logLevel":"debug"`)
}

// After a cancellation the handler's context has the reason as its cause, and
// whatever the handler still says goes nowhere.
func TestCancelledCallFallsSilent(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	cause := make(chan error, 1)
	var log logbook
	d := newDoor(newServer(t, server.Options{Logging: true, Log: log.logger()}, raw("tool", func(ctx context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		if err := call.Progress(ctx, 1, 0, "begun"); err != nil {
			return nil, err
		}
		close(entered)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		late := context.Background()
		if err := errors.Join(call.Progress(late, 2, 0, "late"), call.Log(late, mcp.LogError, "", "late")); err != nil {
			t.Errorf("a late word is an error: %v", err)
		}
		if err := call.Send(late, []byte("{}")); err == nil || err.Error() != "user pressed Esc" {
			t.Errorf("a late message: %v", err)
		}
		return nil, ctx.Err()
	})))
	c, answer := d.run(t, talks("tool"))
	<-entered
	reason := errors.New("user pressed Esc")
	if !c.Cancel(reason) {
		t.Error("the first cancellation came too late")
	}
	if c.Cancel(errors.New("another")) {
		t.Error("a call was cancelled twice")
	}
	if got := <-cause; !errors.Is(got, reason) {
		t.Errorf("the handler's context ended with %v", got)
	}
	if got := <-answer; got != "" {
		t.Errorf("a cancelled call is answered %s", got)
	}
	if sent := d.peer.sent(); len(sent) != 1 || !strings.Contains(sent[0], "begun") {
		t.Errorf("the peer was sent %q", sent)
	}
	if log.String() != "" {
		t.Errorf("a cancellation is logged as a fault: %s", log.String())
	}
}

// A panic of a handler that nobody waits for any more is logged all the same.
func TestFaultAfterCancellation(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	var log logbook
	d := newDoor(newServer(t, server.Options{Log: log.logger()}, raw("tool", func(ctx context.Context, _ *server.Call) (*mcp.CallToolResult, error) {
		close(entered)
		<-ctx.Done()
		panic("broken")
	})))
	c, answer := d.run(t, call("tool", "{}"))
	<-entered
	c.Cancel(errors.New("no longer wanted"))
	if got := <-answer; got != "" {
		t.Errorf("a cancelled call is answered %s", got)
	}
	if !strings.Contains(log.String(), "broken") {
		t.Errorf("the log says %q", log.String())
	}
}

// Once a call is answered its context is over, and a goroutine that its
// handler left behind can say nothing for it.
func TestAnsweredCallFallsSilent(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	over := make(chan error, 1)
	d := newDoor(newServer(t, server.Options{Logging: true}, raw("tool", func(ctx context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		go func() {
			<-left
			<-ctx.Done()
			over <- errors.Join(call.Progress(context.Background(), 1, 0, "late"), call.Log(context.Background(), mcp.LogError, "", "late"))
		}()
		return words("done"), nil
	})))
	if got := d.ask(t, talks("tool")).text(t); got != "done" {
		t.Errorf("the call says %q", got)
	}
	close(left)
	if err := <-over; err != nil {
		t.Errorf("a late word is an error: %v", err)
	}
	if sent := d.peer.sent(); len(sent) != 0 {
		t.Errorf("after its answer a call sent %q", sent)
	}
}

// A peer that does not read must not hold up its own cancellation, whatever
// context the handler gave to the message that is stuck.
func TestCancelFreesAStuckMessage(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	d := newDoor(newServer(t, server.Options{Logging: true}, raw("tool", func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		err := call.Progress(context.Background(), 1, 0, "")
		return nil, err
	})))
	d.peer.notify = func(ctx context.Context, _ string) error {
		close(stuck)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	c, answer := d.run(t, talks("tool"))
	<-stuck
	if !c.Cancel(errors.New("no longer wanted")) {
		t.Error("the call was over before")
	}
	if got := <-answer; got != "" {
		t.Errorf("a cancelled call is answered %s", got)
	}
}

// Whoever is first decides: a call is either cancelled and silent, or answered
// exactly once and too late to cancel. No message comes after either.
func TestCancelAgainstAnswer(t *testing.T) {
	t.Parallel()
	var over atomic.Bool
	tool := raw("tool", func(ctx context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		for i := range 3 {
			if err := call.Progress(context.Background(), float64(i+1), 3, ""); err != nil && ctx.Err() == nil {
				return nil, err
			}
		}
		return words("done"), nil
	})
	s := newServer(t, server.Options{Logging: true}, tool)
	cancelledFirst, answeredFirst := 0, 0
	for range 500 {
		over.Store(false)
		d := newDoor(s)
		d.peer.notify = func(context.Context, string) error {
			if over.Load() {
				t.Error("a message was sent after the call was over")
			}
			return nil
		}
		c, _ := d.prepare(t, talks("tool"))
		c.StartClock()
		var answer string
		var cancelled bool
		var both sync.WaitGroup
		both.Go(func() {
			answer = string(s.Dispatch(c, nil))
			over.Store(true)
		})
		both.Go(func() {
			if cancelled = c.Cancel(errors.New("no longer wanted")); cancelled {
				over.Store(true)
			}
		})
		both.Wait()
		if cancelled == (answer != "") {
			t.Fatalf("cancelled: %v, answer: %q", cancelled, answer)
		}
		if cancelled {
			cancelledFirst++
		} else {
			answeredFirst++
		}
	}
	t.Logf("%d times the cancellation was first, %d times the answer", cancelledFirst, answeredFirst)
}
