package jsonscan

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// DefaultDepth is how deeply arrays and objects may nest unless the caller
// asks for another bound. It is far beyond any tool's arguments and far below
// what would trouble a stack.
const DefaultDepth = 128

// SyntaxError tells where text stopped being acceptable JSON, and why.
type SyntaxError struct {
	// Offset is the index, in bytes, of the first byte that was not accepted.
	Offset int
	// Problem says what was wrong there, in words.
	Problem string
}

// Error implements the error interface.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Problem)
}

// Check reports whether data is exactly one JSON value, optionally surrounded
// by white space. Arrays and objects may nest maxDepth deep; a maxDepth of
// zero or less means [DefaultDepth]. The error is a *[SyntaxError].
func Check(data []byte, maxDepth int) error {
	c := checker{data: data, depth: depthOrDefault(maxDepth)}
	c.space()
	if err := c.value(); err != nil {
		return err
	}
	return c.end()
}

// Member is one name and value of an object, as spans of the original text.
type Member struct {
	// Name is the member's name as it was written, between its quotes and
	// with its escapes.
	Name []byte
	// Value is the text of the value, without surrounding white space.
	Value []byte
	// Level is how many objects lie around the member's own; see [Tree].
	Level int
}

// Members checks data like [Check] and, when it is an object, appends its
// members to dst in the order they were written. When data is valid JSON but
// not an object, ok is false and err is nil. When the text is not acceptable,
// the members read before the fault are returned with the error, so that a
// caller can still find the id of a broken message.
func Members(dst []Member, data []byte, maxDepth int) (members []Member, ok bool, err error) {
	c := checker{data: data, depth: depthOrDefault(maxDepth)}
	c.space()
	if c.pos >= len(data) || data[c.pos] != '{' {
		if err := c.value(); err != nil {
			return dst, false, err
		}
		return dst, false, c.end()
	}
	if err := c.enter(); err != nil {
		return dst, true, err
	}
	var seen nameSet
	for first := true; ; first = false {
		m, more, err := c.member(&seen, first)
		if err != nil {
			return dst, true, err
		}
		if !more {
			return dst, true, c.end()
		}
		dst = append(dst, m)
	}
}

func depthOrDefault(depth int) int {
	if depth <= 0 {
		return DefaultDepth
	}
	return depth
}

// checker is the state of one strict pass over a text.
type checker struct {
	data  []byte
	pos   int
	depth int
	// tree, when set, receives members as they are read; see tree.go.
	tree *tree
}

func (c *checker) fail(problem string) error {
	return &SyntaxError{Offset: c.pos, Problem: problem}
}

func (c *checker) space() {
	// Compact text has no white space, so the first look is nearly always the
	// last.
	if c.pos < len(c.data) && c.data[c.pos] > ' ' {
		return
	}
	for c.pos < len(c.data) {
		switch c.data[c.pos] {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return
		}
	}
}

// end expects nothing more but white space.
func (c *checker) end() error {
	c.space()
	if c.pos != len(c.data) {
		return c.fail("more text after the value")
	}
	return nil
}

func (c *checker) value() error {
	if c.pos >= len(c.data) {
		return c.fail("the text ends where a value is expected")
	}
	switch b := c.data[c.pos]; b {
	case '{':
		return c.object()
	case '[':
		return c.array()
	case '"':
		return c.str()
	case 't':
		return c.literal("true")
	case 'f':
		return c.literal("false")
	case 'n':
		return c.literal("null")
	default:
		if b == '-' || '0' <= b && b <= '9' {
			return c.number()
		}
		return c.fail("no JSON value starts like this")
	}
}

func (c *checker) literal(word string) error {
	if len(c.data)-c.pos < len(word) || string(c.data[c.pos:c.pos+len(word)]) != word {
		return c.fail("no JSON value starts like this")
	}
	c.pos += len(word)
	return nil
}

func (c *checker) digits() bool {
	start := c.pos
	for c.pos < len(c.data) && '0' <= c.data[c.pos] && c.data[c.pos] <= '9' {
		c.pos++
	}
	return c.pos > start
}

func (c *checker) number() error {
	if c.data[c.pos] == '-' {
		c.pos++
	}
	if c.pos < len(c.data) && c.data[c.pos] == '0' {
		c.pos++
	} else if !c.digits() {
		return c.fail("a number needs a digit here")
	}
	if c.pos < len(c.data) && c.data[c.pos] == '.' {
		c.pos++
		if !c.digits() {
			return c.fail("a number needs a digit after its point")
		}
	}
	if c.pos < len(c.data) && (c.data[c.pos] == 'e' || c.data[c.pos] == 'E') {
		c.pos++
		if c.pos < len(c.data) && (c.data[c.pos] == '+' || c.data[c.pos] == '-') {
			c.pos++
		}
		if !c.digits() {
			return c.fail("a number needs a digit in its exponent")
		}
	}
	return nil
}

