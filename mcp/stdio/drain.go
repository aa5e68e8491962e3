package stdio

import (
	"context"
	"time"

	"helpdesk/mcp/server"
)

// lastWords is how long a client may take nothing of the final answers before
// it is given up. One that goes on reading gets them all.
const lastWords = 300 * time.Millisecond

// drain ends the connection: it takes nothing new, ends subscriptions with
// their result, lets calls finish for Options.Drain, and answers for those
// that do not, so that no request is left without an answer.
func (c *conn) drain() {
	c.update(func(s *state) {
		s.stopping = true
		for _, f := range s.inFlight {
			f.call.Stop()
		}
		if s.session != nil {
			// Its questions can no longer be answered, since nobody reads.
			s.session.Close()
		}
	})
	deadline := time.NewTimer(c.opts.Drain)
	defer deadline.Stop()
	for !c.idle() {
		select {
		case <-c.quiet:
		case <-deadline.C:
			c.finish(c.abandon)
			return
		}
	}
	c.finish(func() {})
}

// idle reports whether nothing is owed: no call in flight, and none in the
// seat or in the lines it has read.
func (c *conn) idle() (idle bool) {
	c.update(func(s *state) { idle = len(s.inFlight) == 0 && s.seat.waiting })
	return idle
}

// abandon answers for every call that is still running.
func (c *conn) abandon() {
	var calls []*server.Call
	c.update(func(s *state) {
		for _, f := range s.inFlight {
			calls = append(calls, f.call)
		}
		if s.seat.call != nil {
			calls = append(calls, s.seat.call)
		}
	})
	for _, call := range calls {
		c.server.Abandon(call)
	}
}

// finish says the last words and sends what is left. All of it can block on a
// client that does not read, so it lasts only while the client does.
func (c *conn) finish(lastly func()) {
	ctx, cancel := context.WithCancel(c.base)
	defer cancel()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		lastly()
		c.out.flush()
		c.out.awaitSettled(ctx)
	}()
	before := c.out.written.Load()
	still := time.NewTicker(lastWords)
	defer still.Stop()
	for {
		select {
		case <-sent:
			return
		case <-still.C:
			now := c.out.written.Load()
			if now == before {
				return
			}
			before = now
		}
	}
}
