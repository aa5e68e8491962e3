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
	call.entry = e
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
	defer s.leavePlace(call)
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
		result, err := call.entry.Handle(ctx, call)
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
			return toolFailure(fmt.Sprintf("%s asked for more input %d times and was stopped. %s", call.Tool(), round, call.entry.consequence())), nil
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
	tools := s.tools()
	e := tools.byName[string(name[1:len(name)-1])]
	if e == nil {
		e = tools.byName[jsonscan.Unquote(name)]
	}
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
		s.opts.Log.Info("argument converted", "tool", call.Tool(), "path", c.Path, "from", c.From, "to", c.To,
			"client", call.Client.Info.Name, "total", total)
	}
}

// toolOutcome turns what a tool handler returned into the call's outcome.
func (s *Server) toolOutcome(call *Call, result *mcp.CallToolResult, err error) (Result, error) {
	var (
		shown *mcp.ToolError
		wire  *mcp.Error
	)
	switch {
	case errors.As(err, &shown):
		if cause := errors.Unwrap(shown); cause != nil {
			s.opts.Log.Warn("tool error", "tool", call.Tool(), "principal", call.Principal.name(), "error", cause)
		}
		return toolFailure(shown.Error()), nil
	case errors.As(err, &wire):
		return nil, wire
	case err != nil:
		return s.fault(call, err, nil)
	case result == nil:
		return s.fault(call, errors.New("the tool returned neither a result nor an error"), nil)
	}
	r := (*ToolResult)(result)
	if r.IsError {
		r.StructuredContent = nil
		return r, nil
	}
	if size := r.size(); size > s.opts.MaxResultBytes {
		return s.tooLarge(call, size), nil
	}
	if e := call.entry; e.output != nil {
		if r.StructuredContent == nil {
			return s.fault(call, errors.New("the tool has an output schema but returned no structured content"), nil)
		}
		if problems := e.output.Problems(r.StructuredContent); len(problems) > 0 {
			return s.fault(call, fmt.Errorf("the result breaks the output schema: %s", schema.Message(problems)), nil)
		}
	}
	return r, nil
}
