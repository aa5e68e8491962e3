package transcript

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// holdLimit is how many bytes of lines a Writer keeps back before it must
// write. One line may come on top of it.
const holdLimit = 256 << 10

// Writer writes records as lines. It is safe for concurrent use.
//
// A Writer either takes a record whole or refuses it whole. What the file
// below did not take stays in memory (at most 256 KiB and one record) and is
// written later from the very byte where writing stopped, so a disk that was
// full for a while leaves records out but damages no line.
type Writer struct {
	mu      sync.Mutex
	dst     io.Writer
	buf     []byte
	seq     uint64
	started time.Time
}

// NewWriter begins a session with a header. Nothing is written yet: call
// [Writer.Flush]. A zero Started means now.
func NewWriter(dst io.Writer, h Header) *Writer {
	if h.Started.IsZero() {
		h.Started = time.Now()
	}
	w := &Writer{dst: dst, started: h.Started}
	w.buf = AppendRecord(w.buf, &Record{Kind: KindHeader, Header: &h})
	return w
}

// Started is the moment from which Mono counts. It carries the monotonic
// clock when the header's Started came from [time.Now].
func (w *Writer) Started() time.Time { return w.started }

// Write takes a record to be written and sets its Seq. An error means that
// the record was refused because earlier ones could not be written; it may be
// given again later. Headers are refused always: they begin a session.
func (w *Writer) Write(r *Record) error {
	if r.Kind == KindHeader {
		return errors.New("transcript: a header can only begin a session")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.buf) >= holdLimit {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.seq++
	r.Seq = w.seq
	w.buf = AppendRecord(w.buf, r)
	return nil
}

// Flush writes what was taken. After an error it may be called again and goes
// on where writing stopped.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

func (w *Writer) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	n, err := w.dst.Write(w.buf)
	n = min(max(n, 0), len(w.buf))
	if n > 0 {
		w.buf = w.buf[:copy(w.buf, w.buf[n:])]
	}
	if err == nil && len(w.buf) > 0 {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	return nil
}
