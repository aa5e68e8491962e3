package server

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"

	"helpdesk/mcp"
)

// toolFailure is a tool result that tells the model what went wrong. Errors
// carry text only: some hosts show nothing else of them, others only the
// structured half when there is one.
func toolFailure(text string) *ToolResult {
	return &ToolResult{Content: mcp.ContentList{&mcp.TextContent{Text: text}}, IsError: true}
}

// contain runs the handler and turns a panic into a fault, so that nothing a
// handler does ends the process.
func (s *Server) contain(call *Call) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = s.fault(call, fmt.Errorf("panic: %v", p), debug.Stack())
		}
	}()
	return s.handler(call.ctx, call)
}

// fault logs a failure of ours under a reference and makes what the caller is
// told. In a tool call that is a result the model reads; elsewhere it is
// JSON-RPC's internal error.
func (s *Server) fault(call *Call, cause error, stack []byte) (Result, error) {
	reference := newReference()
	attrs := []any{"reference", reference, "method", call.Method, "tool", call.Tool(), "principal", call.Principal.name(), "error", cause}
	if stack != nil {
		attrs = append(attrs, "stack", string(stack))
	}
	s.opts.Log.Error("request failed", attrs...)
	if call.entry == nil {
		return nil, internalError(reference)
	}
	return toolFailure(fmt.Sprintf("%s failed through a fault in the server, not in your arguments. %s Reference: %s.",
		call.Tool(), call.entry.consequence(), reference)), nil
}

func internalError(reference string) *mcp.Error {
	return &mcp.Error{Code: mcp.CodeInternalError, Message: "Internal error, reference " + reference}
}

// wireError turns any error into the JSON-RPC error that is sent. What is not
// meant for the peer is logged, and the peer gets a reference to it.
func (s *Server) wireError(call *Call, err error) *mcp.Error {
	var wire *mcp.Error
	if errors.As(err, &wire) {
		if call != nil && call.Version != "" {
			return wire.For(call.Version)
		}
		return wire
	}
	reference := newReference()
	attrs := []any{"reference", reference, "error", err}
	if call != nil {
		attrs = append(attrs, "method", call.Method, "principal", call.Principal.name())
	}
	s.opts.Log.Error("request failed", attrs...)
	return internalError(reference)
}

// newReference makes the id that joins what a caller saw to what was logged.
func newReference() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // crypto/rand never fails: it ends the program instead.
	return hex.EncodeToString(b[:])
}

// consequence says what a failure in the middle of this tool may have left
// behind. It follows from the tool's own hints, which on our side of the wire
// are facts.
func (e *entry) consequence() string {
	hints := e.Definition.Annotations
	switch {
	case hints != nil && hints.ReadOnlyHint != nil && *hints.ReadOnlyHint:
		return "Nothing was changed, and trying again is safe."
	case hints != nil && hints.IdempotentHint != nil && *hints.IdempotentHint:
		return "Whether anything was changed is not known. Trying again with the same arguments is safe: it does not act twice."
	default:
		return "Whether anything was changed is not known. Look before you try again, because a second try may act twice."
	}
}

// errTimeout and ErrStopping are the causes of a handler's ended context.
var errTimeout = errors.New("the call took too long")

// ErrStopping is the cause with which contexts end when the server shuts down.
var ErrStopping = errors.New("the server is stopping")

// expire answers for a handler that did not return in time. The handler is
// told through its context; if it ignores that, it finishes for nobody.
func (s *Server) expire(call *Call) {
	s.giveUp(call, errTimeout, fmt.Sprintf("did not finish within %v and was stopped.", call.timeout()))
}

// Abandon answers for a call that still runs when the server must stop.
func (s *Server) Abandon(call *Call) {
	s.giveUp(call, ErrStopping, "was cut short because the server is stopping.")
}

func (s *Server) giveUp(call *Call, cause error, what string) {
	if !call.settle(answered, cause) {
		return
	}
	s.leavePlace(call)
	s.opts.Log.Warn("call given up", "method", call.Method, "tool", call.Tool(), "principal", call.Principal.name(), "cause", cause)
	var answer []byte
	if call.entry != nil {
		answer = s.appendAnswer(nil, call, toolFailure(fmt.Sprintf("%s %s %s", call.Tool(), what, call.entry.consequence())), nil)
	} else {
		answer = s.appendAnswer(nil, call, nil, &mcp.Error{Code: mcp.CodeInternalError, Message: call.Method + " " + what})
	}
	call.Peer.Answer(call, answer)
}

// tooLarge replaces a result that breaks the size limit. The tool ran, so the
// model is told what that means.
func (s *Server) tooLarge(call *Call, size int) Result {
	s.opts.Log.Error("result too large", "method", call.Method, "tool", call.Tool(), "bytes", size, "limit", s.opts.MaxResultBytes)
	what := call.Tool()
	consequence := "Nothing was changed."
	if call.entry != nil {
		consequence = call.entry.consequence()
	}
	return toolFailure(fmt.Sprintf("The result of %s is %d bytes long, more than the %d that may be sent. Ask for less, for example with a narrower search or a smaller limit. %s",
		what, size, s.opts.MaxResultBytes, consequence))
}
