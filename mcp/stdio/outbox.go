package stdio

import (
	"context"
	"errors"
	"io"
	"sync"
)

// maxUnsent is how much may wait for a slow reader before whoever wants to
// send more waits too.
const maxUnsent = 16 << 20

// largeMessage is written from where it is instead of being copied first.
const largeMessage = 64 << 10

// outbox is the one writer of a connection. Whole lines go in; whoever finds
// nobody writing becomes the writer until nothing is left, so lines of many
// calls share a system call and no goroutine waits for work.
type outbox struct {
	w io.Writer

	mu sync.Mutex
	// room wakes those who wait for unsent to shrink.
	room *sync.Cond
	// unsent are lines not yet handed to the writer, spare is memory for the
	// next ones.
	unsent, spare []byte
	writing       bool
	err           error
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w}
	o.room = sync.NewCond(&o.mu)
	return o
}

// errGone is what sending says after the reader closed its end.
var errGone = errors.New("stdio: the client no longer reads")

// hold takes a line without sending it yet; flush sends it.
func (o *outbox) hold(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	if len(line) < largeMessage {
		o.unsent = append(o.unsent, line...)
		line = nil
	}
	if len(line) > 0 || len(o.unsent) >= largeMessage {
		o.drain(line)
	}
}

// send takes a line and returns when it was handed over or another goroutine
// is about to. It waits while too much is unsent.
func (o *outbox) send(ctx context.Context, line []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.unsent) >= maxUnsent {
		if err := o.wait(ctx); err != nil {
			return err
		}
	}
	if o.err != nil {
		return errGone
	}
	if o.writing || len(o.unsent) > 0 || len(line) < largeMessage {
		o.unsent = append(o.unsent, line...)
		line = nil
	}
	o.drain(line)
	return nil
}

// wait blocks until there is room, the reader is gone or ctx ends.
func (o *outbox) wait(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.room.Broadcast()
	})
	defer stop()
	for len(o.unsent) >= maxUnsent && o.err == nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		o.room.Wait()
	}
	return nil
}

func (o *outbox) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain(nil)
}

// drain writes what is unsent and then last, a large line that is not worth
// copying, and goes on until nothing is left. If somebody writes already, that
// one does it. The lock is held on entry and exit, and open during each write.
func (o *outbox) drain(last []byte) {
	if o.writing {
		o.unsent = append(o.unsent, last...)
		return
	}
	o.writing = true
	for o.err == nil {
		if len(o.unsent) > 0 {
			batch := o.unsent
			o.unsent, o.spare = o.spare[:0], nil
			o.write(batch)
			if cap(batch) <= 4*largeMessage {
				o.spare = batch[:0]
			}
		} else if last == nil {
			break
		}
		if last != nil {
			o.write(last)
			last = nil
		}
	}
	o.writing = false
	o.room.Broadcast()
}

// write is the system call, outside the lock.
func (o *outbox) write(batch []byte) {
	o.mu.Unlock()
	_, err := o.w.Write(batch)
	o.mu.Lock()
	if err != nil && o.err == nil {
		o.err = err
		o.unsent = nil
	}
	o.room.Broadcast()
}

// failed reports what ended the writing, nil while it works.
func (o *outbox) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// awaitSettled waits until everything taken was written or ctx ends.
func (o *outbox) awaitSettled(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	stop := context.AfterFunc(ctx, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.room.Broadcast()
	})
	defer stop()
	for o.writing && o.err == nil && ctx.Err() == nil {
		o.room.Wait()
	}
}
