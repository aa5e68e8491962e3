package tap

import (
	"bytes"
	"sync"
	"time"

	"helpdesk/transcript"
)

// firstRing is how large the queue's memory is at first. It doubles when more
// waits, so that a quiet session stays small.
const firstRing = 64 << 10

// A full queue whose log is well may hold up traffic a little before bytes are
// left out, which bridges bursts and moments in which the recorder does not
// get the processor. A piece waits for the patience at most. All waits together
// take at most the allowance, which grows back by a tenth of the time that
// passes, so a disk that is slow for long costs a tenth of the speed. After a
// wait in vain nobody waits again until the recorder has moved.
const (
	patience     = 20 * time.Millisecond
	maxAllowance = 500 * time.Millisecond
	growBack     = 10
)

// entry is one thing to be recorded: bytes of a stream in the ring, bytes that
// were dropped, or an event.
type entry struct {
	stream int
	at     time.Time
	size   int
	// lines and bytes count what was dropped.
	lines, bytes int64
	event        *transcript.Record
}

// queue holds what was passed on and is not yet recorded. Pushing bytes costs
// a lock and a copy. Only when the queue is full does it wait: for as long as
// it takes when exact was asked for, otherwise within the allowance.
type queue struct {
	mu       sync.Mutex
	room     sync.Cond
	ready    chan struct{}
	exact    bool
	failing  bool
	stalled  bool
	closed   bool
	maxBytes int
	maxCount int

	ring       []byte
	head, used int
	entries    []entry
	first      int
	dropped    [streams]entry
	allowance  time.Duration
	waited     time.Time // when the allowance was last reckoned
	lostLines  int64
	lostBytes  int64
}

func newQueue(maxBytes, maxCount int, exact bool) *queue {
	q := &queue{
		ready:    make(chan struct{}, 1),
		exact:    exact,
		maxBytes: maxBytes,
		maxCount: maxCount,
		ring:     make([]byte, firstRing),

		allowance: maxAllowance,
		waited:    time.Now(),
	}
	q.room.L = &q.mu
	return q
}

// push takes a copy of bytes, or counts them as dropped. The caller calls wake
// when it has nothing more urgent to do. The time is taken here, under the
// lock, so that the order of the records and of their times is the same.
func (q *queue) push(stream int, p []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.full(len(p)) {
		q.await(len(p))
	}
	at := time.Now()
	if q.full(len(p)) || q.closed {
		lines := int64(bytes.Count(p, []byte("\n")))
		d := &q.dropped[stream]
		d.at = at
		d.lines += lines
		d.bytes += int64(len(p))
		q.lostLines += lines
		q.lostBytes += int64(len(p))
		return
	}
	q.pushDropped()
	q.grow(len(p))
	tail := (q.head + q.used) % len(q.ring)
	n := copy(q.ring[tail:], p)
	copy(q.ring, p[n:])
	q.used += len(p)
	q.entries = append(q.entries, entry{stream: stream, at: at, size: len(p)})
}

// await waits for room for n bytes, if waiting is called for.
func (q *queue) await(n int) {
	expired := false
	if !q.exact {
		start := time.Now()
		q.allowance = min(q.allowance+start.Sub(q.waited)/growBack, maxAllowance)
		q.waited = start
		if q.allowance <= 0 {
			return
		}
		timer := time.AfterFunc(min(patience, q.allowance), func() {
			q.mu.Lock()
			expired = true
			q.mu.Unlock()
			q.room.Broadcast()
		})
		defer func() {
			timer.Stop()
			q.allowance -= time.Since(start)
		}()
	}
	for q.full(n) && !expired && !q.stalled && !q.failing && !q.closed {
		q.wake()
		q.room.Wait()
	}
	q.stalled = q.stalled || expired && q.full(n)
}

// pushEvent takes a record that is no data. Events are few and always taken.
func (q *queue) pushEvent(stream int, event transcript.Record) {
	q.mu.Lock()
	q.pushDropped()
	q.entries = append(q.entries, entry{stream: stream, at: time.Now(), event: &event})
	q.mu.Unlock()
	q.wake()
}

// pushDropped puts what was dropped in its place: before all that comes later.
func (q *queue) pushDropped() {
	for stream := range q.dropped {
		d := &q.dropped[stream]
		if d.bytes > 0 {
			q.entries = append(q.entries, entry{stream: stream, at: d.at, lines: d.lines, bytes: d.bytes})
			*d = entry{}
		}
	}
}

// full reports whether n more bytes would pass a bound. An empty queue takes
// anything, so that small bounds cannot stop the record altogether.
func (q *queue) full(n int) bool {
	waiting := len(q.entries) - q.first
	return waiting > 0 && (q.used+n > q.maxBytes || waiting >= q.maxCount)
}

// grow makes room in the ring for n more bytes.
func (q *queue) grow(n int) {
	size := len(q.ring)
	for size < q.used+n {
		size *= 2
	}
	if size == len(q.ring) {
		return
	}
	// The old ring is left as it is: the recorder may be reading it.
	ring := make([]byte, size)
	a, b := q.span(q.used)
	copy(ring[copy(ring, a):], b)
	q.ring, q.head = ring, 0
}

// span is the first n bytes in the ring, in two pieces when they pass its end.
func (q *queue) span(n int) (a, b []byte) {
	if end := q.head + n; end <= len(q.ring) {
		return q.ring[q.head:end], nil
	}
	return q.ring[q.head:], q.ring[:q.head+n-len(q.ring)]
}

// take returns the first entry with its bytes, which stay valid until done.
func (q *queue) take() (e entry, a, b []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.first == len(q.entries) {
		q.pushDropped()
	}
	if q.first == len(q.entries) {
		return entry{}, nil, nil, false
	}
	e = q.entries[q.first]
	a, b = q.span(e.size)
	return e, a, b, true
}

// done removes the first entry, which take returned.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	size := q.entries[q.first].size
	q.head = (q.head + size) % len(q.ring)
	q.used -= size
	q.stalled = false
	q.entries[q.first] = entry{}
	q.first++
	switch {
	case q.first == len(q.entries):
		q.entries, q.first = q.entries[:0], 0
	case q.first >= 1024 && q.first*2 >= len(q.entries):
		q.entries = q.entries[:copy(q.entries, q.entries[q.first:])]
		q.first = 0
	}
	q.room.Broadcast()
}

// wake tells the recorder that something waits.
func (q *queue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// setFailing says whether the log fails, in which case nobody waits for room.
func (q *queue) setFailing(failing bool) {
	q.mu.Lock()
	q.failing = failing
	q.mu.Unlock()
	q.room.Broadcast()
}

// close says that nothing more is pushed.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.room.Broadcast()
	q.wake()
}

// isClosed reports whether close was called.
func (q *queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// lost is what was dropped so far.
func (q *queue) lost() (lines, bytes int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lostLines, q.lostBytes
}
