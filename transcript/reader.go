package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"helpdesk/jsonscan"
)

// DefaultMaxRecord is the longest line a [Reader] accepts unless told
// otherwise, in bytes. It holds a full part in its longest spelling.
const DefaultMaxRecord = 16 << 20

// ErrNoHeader says that the text does not begin with a transcript's header.
var ErrNoHeader = errors.New("this is not a transcript: the first line is not a header with the format " + Format)

// ErrCutOff says that the last line has no end and is not a whole record, as
// a crash of the recorder leaves it.
var ErrCutOff = errors.New("the last line is cut off")

// VersionError says that a session was written in another version.
type VersionError struct {
	// Version is the header's version.
	Version int
}

// Error implements the error interface.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the record has version %d of the format; this program reads version %d", e.Version, Version)
}

// LineError says which line could not be read, and why.
type LineError struct {
	// Line counts from 1.
	Line int
	// Err is the reason: [ErrCutOff], [ErrNoHeader], a *[VersionError] or
	// another.
	Err error
}

// Error implements the error interface.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Err }

// Reader reads records one by one. It is strict with what it knows and passes
// over members and kinds of records that it does not know.
type Reader struct {
	src     *bufio.Reader
	limit   int
	line    int
	seq     uint64
	long    []byte
	members []jsonscan.Member
	err     error
}

// NewReader reads records from src. A line longer than limit bytes is an
// error; a limit of zero or less means [DefaultMaxRecord].
func NewReader(src io.Reader, limit int) *Reader {
	if limit <= 0 {
		limit = DefaultMaxRecord
	}
	return &Reader{src: bufio.NewReaderSize(src, 64<<10), limit: limit}
}

// Next returns the next record; the first is a header. At the end the error
// is io.EOF. A line that cannot be read gives a *[LineError], after which Next
// may be called again and goes on with the next line, unless the file has no
// header or another version, which no later line can mend. The record's Data
// belongs to the caller.
func (r *Reader) Next() (Record, error) {
	for r.err == nil {
		line, err := r.readLine()
		if err != nil {
			return Record{}, err
		}
		rec, members, err := parseRecord(line.text, r.members)
		clear(members)
		r.members = members
		var version *VersionError
		switch {
		case errors.Is(err, errUnknownKind) && r.line > 1:
			continue
		case err != nil && line.unended:
			err = ErrCutOff
		case errors.As(err, &version):
			// Reading on would give this session's records a meaning that
			// they may not have.
			r.err = &LineError{Line: r.line, Err: err}
			return Record{}, r.err
		case err == nil:
			err = r.follows(rec)
		}
		if err != nil && r.line == 1 {
			err = fmt.Errorf("%w (%w)", ErrNoHeader, err)
			r.err = &LineError{Line: 1, Err: err}
			return Record{}, r.err
		}
		if err != nil {
			return Record{}, &LineError{Line: r.line, Err: err}
		}
		return rec, nil
	}
	return Record{}, r.err
}

// follows checks the order of records and keeps count of it.
func (r *Reader) follows(rec Record) error {
	switch {
	case rec.Kind == KindHeader:
		r.seq = 0
	case r.line == 1:
		return fmt.Errorf("a record of kind %q", rec.Kind)
	case rec.Seq <= r.seq:
		return fmt.Errorf("record %d follows record %d", rec.Seq, r.seq)
	default:
		r.seq = rec.Seq
	}
	return nil
}

// All ranges over the records as [Reader.Next] gives them. It goes on after a
// *[LineError] unless the caller breaks, and ends without an error at the end.
func (r *Reader) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF {
				return
			}
			if !yield(rec, err) || r.err != nil {
				return
			}
		}
	}
}

// physical is a line of the file without its end.
type physical struct {
	text []byte
	// unended is set when the file ends without a line feed.
	unended bool
}

// readLine returns the next line. A line over the limit is skipped without
// being kept.
func (r *Reader) readLine() (physical, error) {
	r.long = r.long[:0]
	tooLong := false
	for {
		piece, err := r.src.ReadSlice('\n')
		tooLong = tooLong || len(r.long)+len(piece) > r.limit+1
		switch {
		case err == bufio.ErrBufferFull:
			if !tooLong {
				r.long = append(r.long, piece...)
			}
			continue
		case err == nil:
			piece = piece[:len(piece)-1]
		case err != io.EOF || len(r.long)+len(piece) == 0:
			r.err = err
			if err == io.EOF && r.line == 0 {
				r.err = &LineError{Line: 1, Err: fmt.Errorf("%w (the file is empty)", ErrNoHeader)}
			} else if err != io.EOF {
				r.err = fmt.Errorf("read the record: %w", err)
			}
			return physical{}, r.err
		}
		r.line++
		if tooLong || len(r.long)+len(piece) > r.limit {
			failed := &LineError{Line: r.line, Err: fmt.Errorf("the line is longer than %d bytes", r.limit)}
			if r.line == 1 {
				failed.Err = fmt.Errorf("%w (%w)", ErrNoHeader, failed.Err)
				r.err = failed
			}
			return physical{}, failed
		}
		if len(r.long) > 0 {
			r.long = append(r.long, piece...)
			piece = r.long
		}
		return physical{text: piece, unended: err == io.EOF}, nil
	}
}
