package stdio

import (
	"errors"
	"time"

	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// patience is how long a call may hold up the reading. It is far above what a
// brief call takes and far below what a person or a host notices.
const patience = time.Millisecond

// keptScratch is how much memory a seat keeps for the next answer: enough for a
// list of a thousand tools.
const keptScratch = 512 << 10

// seat is the reading end of the connection. Exactly one goroutine holds the
// current seat: it reads lines and runs the calls in them itself. While it
// does, call is set. If the call takes longer than patience, the watch deposes
// the holder: a new goroutine takes a new seat and reads on behind the last
// line, and the old holder becomes the call's own goroutine and ends with it.
type seat struct {
	lines   *jsonrpc.LineReader
	scanner jsonrpc.Scanner
	done    chan<- error
	// scratch is where answers are written; it is the holder's own.
	scratch []byte

	// The rest is part of the connection's state.

	// call is what the holder runs, nil while it reads.
	call *server.Call
	// bytes is the length of the line that call came in.
	bytes int
	// turn counts the calls, so that the watch can tell one from the next.
	turn uint64
	// waiting is set while the holder waits for input with nothing to do, and
	// after the input ended. Only the holder sets it.
	waiting bool
	// deposed is set when another goroutine took over.
	deposed bool
}

// take starts a goroutine that holds a new seat. done is told how it ended,
// unless it was deposed.
func (c *conn) take(lines *jsonrpc.LineReader, done chan<- error) {
	st := &seat{lines: lines, done: done}
	c.update(func(s *state) { s.seat = st })
	go c.hold(st)
}

// hold reads until the input ends, the seat is lost or the connection is over.
func (c *conn) hold(st *seat) {
	for c.ended.Err() == nil {
		if !st.lines.Waiting() {
			c.out.flush()
			if c.out.failed() != nil {
				c.rest(st)
				st.done <- errGone
				return
			}
			if c.rest(st) {
				return
			}
		}
		line, err := st.lines.Next()
		var tooLong *jsonrpc.LineTooLongError
		skipped := errors.As(err, &tooLong)
		if (err == nil || skipped) && st.waiting && c.wake(st) {
			return
		}
		switch {
		case skipped:
			c.refuseLong(tooLong)
		case err != nil:
			c.out.flush()
			c.rest(st)
			st.done <- err
			return
		default:
			c.line(st, line)
			if c.lost(st) {
				return
			}
		}
	}
}

// rest notes that the holder waits for input. It reports whether the
// connection is stopping, and then nothing more is read.
func (c *conn) rest(st *seat) (stopping bool) {
	c.update(func(s *state) {
		st.waiting = true
		c.noteQuiet(s)
		stopping = s.stopping
	})
	return stopping
}

// wake notes that the holder goes on. What arrived after the connection began
// to stop is not taken, so nobody is left waiting for half an answer.
func (c *conn) wake(st *seat) (stopping bool) {
	c.update(func(s *state) {
		if stopping = s.stopping; !stopping {
			st.waiting = false
		}
	})
	return stopping
}

func (c *conn) lost(st *seat) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return st.deposed
}

// run runs a call in the seat and sends its answer.
func (c *conn) run(st *seat, call *server.Call, bytes int) {
	c.update(func(s *state) {
		st.call, st.bytes = call, bytes
		st.turn++
		if !s.watching {
			s.watching = true
			s.watched = st.turn - 1
			c.watch.Reset(patience)
		}
	})
	returned := false
	defer func() {
		if !returned {
			// The handler ended this goroutine, which was lent to it.
			c.Yield(call)
			c.update(func(s *state) { c.land(s, call) })
		}
	}()
	st.scratch = c.server.Dispatch(call, st.scratch[:0])
	returned = true
	deposed := false
	c.update(func(s *state) {
		deposed = st.deposed
		if !deposed {
			st.call = nil
		}
	})
	if len(st.scratch) > 0 {
		st.scratch = append(st.scratch, '\n')
		if deposed {
			// Only a reader that is gone makes this fail; see Answer.
			_ = c.out.send(c.ended, st.scratch)
		} else {
			c.out.hold(c.ended, st.scratch)
		}
	}
	if deposed {
		c.update(func(s *state) { c.land(s, call) })
		return
	}
	if cap(st.scratch) > keptScratch {
		st.scratch = nil
	}
}

// tick looks whether the call in the seat is still the one it saw before.
func (c *conn) tick() {
	c.update(func(s *state) {
		st := s.seat
		switch {
		case st == nil || st.turn == s.watched && st.call == nil:
			s.watching = false
		case st.turn == s.watched:
			s.watching = false
			c.depose(s)
		default:
			s.watched = st.turn
			c.watch.Reset(patience)
		}
	})
}

// depose hands the reading to a new goroutine because the seat's call will not
// return soon. The holder is inside that call, so nobody touches its reader.
func (c *conn) depose(s *state) {
	st := s.seat
	st.deposed = true
	call := st.call
	c.fly(s, call, st.bytes)
	call.MarkSlow()
	call.StartClock()
	next := &seat{lines: st.lines.Detach(), done: st.done, turn: st.turn}
	s.seat = next
	go func() {
		c.out.flush()
		c.hold(next)
	}()
}
