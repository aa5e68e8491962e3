package jsonrpc

import (
	"bytes"

	"helpdesk/jsonscan"
)

// Version is the only value the "jsonrpc" member may have.
const Version = "2.0"

// Kind tells the four messages of JSON-RPC apart.
type Kind byte

// The kinds of messages.
const (
	// Request has a method and an id and must be answered.
	Request Kind = iota + 1
	// Notification has a method and no id and must not be answered.
	Notification
	// ResultResponse answers a request with a result.
	ResultResponse
	// ErrorResponse answers a request with an error.
	ErrorResponse
)

// Message is one JSON-RPC message as spans of the line it was read from. The
// spans are valid as long as the line is.
type Message struct {
	Kind Kind
	// ID is nil for a notification, and for an error response whose sender
	// could not read the id of what it answers.
	ID ID
	// Method is the decoded method name of a request or notification.
	Method []byte
	// Params is the text of "params": an object or an array, nil when absent
	// or null. MCP knows only objects; judging that is the dispatcher's.
	Params []byte
	// Result is the text of "result", Error the text of "error".
	Result []byte
	Error  []byte
	// Inner holds the members of params (Level 1) and of the objects in them
	// (Level 2), in the order of the text, when a [Scanner] read the message;
	// nil otherwise. It is valid until the Scanner's next message.
	Inner []jsonscan.Member
}

// The codes of JSON-RPC 2.0 that reading a message can produce.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
)

// ScanError says why a line is not a message, in the terms of the answer that
// JSON-RPC asks for.
type ScanError struct {
	// Code is CodeParseError for text that is not JSON, CodeInvalidRequest
	// for JSON that is not a JSON-RPC message.
	Code int64
	// Problem says what was wrong, in words fit for the peer.
	Problem string
	// ID is the id of the broken message where a valid one could be read.
	ID ID
}

// Error implements the error interface.
func (e *ScanError) Error() string { return e.Problem }

// envelope is large enough for every member a message may have, so scanning
// one does not allocate. Members beyond it spill to the heap.
const envelope = 8

// Scan reads one message from data, which must hold exactly one JSON value.
// It checks the whole text: strict JSON (see package jsonscan), nesting of at
// most maxDepth (zero means jsonscan.DefaultDepth), and the shape of a
// JSON-RPC message. Unknown members of the envelope are let through. The
// error is a *[ScanError].
//
// A batch (a JSON array) is refused here; see [IsBatch].
func Scan(data []byte, maxDepth int) (Message, error) {
	var space [envelope]jsonscan.Member
	members, isObject, err := jsonscan.Members(space[:0], data, maxDepth)
	if err != nil {
		// What is not JSON is answered without an id (design section 9).
		return Message{}, &ScanError{Code: CodeParseError, Problem: "Parse error: " + err.Error()}
	}
	if !isObject {
		problem := "Invalid Request: a message is a JSON object"
		if IsBatch(data) {
			problem = "Invalid Request: batches are not part of this protocol revision; send one message a line"
		}
		return Message{}, &ScanError{Code: CodeInvalidRequest, Problem: problem}
	}
	return assemble(members)
}

// Scanner reads messages one after the other and remembers in each what lies
// two levels down, so that a dispatcher need not read the text again. It reuses
// its memory; the zero Scanner is ready.
type Scanner struct{ members []jsonscan.Member }

// innerLevels are the envelope, params, and the objects in params.
const innerLevels = 3

// Scan is like the function [Scan] and fills Message.Inner.
func (s *Scanner) Scan(data []byte, maxDepth int) (Message, error) {
	members, isObject, err := jsonscan.Tree(s.members[:0], data, maxDepth, innerLevels)
	if cap(members) <= 16*envelope {
		s.members = members
	}
	if err != nil || !isObject {
		return Scan(data, maxDepth)
	}
	m, err := assemble(members)
	if m.Params != nil {
		m.Inner = members
	}
	return m, err
}

