package server

import (
	"context"
	"sync"

	"helpdesk/mcp"
)

// limiter bounds how many tool handlers run at once. Those beyond the bound
// wait in order, and those beyond the queue are told to come back, so that a
// flood costs its sender and nobody else.
type limiter struct {
	most, queue int

	mu      sync.Mutex
	running int
	waiting []chan struct{}
}

// acquire takes a place, waiting for one if it must.
func (l *limiter) acquire(ctx context.Context, call *Call) error {
	l.mu.Lock()
	if l.running < l.most {
		l.running++
		l.mu.Unlock()
		return nil
	}
	if len(l.waiting) >= l.queue {
		l.mu.Unlock()
		return mcp.ToolErrorf("The server is busy: %d calls are running and %d wait. Nothing was changed. Try again in a few seconds.", l.most, l.queue)
	}
	turn := make(chan struct{})
	l.waiting = append(l.waiting, turn)
	l.mu.Unlock()

	call.yield()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		l.leave(turn)
		return context.Cause(ctx)
	}
}

// leave gives up waiting. A turn that was granted meanwhile is passed on.
func (l *limiter) leave(turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, waiting := range l.waiting {
		if waiting == turn {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			return
		}
	}
	l.passOn()
}

func (l *limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.passOn()
}

// reenter takes a place without waiting, beyond the bound if need be.
func (l *limiter) reenter() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running++
}

// passOn hands a place to the first who waits, or frees it.
func (l *limiter) passOn() {
	if len(l.waiting) == 0 || l.running > l.most {
		l.running--
		return
	}
	close(l.waiting[0])
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
}
