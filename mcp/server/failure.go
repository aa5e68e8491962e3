package server

import (
	"context"
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
	returned := false
	defer func() {
		switch p := recover(); {
		case p != nil:
			result, err = s.fault(call, fmt.Errorf("panic: %v", p), debug.Stack())
		case !returned:
			s.deserted(call)
		}
	}()
	result, err = s.handler(call.ctx, call)
	returned = true
	return result, err
}

// deserted answers for a handler that ended its goroutine (runtime.Goexit), so
// that nobody is left to answer for it.
func (s *Server) deserted(call *Call) {
	if !call.settle(answered, errCallOver) {
		return
	}
	s.leavePlace(call)
	result, err := s.fault(call, errors.New("the handler ended its goroutine"), debug.Stack())
	call.Peer.Answer(call, s.appendAnswer(nil, call, result, err))
}

// fault logs a failure of ours under a reference and makes what the caller is
// told. In a tool call that is a result the model reads; elsewhere it is
// JSON-RPC's internal error.
func (s *Server) fault(call *Call, cause error, stack []byte) (Result, error) {
	if stack == nil && call.phase.Load() != running && endedBy(call.ctx, cause) {
		// The handler only reports that its call was ended from outside. That
		// is no fault, and the outcome goes to nobody.
		return nil, cause
	}
	reference := newReference()
	attrs := []any{"reference", reference, "method", call.Method, "tool", call.Tool(), "principal", call.Principal.name(), "error", cause}
	if stack != nil {
		attrs = append(attrs, "stack", string(stack))
	}
	s.opts.Log.Error("request failed", attrs...)
	e := call.entry.Load()
	if e == nil {
		return nil, internalError(reference)
	}
	return toolFailure(fmt.Sprintf("%s failed through a fault in the server, not in your arguments. %s Reference: %s.",
		call.Tool(), e.consequence(), reference)), nil
}

// endedBy reports whether an error says no more than that ctx ended.
func endedBy(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

func internalError(reference string) *mcp.Error {
	return &mcp.Error{Code: mcp.CodeInternalError, Message: "Internal error, reference " + reference}
}

// wireError turns any error into the JSON-RPC error that is sent. What is not
// meant for the peer is logged, and the peer gets a reference to it.
func (s *Server) wireError(call *Call, err error) *mcp.Error {
	var wire *mcp.Error
	if errors.As(err, &wire) && wire != nil {
		if call != nil && call.Version != "" {
			wire = wire.For(call.Version)
		}
		return s.sendable(wire)
	}
	reference := newReference()
	attrs := []any{"reference", reference, "error", err}
	if call != nil {
		attrs = append(attrs, "method", call.Method, "principal", call.Principal.name())
	}
	s.opts.Log.Error("request failed", attrs...)
	return internalError(reference)
}

// sendable makes sure that what a handler put into an error fits into one line
// of JSON. Data that does not is a fault of the handler and is left out.
func (s *Server) sendable(wire *mcp.Error) *mcp.Error {
	if wire.Data == nil {
		return wire
	}
	data, err := oneLine(wire.Data)
	if err != nil {
		s.opts.Log.Error("the data of an error is no JSON and was left out", "code", wire.Code, "error", err)
	}
	sent := *wire
	sent.Data = data
	return &sent
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
	// A call that its client cancelled is answered by nobody, but a handler
	// that ignores its end must not keep a place for longer than one that
	// nobody cancelled.
	s.leavePlace(call)
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
	// The answer goes first: a log that nobody reads must not hold it up.
	defer s.opts.Log.Warn("call given up", "method", call.Method, "tool", call.Tool(), "principal", call.Principal.name(), "cause", cause)
	var answer []byte
	if e := call.entry.Load(); e != nil {
		consequence := e.consequence()
		if !call.began.Load() {
			consequence = "It had not begun: nothing was changed, and trying again is safe."
		}
		answer = s.appendAnswer(nil, call, toolFailure(fmt.Sprintf("%s %s %s", call.Tool(), what, consequence)), nil)
	} else {
		answer = s.appendAnswer(nil, call, nil, &mcp.Error{Code: mcp.CodeInternalError, Message: call.Method + " " + what})
	}
	call.Peer.Answer(call, answer)
}

// tooLarge replaces a result that breaks the size limit. A tool ran, so the
// model is told what that means; any other method has no result that could
// say it.
func (s *Server) tooLarge(call *Call, size int) (Result, error) {
	s.opts.Log.Error("result too large", "method", call.Method, "tool", call.Tool(), "bytes", size, "limit", s.opts.MaxResultBytes)
	e := call.entry.Load()
	if e == nil {
		return nil, mcp.InternalError("The result of %s is %d bytes long, more than the %d that may be sent", shortened(call.Method), size, s.opts.MaxResultBytes)
	}
	return toolFailure(fmt.Sprintf("The result of %s is %d bytes long, more than the %d that may be sent. Ask for less, for example with a narrower search or a smaller limit. %s",
		call.Tool(), size, s.opts.MaxResultBytes, e.consequence())), nil
}
