package transcript

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// DefaultPartLimit is how many bytes of a line a record holds at most unless
// the [Cutter] is told otherwise: 1 MiB. Longer lines become several parts.
const DefaultPartLimit = 1 << 20

// Stamp is the moment of an event by both clocks.
type Stamp struct {
	// Time is the wall clock, Mono the time since the session's start.
	Time time.Time
	Mono time.Duration
}

// Cutter cuts the bytes of one stream into data records: a record for each
// line, or several parts for a line longer than the limit. Its memory is
// bounded by the limit. It is not safe for concurrent use.
//
// With a [Redactor] a line is recorded only once it is complete. A line longer
// than the limit, a line that is no JSON object, and a line of which bytes are
// missing cannot be redacted; of these the length is recorded and nothing else.
type Cutter struct {
	stream Stream
	limit  int
	redact *Redactor
	emit   func(*Record)

	held []byte // the beginning of a line that is not complete
	part int    // how many parts of this line were recorded
	torn bool   // the line lacks its beginning, and no record says so yet
	lost bool   // the line lacks its beginning
	// skipped counts the bytes of a line that is withheld for its length.
	skipped int64
}

// NewCutter cuts the stream into records of at most limit bytes, zero or less
// meaning [DefaultPartLimit], and gives each to emit. The record and its Data
// are valid only until emit returns. A nil redact changes nothing.
func NewCutter(stream Stream, limit int, redact *Redactor, emit func(*Record)) *Cutter {
	if limit <= 0 {
		limit = DefaultPartLimit
	}
	// A part must hold any character whole, or valid text would look invalid.
	limit = max(limit, utf8.UTFMax)
	return &Cutter{stream: stream, limit: limit, redact: redact, emit: emit}
}

// Add takes the next bytes of the stream, read at the given moment.
func (c *Cutter) Add(at Stamp, p []byte) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n') + 1
		if end == 0 {
			c.hold(at, p)
			return
		}
		switch line := p[:end]; {
		case c.redact != nil:
			c.endRedacted(at, line)
		case len(c.held)+len(line) <= c.limit:
			if len(c.held) > 0 {
				line = append(c.held, line...)
			}
			c.whole(at, line)
			c.held = c.held[:0]
		default:
			c.hold(at, line)
			c.whole(at, c.held)
			c.held = c.held[:0]
		}
		p = p[end:]
	}
}

// Pause records what is held of an incomplete line as a part. A recorder calls
// it when nothing has come for a while: a line that lacks its end is often the
// very reason for looking at the record. With a Redactor nothing happens.
func (c *Cutter) Pause(at Stamp) {
	if c.redact == nil && len(c.held) > 0 {
		c.parts(at, len(c.held))
	}
}

// Holding reports whether bytes of an incomplete line are held.
func (c *Cutter) Holding() bool { return len(c.held) > 0 }

// Gap says that the stream's next bytes are missing. The recorder follows it
// with a dropped record.
func (c *Cutter) Gap(at Stamp) {
	if c.redact != nil {
		if n := c.skipped + int64(len(c.held)); n > 0 {
			c.part++
			c.send(at, Record{Part: c.part, Redacted: true, Withheld: n})
		}
	} else {
		c.Pause(at)
	}
	c.held, c.part, c.skipped = c.held[:0], 0, 0
	c.torn, c.lost = true, true
}

// End records what is held of a last line that has no line end.
func (c *Cutter) End(at Stamp) {
	switch {
	case c.redact != nil:
		if c.skipped+int64(len(c.held)) > 0 {
			c.endRedacted(at, nil)
		}
	case len(c.held) > 0:
		c.whole(at, c.held)
	case c.part > 0:
		// All bytes are recorded, but no record yet says that they are all.
		c.whole(at, nil)
	}
	c.held, c.part, c.skipped, c.torn, c.lost = c.held[:0], 0, 0, false, false
}

// hold keeps the beginning of a line and records it in parts as it grows.
func (c *Cutter) hold(at Stamp, p []byte) {
	if c.skipped > 0 || c.redact != nil && len(c.held)+len(p) > c.limit {
		c.skipped += int64(len(c.held) + len(p))
		c.held = c.held[:0]
		return
	}
	for len(c.held)+len(p) > c.limit {
		n := c.limit - len(c.held)
		c.held = append(c.held, p[:n]...)
		p = p[n:]
		c.parts(at, wholeCharacters(c.held))
	}
	c.held = append(c.held, p...)
}

// parts records the first n held bytes as a part.
func (c *Cutter) parts(at Stamp, n int) {
	c.part++
	c.send(at, Record{Data: c.held[:n], Part: c.part})
	c.held = c.held[:copy(c.held, c.held[n:])]
}

// whole records the rest of a line, or all of it.
func (c *Cutter) whole(at Stamp, data []byte) {
	rec := Record{Data: data}
	if c.part > 0 {
		rec.Part, rec.Final = c.part+1, true
	}
	c.send(at, rec)
	c.part, c.lost = 0, false
}

// endRedacted records a line with its last bytes, redacted or withheld.
func (c *Cutter) endRedacted(at Stamp, last []byte) {
	line := last
	if len(c.held) > 0 {
		c.held = append(c.held, last...)
		line = c.held
	}
	rec := Record{Data: line}
	ok := c.skipped == 0 && !c.lost && len(line) <= c.limit
	if ok {
		rec.Data, rec.Redacted, ok = c.redact.Line(line)
	}
	if !ok {
		content := bytes.TrimSuffix(line, []byte("\n"))
		rec = Record{Data: line[len(content):], Redacted: true, Withheld: c.skipped + int64(len(content))}
	}
	c.send(at, rec)
	c.held, c.skipped, c.lost = c.held[:0], 0, false
}

func (c *Cutter) send(at Stamp, rec Record) {
	rec.Kind = KindData
	rec.Time, rec.Mono = at.Time, at.Mono
	rec.Stream, rec.Direction = c.stream, c.stream.Direction()
	rec.Torn = c.torn
	c.torn = false
	c.emit(&rec)
}

// wholeCharacters is the length of p without a character cut off at its end.
func wholeCharacters(p []byte) int {
	for back := 1; back < utf8.UTFMax && back < len(p); back++ {
		b := p[len(p)-back]
		if utf8.RuneStart(b) {
			if !utf8.FullRune(p[len(p)-back:]) {
				return len(p) - back
			}
			break
		}
	}
	return len(p)
}
