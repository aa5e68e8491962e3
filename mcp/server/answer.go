package server

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
)

// Result is what a handler gives for a request, before it becomes bytes. The
// package's own types are the only ones: [ToolResult], [InputRequired] and the
// lists.
type Result interface {
	// resultType is the value of the modern member of that name.
	resultType() string
	// appendMembers appends the result's own members, separated by commas,
	// in the vocabulary of the given revision.
	appendMembers(dst []byte, version mcp.Version) []byte
	// meta is the result's own _meta object, nil when it has none.
	meta() []byte
}

// Values of resultType in protocol revision 2026-07-28.
const (
	resultComplete      = "complete"
	resultInputRequired = "input_required"
)

// appendAnswer writes the response to a call. It is the one place where the
// eras differ on the way out: a modern result begins with resultType and ends
// with _meta, a legacy result has neither.
func (s *Server) appendAnswer(dst []byte, call *Call, result Result, err error) []byte {
	if err == nil && result == nil {
		err = errors.New("the handler returned neither a result nor an error")
	}
	if err == nil {
		out, size, broken := s.encode(dst, call, result)
		switch {
		case broken != nil:
			result, err = s.fault(call, broken.cause, broken.stack)
		case size > s.opts.MaxResultBytes:
			result, err = s.tooLarge(call, size)
		default:
			return out
		}
		if err == nil {
			// What stands in for a result is short, ours and not measured
			// again: however small the limit is, there is an answer.
			return s.appendResult(dst, call, result)
		}
	}
	wire := s.wireError(call, err)
	return jsonrpc.AppendError(dst, call.ID, wire.Code, wire.Message, wire.Data)
}

// encodingPanic is what happened while a result was encoded.
type encodingPanic struct {
	cause error
	stack []byte
}

// encode is appendResult for a result whose parts come from a handler: a nil
// pointer among them must not end the process. The size is that of the result
// without its envelope, since the id is as long as its sender likes.
func (s *Server) encode(dst []byte, call *Call, result Result) (out []byte, size int, broken *encodingPanic) {
	defer func() {
		if p := recover(); p != nil {
			broken = &encodingPanic{fmt.Errorf("panic while the result was encoded: %v", p), debug.Stack()}
		}
	}()
	out = s.appendResult(dst, call, result)
	return out, len(out) - len(dst) - len(`{"jsonrpc":"2.0","id":,"result":}`) - len(call.ID), nil
}

// appendResult writes the response that carries a result.
func (s *Server) appendResult(dst []byte, call *Call, result Result) []byte {
	size := 0
	switch large := result.(type) {
	case *ToolResult:
		size = large.size()
	case members:
		size = len(large)
	}
	if size > cap(dst)-len(dst) {
		// One allocation of about the right size instead of a doubling series.
		dst = slices.Grow(dst, size+size/16+len(s.metaSuffix)+256)
	}
	dst = append(jsonrpc.OpenResult(dst, call.ID), '{')
	if call.Version.Modern() {
		dst = append(dst, `"resultType":"`...)
		dst = append(dst, result.resultType()...)
		dst = append(dst, '"')
		members := len(dst)
		dst = result.appendMembers(append(dst, ','), call.Version)
		if len(dst) > members+1 {
			dst = append(dst, ',')
		}
		dst = s.appendMeta(dst, result.meta())
	} else {
		members := len(dst)
		dst = result.appendMembers(dst, call.Version)
		if meta := result.meta(); meta != nil {
			if len(dst) > members {
				dst = append(dst, ',')
			}
			dst = append(append(dst, `"_meta":`...), meta...)
		}
	}
	return append(dst, "}}"...)
}

// appendMeta writes the _meta of a modern result: its own keys, then who the
// server is (basic/index#per-response).
func (s *Server) appendMeta(dst, own []byte) []byte {
	if len(jsonscan.Trim(own)) <= len("{}") {
		return append(dst, s.metaSuffix...)
	}
	dst = append(dst, `"_meta":{`...)
	for it := jsonscan.Iterate(own); it.Next(); {
		if jsonscan.NameIs(it.Name(), mcp.MetaServerInfo) {
			continue
		}
		dst = append(append(append(dst, '"'), it.Name()...), `":`...)
		dst = append(jsonscan.AppendCompact(dst, it.Value()), ',')
	}
	return append(dst, s.metaSuffix[len(`"_meta":{`):]...)
}

// members is a result that was encoded before: lists, discovery, empty ones.
// The text is the members without braces.
type members []byte

func (m members) resultType() string                             { return resultComplete }
func (m members) appendMembers(dst []byte, _ mcp.Version) []byte { return append(dst, m...) }
func (m members) meta() []byte                                   { return nil }

// ToolResult is the result of tools/call.
type ToolResult mcp.CallToolResult

func (r *ToolResult) resultType() string { return resultComplete }
func (r *ToolResult) meta() []byte       { return r.Meta }

func (r *ToolResult) appendMembers(dst []byte, version mcp.Version) []byte {
	dst = append(dst, `"content":[`...)
	for i, content := range r.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = mcp.AppendContent(dst, contentFor(version, content))
	}
	if len(r.Content) == 0 {
		// A result is complete in both halves: hosts show the model one of
		// them, and nobody knows which.
		dst = append(dst, `{"type":"text","text":`...)
		if r.StructuredContent != nil {
			dst = jsonscan.AppendQuoted(dst, []byte(r.StructuredContent))
		} else {
			dst = append(dst, `"The tool finished and has nothing to report."`...)
		}
		dst = append(dst, '}')
	}
	dst = append(dst, ']')
	if r.StructuredContent != nil && structuredFor(version, r.StructuredContent) {
		dst = append(dst, `,"structuredContent":`...)
		dst = append(dst, r.StructuredContent...)
	}
	if r.IsError {
		return append(dst, `,"isError":true`...)
	}
	return append(dst, `,"isError":false`...)
}

// size is a lower bound of the encoded size, known before encoding.
func (r *ToolResult) size() int {
	n := len(r.StructuredContent)
	if len(r.Content) == 0 {
		n *= 2
	}
	for _, content := range r.Content {
		switch c := content.(type) {
		case *mcp.TextContent:
			n += len(c.Text)
		case *mcp.ImageContent:
			n += len(c.Data)
		case *mcp.AudioContent:
			n += len(c.Data)
		}
	}
	return n
}

// structuredFor reports whether a revision has structuredContent for this
// value: since 2025-06-18 for objects, since 2026-07-28 for any value.
func structuredFor(version mcp.Version, value []byte) bool {
	if version.Modern() {
		return true
	}
	return version >= mcp.Version20250618 && jsonscan.KindOf(value) == jsonscan.Object
}

// contentFor replaces a block that a revision does not know by words that say
// the same. Revisions are dates, so they compare as strings.
func contentFor(version mcp.Version, content mcp.Content) mcp.Content {
	switch c := content.(type) {
	case *mcp.AudioContent:
		if version < mcp.Version20250326 {
			return &mcp.TextContent{Text: "[audio of type " + c.MIMEType + ", which this protocol revision cannot carry]"}
		}
	case *mcp.ResourceLink:
		if version < mcp.Version20250618 {
			return &mcp.TextContent{Text: "[resource " + c.Name + ": " + c.URI + "]"}
		}
	}
	return content
}
