package server_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// transcriptLines are the lines that clients send in the recorded sessions.
func transcriptLines(t testing.TB) [][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../transcripts/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no recorded sessions: %v", err)
	}
	var lines [][]byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(text).Files {
			for line := range strings.Lines(string(file.Data)) {
				line = strings.TrimSuffix(line, "\n")
				if sent, ok := strings.CutPrefix(line, "> "); ok {
					lines = append(lines, []byte(sent))
				} else if quoted, ok := strings.CutPrefix(line, ">q "); ok {
					raw, err := strconv.Unquote(quoted)
					if err != nil {
						t.Fatal(err)
					}
					lines = append(lines, []byte(raw))
				}
			}
		}
	}
	return lines
}

// oddServer has one tool for each way in which a tool is odd.
func oddServer(t testing.TB) *server.Server {
	lookup, err := server.NewTool(mcp.Tool{Name: "get_ticket"}, func(_ context.Context, _ *server.Call, in benchIn) (benchOut, error) {
		return benchOut{TicketID: in.TicketID}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	echo := raw("fast", func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: bytes.Clone(call.Arguments()), Meta: bytes.Clone(call.Meta)}, nil
	})
	return newServer(t, server.Options{ToolsChange: true, Logging: true, PageSize: 2, MaxResultBytes: 4096, StateSecret: make([]byte, 32)},
		lookup, echo, keeper("keep"), counter(2), scoped("hidden", "never"),
		raw("panic", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { panic("p") }),
		raw("fail", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return nil, errors.New("f") }),
		raw("huge", returns(words(strings.Repeat("x", 5000)))),
		raw("odd", returns(&mcp.CallToolResult{Content: mcp.ContentList{nil}, StructuredContent: []byte("[\n1]")})),
		raw("ask", func(context.Context, *server.Call) (*mcp.CallToolResult, error) {
			return nil, &server.InputRequired{Requests: mcp.InputRequests{{Key: "k", Request: form("m")}}}
		}),
		speaks(func(ctx context.Context, call *server.Call) error {
			return errors.Join(call.Progress(ctx, 1, 2, "m"), call.Log(ctx, mcp.LogError, "l", 1))
		}),
	)
}

// FuzzDispatch sends any line through the door of each era. Whatever it is,
// the server lives and gives at most one answer, one line of JSON with the id
// as it came and in the form of the era.
func FuzzDispatch(f *testing.F) {
	for _, line := range transcriptLines(f) {
		f.Add(line)
	}
	for _, tool := range []string{"get_ticket", "fast", "keep", "count", "hidden", "panic", "fail", "huge", "odd", "ask", "tool"} {
		f.Add([]byte(requestWith("tools/call", `"name":"`+tool+`","arguments":{}`, canDoAll, `,"progressToken":"p","io.modelcontextprotocol/logLevel":"info"`)))
		f.Add([]byte(old("tools/call", `{"name":"`+tool+`","arguments":{"a":[1,{"b":null}]}}`)))
	}
	f.Add([]byte(listen(`{"toolsListChanged":true}`)))
	f.Add([]byte(request("tools/list", `"cursor":"AAAAAgAAAAAAAAAA"`)))
	s := oddServer(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		message, err := jsonrpc.Scan(line, 0)
		if err != nil {
			var scan *jsonrpc.ScanError
			if !errors.As(err, &scan) {
				t.Fatalf("Scan fails with %v", err)
			}
			checkLine(t, jsonrpc.AppendError(nil, scan.ID, scan.Code, scan.Problem, nil), scan.ID)
			return
		}
		if message.Kind != jsonrpc.Request {
			return
		}
		for _, version := range mcp.Versions() {
			answerOneLine(t, s, &message, version)
		}
	})
}

// answerOneLine serves one request as a transport with a session of a revision
// would, without one for the modern revision.
func answerOneLine(t *testing.T, s *server.Server, message *jsonrpc.Message, version mcp.Version) {
	p := newPeer()
	p.notify = func(_ context.Context, text string) error {
		checkLine(t, []byte(text), nil)
		return nil
	}
	principal := &server.Principal{Name: "fuzz", Scopes: []string{"some"}}
	c := &server.Call{Principal: principal, Peer: p}
	modern, err := s.Prepare(context.Background(), c, message)
	if err != nil {
		checkLine(t, s.Refuse(nil, message.ID, err), message.ID)
		return
	}
	if !modern {
		if version.Modern() {
			checkLine(t, s.Refuse(nil, message.ID, server.MissingVersion()), message.ID)
			return
		}
		if c.Method == mcp.MethodInitialize {
			_, answer, err := legacy.Initialize(s, message)
			if err != nil {
				answer = s.Refuse(nil, message.ID, err)
			}
			checkLine(t, answer, message.ID)
			return
		}
		session := newDoor(s).initialize(t, version, canDoAll).session
		if answer, handled := session.Answer(nil, message); handled {
			checkLine(t, answer, message.ID)
			return
		}
		session.Complete(c)
		c.Asker = asker(func(requests mcp.InputRequests) (mcp.InputResponses, error) {
			return mcp.InputResponses{{Key: requests[0].Key, Value: []byte(`{}`)}}, nil
		})
	}
	if c.Method == mcp.MethodSubscriptionsListen {
		timer := time.AfterFunc(time.Millisecond, c.Stop)
		defer timer.Stop()
	}
	answer := s.Dispatch(c, nil)
	if len(p.answers) != 0 {
		t.Fatalf("a second answer to %s", message.ID)
	}
	checkLine(t, answer, message.ID)
	result, ok := jsonscan.Lookup(answer, "result")
	if !ok {
		return
	}
	if modern {
		if !bytes.HasPrefix(result, []byte(`{"resultType":"`)) {
			t.Fatalf("a modern result begins otherwise: %s", answer)
		}
		return
	}
	for it := jsonscan.Iterate(result); it.Next(); {
		switch string(it.Name()) {
		case "resultType", "ttlMs", "cacheScope", "serverInfo", "inputRequests", "requestState":
			t.Fatalf("a result of %s has a modern member: %s", version, answer)
		}
	}
}

// checkLine holds a message of the server to what every one is.
func checkLine(t *testing.T, line []byte, id jsonrpc.ID) {
	t.Helper()
	if err := jsonscan.Check(line, 0); err != nil || bytes.ContainsAny(line, "\n\r") {
		t.Fatalf("no line of JSON: %v: %q", err, line)
	}
	if _, err := jsonrpc.Scan(line, 0); err != nil {
		t.Fatalf("no message: %v: %s", err, line)
	}
	if got, _ := jsonscan.Lookup(line, "id"); !bytes.Equal(got, id) {
		t.Fatalf("the id of %s is %s, want %s", line, got, id)
	}
}
