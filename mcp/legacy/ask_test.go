package legacy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// host is an old client: it sees what it is asked and answers when told to.
type host struct {
	*watcher
	session *legacy.Session
	server  *server.Server
}

const canDoAll = `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`

// newHost connects a host to a server whose tool asks for all of requests at
// once and says what it was told.
func newHost(t *testing.T, version mcp.Version, options server.Options, requests mcp.InputRequests) *host {
	t.Helper()
	tool := server.Tool{
		Definition: mcp.Tool{Name: "ask", InputSchema: []byte(`{"type":"object"}`)},
		Handle: func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
			var told []string
			for _, entry := range requests {
				answer, ok := call.Answer(entry.Key)
				if !ok {
					return nil, &server.InputRequired{Requests: requests}
				}
				told = append(told, string(answer))
			}
			return &mcp.CallToolResult{Content: mcp.Text(strings.Join(told, " "))}, nil
		},
	}
	s := newServer(t, options, tool)
	return &host{watcher: &watcher{sent: make(chan string, 100)}, session: initialize(t, s, version, canDoAll), server: s}
}

// call calls the tool. The answer is the text of its result.
func (h *host) call(t *testing.T) (*server.Call, <-chan string) {
	t.Helper()
	call := &server.Call{Principal: server.Local(), Peer: h}
	if _, err := h.server.Prepare(context.Background(), call, scan(t, request("1", "tools/call", `{"name":"ask"}`))); err != nil {
		t.Fatal(err)
	}
	h.session.Complete(call)
	call.StartClock()
	answer := make(chan string, 1)
	go func() { answer <- string(h.server.Dispatch(call, nil)) }()
	return call, answer
}

// asked takes the next n requests of the server and returns their ids.
func (h *host) asked(t *testing.T, n int) []string {
	t.Helper()
	var ids []string
	for range n {
		message := scan(t, <-h.sent)
		ids = append(ids, string(message.ID))
	}
	return ids
}

func (h *host) answer(t *testing.T, id, text string) {
	t.Helper()
	h.session.Deliver(scan(t, `{"jsonrpc":"2.0","id":`+id+`,`+text+`}`))
}

func text(t *testing.T, answer string) (text string, isError bool) {
	t.Helper()
	result, _ := jsonscan.Lookup([]byte(answer), "result")
	content, _ := jsonscan.Lookup(result, "content")
	for it := jsonscan.Iterate(content); it.Next(); {
		raw, _ := jsonscan.Lookup(it.Value(), "text")
		text = jsonscan.Unquote(raw)
	}
	failed, _ := jsonscan.Lookup(result, "isError")
	if text == "" {
		t.Fatalf("%s is no result of a tool", answer)
	}
	return text, string(failed) == "true"
}

func form() *mcp.ElicitFormParams {
	return &mcp.ElicitFormParams{Message: "m", RequestedSchema: []byte(`{"type":"object","properties":{}}`)}
}

var three = mcp.InputRequests{{Key: "a", Request: form()}, {Key: "b", Request: &mcp.ListRootsParams{}}, {Key: "c", Request: form()}}

// Answers find their questions in whatever order they come, and each session
// numbers its own questions.
func TestAnswersInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		h := newHost(t, mcp.LatestLegacy, server.Options{}, three)
		_, answer := h.call(t)
		ids := h.asked(t, 3)
		if want := []string{`"ask-1"`, `"ask-2"`, `"ask-3"`}; !slices.Equal(ids, want) {
			t.Fatalf("asked %q, want %q", ids, want)
		}
		for _, i := range order {
			h.answer(t, ids[i], fmt.Sprintf(`"result":{"n":%d}`, i))
		}
		if got, failed := text(t, <-answer); got != `{"n":0} {"n":1} {"n":2}` || failed {
			t.Errorf("answered in the order %v the tool says %q", order, got)
		}
	}
}

