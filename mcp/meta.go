package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// Keys of _meta that the protocol defines (basic/index#_meta). A request of
// revision 2026-07-28 must carry the first and the third.
const (
	// MetaProtocolVersion is the request's protocol revision, a string.
	MetaProtocolVersion = "io.modelcontextprotocol/protocolVersion"
	// MetaClientInfo is the client's [Implementation].
	MetaClientInfo = "io.modelcontextprotocol/clientInfo"
	// MetaClientCapabilities is the client's [ClientCapabilities].
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	// MetaLogLevel is the least severe [LogLevel] the client wants to see.
	MetaLogLevel = "io.modelcontextprotocol/logLevel"
	// MetaSubscriptionID is, on a notification of a subscription, the id of
	// the subscriptions/listen request that opened it.
	MetaSubscriptionID = "io.modelcontextprotocol/subscriptionId"
	// MetaServerInfo is, on a result, the server's [Implementation].
	MetaServerInfo = "io.modelcontextprotocol/serverInfo"
	// MetaProgressToken asks for progress notifications under this token, a
	// string or an integer.
	MetaProgressToken = "progressToken"
	// MetaTraceparent, MetaTracestate and MetaBaggage carry OpenTelemetry's
	// trace context in the formats of W3C Trace Context and W3C Baggage.
	MetaTraceparent = "traceparent"
	MetaTracestate  = "tracestate"
	MetaBaggage     = "baggage"
)

// Keys of _meta that identify one intended action, so that a retry of a write
// is known to be a retry.
const (
	// MetaIdempotencyKey is our own: a string the host makes once for each
	// intended action and sends again unchanged with every retry.
	MetaIdempotencyKey = "dev.helpdesk/idempotencyKey"
	// MetaClaudeToolUseID is what Claude Code sends: the id of the model's
	// tool use, the same in every retry of it.
	MetaClaudeToolUseID = "claudecode/toolUseId"
	// MetaCodexCallID is what Codex sends: the id of the model's call.
	MetaCodexCallID = "callId"
)

// Meta is the raw text of a _meta object. Keys that nobody here knows stay in
// it as they were written. A nil Meta stands for none.
type Meta jsontext.Value

// Get returns the raw value of a key. It is a span of the Meta.
func (m Meta) Get(key string) (value jsontext.Value, ok bool) {
	raw, ok := jsonscan.Lookup(jsonscan.Trim(m), key)
	return jsontext.Value(raw), ok
}

// GetString returns the value of a key that holds a string.
func (m Meta) GetString(key string) (value string, ok bool) {
	raw, _ := m.Get(key)
	if jsonscan.KindOf(raw) != jsonscan.String {
		return "", false
	}
	return jsonscan.Unquote(raw), true
}

// With returns a Meta that has the given value, which must be JSON, under key.
// A key that was there keeps its place; a new one goes to the end. The other
// keys keep their order and text, and m itself is not changed. An m that is no
// object counts as none.
func (m Meta) With(key string, value []byte) Meta {
	o := openObject(make([]byte, 0, len(m)+len(key)+len(value)+8))
	own := jsonscan.Trim(m)
	if jsonscan.KindOf(own) != jsonscan.Object {
		own = nil
	}
	found := false
	for it := jsonscan.Iterate(own); it.Next(); {
		o.next()
		o.dst = append(append(append(o.dst, '"'), it.Name()...), '"', ':')
		if jsonscan.NameIs(it.Name(), key) {
			found = true
			o.dst = appendRaw(o.dst, value)
		} else {
			o.dst = append(o.dst, it.Value()...)
		}
	}
	if !found {
		o.next()
		o.dst = append(jsonscan.AppendQuoted(o.dst, key), ':')
		o.dst = appendRaw(o.dst, value)
	}
	return append(o.dst, '}')
}

// WithString is [Meta.With] for a string.
func (m Meta) WithString(key, value string) Meta {
	return m.With(key, jsonscan.AppendQuoted(nil, value))
}

// errMetaKind is returned for a _meta that is no object.
var errMetaKind = errors.New("_meta must be an object")

// MarshalJSONTo writes the object.
func (m Meta) MarshalJSONTo(enc *jsontext.Encoder) error {
	if len(m) == 0 {
		return enc.WriteToken(jsontext.Null)
	}
	if jsonscan.KindOf(jsonscan.Trim(m)) != jsonscan.Object {
		return errMetaKind
	}
	return enc.WriteValue(jsontext.Value(m))
}

// UnmarshalJSONFrom keeps the text of an object. Some peers write null for
// absent, which gives nil; any other value is an error.
func (m *Meta) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch value.Kind() {
	case jsontext.KindBeginObject:
		*m = Meta(bytes.Clone(value))
		return nil
	case jsontext.KindNull:
		*m = nil
		return nil
	default:
		return errMetaKind
	}
}

// ValidateMetaKey checks a key against the naming rules of basic/index#_meta:
// an optional prefix of dot-separated labels that ends in a slash, then a name.
// The error says which rule was broken.
func ValidateMetaKey(key string) error {
	name := key
	if prefix, rest, ok := strings.Cut(key, "/"); ok {
		name = rest
		for label := range strings.SplitSeq(prefix, ".") {
			if !isLabel(label) {
				return fmt.Errorf("_meta key %.200q: the label %.100q of its prefix must start with a letter, end with a letter or digit and hold only letters, digits and hyphens", key, label)
			}
		}
	}
	if name == "" {
		return nil
	}
	if !isAlphanumeric(name[0]) || !isAlphanumeric(name[len(name)-1]) {
		return fmt.Errorf("_meta key %.200q: its name must begin and end with a letter or digit", key)
	}
	for i := range len(name) {
		if b := name[i]; !isAlphanumeric(b) && b != '-' && b != '_' && b != '.' {
			return fmt.Errorf("_meta key %.200q: its name may hold only letters, digits, hyphens, underscores and dots", key)
		}
	}
	return nil
}

// ReservedMetaKey reports whether the protocol keeps a key for itself: its
// prefix has modelcontextprotocol or mcp as second label, or it is one of the
// few defined keys without prefix.
func ReservedMetaKey(key string) bool {
	switch key {
	case MetaProgressToken, MetaTraceparent, MetaTracestate, MetaBaggage:
		return true
	}
	prefix, _, ok := strings.Cut(key, "/")
	if !ok {
		return false
	}
	_, rest, _ := strings.Cut(prefix, ".")
	second, _, _ := strings.Cut(rest, ".")
	return second == "modelcontextprotocol" || second == "mcp"
}

func isLabel(s string) bool {
	if s == "" || !isLetter(s[0]) || !isAlphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isAlphanumeric(b byte) bool { return isLetter(b) || '0' <= b && b <= '9' }
