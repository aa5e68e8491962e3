package jsonscan

import (
	"slices"
	"strings"
)

// AppendCanonical appends checked JSON text in a form that is the same for
// texts that mean the same: no white space, members sorted by name, strings
// with one way of escaping. Numbers keep their spelling, because 1.0 and 1 may
// mean different things to whoever compares. Its use is digests of arguments.
func AppendCanonical(dst, value []byte) []byte {
	value = Trim(value)
	switch KindOf(value) {
	case Object:
		var members []canonicalMember
		for it := Iterate(value); it.Next(); {
			members = append(members, canonicalMember{UnescapeName(it.Name()), it.Value()})
		}
		slices.SortFunc(members, func(a, b canonicalMember) int { return strings.Compare(a.name, b.name) })
		dst = append(dst, '{')
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendQuoted(dst, m.name), ':')
			dst = AppendCanonical(dst, m.value)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		first := true
		for it := Iterate(value); it.Next(); first = false {
			if !first {
				dst = append(dst, ',')
			}
			dst = AppendCanonical(dst, it.Value())
		}
		return append(dst, ']')
	case String:
		return AppendQuoted(dst, Unquote(value))
	default:
		return append(dst, value...)
	}
}

type canonicalMember struct {
	name  string
	value []byte
}