// Two calls that ask at the same time do not get each other's answers.
func TestTwoCallsAsk(t *testing.T) {
	t.Parallel()
	h := newHost(t, mcp.LatestLegacy, server.Options{}, mcp.InputRequests{{Key: "a", Request: form()}})
	_, first := h.call(t)
	firstID := h.asked(t, 1)[0]
	_, second := h.call(t)
	secondID := h.asked(t, 1)[0]
	h.answer(t, secondID, `"result":{"n":2}`)
	h.answer(t, firstID, `"result":{"n":1}`)
	for want, answer := range map[string]<-chan string{`{"n":1}`: first, `{"n":2}`: second} {
		if got, _ := text(t, <-answer); got != want {
			t.Errorf("a call gets %q, want %q", got, want)
		}
	}
}

// Whatever leaves the tool without what it asked for is told to the model.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	tests := []struct{ answer, want string }{
		{`"error":{"code":-1,"message":"User rejected"}`, "The host could not answer the question this tool asked: User rejected. Nothing was changed."},
		{`"error":{"code":-1,"message":"` + strings.Repeat("x", 1000) + `"}`, "The host could not answer the question this tool asked: " + strings.Repeat("x", 300) + ". Nothing was changed."},
		{`"error":{}`, "The host could not answer the question this tool asked: . Nothing was changed."},
		{`"result":5`, "The host answered the question this tool asked with something that is no answer. Nothing was changed."},
		{`"result":null`, "The host answered the question this tool asked with something that is no answer. Nothing was changed."},
		{`"result":[{}]`, "The host answered the question this tool asked with something that is no answer. Nothing was changed."},
	}
	for _, test := range tests {
		h := newHost(t, mcp.LatestLegacy, server.Options{}, three)
		_, answer := h.call(t)
		ids := h.asked(t, 3)
		h.answer(t, ids[0], `"result":{}`)
		h.answer(t, ids[1], test.answer)
		if got, failed := text(t, <-answer); got != test.want || !failed {
			t.Errorf("%.60s becomes %q (error: %v)", test.answer, got, failed)
		}
	}
}

// A question is answered once. What comes late, twice or to nothing is
// ignored and reaches no later question.
func TestResponsesToNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, mcp.LatestLegacy, server.Options{}, mcp.InputRequests{{Key: "a", Request: form()}})
	h.answer(t, `"ask-1"`, `"result":{"n":"early"}`)
	_, answer := h.call(t)
	id := h.asked(t, 1)[0]
	h.answer(t, `1`, `"result":{"n":"other id"}`)
	h.answer(t, `"ask-2"`, `"result":{"n":"next id"}`)
	h.session.Deliver(scan(t, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`))
	h.answer(t, id, `"result":{"n":"right"}`)
	h.answer(t, id, `"result":{"n":"twice"}`)
	if got, _ := text(t, <-answer); got != `{"n":"right"}` {
		t.Errorf("the tool is told %q", got)
	}
	h.answer(t, id, `"result":{"n":"late"}`)
	_, answer = h.call(t)
	second := h.asked(t, 1)[0]
	// The same id in other letters is the same id.
	h.answer(t, strings.Replace(second, "ask", `\u0061sk`, 1), `"result":{"n":"second"}`)
	if got, _ := text(t, <-answer); got != `{"n":"second"}` || second == id {
		t.Errorf("the second call, asked as %s, is told %q", second, got)
	}
}

// When no answer comes in time, the client is told which answers are no longer
// wanted, those and no others, and the model why there is none.
func TestNoAnswerInTime(t *testing.T) {
	t.Parallel()
	h := newHost(t, mcp.LatestLegacy, server.Options{StateTTL: 50 * time.Millisecond}, three)
	_, answer := h.call(t)
	ids := h.asked(t, 3)
	h.answer(t, ids[1], `"result":{}`)
	for _, id := range []string{ids[0], ids[2]} {
		want := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"no answer in time"}}`
		if got := <-h.sent; got != want {
			t.Errorf("the client is told %s, want %s", got, want)
		}
	}
	if got, failed := text(t, <-answer); got != "ask asked for input and got no answer in time. Nothing was changed; trying again asks again." || !failed {
		t.Errorf("the model is told %q", got)
	}
	h.answer(t, ids[0], `"result":{}`)
}

