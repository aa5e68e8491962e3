package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// DefaultMaxLine is the longest message that is read unless the caller sets
// another limit: 8 MiB, not counting the line end.
const DefaultMaxLine = 8 << 20

// readSize is how much is asked for at once. A pipe holds 64 KiB on Linux, so
// one read takes all that a peer has sent in a burst.
const readSize = 64 << 10

// LineTooLongError is returned in place of a line longer than the limit. The
// line was skipped, not kept; reading goes on behind it.
type LineTooLongError struct {
	// Limit is the longest line allowed, in bytes.
	Limit int
	// Prefix is the beginning of the line, valid until the next call of Next.
	Prefix []byte
}

// Error implements the error interface.
func (e *LineTooLongError) Error() string {
	return fmt.Sprintf("the message is longer than %d bytes", e.Limit)
}

// LineReader cuts a stream into lines (stdio transport: one message a line,
// ended by a line feed). Memory is bounded by the limit, whatever the peer
// sends, and given back after a long line.
type LineReader struct {
	src   io.Reader
	limit int
	buf   []byte
	// buf[start:end] is what was read and not yet returned; buf[start:seen]
	// of it is known to hold no line end.
	start, seen, end int
	err              error
}

// NewLineReader reads lines of at most limit bytes from src; a limit of zero
// or less means [DefaultMaxLine].
func NewLineReader(src io.Reader, limit int) *LineReader {
	if limit <= 0 {
		limit = DefaultMaxLine
	}
	return &LineReader{src: src, limit: limit, buf: make([]byte, readSize)}
}

// Waiting reports whether a whole line is already in memory, so that Next
// will not block. A server holds back its answers while more input waits.
func (r *LineReader) Waiting() bool {
	if r.err != nil {
		return r.start < r.end
	}
	i := bytes.IndexByte(r.buf[r.seen:r.end], '\n')
	if i < 0 {
		r.seen = r.end
		return false
	}
	// Remember how far was looked, so that Next need not look again.
	r.seen += i
	return true
}

// Next returns the next line without its line end. The slice is valid until
// the next call. A last line that lacks its line end counts as a line. At the
// end the error is io.EOF or what the stream said; a line over the limit gives
// a *[LineTooLongError], after which Next may be called again.
func (r *LineReader) Next() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.seen:r.end], '\n'); i >= 0 {
			end := r.seen + i
			line := r.buf[r.start:end:end]
			r.start = end + 1
			r.seen = r.start
			if len(line) > r.limit {
				return nil, &LineTooLongError{Limit: r.limit, Prefix: line[:r.limit]}
			}
			return line, nil
		}
		r.seen = r.end
		if r.end-r.start > r.limit {
			return nil, r.skipLine()
		}
		if r.err != nil {
			if r.start == r.end {
				return nil, r.err
			}
			line := r.buf[r.start:r.end]
			r.start, r.seen = r.end, r.end
			return line, nil
		}
		r.fill()
	}
}

// fill reads once into the free space behind what is held.
func (r *LineReader) fill() {
	switch {
	case r.start == r.end:
		r.start, r.seen, r.end = 0, 0, 0
		if len(r.buf) > readSize {
			r.buf = make([]byte, readSize)
		}
	case r.end == len(r.buf):
		size := len(r.buf)
		if r.end-r.start > size/2 {
			size *= 2
		}
		r.move(size)
	}
	n, err := r.src.Read(r.buf[r.end:])
	r.end += n
	r.err = err
}

// move puts what is held at the beginning of a buffer of the given size. A
// new buffer is made only to grow: a line that was returned is dead by now.
func (r *LineReader) move(size int) {
	held := r.buf[r.start:r.end]
	if size != len(r.buf) {
		r.buf = make([]byte, size)
	}
	r.end = copy(r.buf, held)
	r.seen -= r.start
	r.start = 0
}

// skipLine drops the rest of a line that is too long.
func (r *LineReader) skipLine() error {
	tooLong := &LineTooLongError{Limit: r.limit, Prefix: r.buf[r.start : r.start+r.limit]}
	scratch := make([]byte, readSize)
	r.start, r.seen, r.end = 0, 0, 0
	for r.err == nil {
		n, err := r.src.Read(scratch)
		r.err = err
		if i := bytes.IndexByte(scratch[:n], '\n'); i >= 0 {
			// The prefix stays where it is for the caller; what follows the
			// line goes on in the scratch buffer.
			r.buf = scratch
			r.start, r.seen, r.end = i+1, i+1, n
			return tooLong
		}
	}
	r.buf = scratch
	return tooLong
}

// Detach gives up the reader: the returned one continues behind the last line
// that Next returned, in memory of its own, so that whoever still works on
// that line may keep it while another goroutine reads on.
func (r *LineReader) Detach() *LineReader {
	held := r.buf[r.start:r.end]
	next := &LineReader{src: r.src, limit: r.limit, buf: make([]byte, max(readSize, len(held)+readSize/2)), err: r.err}
	next.end = copy(next.buf, held)
	next.seen = r.seen - r.start
	r.start, r.seen, r.end = 0, 0, 0
	r.err = errors.New("the line reader was given up")
	return next
}
