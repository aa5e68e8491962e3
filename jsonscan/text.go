package jsonscan

import (
	"bytes"
	"unicode/utf8"
)

// Unquote returns the characters of a checked JSON string, quotes included.
// For any other value it returns the text as it stands.
func Unquote(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return string(value)
	}
	return UnescapeName(value[1 : len(value)-1])
}

// UnescapeName returns the characters of a member name or of the inside of a
// string, both as written between their quotes.
func UnescapeName(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	return string(appendUnescaped(make([]byte, 0, len(raw)), raw))
}

// AppendUnquoted appends the characters of a checked JSON string to dst.
func AppendUnquoted(dst, value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return append(dst, value...)
	}
	return appendUnescaped(dst, value[1:len(value)-1])
}

// appendUnescaped resolves the escapes of checked text. A surrogate pair
// becomes its character; what Check would have refused becomes U+FFFD.
func appendUnescaped(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 >= len(raw) {
			next := bytes.IndexByte(raw[i+1:], '\\')
			if next < 0 {
				return append(dst, raw[i:]...)
			}
			dst = append(dst, raw[i:i+1+next]...)
			i += 1 + next
			continue
		}
		switch b := raw[i+1]; b {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			unit, ok := hex4(raw, i+2)
			if !ok {
				return utf8.AppendRune(dst, utf8.RuneError)
			}
			r := rune(unit)
			if 0xD800 <= unit && unit <= 0xDBFF {
				if low, ok := hex4(raw, i+8); ok && i+7 < len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
					r = 0x10000 + rune(unit-0xD800)<<10 + rune(low-0xDC00)
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
			i += 4
		default:
			dst = append(dst, b)
		}
		i += 2
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends s as a JSON string. Only what JSON demands is escaped,
// so <, > and & stay as they are; U+2028 and U+2029 are escaped because some
// line readers take them for line ends. Invalid UTF-8 becomes U+FFFD.
func AppendQuoted[T string | []byte](dst []byte, s T) []byte {
	return appendQuoted(dst, []byte(s))
}

// appendQuoted must not change or keep s, which may be the memory of a string.
func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; ; {
		i = plainRun(s, i)
		if i >= len(s) {
			break
		}
		b := s[i]
		if b < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			dst = appendEscaped(dst, b)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, "\ufffd"...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[r&0xF])
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscaped appends an ASCII character that may not stand for itself.
func appendEscaped(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xF])
	}
}

// AppendCompact appends checked JSON text without its white space. Everything
// else, the order of members and the escapes included, stays as it was.
func AppendCompact(dst, text []byte) []byte {
	start := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case ' ', '\t', '\n', '\r':
			dst = append(dst, text[start:i]...)
			i++
			start = i
		default:
			i++
		}
	}
	return append(dst, text[start:]...)
}
