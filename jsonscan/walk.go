package jsonscan

import "bytes"

// Kind is the type of a JSON value.
type Kind byte

// The kinds of JSON values. Invalid stands for absent or unreadable text.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String names the kind as JSON Schema does.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	default:
		return "invalid"
	}
}

// KindOf tells the kind of a checked value by its first byte.
func KindOf(value []byte) Kind {
	if len(value) == 0 {
		return Invalid
	}
	switch b := value[0]; b {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	default:
		if b == '-' || '0' <= b && b <= '9' {
			return Number
		}
		return Invalid
	}
}

// Iter walks the members of a checked object or the elements of a checked
// array. The zero Iter has nothing to give.
type Iter struct {
	data  []byte
	pos   int
	close byte
	name  []byte
	value []byte
}

// Iterate starts a walk over a checked object or array. Any other value gives
// an Iter without members.
func Iterate(value []byte) Iter {
	switch KindOf(value) {
	case Object:
		return Iter{data: value, pos: 1, close: '}'}
	case Array:
		return Iter{data: value, pos: 1, close: ']'}
	default:
		return Iter{}
	}
}

// Next moves to the next member or element and reports whether there is one.
func (it *Iter) Next() bool {
	it.pos = skipSeparators(it.data, it.pos)
	if it.pos >= len(it.data) || it.data[it.pos] == it.close {
		return false
	}
	if it.close == '}' {
		end := skipString(it.data, it.pos)
		if end-1 < it.pos+1 {
			return false
		}
		it.name = it.data[it.pos+1 : end-1 : end-1]
		it.pos = skipSeparators(it.data, end)
	}
	end := skipValue(it.data, it.pos)
	if end <= it.pos {
		return false
	}
	it.value = it.data[it.pos:end:end]
	it.pos = end
	return true
}

// Name is the current member's name as written: between its quotes, with its
// escapes. Compare it with [NameIs]; read it with [UnescapeName].
func (it *Iter) Name() []byte { return it.name }

// Value is the text of the current value, a span of the original.
func (it *Iter) Value() []byte { return it.value }

// Lookup finds a member of a checked object by name.
func Lookup(object []byte, name string) (value []byte, ok bool) {
	for it := Iterate(object); it.Next(); {
		if it.close == '}' && NameIs(it.name, name) {
			return it.value, true
		}
	}
	return nil, false
}

// NameIs reports whether a member name as written stands for the given name.
func NameIs(raw []byte, name string) bool {
	if string(raw) == name {
		return true
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return false
	}
	return UnescapeName(raw) == name
}

// Trim removes white space around a value.
func Trim(text []byte) []byte {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\t' || b == '\r' || b == '\n'
}

func skipSeparators(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
		default:
			return i
		}
	}
	return i
}

// skipString returns the index after the string that starts at i.
func skipString(data []byte, i int) int {
	i++
	for {
		i = plainRun(data, i)
		if i >= len(data) {
			return len(data)
		}
		switch data[i] {
		case '"':
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
}

// skipValue returns the index after the value that starts at i.
func skipValue(data []byte, i int) int {
	if i >= len(data) {
		return i
	}
	switch data[i] {
	case '"':
		return skipString(data, i)
	case '{', '[':
		return skipNested(data, i)
	default:
		for i < len(data) {
			switch data[i] {
			case ',', '}', ']', ' ', '\t', '\n', '\r', ':':
				return i
			}
			i++
		}
		return i
	}
}

// skipNested returns the index after the array or object that starts at i.
func skipNested(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i = skipString(data, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(data)
}
