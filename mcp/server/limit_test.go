package server_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// gate is a tool whose calls say that they entered and wait to be let out.
type gate struct {
	entered chan string
	leave   chan struct{}
}

func newGate() *gate {
	return &gate{entered: make(chan string, 100), leave: make(chan struct{})}
}

func (g *gate) tool(name string) server.Tool {
	return raw(name, func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		g.entered <- string(call.ID)
		<-g.leave // Deliberately deaf to its context.
		return words("out"), nil
	})
}

func numberedCall(id int, tool string) string {
	return strings.Replace(call(tool, "{}"), `"id":1`, fmt.Sprintf(`"id":%d`, id), 1)
}

// waitingPeer tells when a call begins to wait.
type waitingPeer struct {
	*peer
	waits chan string
}

func (p *waitingPeer) Yield(call *server.Call) { p.waits <- string(call.ID) }

// crowd prepares calls for a peer that sees them wait.
type crowd struct {
	*door
	waits chan string
}

func newCrowd(s *server.Server) *crowd {
	return &crowd{door: newDoor(s), waits: make(chan string, 100)}
}

func (c *crowd) run(t *testing.T, line string) (*server.Call, <-chan string) {
	t.Helper()
	call, refusal := c.prepare(t, line)
	if call == nil {
		t.Fatalf("refused: %s", refusal)
	}
	call.Peer = &waitingPeer{c.peer, c.waits}
	call.StartClock()
	done := make(chan string, 1)
	go func() { done <- string(c.server.Dispatch(call, nil)) }()
	return call, done
}

// Calls beyond the bound wait in their order, those beyond the queue are told
// to come back, and nothing else of the server waits for them.
func TestConcurrencyLimit(t *testing.T) {
	t.Parallel()
	g := newGate()
	c := newCrowd(newServer(t, server.Options{MaxConcurrent: 2, MaxQueued: 3}, g.tool("gate")))
	var answers []<-chan string
	for id := 1; id <= 2; id++ {
		_, answer := c.run(t, numberedCall(id, "gate"))
		answers = append(answers, answer)
		<-g.entered
	}
	for id := 3; id <= 5; id++ {
		_, answer := c.run(t, numberedCall(id, "gate"))
		answers = append(answers, answer)
		if got := <-c.waits; got != fmt.Sprint(id) {
			t.Fatalf("call %s waits, want %d", got, id)
		}
	}
	const busy = "The server is busy: 2 calls are running and 3 wait. Nothing was changed. Try again in a few seconds."
	if got := c.ask(t, numberedCall(6, "gate")).toolError(t); got != busy {
		t.Errorf("the sixth call is told %q", got)
	}
	if got := c.ask(t, request("tools/list", "")); got.code() != 0 {
		t.Errorf("a list waits for tools: %s", got.raw)
	}
	for id := 3; id <= 5; id++ {
		g.leave <- struct{}{}
		if got := <-g.entered; got != fmt.Sprint(id) {
			t.Errorf("call %s came next, want %d", got, id)
		}
	}
	close(g.leave)
	for i, answer := range answers {
		if got := readReply(t, <-answer).text(t); got != "out" {
			t.Errorf("call %d: %q", i+1, got)
		}
	}
}

// A call that is cancelled while it waits gives its place in the queue back
// and never comes to its handler.
func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	g := newGate()
	var log logbook
	c := newCrowd(newServer(t, server.Options{MaxConcurrent: 1, MaxQueued: 1, Log: log.logger()}, g.tool("gate")))
	_, first := c.run(t, numberedCall(1, "gate"))
	<-g.entered
	for id := 2; id < 50; id++ {
		waiting, answer := c.run(t, numberedCall(id, "gate"))
		<-c.waits
		if !waiting.Cancel(errors.New("no longer wanted")) {
			t.Fatal("a waiting call is over already")
		}
		if got := <-answer; got != "" {
			t.Fatalf("a cancelled call is answered %s", got)
		}
	}
	_, last := c.run(t, numberedCall(50, "gate"))
	<-c.waits
	g.leave <- struct{}{}
	if got := <-g.entered; got != "50" {
		t.Errorf("after the first came %s, want 50", got)
	}
	close(g.leave)
	for _, answer := range []<-chan string{first, last} {
		if got := readReply(t, <-answer).text(t); got != "out" {
			t.Errorf("a call says %q", got)
		}
	}
	if log.String() != "" {
		t.Errorf("cancelling is logged as a fault: %.300s", log.String())
	}
}

// However a call ends, its place is free afterwards: also that of a handler
// that ignores its end and never returns.
func TestNoPlaceIsLost(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	deaf := func(name string, timeout time.Duration) server.Tool {
		tool := raw(name, func(context.Context, *server.Call) (*mcp.CallToolResult, error) {
			<-forever
			return words("late"), nil
		})
		tool.Timeout = timeout
		return tool
	}
	c := newDoor(newServer(t, server.Options{MaxConcurrent: 3, MaxQueued: 1000, CallTimeout: time.Hour},
		deaf("hang", 3*time.Millisecond),
		raw("panic", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { panic("p") }),
		fails(errors.New("fault")), fast("fast")))
	const each = 100
	for id := range each {
		c.run(t, numberedCall(id, "hang"))
	}
	for range each {
		// A call whose time passes before it comes to its tool says so without
		// a tool result.
		if got := <-c.peer.answers; !strings.Contains(got, "did not finish within 3ms") {
			t.Fatalf("a hanging call: %s", got)
		}
	}
	// Cancelled and then deaf: the place comes back when the time is up.
	for id := range each {
		cancelled, _ := c.run(t, numberedCall(id, "hang"))
		cancelled.Cancel(errors.New("no longer wanted"))
	}
	var all sync.WaitGroup
	for _, tool := range []string{"panic", "tool"} {
		for range each {
			all.Go(func() { c.send(t, call(tool, "{}")) })
		}
	}
	all.Wait()
	for range each {
		if got := c.ask(t, call("fast", "{}")).text(t); got != "done" {
			t.Fatalf("a call afterwards: %q", got)
		}
	}
	if n := len(c.peer.answers); n != 0 {
		t.Errorf("%d cancelled calls were answered", n)
	}
}

// All places are there after many calls that ended in every way at once.
func TestAllPlacesComeBack(t *testing.T) {
	t.Parallel()
	const places = 3
	g := newGate()
	slow := raw("slow", func(ctx context.Context, _ *server.Call) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	slow.Timeout = 2 * time.Millisecond
	c := newCrowd(newServer(t, server.Options{MaxConcurrent: places, MaxQueued: 1000}, slow, g.tool("gate")))
	var ends []<-chan string
	for id := range 300 {
		running, end := c.door.run(t, numberedCall(id, "slow"))
		ends = append(ends, end)
		if id%2 == 0 {
			go running.Cancel(errors.New("no longer wanted"))
		}
	}
	for _, end := range ends {
		<-end
	}
	for id := range places {
		c.run(t, numberedCall(id, "gate"))
		<-g.entered
	}
	// Were there one place more than before, this call would not wait.
	_, last := c.run(t, numberedCall(places, "gate"))
	if got := <-c.waits; got != fmt.Sprint(places) {
		t.Errorf("call %s waits, want %d", got, places)
	}
	close(g.leave)
	if got := readReply(t, <-last).text(t); got != "out" {
		t.Errorf("the call that waited: %q", got)
	}
}
