package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// maxUnlogged is how much of the log waits for a reader of standard error. Many
// hosts never read it, and a pipe that is full must not stop the server.
const maxUnlogged = 1 << 20

// Lossy is a writer that never waits. What its destination does not take soon
// enough is left out, whole writes at a time, and their number is written once
// there is room again.
type Lossy struct {
	dst  io.Writer
	wake chan struct{}
	idle chan struct{}

	mu      sync.Mutex
	pending []byte
	writing bool
	lost    int
}

// NewLossy writes to dst on a goroutine of its own.
func NewLossy(dst io.Writer) *Lossy {
	l := &Lossy{dst: dst, wake: make(chan struct{}, 1), idle: make(chan struct{}, 1)}
	go l.run()
	return l
}

// Write implements io.Writer. It takes all of p or leaves all of it out, and
// never fails.
func (l *Lossy) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending)+len(p) > maxUnlogged {
		l.lost++
		return len(p), nil
	}
	if l.lost > 0 {
		l.pending = fmt.Appendf(l.pending, "%d log lines were left out because standard error was not read\n", l.lost)
		l.lost = 0
	}
	l.pending = append(l.pending, p...)
	signal(l.wake)
	return len(p), nil
}

func (l *Lossy) run() {
	for range l.wake {
		l.mu.Lock()
		for len(l.pending) > 0 {
			batch := l.pending
			l.pending, l.writing = nil, true
			l.mu.Unlock()
			// There is nowhere to report a broken standard error to.
			_, _ = l.dst.Write(batch)
			l.mu.Lock()
			l.writing = false
		}
		l.mu.Unlock()
		signal(l.idle)
	}
}

// Flush waits until everything was written, but no longer than the given time.
func (l *Lossy) Flush(most time.Duration) {
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	for {
		l.mu.Lock()
		done := len(l.pending) == 0 && !l.writing
		l.mu.Unlock()
		if done {
			return
		}
		select {
		case <-l.idle:
		case <-timeout.C:
			return
		}
	}
}

// signal leaves a note for whoever waits on c, if there is none yet.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