func (c *checker) array() error {
	if err := c.enter(); err != nil {
		return err
	}
	c.space()
	if c.pos < len(c.data) && c.data[c.pos] == ']' {
		c.leave()
		return nil
	}
	c.tree.enterArray()
	for {
		c.space()
		if err := c.value(); err != nil {
			return err
		}
		c.space()
		if c.pos >= len(c.data) {
			return c.fail("the text ends inside an array")
		}
		switch c.data[c.pos] {
		case ',':
			c.pos++
		case ']':
			c.tree.leaveArray()
			c.leave()
			return nil
		default:
			return c.fail("a comma or ] is expected between array elements")
		}
	}
}

func (c *checker) object() error {
	if err := c.enter(); err != nil {
		return err
	}
	var seen nameSet
	for first := true; ; first = false {
		if _, more, err := c.member(&seen, first); err != nil || !more {
			return err
		}
	}
}

// member reads the next member of an object whose names so far are in seen, or
// the object's end, after which more is false.
func (c *checker) member(seen *nameSet, first bool) (m Member, more bool, err error) {
	c.space()
	switch {
	case c.pos >= len(c.data):
		return m, false, c.fail("the text ends inside an object")
	case c.data[c.pos] == '}':
		c.leave()
		return m, false, nil
	case !first && c.data[c.pos] != ',':
		return m, false, c.fail("a comma or } is expected between members")
	case !first:
		c.pos++
		c.space()
	}
	if c.pos >= len(c.data) || c.data[c.pos] != '"' {
		return m, false, c.fail("an object's member needs a name in quotes")
	}
	start := c.pos
	if err := c.str(); err != nil {
		return m, false, err
	}
	// No span has room behind it: who appends to one gets memory of its own
	// instead of writing into the text.
	m.Name = c.data[start+1 : c.pos-1 : c.pos-1]
	if !seen.add(m.Name) {
		c.pos = start
		return m, false, c.fail("an object names a member twice")
	}
	c.space()
	if c.pos >= len(c.data) || c.data[c.pos] != ':' {
		return m, false, c.fail("a colon is expected after a member's name")
	}
	c.pos++
	c.space()
	start = c.pos
	slot := c.tree.open(m.Name)
	if err := c.value(); err != nil {
		return m, false, err
	}
	m.Value = c.data[start:c.pos:c.pos]
	c.tree.close(slot, m.Value)
	return m, true, nil
}

func (c *checker) enter() error {
	if c.depth == 0 {
		return c.fail("arrays and objects nest too deeply")
	}
	c.depth--
	c.pos++
	return nil
}

func (c *checker) leave() {
	c.depth++
	c.pos++
}

// str reads a string including both quotes.
func (c *checker) str() error {
	data := c.data
	i := c.pos + 1
	for {
		// Most text is plain ASCII: skip to the next byte that needs thought.
		i = plainRun(data, i)
		if i >= len(data) {
			c.pos = i
			return c.fail("the text ends inside a string")
		}
		switch b := data[i]; {
		case b == '"':
			c.pos = i + 1
			return nil
		case b == '\\':
			c.pos = i
			if err := c.escape(); err != nil {
				return err
			}
			i = c.pos
		case b < 0x20:
			c.pos = i
			return c.fail("a control character in a string must be escaped")
		default:
			r, size := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && size <= 1 {
				c.pos = i
				return c.fail("invalid UTF-8 in a string")
			}
			i += size
		}
	}
}

func (c *checker) escape() error {
	if c.pos+1 >= len(c.data) {
		return c.fail("the text ends inside an escape")
	}
	switch c.data[c.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.pos += 2
		return nil
	case 'u':
		unit, ok := hex4(c.data, c.pos+2)
		if !ok {
			return c.fail(`\u needs four hexadecimal digits`)
		}
		switch {
		case 0xD800 <= unit && unit <= 0xDBFF:
			low, ok := uint32(0), false
			if bytes.HasPrefix(c.data[c.pos+6:], []byte(`\u`)) {
				low, ok = hex4(c.data, c.pos+8)
			}
			if !ok || low < 0xDC00 || low > 0xDFFF {
				return c.fail("a lone surrogate is not a character")
			}
			c.pos += 12
		case 0xDC00 <= unit && unit <= 0xDFFF:
			return c.fail("a lone surrogate is not a character")
		default:
			c.pos += 6
		}
		return nil
	default:
		return c.fail("no such escape in JSON")
	}
}

// hex4 reads four hexadecimal digits at i.
func hex4(data []byte, i int) (uint32, bool) {
	if i+4 > len(data) {
		return 0, false
	}
	var v uint32
	for _, b := range data[i : i+4] {
		switch {
		case '0' <= b && b <= '9':
			v = v<<4 | uint32(b-'0')
		case 'a' <= b && b <= 'f':
			v = v<<4 | uint32(b-'a'+10)
		case 'A' <= b && b <= 'F':
			v = v<<4 | uint32(b-'A'+10)
		default:
			return 0, false
		}
	}
	return v, true
}
