package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/schema"
)

// callTool is tools/call: find the tool, check the arguments, run the handler
// and check what it returned (server/tools#error-handling).
func (s *Server) callTool(ctx context.Context, call *Call) (Result, error) {
	e, err := s.lookup(call)
	if err != nil {
		return nil, err
	}
	if err := s.readArguments(call); err != nil {
		return nil, err
	}
	if err := s.readAnswers(call); err != nil {
		return nil, err
	}
	call.entry.Store(e)
	checked := e.input.Check(call.args, s.checkOptions()...)
	if len(checked.Problems) > 0 {
		return toolFailure(schema.Message(checked.Problems)), nil
	}
	call.args = checked.Value
	if len(checked.Coerced) > 0 {
		s.noteCoercions(ctx, call, checked.Coerced)
	}
	if err := s.limiter.acquire(ctx, call); err != nil {
		return s.toolOutcome(call, nil, err)
	}
	call.placed.Store(true)
	call.began.Store(true)
	defer s.leavePlace(call)
	if call.phase.Load() != running {
		// It was given up while its turn came. Its handler would work for
		// nobody, and whoever gave it up may have found no place to give back.
		return nil, context.Cause(ctx)
	}
	return s.runTool(ctx, call)
}

// leavePlace gives the call's place to the next, once.
func (s *Server) leavePlace(call *Call) {
	if call.placed.CompareAndSwap(true, false) {
		s.limiter.release()
	}
}

// runTool runs the handler, again after every round of questions when the
// client is of the initialize era.
func (s *Server) runTool(ctx context.Context, call *Call) (Result, error) {
	for round := 1; ; round++ {
		result, err := call.entry.Load().Handle(ctx, call)
		var need *InputRequired
		if !errors.As(err, &need) {
			return s.toolOutcome(call, result, err)
		}
		if err := need.check(call); err != nil {
			return s.toolOutcome(call, nil, err)
		}
		if call.Asker == nil {
			return s.seal(call, need)
		}
		if round >= s.opts.MaxRounds {
			return toolFailure(fmt.Sprintf("%s asked for more input %d times and was stopped. %s", call.Tool(), round, call.entry.Load().consequence())), nil
		}
		if err := s.ask(ctx, call, need); err != nil {
			return s.toolOutcome(call, nil, err)
		}
	}
}

// lookup finds the tool a call names. A tool the caller may not use does not
// exist for it, exactly as in its list.
func (s *Server) lookup(call *Call) (*entry, error) {
	name := call.params.name
	if name == nil {
		return nil, mcp.InvalidParams("params.name is missing: it names the tool to call")
	}
	if jsonscan.KindOf(name) != jsonscan.String {
		return nil, mcp.InvalidParams("params.name must be a string: it names the tool to call")
	}
	e := s.tools().find(name)
	if e == nil || !call.Principal.Allows(e.Scope) {
		return nil, mcp.UnknownTool(shortened(jsonscan.Unquote(name)))
	}
	return e, nil
}

// readArguments takes absent and null arguments as {}, since hosts send both
// for tools without parameters. Anything else but an object is no tools/call.
func (s *Server) readArguments(call *Call) error {
	switch jsonscan.KindOf(call.params.arguments) {
	case jsonscan.Object:
		call.args = call.params.arguments
	case jsonscan.Invalid, jsonscan.Null:
		call.args = []byte("{}")
	default:
		return mcp.InvalidParams("params.arguments must be an object")
	}
	return nil
}

func (s *Server) checkOptions() []schema.CheckOption {
	if s.opts.StrictTypes {
		return []schema.CheckOption{schema.StrictTypes()}
	}
	return nil
}

// noteCoercions counts arguments that came in the wrong JSON type, so that an
// operator can see which host sends them. Values are never logged.
func (s *Server) noteCoercions(ctx context.Context, call *Call, coerced []schema.Coercion) {
	total := s.coerced.Add(int64(len(coerced)))
	if !s.opts.Log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	for _, c := range coerced {
		s.opts.Log.Info("argument converted", "tool", call.Tool(), "path", shortened(c.Path), "from", c.From, "to", c.To,
			"client", shortened(call.Client.Info.Name), "total", total)
	}
}

// toolOutcome turns what a tool handler returned into the call's outcome.
func (s *Server) toolOutcome(call *Call, result *mcp.CallToolResult, err error) (Result, error) {
	var (
		shown *mcp.ToolError
		wire  *mcp.Error
	)
	switch {
	case errors.As(err, &shown) && shown != nil:
		if cause := errors.Unwrap(shown); cause != nil {
			s.opts.Log.Warn("tool error", "tool", call.Tool(), "principal", call.Principal.name(), "error", cause)
		}
		return toolFailure(shown.Error()), nil
	case errors.As(err, &wire) && wire != nil:
		return nil, wire
	case err != nil:
		return s.fault(call, err, nil)
	case result == nil:
		return s.fault(call, errors.New("the tool returned neither a result nor an error"), nil)
	}
	r := (*ToolResult)(result)
	if r.IsError && r.StructuredContent != nil {
		// A copy, because the handler may return one value to many calls.
		textOnly := *r
		textOnly.StructuredContent = nil
		r = &textOnly
	}
	if size := r.size(); size > s.opts.MaxResultBytes {
		return s.tooLarge(call, size)
	}
	r, err = r.sendable()
	if err != nil {
		return s.fault(call, err, nil)
	}
	if r.IsError {
		return r, nil
	}
	if e := call.entry.Load(); e.output != nil {
		if r.StructuredContent == nil {
			return s.fault(call, errors.New("the tool has an output schema but returned no structured content"), nil)
		}
		if problems := e.output.Problems(r.StructuredContent); len(problems) > 0 {
			return s.fault(call, fmt.Errorf("the result breaks the output schema: %s", schema.Message(problems)), nil)
		}
	}
	return r, nil
}

// sendable judges what a handler wrote as raw JSON: in a message that goes out
// as one line, text that is no JSON or holds a line break would end more than
// this one answer.
func (r *ToolResult) sendable() (*ToolResult, error) {
	for i, content := range r.Content {
		if hasRawJSON(content) {
			if err := jsonscan.Check(mcp.AppendContent(nil, content), 0); err != nil {
				return nil, fmt.Errorf("the result's content block %d is no JSON: %w", i, err)
			}
		}
	}
	structured, err := lineOrNil(r.StructuredContent)
	if err != nil {
		return nil, fmt.Errorf("the result's structured content is no JSON: %w", err)
	}
	meta, err := lineOrNil(r.Meta)
	if err == nil && meta != nil && jsonscan.KindOf(meta) != jsonscan.Object {
		err = errors.New("it is another value")
	}
	if err != nil {
		return nil, fmt.Errorf("the result's _meta is no JSON object: %w", err)
	}
	if len(structured) == len(r.StructuredContent) && len(meta) == len(r.Meta) {
		return r, nil
	}
	clean := *r
	clean.StructuredContent, clean.Meta = structured, meta
	return &clean, nil
}

func lineOrNil(text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	return oneLine(text)
}

// hasRawJSON reports whether a block may hold text that its handler wrote as
// JSON; the common blocks do not.
func hasRawJSON(content mcp.Content) bool {
	switch c := content.(type) {
	case nil:
		return false
	case *mcp.TextContent:
		return c != nil && (c.Meta != nil || c.Unknown != nil)
	case *mcp.ImageContent:
		return c != nil && (c.Meta != nil || c.Unknown != nil)
	case *mcp.AudioContent:
		return c != nil && (c.Meta != nil || c.Unknown != nil)
	default:
		return true
	}
}
