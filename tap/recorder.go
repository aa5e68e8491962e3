package tap

import (
	"sync/atomic"
	"time"

	"helpdesk/transcript"
)

// idle is how long a line may lack its end before the part that is there is
// recorded, and how often a log that failed is tried again.
const idle = time.Second

// retryWait is how long a log that refused a record is left alone. Until then
// records are counted as lost without asking it again for each of them.
const retryWait = 100 * time.Millisecond

// The streams by index, for arrays.
const (
	stdin = iota
	stdout
	stderr
	streams
)

var streamNames = [streams]transcript.Stream{transcript.Stdin, transcript.Stdout, transcript.Stderr}

// recorder turns what waits in the queue into records. It runs beside the
// traffic, in one goroutine.
type recorder struct {
	cfg     *Config
	queue   *queue
	start   time.Time
	cutters [streams]*transcript.Cutter
	ended   [streams]bool
	// owed are the records that the log refused and that must not be left
	// out: events, and what is known to be missing.
	owed []transcript.Record
	// retry is when a log that refused a record is asked again.
	retry time.Time
	// seq numbers the records when there is no log to do it.
	seq    uint64
	logErr atomic.Pointer[error]
	// What the log refused, beside what the queue dropped.
	lostLines, lostBytes atomic.Int64
	finished             chan struct{}
}

func newRecorder(cfg *Config, q *queue) *recorder {
	r := &recorder{cfg: cfg, queue: q, start: time.Now(), finished: make(chan struct{})}
	if cfg.Log != nil {
		r.start = cfg.Log.Started()
	}
	for i, name := range streamNames {
		r.cutters[i] = transcript.NewCutter(name, cfg.PartLimit, cfg.Redact, r.record)
	}
	return r
}

// run records until the queue is closed and empty.
func (r *recorder) run() {
	defer close(r.finished)
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		closed := r.queue.isClosed()
		r.drain()
		if closed {
			break
		}
		r.flush()
		timer.Reset(idle)
		select {
		case <-r.queue.ready:
		case <-timer.C:
			r.pause()
		}
	}
	at := r.stamp(time.Now())
	for i, c := range r.cutters {
		if !r.ended[i] {
			c.End(at)
		}
	}
	// The last try: a log that failed a moment ago may have room by now.
	r.retry = time.Time{}
	r.flush()
}

// drain records all that waits.
func (r *recorder) drain() {
	for {
		e, a, b, ok := r.queue.take()
		if !ok {
			return
		}
		at := r.stamp(e.at)
		switch {
		case e.event != nil:
			if e.event.Kind == transcript.KindEOF {
				r.cutters[e.stream].End(at)
				r.ended[e.stream] = true
			}
			e.event.Time, e.event.Mono = at.Time, at.Mono
			r.record(e.event)
		case e.bytes > 0:
			r.cutters[e.stream].Gap(at)
			r.record(droppedRecord(streamNames[e.stream], at, e.lines, e.bytes))
		default:
			r.cutters[e.stream].Add(at, a)
			r.cutters[e.stream].Add(at, b)
		}
		r.queue.done()
	}
}

// pause records the beginnings of lines that have waited for their end.
func (r *recorder) pause() {
	at := r.stamp(time.Now())
	for _, c := range r.cutters {
		c.Pause(at)
	}
}

func (r *recorder) stamp(t time.Time) transcript.Stamp {
	return transcript.Stamp{Time: t.UTC().Round(0), Mono: max(t.Sub(r.start), 0)}
}

// record gives one record to the log and to the callback.
func (r *recorder) record(rec *transcript.Record) {
	switch {
	case r.cfg.Log == nil:
		r.seq++
		rec.Seq = r.seq
	case r.pay():
		if err := r.cfg.Log.Write(rec); err != nil {
			r.refused(err)
			r.owe(rec)
		}
	default:
		r.owe(rec)
	}
	if r.cfg.Record != nil {
		r.cfg.Record(*rec)
	}
}

// pay writes what is owed and reports whether all of it was taken.
func (r *recorder) pay() bool {
	if !r.retry.IsZero() && time.Now().Before(r.retry) {
		return false
	}
	for len(r.owed) > 0 {
		if err := r.cfg.Log.Write(&r.owed[0]); err != nil {
			r.refused(err)
			return false
		}
		r.owed = r.owed[1:]
	}
	return true
}

// owe remembers a record that the log did not take. Of data only the amount
// is remembered, once for each stream, so this stays small.
func (r *recorder) owe(rec *transcript.Record) {
	lines, size := rec.Lines, rec.Bytes
	switch rec.Kind {
	case transcript.KindData:
		size = int64(len(rec.Data)) + rec.Withheld
		if n := len(rec.Data); n > 0 && rec.Data[n-1] == '\n' {
			lines = 1
		}
		r.lostLines.Add(lines)
		r.lostBytes.Add(size)
	case transcript.KindDropped:
		// The queue has counted it.
	default:
		r.owed = append(r.owed, *rec)
		return
	}
	at := transcript.Stamp{Time: rec.Time, Mono: rec.Mono}
	for i := range r.owed {
		d := &r.owed[i]
		if d.Kind == transcript.KindDropped && d.Stream == rec.Stream {
			d.Time, d.Mono = at.Time, at.Mono
			d.Lines += lines
			d.Bytes += size
			return
		}
	}
	r.owed = append(r.owed, *droppedRecord(rec.Stream, at, lines, size))
}

// flush makes the log write. What fails is tried again later.
func (r *recorder) flush() {
	if r.cfg.Log == nil || !r.pay() {
		return
	}
	if err := r.cfg.Log.Flush(); err != nil {
		r.fail(err)
		return
	}
	r.retry = time.Time{}
	r.queue.setFailing(false)
}

// refused notes that the log took no more, not even into its memory.
func (r *recorder) refused(err error) {
	r.retry = time.Now().Add(retryWait)
	r.fail(err)
}

// fail notes an error of the log, and tells the first.
func (r *recorder) fail(err error) {
	r.queue.setFailing(true)
	if r.logErr.CompareAndSwap(nil, &err) && r.cfg.LogError != nil {
		r.cfg.LogError(err)
	}
}

func droppedRecord(stream transcript.Stream, at transcript.Stamp, lines, bytes int64) *transcript.Record {
	return &transcript.Record{
		Kind: transcript.KindDropped, Time: at.Time, Mono: at.Mono,
		Direction: stream.Direction(), Stream: stream, Lines: lines, Bytes: bytes,
	}
}
