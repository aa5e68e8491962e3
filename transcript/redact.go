package transcript

import (
	"bytes"
	"strings"

	"helpdesk/jsonscan"
)

// Redacted is the JSON text that stands in place of a redacted value.
const Redacted = `"[redacted]"`

// nestedText is how deep JSON text within strings of JSON text is looked
// into. MCP tools put the same JSON into a result as an object and again as a
// string; what is nested deeper than this is replaced whole.
const nestedText = 4

// Redactor replaces the values of named JSON members in recorded lines.
//
// A member is redacted when its name equals a key without regard to case, at
// any depth, whatever its value. Strings that hold JSON text are searched as
// well, four deep, and keep the rest of their content; a string that is not
// JSON but holds a key in double quotes before a colon, such as JSON text in
// prose, is replaced whole. Values under other names and secrets in plain
// prose are not found: redaction goes by names alone.
type Redactor struct {
	keys []string
}

// NewRedactor redacts the members with the given names. It returns nil, which
// redacts nothing, when there are none.
func NewRedactor(keys ...string) *Redactor {
	var kept []string
	for _, key := range keys {
		if key != "" {
			kept = append(kept, key)
		}
	}
	if kept == nil {
		return nil
	}
	return &Redactor{keys: kept}
}

// Keys returns the names, for [Header.Redact].
func (r *Redactor) Keys() []string {
	if r == nil {
		return nil
	}
	return append([]string(nil), r.keys...)
}

// Line redacts one line, its line end included. changed says whether the
// result differs from the line. ok is false when the line is neither a JSON
// object nor an array of objects, so that nobody can say where its secrets
// are; the caller must not keep it then. The result may share the line's
// memory.
func (r *Redactor) Line(line []byte) (result []byte, changed, ok bool) {
	if jsonscan.Check(line, 0) != nil {
		return nil, false, false
	}
	value := jsonscan.Trim(line)
	switch jsonscan.KindOf(value) {
	case jsonscan.Object:
	case jsonscan.Array:
		// A piece of a document written over several lines may look like an
		// array of anything; a batch of messages holds objects.
		for it := jsonscan.Iterate(value); it.Next(); {
			if jsonscan.KindOf(it.Value()) != jsonscan.Object {
				return nil, false, false
			}
		}
	default:
		return nil, false, false
	}
	result, changed = r.text(line, nestedText)
	return result, changed, true
}

// text redacts checked JSON text. It needs no knowledge of the structure
// around: in JSON a string before a colon is a member's name, any other string
// is a value.
func (r *Redactor) text(text []byte, depth int) (result []byte, changed bool) {
	var dst []byte
	copied := 0
	replace := func(from, to int, with []byte) {
		dst = append(append(dst, text[copied:from]...), with...)
		copied = to
	}
	for i := 0; i < len(text); {
		if text[i] != '"' {
			i++
			continue
		}
		end := stringEnd(text, i)
		after := skipSpace(text, end)
		if after == len(text) || text[after] != ':' {
			if with, hit := r.str(text[i:end], depth); hit {
				replace(i, end, with)
			}
			i = end
			continue
		}
		value := skipSpace(text, after+1)
		if r.isKey(text[i+1 : end-1]) {
			end = valueEnd(text, value)
			replace(value, end, []byte(Redacted))
			value = end
		}
		i = value
	}
	if copied == 0 {
		return text, false
	}
	return append(dst, text[copied:]...), true
}

// isKey reports whether a member's name, as written, is one of the keys.
func (r *Redactor) isKey(raw []byte) bool {
	name := jsonscan.UnescapeName(raw)
	for _, key := range r.keys {
		if strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// str redacts a string value, given with its quotes.
func (r *Redactor) str(quoted []byte, depth int) (with []byte, hit bool) {
	if len(quoted) < len(`"{}"`) {
		return nil, false
	}
	inner := jsonscan.AppendUnquoted(nil, quoted)
	switch jsonscan.KindOf(jsonscan.Trim(inner)) {
	case jsonscan.Object, jsonscan.Array, jsonscan.String:
		if jsonscan.Check(inner, 0) != nil {
			break
		}
		if depth == 0 {
			return []byte(Redacted), true
		}
		redacted, changed := r.text(inner, depth-1)
		if !changed {
			return nil, false
		}
		return jsonscan.AppendQuoted(nil, redacted), true
	}
	if r.mentions(inner) {
		return []byte(Redacted), true
	}
	return nil, false
}

// mentions reports whether text holds a key in double quotes before a colon.
// Backslashes before the closing quote are passed over, so that JSON text that
// was escaped several times is recognised too.
func (r *Redactor) mentions(text []byte) bool {
	for i := bytes.IndexByte(text, ':'); i >= 0; {
		before := bytes.TrimRight(text[:i], " \t\r\n")
		if name, ok := bytes.CutSuffix(before, []byte(`"`)); ok {
			name = bytes.TrimRight(name, `\`)
			if r.endsInKey(name) {
				return true
			}
		}
		next := bytes.IndexByte(text[i+1:], ':')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// endsInKey reports whether text ends in a quote and one of the keys.
func (r *Redactor) endsInKey(text []byte) bool {
	open := bytes.LastIndexByte(text, '"')
	return open >= 0 && r.isKey(text[open+1:])
}

// stringEnd is the index behind the string that starts at i in checked text.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(text)
}

// skipSpace is the index of the first byte from i on that is not white space.
func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// valueEnd is the index behind the value that starts at i in checked text.
func valueEnd(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // the end of a number or a word before it
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}
