package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// conn is one connection. Everything that changes is in its state, which only
// update touches; so what the connection is doing can be read in one place.
type conn struct {
	server *server.Server
	opts   Options
	out    *outbox
	// base carries values, never an end: each call is ended by itself.
	base context.Context
	// ended is closed when the connection is over, for what outlives calls.
	ended context.Context

	mu    sync.Mutex
	state state
	// quiet receives a value when the connection may have become idle.
	quiet chan struct{}
	watch *time.Timer
}

// state is all that changes in a connection.
type state struct {
	// seat is who reads now; see seat.go.
	seat *seat
	// watching is set while the watch timer is armed, watched is the turn it
	// saw last.
	watching bool
	watched  uint64
	// session is set by initialize, and replaced by another one.
	session *legacy.Session
	// inFlight are the calls that owe an answer and are not run by the seat,
	// by the key of their id.
	inFlight map[string]*flight
	// bytes is the text they hold.
	bytes int
	// stopping is set by the end of input or a signal: nothing more is read.
	stopping bool
	// greeted is set once the first message was reported.
	greeted bool
}

// flight is an open call and what it holds.
type flight struct {
	call  *server.Call
	bytes int
}

// update runs f with the state, alone.
func (c *conn) update(f func(*state)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.state)
}

// ServeConn serves one client on the given streams until in ends, ctx ends or
// out fails. It answers what it has read before it returns. The error is nil
// for every orderly end, including a client that went away.
//
// If ctx ends while in.Read blocks, ServeConn returns without it; the read is
// left behind with its goroutine unless in has a SetReadDeadline method.
func ServeConn(ctx context.Context, s *server.Server, in io.Reader, out io.Writer, options Options) error {
	ended, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	c := &conn{
		server: s,
		opts:   options.withDefaults(),
		out:    newOutbox(out),
		base:   context.WithoutCancel(ctx),
		ended:  ended,
		quiet:  make(chan struct{}, 1),
	}
	c.state.inFlight = map[string]*flight{}
	c.watch = time.AfterFunc(time.Hour, c.tick)
	c.watch.Stop()

	done := make(chan error, 1)
	c.take(jsonrpc.NewLineReader(in, c.opts.MaxLine), done)
	var err error
	select {
	case err = <-done:
	case <-c.out.gone:
		// Somebody else than the reader found out, which may wait for input
		// for as long as the client likes.
		err = errGone
		c.interrupt(in)
	case <-ctx.Done():
		c.opts.Log.Info("stopping", "cause", context.Cause(ctx))
		c.interrupt(in)
	}
	c.drain()
	c.out.end()
	switch {
	case errors.Is(err, errGone):
		c.opts.Log.Info("the client no longer reads", "error", c.out.failed())
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("stdio: read: %w", err)
	default:
		return nil
	}
}

// interrupt ends the reading. It notes that first, so that half a line in
// memory is not taken for the last one when the read returns.
func (c *conn) interrupt(in io.Reader) {
	c.update(func(s *state) { s.stopping = true })
	if deadline, ok := in.(interface{ SetReadDeadline(time.Time) error }); ok {
		// A pipe that knows no deadlines says so; then the read stays.
		_ = deadline.SetReadDeadline(time.Now())
	}
}

// Notify implements server.Peer.
func (c *conn) Notify(ctx context.Context, message []byte) error {
	return c.out.send(ctx, append(message, '\n'))
}

// Congested implements server.Congester.
func (c *conn) Congested() bool { return c.out.backlog.Load() >= maxUnsent }

// Answer implements server.Peer: the late answer of a call in flight.
func (c *conn) Answer(call *server.Call, message []byte) {
	// Sending fails only when nobody reads any more, which ends the whole
	// connection elsewhere.
	_ = c.out.send(c.ended, append(message, '\n'))
	c.update(func(s *state) { c.land(s, call) })
}

// Yield implements server.Yielder: a call that is about to wait gives the
// reading back, if it has it.
func (c *conn) Yield(call *server.Call) {
	c.update(func(s *state) {
		if s.seat != nil && s.seat.call == call {
			c.depose(s)
		}
	})
}

// fly registers a call that runs elsewhere than in the seat. A subscription
// that was read before the end but opens after it is asked to end at once.
func (c *conn) fly(s *state, call *server.Call, bytes int) {
	s.inFlight[call.ID.Key()] = &flight{call: call, bytes: bytes}
	s.bytes += bytes
	if s.stopping {
		call.Stop()
	}
}

// land forgets a call that owes nothing any more.
func (c *conn) land(s *state, call *server.Call) {
	key := call.ID.Key()
	if f := s.inFlight[key]; f != nil && f.call == call {
		delete(s.inFlight, key)
		s.bytes -= f.bytes
	}
	c.noteQuiet(s)
}

func (c *conn) noteQuiet(s *state) {
	if len(s.inFlight) == 0 {
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
}
