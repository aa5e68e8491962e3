package server_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// form asks a person something.
func form(message string) *mcp.ElicitFormParams {
	return &mcp.ElicitFormParams{Message: message, RequestedSchema: []byte(`{"type":"object","properties":{}}`)}
}

// counter is a tool that asks rounds times and then says what it was told. It
// keeps nothing itself: the round is in the state.
func counter(rounds int) server.Tool {
	return raw("count", func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		state := string(call.State())
		if len(state) < rounds {
			key := fmt.Sprintf("q%d", len(state))
			return nil, &server.InputRequired{Requests: mcp.InputRequests{{Key: key, Request: form(key)}}, State: []byte(state + "x")}
		}
		answer, ok := call.Answer(fmt.Sprintf("q%d", rounds-1))
		return words(fmt.Sprintf("%s %v %s %v", state, ok, answer, call.StateID() != "")), nil
	})
}

const asked = `{"elicitation":{}}`

// Rounds follow one another with nothing kept between them: any server that
// shares the secret can take any round.
func TestRoundsAcrossReplicas(t *testing.T) {
	t.Parallel()
	secret := []byte(strings.Repeat("s", 32))
	members := `"name":"count","arguments":{}`
	more := ""
	for round := range 3 {
		replica := newDoor(newServer(t, server.Options{StateSecret: secret}, counter(3)))
		got := replica.ask(t, requestWith("tools/call", members+more, asked, ""))
		if got.Result == nil || got.Result.ResultType != "input_required" || got.Result.Content != nil {
			t.Fatalf("round %d: %s", round, got.raw)
		}
		if want := fmt.Sprintf(`{"q%d":{"method":"elicitation/create","params":{"mode":"form","message":"q%d","requestedSchema":{"type":"object","properties":{}}}}}`, round, round); string(got.Result.InputRequests) != want {
			t.Errorf("round %d asks %s, want %s", round, got.Result.InputRequests, want)
		}
		more = fmt.Sprintf(`,"inputResponses":{"q%d":{"action":"accept"}},"requestState":"%s"`, round, got.Result.RequestState)
	}
	last := newDoor(newServer(t, server.Options{StateSecret: secret}, counter(3)))
	if got := last.ask(t, requestWith("tools/call", members+more, asked, "")).text(t); got != `xxx true {"action":"accept"} true` {
		t.Errorf("the last round says %q", got)
	}
}

// A tool may carry a state without asking for anything: the client just comes
// again.
func TestStateOnly(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, raw("tool", func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		if call.State() == nil {
			return nil, &server.InputRequired{State: []byte("half way")}
		}
		return words(string(call.State())), nil
	})))
	first := d.ask(t, call("tool", "{}"))
	if first.Result.InputRequests != nil || first.Result.RequestState == "" || strings.Contains(first.raw, "half") {
		t.Fatalf("the first round: %s", first.raw)
	}
	if got := d.ask(t, request("tools/call", `"name":"tool","requestState":"`+first.Result.RequestState+`"`)).text(t); got != "half way" {
		t.Errorf("the second round says %q", got)
	}
	legacy := d.initialize(t, mcp.Version20241105, "{}")
	if got := legacy.ask(t, old("tools/call", `{"name":"tool"}`)).text(t); got != "half way" {
		t.Errorf("an old client, which cannot come again by itself, gets %q", got)
	}
}

// The question goes out without a state when the handler gave none, and then
// the second round has none.
func TestQuestionWithoutState(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, raw("tool", func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		if answer, ok := call.Answer("k"); ok {
			return words(fmt.Sprintf("%s %v %q", answer, call.State() == nil, call.StateID())), nil
		}
		return nil, fmt.Errorf("wrapped: %w", &server.InputRequired{Requests: mcp.InputRequests{{Key: "k", Request: &mcp.ListRootsParams{}}}})
	})))
	first := d.ask(t, requestWith("tools/call", `"name":"tool"`, `{"roots":{}}`, ""))
	if first.Result.RequestState != "" || string(first.Result.InputRequests) != `{"k":{"method":"roots/list"}}` {
		t.Fatalf("the first round: %s", first.raw)
	}
	if got := d.ask(t, requestWith("tools/call", `"name":"tool","inputResponses":{"k":{"roots":[]}}`, `{"roots":{}}`, "")).text(t); got != `{"roots":[]} true ""` {
		t.Errorf("the second round says %q", got)
	}
}

