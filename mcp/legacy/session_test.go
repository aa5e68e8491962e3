package legacy_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

func newServer(t testing.TB, options server.Options, tools ...server.Tool) *server.Server {
	t.Helper()
	s, err := server.New(mcp.Implementation{Name: "test", Version: "1", Title: "T", Description: "d", WebsiteURL: "https://example.com"}, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(tools...); err != nil {
		t.Fatal(err)
	}
	return s
}

func scan(t testing.TB, line string) *jsonrpc.Message {
	t.Helper()
	message, err := jsonrpc.Scan([]byte(line), 0)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return &message
}

func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func initialize(t testing.TB, s *server.Server, version mcp.Version, capabilities string) *legacy.Session {
	t.Helper()
	session, _, err := legacy.Initialize(s, scan(t, request("0", "initialize",
		`{"protocolVersion":"`+string(version)+`","capabilities":`+capabilities+`,"clientInfo":{"name":"old-host","version":"1"}}`)))
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// What a client writes into initialize is read loosely, but it must say which
// revision it speaks.
func TestInitializeThatIsRefused(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{})
	for _, params := range []string{
		`[]`, `{}`, `{"protocolVersion":""}`, `{"protocolVersion":5}`, `{"protocolVersion":null}`,
		`{"protocolVersion":"2025-06-18","capabilities":[]}`, `{"protocolVersion":"2025-06-18","clientInfo":"host"}`,
		`{"ProtocolVersion":"2025-06-18"}`,
	} {
		session, answer, err := legacy.Initialize(s, scan(t, request("0", "initialize", params)))
		var refusal *mcp.Error
		if session != nil || answer != nil || !errors.As(err, &refusal) || refusal.Code != mcp.CodeInvalidParams {
			t.Errorf("%s: %v, %s, %v", params, session, answer, err)
		}
	}
	if _, _, err := legacy.Initialize(s, scan(t, `{"jsonrpc":"2.0","id":0,"method":"initialize"}`)); err == nil {
		t.Error("initialize without params is accepted")
	}
}

// A revision is shown what it has of who the server is.
func TestServerInfoByRevision(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{})
	tests := []struct{ version, want string }{
		{"2024-11-05", `"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"test","version":"1"}}`},
		{"2025-03-26", `"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"test","version":"1"}}`},
		{"2025-06-18", `"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"test","title":"T","version":"1"}}`},
		{"2025-11-25", `"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"test","title":"T","version":"1","description":"d","websiteUrl":"https://example.com"}}`},
		{"2026-07-28", `"protocolVersion":"2025-11-25",`},
		{"1900-01-01", `"protocolVersion":"2025-11-25",`},
	}
	for _, test := range tests {
		session, answer, err := legacy.Initialize(s, scan(t, request(`"i\/1"`, "initialize", `{"protocolVersion":"`+test.version+`","later":1}`)))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"jsonrpc":"2.0","id":"i\/1","result":{` + test.want; !strings.HasPrefix(string(answer), want) {
			t.Errorf("%s is answered\n%s, want\n%s", test.version, answer, want)
		}
		if session.Batches() != (test.version == "2025-03-26") {
			t.Errorf("%s has batches: %v", test.version, session.Batches())
		}
	}
}

// Complete gives a call what initialize established, and later changes with it.
func TestComplete(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{Logging: true})
	session := initialize(t, s, mcp.Version20250618, `{"elicitation":{}}`)
	complete := func() *server.Call {
		call := &server.Call{}
		session.Complete(call)
		return call
	}
	call := complete()
	if call.Version != mcp.Version20250618 || session.Version() != call.Version || call.LogLevel != "" || call.Asker != server.Asker(session) {
		t.Errorf("the call is %s with level %q", call.Version, call.LogLevel)
	}
	if call.Client != session.Client() || call.Client.Info.Name != "old-host" || !call.Client.Capabilities.Elicitation.Form() {
		t.Errorf("the client is %+v", call.Client)
	}
	// The level is taken before notifications/initialized: one host sends it so.
	for _, level := range mcp.LogLevels() {
		answer, handled := session.Answer([]byte("before "), scan(t, request("1", "logging/setLevel", `{"level":"`+string(level)+`"}`)))
		if !handled || string(answer) != `before {"jsonrpc":"2.0","id":1,"result":{}}` || complete().LogLevel != level {
			t.Errorf("the level %s is answered %s and becomes %q", level, answer, complete().LogLevel)
		}
	}
	for _, params := range []string{`{}`, `{"level":5}`, `{"level":null}`, `{"level":"Debug"}`, `{"level":""}`, `[]`} {
		answer, handled := session.Answer(nil, scan(t, request("1", "logging/setLevel", params)))
		if !handled || !strings.Contains(string(answer), `"code":-32602`) || complete().LogLevel != mcp.LogEmergency {
			t.Errorf("%s is answered %s and the level becomes %q", params, answer, complete().LogLevel)
		}
	}
	for _, method := range []string{"tools/list", "initialize", "no/such"} {
		if answer, handled := session.Answer(nil, scan(t, request("1", method, `{}`))); handled || len(answer) != 0 {
			t.Errorf("the session answers %s itself: %s", method, answer)
		}
	}
}

// watcher is a peer that passes on what it is sent.
type watcher struct {
	sent chan string
	err  error
}

func (w *watcher) Notify(_ context.Context, message []byte) error {
	w.sent <- string(message)
	return w.err
}

func (w *watcher) Answer(*server.Call, []byte) {}

// Watch tells of changes until it is told to end or nobody reads any more.
func TestWatch(t *testing.T) {
	t.Parallel()
	tool := func(name string) server.Tool {
		return server.Tool{Definition: mcp.Tool{Name: name, InputSchema: []byte(`{"type":"object"}`)},
			Handle: func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return nil, nil }}
	}
	static := initialize(t, newServer(t, server.Options{}, tool("a")), mcp.LatestLegacy, `{}`)
	if watch, err := static.Watch(nil); watch != nil || err != nil {
		t.Errorf("watching a static server: %v, %v", watch, err)
	}
	s := newServer(t, server.Options{ToolsChange: true})
	session := initialize(t, s, mcp.LatestLegacy, `{}`)
	watch := func() *legacy.Watch {
		t.Helper()
		w, err := session.Watch(server.Local())
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	change := func() {
		t.Helper()
		if err := s.Add(tool("a")); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove("a"); err != nil {
			t.Fatal(err)
		}
	}
	peer := &watcher{sent: make(chan string, 10)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first := watch()
	change() // Before anybody runs the watch: it must not be missed.
	ended := make(chan error, 1)
	go func() { ended <- first.Run(ctx, peer) }()
	if got := <-peer.sent; got != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` {
		t.Errorf("the client is sent %s", got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("an orderly end: %v", err)
	}
	gone := &watcher{sent: make(chan string, 10), err: errors.New("nobody reads")}
	second := watch()
	change()
	if err := second.Run(context.Background(), gone); !errors.Is(err, gone.err) {
		t.Errorf("when nobody reads: %v", err)
	}
	var open []*server.Subscription
	for {
		subscription, err := s.Subscribe(server.Local(), server.Filter{})
		if err != nil {
			break
		}
		open = append(open, subscription)
	}
	if _, err := session.Watch(server.Local()); err == nil || len(open) != 64 {
		t.Errorf("beside %d subscriptions Watch says %v", len(open), err)
	}
}
