package schema

import (
	"bytes"
	"slices"
	"strings"

	"helpdesk/jsonscan"
)

// equalityDepth is where the comparison form stops going deeper. Judged text
// is never that deep, so this only keeps unjudged text from exhausting the
// stack.
const equalityDepth = 2 * jsonscan.DefaultDepth

// appendComparable appends a form of a value that is the same bytes for values
// JSON Schema takes as equal (core, section 4.2.2): member order, escapes and
// the spelling of numbers do not matter.
func appendComparable(dst, value []byte, depth int) []byte {
	switch kind := jsonscan.KindOf(value); kind {
	case jsonscan.Number:
		var buf [roomForDigits]byte
		return readDecimal(value, buf[:]).appendTo(dst)
	case jsonscan.String:
		return jsonscan.AppendQuoted(dst, jsonscan.AppendUnquoted(nil, value))
	case jsonscan.Array, jsonscan.Object:
		if depth <= 0 {
			return append(dst, value...)
		}
		if kind == jsonscan.Object {
			return appendComparableObject(dst, value, depth)
		}
		dst = append(dst, '[')
		for it := jsonscan.Iterate(value); it.Next(); {
			dst = append(appendComparable(dst, it.Value(), depth-1), ',')
		}
		return append(dst, ']')
	default:
		return append(dst, value...)
	}
}

func appendComparableObject(dst, value []byte, depth int) []byte {
	type member struct {
		name  string
		value []byte
	}
	var members []member
	for it := jsonscan.Iterate(value); it.Next(); {
		members = append(members, member{jsonscan.UnescapeName(it.Name()), it.Value()})
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	dst = append(dst, '{')
	for _, m := range members {
		dst = append(jsonscan.AppendQuoted(dst, m.name), ':')
		dst = append(appendComparable(dst, m.value, depth-1), ',')
	}
	return append(dst, '}')
}

// literal is one value of enum or const, prepared for comparing.
type literal struct {
	kind jsonscan.Kind
	// text holds a string's characters, and the comparable form of an array
	// or object.
	text   []byte
	number decimal
	// raw is the value as the author wrote it.
	raw []byte
}

func newLiteral(raw []byte) literal {
	l := literal{kind: jsonscan.KindOf(raw), raw: raw}
	switch l.kind {
	case jsonscan.Number:
		l.number = readDecimal(raw, nil)
	case jsonscan.String:
		l.text = jsonscan.AppendUnquoted(nil, raw)
	default:
		l.text = appendComparable(nil, raw, equalityDepth)
	}
	return l
}

// equals compares an instance with the literal. Scalars cost no memory.
func (l *literal) equals(value []byte, kind jsonscan.Kind) bool {
	if kind != l.kind {
		return false
	}
	switch kind {
	case jsonscan.String:
		var buf [64]byte
		return bytes.Equal(characters(value, buf[:]), l.text)
	case jsonscan.Number:
		var buf [roomForDigits]byte
		return readDecimal(value, buf[:]).compare(l.number) == 0
	case jsonscan.Array, jsonscan.Object:
		return bytes.Equal(appendComparable(nil, value, equalityDepth), l.text)
	default:
		return bytes.Equal(value, l.text)
	}
}

// characters returns a checked string's characters as UTF-8: the text itself
// when it has no escapes, else unescaped into buf or, when too long, elsewhere.
func characters(value, buf []byte) []byte {
	if len(value) < 2 {
		return nil
	}
	inside := value[1 : len(value)-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return jsonscan.AppendUnquoted(buf[:0], value)
}

// pairwise is how many plain scalars are compared each with each other before
// a set takes over.
const pairwise = 16

// firstRepeat finds two equal elements of an array and returns their indexes,
// or ok false when all differ.
func firstRepeat(array []byte) (i, j int, ok bool) {
	var few [pairwise][]byte
	n := 0
	it := jsonscan.Iterate(array)
	for it.Next() {
		v := it.Value()
		kind := jsonscan.KindOf(v)
		if n == pairwise || kind == jsonscan.Array || kind == jsonscan.Object || bytes.IndexByte(v, '\\') >= 0 {
			return firstRepeatOfMany(array)
		}
		for earlier := range n {
			if sameValue(few[earlier], v) {
				return earlier, n, true
			}
		}
		few[n] = v
		n++
	}
	return 0, 0, false
}

func firstRepeatOfMany(array []byte) (i, j int, ok bool) {
	seen := map[string]int{}
	var form []byte
	n := 0
	for it := jsonscan.Iterate(array); it.Next(); n++ {
		form = appendComparable(form[:0], it.Value(), equalityDepth)
		if earlier, ok := seen[string(form)]; ok {
			return earlier, n, true
		}
		seen[string(form)] = n
	}
	return 0, 0, false
}

// sameValue compares two scalars without escapes.
func sameValue(a, b []byte) bool {
	if jsonscan.KindOf(a) != jsonscan.Number || jsonscan.KindOf(b) != jsonscan.Number {
		return bytes.Equal(a, b)
	}
	var bufA, bufB [roomForDigits]byte
	return readDecimal(a, bufA[:]).compare(readDecimal(b, bufB[:])) == 0
}
