package server

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

// InputRequired is what a handler returns, as its error, when it cannot go on
// without the client: a person's answer, a model's, or the roots. It is run
// again with the answers, from its beginning, in the modern era by the
// client's retry and in the initialize era by this server
// (patterns/mrtr). A handler therefore must not act before it has all it asks.
type InputRequired struct {
	// Requests are the questions under keys of the handler's choice.
	Requests mcp.InputRequests
	// State is whatever the handler wants to find again in the next round. It
	// travels through the client, encrypted and bound to the principal, the
	// tool, its arguments and a time; nothing else is kept anywhere.
	State []byte

	sealed string
}

// Error implements the error interface.
func (r *InputRequired) Error() string { return "more input is required" }

func (r *InputRequired) resultType() string { return resultInputRequired }
func (r *InputRequired) meta() []byte       { return nil }

func (r *InputRequired) appendMembers(dst []byte, _ mcp.Version) []byte {
	if len(r.Requests) > 0 {
		dst = append(dst, `"inputRequests":`...)
		dst = r.Requests.AppendTo(dst)
	}
	if r.sealed != "" {
		if len(r.Requests) > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendQuoted(append(dst, `"requestState":`...), r.sealed)
	}
	return dst
}

// check holds a handler to the rules of the pattern: it asks for something,
// and only for what the client said it can do.
func (r *InputRequired) check(call *Call) error {
	if len(r.Requests) == 0 && len(r.State) == 0 {
		return errors.New("an InputRequired needs a request or a state")
	}
	if slices.ContainsFunc(r.Requests, func(e mcp.InputRequestEntry) bool { return e.Request == nil }) {
		return errors.New("an InputRequired has a key without a request")
	}
	if err := jsonscan.Check(r.Requests.AppendTo(nil), 0); err != nil {
		return fmt.Errorf("the requests of an InputRequired are no JSON object: %w", err)
	}
	missing, any := call.Client.Capabilities.Missing(r.Requests.Required())
	if !any {
		return nil
	}
	if call.Version.Modern() {
		return mcp.MissingCapability(missing)
	}
	// The initialize era has no code for this, and a model that reads about it
	// can at least tell its person.
	encoded, err := json.Marshal(missing)
	if err != nil {
		return err
	}
	return mcp.ToolErrorf("%s needs an answer that this host cannot give: it did not declare the capability %s. Nothing was changed.", call.Tool(), encoded)
}

// seal makes the modern answer.
func (s *Server) seal(call *Call, need *InputRequired) (Result, error) {
	// A copy, because the handler may return one value to many calls.
	answer := &InputRequired{Requests: need.Requests}
	if len(need.State) > 0 {
		var err error
		answer.sealed, err = s.sealer.seal(need.State, s.binding(call), s.opts.Now().Add(s.opts.StateTTL))
		if err != nil {
			return nil, fmt.Errorf("seal the request state: %w", err)
		}
	}
	return answer, nil
}

// binding is everything a state may not be carried away from.
func (s *Server) binding(call *Call) []byte {
	b := appendField(nil, []byte(call.Principal.name()))
	b = appendField(b, []byte(call.Method))
	b = appendField(b, []byte(jsonscan.Unquote(call.params.name)))
	arguments := call.params.arguments
	if jsonscan.KindOf(arguments) != jsonscan.Object {
		arguments = []byte("{}") // Absent and null mean the same; see readArguments.
	}
	return appendField(b, jsonscan.AppendCanonical(nil, arguments))
}

// readAnswers takes the answers and the state of an earlier round from a
// modern request.
func (s *Server) readAnswers(call *Call) error {
	if call.Asker != nil {
		return nil // Earlier revisions have no such members, so they mean nothing.
	}
	if raw := call.params.inputResponses; raw != nil {
		if err := json.Unmarshal(raw, &call.answers); err != nil || jsonscan.KindOf(raw) != jsonscan.Object {
			return mcp.InvalidParams("params.inputResponses must be an object with one result object under each key of inputRequests")
		}
	}
	raw := call.params.requestState
	if raw == nil {
		return nil
	}
	if jsonscan.KindOf(raw) != jsonscan.String {
		return mcp.InvalidParams("params.requestState must be the string that came with the result")
	}
	state, id, err := s.sealer.open(jsonscan.Unquote(raw), s.binding(call), s.opts.Now())
	if err != nil {
		return mcp.InvalidParams("params.requestState was refused: %v", err)
	}
	call.state, call.stateID = state, id
	return nil
}

// ask puts the questions to a client of the initialize era. While a person
// thinks, the call's clock stands still; the time for the answers is StateTTL,
// the same as in the modern era.
func (s *Server) ask(ctx context.Context, call *Call, need *InputRequired) error {
	call.yield()
	call.pauseClock()
	defer call.StartClock()
	if call.placed.CompareAndSwap(true, false) {
		// A person may think for minutes; others work meanwhile.
		s.limiter.release()
		defer call.takePlaceBack()
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.StateTTL)
	defer cancel()
	responses, err := call.Asker.Ask(ctx, call, need.Requests)
	if err != nil {
		return err
	}
	call.answers, call.state, call.stateID = responses, need.State, ""
	if len(need.State) > 0 {
		call.stateID = newStateID()
	}
	return nil
}

func (c *Call) pauseClock() {
	if timer := c.clock.Swap(nil); timer != nil {
		timer.Stop()
	}
}
