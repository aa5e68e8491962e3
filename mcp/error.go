package mcp

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// Error codes of JSON-RPC 2.0.
const (
	// CodeParseError answers what is not JSON.
	CodeParseError int64 = -32700
	// CodeInvalidRequest answers JSON that is no JSON-RPC message.
	CodeInvalidRequest int64 = -32600
	// CodeMethodNotFound answers a method that is unknown, or that belongs to
	// a server capability that was not advertised.
	CodeMethodNotFound int64 = -32601
	// CodeInvalidParams answers params that are missing or wrong, and names
	// that do not exist: of a tool, a prompt, a resource, a cursor.
	CodeInvalidParams int64 = -32602
	// CodeInternalError answers when the fault is the receiver's own.
	CodeInternalError int64 = -32603
)

// Error codes of MCP. The codes -32000 to -32019 belong to nobody and are
// never used here for anything new (basic/index#error-codes).
const (
	// CodeHeaderMismatch answers HTTP headers that are missing, malformed or
	// contradict the body. The HTTP status is 400.
	CodeHeaderMismatch int64 = -32020
	// CodeMissingCapability answers a request that needs a client capability
	// that it does not declare. The HTTP status is 400.
	CodeMissingCapability int64 = -32021
	// CodeUnsupportedVersion answers a protocol revision the server does not
	// speak. The HTTP status is 400.
	CodeUnsupportedVersion int64 = -32022
	// CodeLegacyResourceNotFound answers an unknown resource up to revision
	// 2025-11-25. Later revisions use CodeInvalidParams; clients still accept
	// this one (server/resources#error-handling).
	CodeLegacyResourceNotFound int64 = -32002
	// CodeLegacyURLElicitationRequired is of revision 2025-11-25 alone: the
	// request can succeed once the person has visited the links in its data.
	CodeLegacyURLElicitationRequired int64 = -32042
)

// Error is a JSON-RPC error as it stands on the wire. As a Go error it means:
// answer the request with exactly this. Find it with errors.As.
type Error struct {
	Code int64 `json:"code"`
	// Message is one sentence.
	Message string `json:"message"`
	// Data is raw JSON, nil for none.
	Data jsontext.Value `json:"data,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`

	// legacyCode replaces Code in the initialize era. Zero means no other.
	legacyCode int64
}

// Error implements the error interface.
func (e *Error) Error() string {
	return fmt.Sprintf("%s (JSON-RPC error %d)", e.Message, e.Code)
}

// For returns the error as a revision knows it. Only the code may differ:
// [ResourceNotFound] has its own up to 2025-11-25.
func (e *Error) For(version Version) *Error {
	if e.legacyCode == 0 || version.Modern() {
		return e
	}
	legacy := *e
	legacy.Code, legacy.legacyCode = e.legacyCode, 0
	return &legacy
}

// ParseError says why a text is not JSON.
func ParseError(format string, args ...any) *Error {
	return &Error{Code: CodeParseError, Message: fmt.Sprintf(format, args...)}
}

// InvalidRequest says why JSON is no JSON-RPC message.
func InvalidRequest(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// MethodNotFound says that there is no such method.
func MethodNotFound(method string) *Error {
	return &Error{Code: CodeMethodNotFound, Message: "Method not found: " + method}
}

// InvalidParams says what is wrong with a request's params.
func InvalidParams(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// InternalError says that the fault is ours. The message must hold nothing
// that the peer should not read.
func InternalError(format string, args ...any) *Error {
	return &Error{Code: CodeInternalError, Message: fmt.Sprintf(format, args...)}
}

// HeaderMismatch says which HTTP header does not fit, for example "Mcp-Name
// header value 'foo' does not match body value 'bar'".
func HeaderMismatch(format string, args ...any) *Error {
	return &Error{Code: CodeHeaderMismatch, Message: "Header mismatch: " + fmt.Sprintf(format, args...)}
}

// UnsupportedVersion says which revision was asked for and which there are.
func UnsupportedVersion(requested string, supported []Version) *Error {
	o := openObject(nil)
	if supported == nil {
		supported = []Version{}
	}
	stringList(&o, "supported", supported)
	o.str("requested", requested)
	return &Error{Code: CodeUnsupportedVersion, Message: "Unsupported protocol version", Data: o.end(nil, nil)}
}

// MissingCapability says which client capabilities a request must declare.
func MissingCapability(required ClientCapabilities) *Error {
	encoded, err := json.Marshal(required)
	if err != nil {
		// Only settings that are no JSON can do this. The names still help.
		encoded = []byte("{}")
	}
	o := openObject(nil)
	o.raw("requiredCapabilities", encoded)
	return &Error{
		Code:    CodeMissingCapability,
		Message: "Server requires " + describeCapabilities(encoded) + " for this request",
		Data:    o.end(nil, nil),
	}
}

// describeCapabilities puts the names of the capabilities into words.
func describeCapabilities(encoded []byte) string {
	var names []string
	for it := jsonscan.Iterate(encoded); it.Next(); {
		name, before := jsonscan.UnescapeName(it.Name()), len(names)
		for in := jsonscan.Iterate(it.Value()); in.Next(); {
			names = append(names, name+"."+jsonscan.UnescapeName(in.Name()))
		}
		if len(names) == before {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		return "a client capability that was not declared"
	case 1:
		return "the " + names[0] + " capability"
	default:
		return "the capabilities " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
}

// UnknownTool says that there is no tool of this name.
func UnknownTool(name string) *Error {
	return &Error{Code: CodeInvalidParams, Message: "Unknown tool: " + name}
}

// UnknownPrompt says that there is no prompt of this name.
func UnknownPrompt(name string) *Error {
	return &Error{Code: CodeInvalidParams, Message: "Unknown prompt: " + name}
}

// ResourceNotFound says that there is no resource at this URI. Its code is of
// the modern era; [Error.For] gives the one of the initialize era.
func ResourceNotFound(uri string) *Error {
	o := openObject(nil)
	o.str("uri", uri)
	return &Error{Code: CodeInvalidParams, Message: "Resource not found", Data: o.end(nil, nil), legacyCode: CodeLegacyResourceNotFound}
}