// A client is asked only for what it declared; otherwise it is told what is
// missing, and nothing else.
func TestCapabilitiesThatAreMissing(t *testing.T) {
	t.Parallel()
	link := &mcp.ElicitURLParams{Message: "m", URL: "https://example.com/"}
	model := &mcp.CreateMessageParams{MaxTokens: 1, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.SamplingContent{&mcp.TextContent{Text: "a"}}}}}
	tests := []struct {
		name     string
		request  mcp.InputRequest
		declared string
		missing  string // empty when it may be asked
	}{
		{"form to one who has none", form("m"), `{}`, `{"elicitation":{"form":{}}}`},
		{"form to one who has links only", form("m"), `{"elicitation":{"url":{}}}`, `{"elicitation":{"form":{}}}`},
		{"form to one who says no mode", form("m"), `{"elicitation":{}}`, ``},
		{"form to one who has both", form("m"), `{"elicitation":{"form":{},"url":{}}}`, ``},
		{"link to one who has none", link, `{}`, `{"elicitation":{"url":{}}}`},
		{"link to one who says no mode", link, `{"elicitation":{}}`, `{"elicitation":{"url":{}}}`},
		{"link to one who has forms only", link, `{"elicitation":{"form":{}}}`, `{"elicitation":{"url":{}}}`},
		{"link to one who has links", link, `{"elicitation":{"url":{}}}`, ``},
		{"model to one who has none", model, `{"elicitation":{}}`, `{"sampling":{}}`},
		{"model to one who has it", model, `{"sampling":{}}`, ``},
		{"roots to one who has none", &mcp.ListRootsParams{}, `{}`, `{"roots":{}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(newServer(t, server.Options{}, fails(&server.InputRequired{Requests: mcp.InputRequests{{Key: "k", Request: test.request}}})))
			got := d.ask(t, requestWith("tools/call", `"name":"tool"`, test.declared, ""))
			switch {
			case test.missing == "":
				if got.Result == nil || got.Result.ResultType != "input_required" {
					t.Errorf("the answer is %s", got.raw)
				}
			case got.code() != mcp.CodeMissingCapability || string(got.Error.Data) != `{"requiredCapabilities":`+test.missing+`}`:
				t.Errorf("the answer is %s, want -32021 with %s", got.raw, test.missing)
			}
			old := d.initialize(t, mcp.LatestLegacy, test.declared)
			if test.missing != "" {
				want := "tool needs an answer that this host cannot give: it did not declare the capability " + test.missing + ". Nothing was changed."
				if text := old.ask(t, call0("tool")).toolError(t); text != want {
					t.Errorf("in the initialize era: %q, want %q", text, want)
				}
			}
		})
	}
	t.Run("several at once", func(t *testing.T) {
		t.Parallel()
		d := newDoor(newServer(t, server.Options{}, fails(&server.InputRequired{Requests: mcp.InputRequests{{Key: "a", Request: form("m")}, {Key: "b", Request: link}, {Key: "c", Request: model}}})))
		got := d.ask(t, requestWith("tools/call", `"name":"tool"`, `{"elicitation":{"form":{}}}`, ""))
		if got.code() != mcp.CodeMissingCapability || string(got.Error.Data) != `{"requiredCapabilities":{"sampling":{},"elicitation":{"url":{}}}}` {
			t.Errorf("the answer is %s", got.raw)
		}
	})
}

// call0 is a tools/call of the initialize era without arguments.
func call0(tool string) string { return old("tools/call", `{"name":"`+tool+`"}`) }

// A question that cannot be put into one object of JSON is the handler's
// fault and not the client's problem.
func TestQuestionsThatAreBroken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		requests mcp.InputRequests
	}{
		{"a key twice", mcp.InputRequests{{Key: "k", Request: form("a")}, {Key: "k", Request: form("b")}}},
		{"no request", mcp.InputRequests{{Key: "k"}}},
		{"schema is no JSON", mcp.InputRequests{{Key: "k", Request: &mcp.ElicitFormParams{RequestedSchema: []byte(`{"type"`)}}}},
	}
	for _, test := range tests {
		d := newDoor(newServer(t, server.Options{}, fails(&server.InputRequired{Requests: test.requests})))
		modern := d.ask(t, requestWith("tools/call", `"name":"tool"`, asked, "")).toolError(t)
		legacy := d.initialize(t, mcp.LatestLegacy, asked).ask(t, call0("tool")).toolError(t)
		for _, text := range []string{modern, legacy} {
			if !strings.HasPrefix(text, "tool failed through a fault in the server") {
				t.Errorf("%s: %q", test.name, text)
			}
		}
		if sent := d.peer.sent(); len(sent) != 0 {
			t.Errorf("%s: the client was asked %q", test.name, sent)
		}
	}
}

// asker answers at once in the place of an old client.
type asker func(mcp.InputRequests) (mcp.InputResponses, error)

func (a asker) Ask(_ context.Context, _ *server.Call, requests mcp.InputRequests) (mcp.InputResponses, error) {
	return a(requests)
}

// For an old client the server goes the rounds itself, but not for ever, and
// what such a client sends in the place of answers means nothing.
func TestRoundsForAnOldClient(t *testing.T) {
	t.Parallel()
	asks := 0
	answers := asker(func(requests mcp.InputRequests) (mcp.InputResponses, error) {
		asks++
		return mcp.InputResponses{{Key: requests[0].Key, Value: []byte(`{"action":"decline"}`)}}, nil
	})
	run := func(s *server.Server, params string, a server.Asker) reply {
		d := newDoor(s).initialize(t, mcp.LatestLegacy, asked)
		c, refusal := d.prepare(t, old("tools/call", params))
		if c == nil {
			t.Fatal(refusal)
		}
		c.Asker = a
		return readReply(t, string(s.Dispatch(c, nil)))
	}
	s := newServer(t, server.Options{MaxRounds: 4}, counter(3))
	if got := run(s, `{"name":"count"}`, answers).text(t); got != `xxx true {"action":"decline"} true` || asks != 3 {
		t.Errorf("after %d questions: %q", asks, got)
	}
	if got := run(s, `{"name":"count","inputResponses":5,"requestState":{}}`, answers).text(t); got != `xxx true {"action":"decline"} true` {
		t.Errorf("with members of a later revision: %q", got)
	}
	asks = 0
	endless := newServer(t, server.Options{MaxRounds: 4}, counter(1000))
	if got := run(endless, `{"name":"count"}`, answers).toolError(t); !strings.HasPrefix(got, "count asked for more input 4 times and was stopped. ") || asks != 3 {
		t.Errorf("after %d questions: %q", asks, got)
	}
	refuses := asker(func(mcp.InputRequests) (mcp.InputResponses, error) { return nil, errors.New("secret") })
	if got := run(s, `{"name":"count"}`, refuses).toolError(t); !strings.HasPrefix(got, "count failed through a fault") {
		t.Errorf("an asker that fails: %q", got)
	}
}
