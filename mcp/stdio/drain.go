package stdio

import (
	"context"
	"time"

	"helpdesk/mcp/server"
)

// lastWords bounds the writing of the final answers to a client that may not
// be reading any more.
const lastWords = 500 * time.Millisecond

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
			c.abandon()
			c.finish()
			return
		}
	}
	c.finish()
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

// finish sends what is left.
func (c *conn) finish() {
	ctx, cancel := context.WithTimeout(c.base, lastWords)
	defer cancel()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		c.out.flush()
		c.out.awaitSettled(ctx)
	}()
	select {
	case <-sent:
	case <-ctx.Done():
	}
}
