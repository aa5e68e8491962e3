package transcript

import (
	"errors"
	"io"
	"iter"
)

// DefaultMaxLine is the longest line a [Joiner] puts together unless told
// otherwise: 64 MiB.
const DefaultMaxLine = 64 << 20

// Line is a line of a stream, put together from its parts.
type Line struct {
	Direction Direction
	Stream    Stream
	// Data is the line exactly as it was sent, its line end included. The
	// last line of a stream may have none.
	Data []byte
	// First and Last are the numbers of the records that held the line.
	First, Last uint64
	// At is when the last of its bytes was read.
	At Stamp
	// Torn says that bytes are missing from the line.
	Torn bool
	// Redacted says that values were replaced or content withheld.
	Redacted bool
	// Withheld is how many bytes were withheld by redaction.
	Withheld int64
	// Omitted is how many bytes at the end the Joiner left out because the
	// line was longer than its limit.
	Omitted int64
}

// maxOpen is how many streams may have an open line at once. A session has
// three; a file that claims thousands must not fill the memory.
const maxOpen = 16

// Joiner puts lines together from data records. It holds at most one line of
// each stream. It is not safe for concurrent use.
type Joiner struct {
	limit int
	open  []*Line
	next  []int // next[i] is the part that open[i] waits for
}

// NewJoiner puts together lines of at most limit bytes, zero or less meaning
// [DefaultMaxLine]. What is longer is cut and says so.
func NewJoiner(limit int) *Joiner {
	if limit <= 0 {
		limit = DefaultMaxLine
	}
	return &Joiner{limit: limit}
}

// Add takes the next record and returns the lines that are complete by it. A
// data record completes at most one; the end of a stream, dropped bytes and a
// new session complete what will get no more parts.
func (j *Joiner) Add(r *Record) []Line {
	switch r.Kind {
	case KindData:
		return j.data(r)
	case KindEOF, KindDropped:
		return j.cut(r.Stream)
	case KindHeader:
		return j.Rest()
	}
	return nil
}

// Rest returns the lines that lack their final part, as at the end of a file
// whose recorder was killed. All are marked as torn.
func (j *Joiner) Rest() []Line {
	var lines []Line
	for _, line := range j.open {
		line.Torn = true
		lines = append(lines, *line)
	}
	j.open, j.next = nil, nil
	return lines
}

func (j *Joiner) data(r *Record) []Line {
	i := j.find(r.Stream)
	var lines []Line
	if i >= 0 && r.Part != j.next[i] {
		// A part is missing: what was there cannot be continued.
		lines = j.cut(r.Stream)
		i = -1
	}
	if i < 0 {
		if len(j.open) == maxOpen {
			lines = append(lines, j.cut(j.open[0].Stream)...)
		}
		j.open = append(j.open, &Line{Direction: r.Direction, Stream: r.Stream, First: r.Seq, Torn: r.Part > 1})
		j.next = append(j.next, 0)
		i = len(j.open) - 1
	}
	line := j.open[i]
	keep := min(len(r.Data), j.limit-len(line.Data))
	line.Data = append(line.Data, r.Data[:keep]...)
	line.Omitted += int64(len(r.Data) - keep)
	line.Last = r.Seq
	line.At = Stamp{Time: r.Time, Mono: r.Mono}
	line.Torn = line.Torn || r.Torn
	line.Redacted = line.Redacted || r.Redacted
	line.Withheld += r.Withheld
	j.next[i] = r.Part + 1
	if r.Part > 0 && !r.Final {
		return lines
	}
	j.remove(i)
	return append(lines, *line)
}

// cut gives up what is open on a stream.
func (j *Joiner) cut(stream Stream) []Line {
	i := j.find(stream)
	if i < 0 {
		return nil
	}
	line := j.open[i]
	line.Torn = true
	j.remove(i)
	return []Line{*line}
}

func (j *Joiner) find(stream Stream) int {
	for i, line := range j.open {
		if line.Stream == stream {
			return i
		}
	}
	return -1
}

func (j *Joiner) remove(i int) {
	j.open = append(j.open[:i], j.open[i+1:]...)
	j.next = append(j.next[:i], j.next[i+1:]...)
}

// Lines ranges over the whole lines of a record in the order in which they
// were completed. Errors come as [Reader.All] gives them; a zero limit means
// [DefaultMaxLine].
func Lines(r *Reader, limit int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		j := NewJoiner(limit)
		for rec, err := range r.All() {
			if err != nil {
				if !yield(Line{}, err) {
					return
				}
				continue
			}
			for _, line := range j.Add(&rec) {
				if !yield(line, nil) {
					return
				}
			}
		}
		for _, line := range j.Rest() {
			if !yield(line, nil) {
				return
			}
		}
	}
}

// ReadAll returns the records of src that can be read. The error joins the
// first ten problems met; a limit of zero means [DefaultMaxRecord].
func ReadAll(src io.Reader, limit int) ([]Record, error) {
	var records []Record
	var problems []error
	for rec, err := range NewReader(src, limit).All() {
		switch {
		case err == nil:
			records = append(records, rec)
		case len(problems) < maxProblems:
			problems = append(problems, err)
		}
	}
	return records, errors.Join(problems...)
}

// maxProblems bounds the error of a file that is damaged all over.
const maxProblems = 10