// assemble turns the members of an object into a message.
func assemble(members []jsonscan.Member) (Message, error) {
	var (
		m                            Message
		version, method, params, id  []byte
		hasID, hasResult, hasErrorIn bool
	)
	for i := range members {
		if members[i].Level > 0 {
			continue
		}
		name, value := members[i].Name, members[i].Value
		if bytes.IndexByte(name, '\\') >= 0 {
			name = []byte(jsonscan.UnescapeName(name))
		}
		switch string(name) {
		case "jsonrpc":
			version = value
		case "id":
			id, hasID = value, true
		case "method":
			method = value
		case "params":
			params = value
		case "result":
			m.Result, hasResult = value, true
		case "error":
			m.Error, hasErrorIn = value, true
		}
	}
	validID := hasID && ID(id).Valid()
	refuse := func(problem string) (Message, error) {
		e := &ScanError{Code: CodeInvalidRequest, Problem: "Invalid Request: " + problem}
		if validID {
			e.ID = ID(id)
		}
		return Message{}, e
	}
	if string(version) != `"2.0"` && !(jsonscan.KindOf(version) == jsonscan.String && jsonscan.Unquote(version) == Version) {
		return refuse(`"jsonrpc" must be "2.0"`)
	}
	if hasID && !validID && !(hasErrorIn && jsonscan.KindOf(id) == jsonscan.Null) {
		return refuse("an id is a string or an integer")
	}
	if validID {
		m.ID = ID(id)
	}
	switch {
	case method != nil:
		if jsonscan.KindOf(method) != jsonscan.String {
			return refuse(`"method" must be a string`)
		}
		if hasResult || hasErrorIn {
			return refuse("a message has a method, a result or an error, never two of them")
		}
		m.Method = unquoteSpan(method)
		switch jsonscan.KindOf(params) {
		case jsonscan.Object, jsonscan.Array:
			m.Params = params
		case jsonscan.Invalid, jsonscan.Null:
			// Some clients write absent params as null.
		default:
			return refuse(`"params" must be an object`)
		}
		m.Kind = Notification
		if validID {
			m.Kind = Request
		}
		return m, nil
	case hasResult && hasErrorIn:
		return refuse("a response has a result or an error, not both")
	case hasResult:
		if !validID {
			return refuse("a result needs the id of its request")
		}
		m.Kind = ResultResponse
		return m, nil
	case hasErrorIn:
		if jsonscan.KindOf(m.Error) != jsonscan.Object {
			return refuse(`"error" must be an object`)
		}
		m.Kind = ErrorResponse
		return m, nil
	default:
		return refuse("a message has a method, a result or an error")
	}
}

// unquoteSpan returns the characters of a checked string without copying when
// it has no escapes, which is every method name ever registered.
func unquoteSpan(value []byte) []byte {
	inner := value[1 : len(value)-1]
	for _, b := range inner {
		if b == '\\' {
			return jsonscan.AppendUnquoted(nil, value)
		}
	}
	return inner
}

// IsBatch reports whether the first character that is not white space opens
// an array, as a JSON-RPC batch does. Of MCP's revisions only 2025-03-26 has
// batches.
func IsBatch(data []byte) bool {
	for _, b := range data {
		switch b {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return b == '['
	}
	return false
}

// IsBlank reports whether a line has nothing but white space.
func IsBlank(data []byte) bool {
	for _, b := range data {
		switch b {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return false
	}
	return true
}

// ScanPrefix looks at the beginning of a message that was too long to be read
// whole. The id is nil when it did not come first enough; response tells that
// the message answers something and must not be answered itself.
func ScanPrefix(prefix []byte) (id ID, response bool) {
	var space [envelope]jsonscan.Member
	members, _, err := jsonscan.Tree(space[:0], prefix, 0, 1)
	if err == nil {
		return nil, false
	}
	for i := range members {
		switch name, value := members[i].Name, members[i].Value; {
		case jsonscan.NameIs(name, "result"), jsonscan.NameIs(name, "error"):
			response = true
		case jsonscan.NameIs(name, "id"):
			// A number that ends with the prefix may go on behind it.
			if ID(value).Valid() && !bytes.HasSuffix(prefix, value) {
				id = ID(value)
			}
		}
	}
	return id, response
}
