package wire

import "bytes"

// Lines splits what a server writes into lines. The caller reads into Space,
// says with Filled how much came, and takes the complete lines with Next.
type Lines struct {
	buf     []byte
	start   int // of the first line not yet taken
	scanned int // how far no line feed was found
	end     int // of what was filled
}

// minSpace is the least room offered to a read: what a Linux pipe holds.
const minSpace = 64 << 10

// Space returns room for the next read. Lines taken before are invalid after
// this call, because the unfinished rest may move to the front.
func (l *Lines) Space() []byte {
	if l.start == l.end {
		l.start, l.scanned, l.end = 0, 0, 0
	}
	if len(l.buf)-l.end < minSpace {
		rest := l.buf[l.start:l.end]
		// Growing happens only when one unfinished line fills the buffer.
		if len(l.buf)-len(rest) < minSpace {
			grown := make([]byte, 2*len(l.buf)+2*minSpace)
			copy(grown, rest)
			l.buf = grown
		} else {
			copy(l.buf, rest)
		}
		l.scanned -= l.start
		l.end -= l.start
		l.start = 0
	}
	return l.buf[l.end:]
}

// Filled says that n bytes were read into what Space returned.
func (l *Lines) Filled(n int) { l.end += n }

// Next takes the next complete line, without its line feed.
func (l *Lines) Next() (line []byte, ok bool) {
	at := bytes.IndexByte(l.buf[l.scanned:l.end], '\n')
	if at < 0 {
		l.scanned = l.end
		return nil, false
	}
	line = l.buf[l.start : l.scanned+at]
	l.start = l.scanned + at + 1
	l.scanned = l.start
	return line, true
}
