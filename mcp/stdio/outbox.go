package stdio

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// maxUnsent is how much may wait for a slow reader before whoever wants to
// send more waits too.
const maxUnsent = 16 << 20

// maxBacklog is how much may be unsent or held by senders that wait before new
// calls are refused.
const maxBacklog = 64 << 20

// largeMessage is written from where it is instead of being copied first.
const largeMessage = 64 << 10

// oneWrite is how much is written at once, so that a reader that is slow but
// alive can be told from one that is gone.
const oneWrite = 256 << 10

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
	// waiting is how many bytes are held by those who wait for room.
	waiting int
	writing bool
	err     error
	// backlog is unsent and waiting together, for a look without the lock.
	backlog atomic.Int64
	// written counts bytes, to see whether the reader still reads.
	written atomic.Int64
	// gone is closed when the reader's end fails.
	gone chan struct{}
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w, gone: make(chan struct{})}
	o.room = sync.NewCond(&o.mu)
	return o
}

// errGone is what sending says after the reader closed its end.
var errGone = errors.New("stdio: the client no longer reads")

// errEnded is what sending says after the connection is over.
var errEnded = errors.New("stdio: the connection is over")

// hold takes a line without sending it yet; flush sends it. Like send it waits
// while too much is unsent, or a client that sends and does not read would
// fill the memory.
func (o *outbox) hold(ctx context.Context, line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.unsent) >= maxUnsent && o.wait(ctx, len(line)) != nil {
		return
	}
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
		if err := o.wait(ctx, len(line)); err != nil {
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

// wait blocks until there is room for a line of the given length, the reader
// is gone or ctx ends.
func (o *outbox) wait(ctx context.Context, length int) error {
	stop := o.wakeAtEnd(ctx)
	defer stop()
	o.waiting += length
	o.note()
	defer func() {
		o.waiting -= length
		o.note()
	}()
	for len(o.unsent) >= maxUnsent && o.err == nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		o.room.Wait()
	}
	return nil
}

// wakeAtEnd wakes everybody who waits when ctx ends.
func (o *outbox) wakeAtEnd(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.room.Broadcast()
	})
}

// note keeps backlog true to what is unsent and waiting.
func (o *outbox) note() {
	o.backlog.Store(int64(len(o.unsent) + o.waiting))
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
		o.note()
		return
	}
	o.writing = true
	for o.err == nil {
		if len(o.unsent) > 0 {
			batch := o.unsent
			o.unsent, o.spare = o.spare[:0], nil
			o.note()
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
	var err error
	for len(batch) > 0 && err == nil {
		var n int
		n, err = o.w.Write(batch[:min(len(batch), oneWrite)])
		o.written.Add(int64(n))
		batch = batch[n:]
	}
	o.mu.Lock()
	if err != nil && o.err == nil {
		o.err = err
		o.unsent = nil
		close(o.gone)
	}
	o.room.Broadcast()
}

// end lets nothing be written any more, so that the stream is the caller's
// again.
func (o *outbox) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = errEnded
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
	stop := o.wakeAtEnd(ctx)
	defer stop()
	for o.writing && o.err == nil && ctx.Err() == nil {
		o.room.Wait()
	}
}
