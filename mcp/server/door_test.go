package server_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// door does what a transport does, without a stream: it turns a line into a
// call, lets the server answer it and keeps what is sent beside the answer.
type door struct {
	server    *server.Server
	principal *server.Principal
	peer      *peer
	// session is set once initialize opened the initialize era.
	session *legacy.Session
}

func newDoor(s *server.Server) *door {
	return &door{server: s, principal: server.Local(), peer: newPeer()}
}

// as is the same door for another caller.
func (d *door) as(p *server.Principal) *door {
	return &door{server: d.server, principal: p, peer: d.peer, session: d.session}
}

// initialize opens the initialize era with a revision.
func (d *door) initialize(t testing.TB, version mcp.Version, capabilities string) *door {
	t.Helper()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"old-host","version":"1"}}}`, version, capabilities)
	message, err := jsonrpc.Scan([]byte(line), 0)
	if err != nil {
		t.Fatal(err)
	}
	session, _, err := legacy.Initialize(d.server, &message)
	if err != nil {
		t.Fatal(err)
	}
	return &door{server: d.server, principal: d.principal, peer: d.peer, session: session}
}

// prepare makes a call of a line. When the call was refused it is nil and the
// refusal is the answer.
func (d *door) prepare(t testing.TB, line string) (call *server.Call, refusal string) {
	t.Helper()
	message, err := jsonrpc.Scan([]byte(line), 0)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	call = &server.Call{Principal: d.principal, Peer: d.peer}
	modern, err := d.server.Prepare(context.Background(), call, &message)
	switch {
	case err != nil:
		return nil, string(d.server.Refuse(nil, message.ID, err))
	case !modern && d.session == nil:
		t.Fatalf("%s: neither modern nor part of a session", line)
	case !modern:
		d.session.Complete(call)
	}
	return call, ""
}

// send has a line answered.
func (d *door) send(t testing.TB, line string) string {
	t.Helper()
	call, refusal := d.prepare(t, line)
	if call == nil {
		return refusal
	}
	return string(d.server.Dispatch(call, nil))
}

// ask has a line answered and reads the answer.
func (d *door) ask(t testing.TB, line string) reply {
	t.Helper()
	return readReply(t, d.send(t, line))
}

// run has a line answered on a goroutine of its own, with the clock running,
// as a transport does with a slow call.
func (d *door) run(t testing.TB, line string) (call *server.Call, answer <-chan string) {
	t.Helper()
	call, refusal := d.prepare(t, line)
	if call == nil {
		t.Fatalf("%s was refused: %s", line, refusal)
	}
	call.StartClock()
	done := make(chan string, 1)
	go func() { done <- string(d.server.Dispatch(call, nil)) }()
	return call, done
}

// peer keeps what a server sends.
type peer struct {
	mu      sync.Mutex
	notes   []string
	answers chan string
	// notify replaces the keeping.
	notify func(ctx context.Context, message string) error
}

func newPeer() *peer { return &peer{answers: make(chan string, 1024)} }

func (p *peer) Notify(ctx context.Context, message []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.notify != nil {
		return p.notify(ctx, string(message))
	}
	p.notes = append(p.notes, string(message))
	return nil
}

func (p *peer) Answer(_ *server.Call, message []byte) { p.answers <- string(message) }

func (p *peer) sent() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.notes...)
}

// modernMeta is what every modern request carries.
func modernMeta(capabilities, more string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"terminal","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + capabilities + more + `}`
}

// request is a modern request; members are those of params beside _meta.
func request(method, members string) string {
	return requestWith(method, members, "{}", "")
}

// requestWith also says what the client can do and adds keys to _meta, each
// with a comma before it.
func requestWith(method, members, capabilities, meta string) string {
	if members != "" {
		members += ","
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + members + modernMeta(capabilities, meta) + `}}`
}

// call is a modern tools/call.
func call(tool, arguments string) string {
	return request("tools/call", `"name":"`+tool+`","arguments":`+arguments)
}

// old is a request of the initialize era.
func old(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

// reply is an answer, read.
type reply struct {
	ID     jsontext.Value `json:"id"`
	Result *struct {
		ResultType        string           `json:"resultType"`
		Tools             []jsontext.Value `json:"tools"`
		NextCursor        string           `json:"nextCursor"`
		TTL               int64            `json:"ttlMs"`
		CacheScope        string           `json:"cacheScope"`
		Content           []struct{ Type, Text string }
		StructuredContent jsontext.Value `json:"structuredContent"`
		IsError           bool           `json:"isError"`
		InputRequests     jsontext.Value `json:"inputRequests"`
		RequestState      string         `json:"requestState"`
		Meta              jsontext.Value `json:"_meta"`
	} `json:"result"`
	Error *struct {
		Code    int64          `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	} `json:"error"`
	raw string
}

func readReply(t testing.TB, text string) reply {
	t.Helper()
	r := reply{raw: text}
	if err := json.Unmarshal([]byte(text), &r, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("the answer %.300q cannot be read: %v", text, err)
	}
	if (r.Result == nil) == (r.Error == nil) {
		t.Fatalf("the answer %.300s has not exactly one of result and error", text)
	}
	return r
}

// text is the words of a tool's result.
func (r reply) text(t testing.TB) string {
	t.Helper()
	if r.Result == nil || len(r.Result.Content) == 0 {
		t.Fatalf("the answer %.300s has no content", r.raw)
	}
	return r.Result.Content[0].Text
}

// toolError is the words of a result with isError.
func (r reply) toolError(t testing.TB) string {
	t.Helper()
	text := r.text(t)
	if !r.Result.IsError || r.Result.StructuredContent != nil || len(r.Result.Content) != 1 {
		t.Fatalf("the answer %.300s is not a tool error of one text", r.raw)
	}
	return text
}

// code is the code of an error answer, zero for a result.
func (r reply) code() int64 {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// logbook keeps what a server logs, one line of text an entry.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logbook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logbook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

// newServer makes a server with tools.
func newServer(t testing.TB, options server.Options, tools ...server.Tool) *server.Server {
	t.Helper()
	s, err := server.New(mcp.Implementation{Name: "test", Version: "1"}, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(tools...); err != nil {
		t.Fatal(err)
	}
	return s
}

// anything is the schema of tools whose arguments do not matter.
const anything = `{"type":"object"}`

// raw is a tool written by hand.
func raw(name string, handle server.ToolHandler) server.Tool {
	return server.Tool{Definition: mcp.Tool{Name: name, InputSchema: []byte(anything)}, Handle: handle}
}

// fast is a tool that answers at once.
func fast(name string) server.Tool {
	return raw(name, func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return words("done"), nil })
}

func words(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: mcp.ContentList{&mcp.TextContent{Text: text}}}
}

// setLevel is logging/setLevel of a session.
func setLevel(t testing.TB, d *door, level string) {
	t.Helper()
	message, err := jsonrpc.Scan([]byte(old("logging/setLevel", `{"level":"`+level+`"}`)), 0)
	if err != nil {
		t.Fatal(err)
	}
	if answer, handled := d.session.Answer(nil, &message); !handled || string(answer) != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Fatalf("logging/setLevel: %v %s", handled, answer)
	}
}
