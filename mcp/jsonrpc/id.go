package jsonrpc

import (
	"bytes"

	"helpdesk/jsonscan"
)

// ID is a request id as the raw JSON text its sender wrote: "7" with quotes
// or 7 without. It goes back exactly as it came, so an integer beyond 2^53
// survives, and "7" never becomes 7. A nil ID stands for none.
type ID []byte

// Valid reports whether the text is an id that MCP allows: a string or an
// integer (basic/index#requests). null, fractions and exponents are not.
func (id ID) Valid() bool {
	switch jsonscan.KindOf(id) {
	case jsonscan.String:
		return true
	case jsonscan.Number:
		for _, b := range id {
			if b == '.' || b == 'e' || b == 'E' {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// Key returns a text that is equal for equal ids and differs between the
// string "7" and the integer 7, whatever escapes were used.
func (id ID) Key() string {
	if len(id) > 0 && id[0] == '"' && bytes.IndexByte(id, '\\') >= 0 {
		return `"` + jsonscan.Unquote(id) + `"`
	}
	return string(id)
}

// Clone returns a copy that does not share the line's memory.
func (id ID) Clone() ID { return bytes.Clone(id) }

// StringID makes an id from a string.
func StringID(s string) ID { return jsonscan.AppendQuoted(nil, s) }
