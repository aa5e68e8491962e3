package server_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// A key of _meta that is wrong is named in the refusal.
func TestMetaThatIsRefused(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}))
	with := func(meta string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + meta + `}}`
	}
	const version = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	tests := []struct {
		line string
		code int64
		want string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, mcp.CodeInvalidParams, "params must be an object"},
		{with(`[]`), mcp.CodeInvalidParams, "params._meta must be an object"},
		{with(`null`), mcp.CodeInvalidParams, "params._meta must be an object"},
		{with(`{"progressToken":null}`), mcp.CodeInvalidParams, "progressToken"},
		{with(`{"progressToken":{}}`), mcp.CodeInvalidParams, "progressToken"},
		{with(`{"io.modelcontextprotocol/protocolVersion":20260728}`), mcp.CodeInvalidParams, "protocolVersion"},
		{with(`{` + version + `}`), mcp.CodeInvalidParams, "clientCapabilities"},
		{with(`{` + version + `,"io.modelcontextprotocol/clientCapabilities":null}`), mcp.CodeInvalidParams, "clientCapabilities"},
		{with(`{` + version + `,"io.modelcontextprotocol/clientCapabilities":[]}`), mcp.CodeInvalidParams, "clientCapabilities"},
		{with(`{` + version + `,"io.modelcontextprotocol/clientCapabilities":{"roots":1}}`), mcp.CodeInvalidParams, "clientCapabilities"},
		{with(`{` + version + `,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":"me"}`), mcp.CodeInvalidParams, "clientInfo"},
		{with(`{` + version + `,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":1}}`), mcp.CodeInvalidParams, "clientInfo"},
		{with(`{` + version + `,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":1}`), mcp.CodeInvalidParams, "logLevel"},
		{with(`{"io.modelcontextprotocol/protocolVersion":"","io.modelcontextprotocol/clientCapabilities":{}}`), mcp.CodeUnsupportedVersion, "Unsupported protocol version"},
		{with(`{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}`), mcp.CodeUnsupportedVersion, "Unsupported protocol version"},
	}
	for _, test := range tests {
		if got := d.ask(t, test.line); got.code() != test.code || !strings.Contains(got.Error.Message, test.want) {
			t.Errorf("%s is answered %s", test.line, got.raw)
		}
	}
}

// Names with escapes are the same names, and one client's description is not
// taken for the next one's.
func TestMetaIsReadAsItIsMeant(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, speaks(func(_ context.Context, call *server.Call) error {
		return mcp.NewToolError(call.Client.Info.Name)
	})))
	plain := call("tool", "{}")
	escaped := strings.NewReplacer("io.modelcontextprotocol", `io\u002emodelcontextprotocol`, `"params"`, `"para\u006ds"`, `"_meta"`, `"\u005fmeta"`, "2026-07-28", `2026\u002d07-28`, "terminal", "other").Replace(plain)
	anonymous := strings.Replace(plain, `"io.modelcontextprotocol/clientInfo":{"name":"terminal","version":"1"},`, "", 1)
	for range 2 {
		for line, want := range map[string]string{plain: "terminal", escaped: "other", anonymous: ""} {
			if got := d.ask(t, line).toolError(t); got != want {
				t.Errorf("%s comes from %q, want %q", line, got, want)
			}
		}
	}
}

var differs = regexp.MustCompile(`"requestState":"[^"]*"|[Rr]eference:? [0-9a-f]{8}`)

// What the scanner noted on its way and what is read from the text again are
// the same: a message made by hand is answered like a scanned one.
func TestScannedAndUnscannedParams(t *testing.T) {
	t.Parallel()
	s := oddServer(t)
	answered := 0
	for _, line := range transcriptLines(t) {
		message, err := jsonrpc.Scan(line, 0)
		if err != nil || message.Kind != jsonrpc.Request || string(message.Method) == mcp.MethodSubscriptionsListen {
			continue
		}
		byHand := message
		byHand.Inner = nil
		var answers [2]string
		for i, m := range []*jsonrpc.Message{&message, &byHand} {
			c := &server.Call{Principal: server.Local(), Peer: newPeer()}
			modern, err := s.Prepare(context.Background(), c, m)
			switch {
			case err != nil:
				answers[i] = string(s.Refuse(nil, m.ID, err))
			case modern:
				answers[i] = differs.ReplaceAllString(string(s.Dispatch(c, nil)), "#")
			default:
				answers[i] = string(c.Meta)
			}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s is answered\n%s and by hand\n%s", line, answers[0], answers[1])
		}
		answered++
	}
	if answered < 50 {
		t.Errorf("only %d recorded lines are requests", answered)
	}
}

// A transport is told which tools will probably answer at once: all, until one
// was slow, and then that one not, until it was brief again.
func TestBriefTools(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, fast("slow"), fast("fast")))
	brief := func(line string) bool {
		c, refusal := d.prepare(t, line)
		if c == nil {
			t.Fatal(refusal)
		}
		return c.Brief()
	}
	slow, _ := d.prepare(t, call("slow", "{}"))
	if !slow.Brief() {
		t.Error("a tool that never ran is slow")
	}
	slow.MarkSlow()
	if brief(call("slow", "{}")) || !brief(call("fast", "{}")) {
		t.Error("the mark is not on the slow tool alone")
	}
	for _, other := range []string{call("absent", "{}"), request("tools/call", `"name":5`), request("tools/call", ""), request("tools/list", `"name":"slow"`)} {
		if !brief(other) {
			t.Errorf("%s is slow", other)
		}
	}
	slow.MarkBrief()
	if !brief(call("slow", "{}")) {
		t.Error("a tool that was brief again is slow")
	}
	absent, _ := d.prepare(t, call("absent", "{}"))
	absent.MarkSlow()
	absent.MarkBrief()
}