// The call's own clock stands still while a person thinks, and starts anew
// when the answer is there.
func TestClockWaitsForPeople(t *testing.T) {
	t.Parallel()
	h := newHost(t, mcp.LatestLegacy, server.Options{CallTimeout: time.Second}, mcp.InputRequests{{Key: "a", Request: form()}})
	_, answer := h.call(t)
	id := h.asked(t, 1)[0]
	time.Sleep(1500 * time.Millisecond)
	h.answer(t, id, `"result":{"n":1}`)
	if got, failed := text(t, <-answer); got != `{"n":1}` || failed {
		t.Errorf("the tool says %q", got)
	}
}

// A connection that ends answers for its host, also to who asks afterwards.
func TestCloseWhileWaiting(t *testing.T) {
	t.Parallel()
	const want = "The connection ended before the host answered the question this tool asked. Nothing was changed."
	h := newHost(t, mcp.LatestLegacy, server.Options{}, three)
	_, answer := h.call(t)
	ids := h.asked(t, 3)
	h.session.Close()
	h.session.Close()
	h.answer(t, ids[0], `"result":{}`)
	if got, failed := text(t, <-answer); got != want || !failed {
		t.Errorf("a waiting call is told %q", got)
	}
	_, answer = h.call(t)
	if got, failed := text(t, <-answer); got != want || !failed || len(h.sent) != 0 {
		t.Errorf("a later call is told %q after %d questions", got, len(h.sent))
	}
}

// A cancelled call asks nothing more and is not answered.
func TestCancelWhileAsking(t *testing.T) {
	t.Parallel()
	h := newHost(t, mcp.LatestLegacy, server.Options{}, three)
	call, answer := h.call(t)
	ids := h.asked(t, 3)
	if !call.Cancel(errors.New("no longer wanted")) {
		t.Error("a waiting call is over")
	}
	if got := <-answer; got != "" || len(h.sent) != 0 {
		t.Errorf("a cancelled call is answered %q after %d messages", got, len(h.sent))
	}
	h.answer(t, ids[0], `"result":{}`)

	over := &server.Call{Principal: server.Local(), Peer: h}
	if _, err := h.server.Prepare(context.Background(), over, scan(t, request("2", "tools/call", `{"name":"ask"}`))); err != nil {
		t.Fatal(err)
	}
	h.session.Complete(over)
	reason := errors.New("cancelled before it asked")
	over.Cancel(reason)
	if _, err := h.session.Ask(context.Background(), over, three); !errors.Is(err, reason) || len(h.sent) != 0 {
		t.Errorf("a cancelled call asks: %v, %d messages", err, len(h.sent))
	}
}

// What a revision has no request for cannot be asked, and then nobody is
// bothered with the rest of the questions either.
func TestRequestsThatARevisionLacks(t *testing.T) {
	t.Parallel()
	link := &mcp.ElicitURLParams{Message: "m", URL: "https://example.com/"}
	tests := []struct {
		request mcp.InputRequest
		since   mcp.Version
	}{
		{form(), mcp.Version20250618},
		{link, mcp.Version20251125},
		{&mcp.ListRootsParams{}, mcp.Version20241105},
	}
	for _, test := range tests {
		for _, version := range mcp.LegacyVersions() {
			h := newHost(t, version, server.Options{}, mcp.InputRequests{{Key: "roots", Request: &mcp.ListRootsParams{}}, {Key: "k", Request: test.request}})
			_, answer := h.call(t)
			if version >= test.since {
				for _, id := range h.asked(t, 2) {
					h.answer(t, id, `"result":{}`)
				}
				if got, failed := text(t, <-answer); got != "{} {}" || failed {
					t.Errorf("%s in %s: %q", test.request.Method(), version, got)
				}
				continue
			}
			want := fmt.Sprintf("ask needs %s, which this host's protocol revision %s does not have. Nothing was changed.", test.request.Method(), version)
			if got, failed := text(t, <-answer); got != want || !failed || len(h.sent) != 0 {
				t.Errorf("%s in %s: %q after %d questions", test.request.Method(), version, got, len(h.sent))
			}
		}
	}
}
