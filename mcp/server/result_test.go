package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// What a handler returns is completed so that both halves of a result say it
// all, and bent into what each revision can carry.
func TestResultsByRevision(t *testing.T) {
	t.Parallel()
	const tail = `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}}}}`
	link := mcp.ContentList{&mcp.ResourceLink{Name: "n", URI: "a:b"}, &mcp.AudioContent{Data: []byte{1}, MIMEType: "audio/wav"}}
	tests := []struct {
		name    string
		result  *mcp.CallToolResult
		version mcp.Version
		want    string // after {"jsonrpc":"2.0","id":1,"result":{
	}{
		{"structured only", &mcp.CallToolResult{StructuredContent: []byte(`{"a":1}`)}, mcp.Version20260728,
			`"resultType":"complete","content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1},"isError":false` + tail},
		{"structured only", &mcp.CallToolResult{StructuredContent: []byte(`{"a":1}`)}, mcp.Version20250618,
			`"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1},"isError":false}}`},
		{"structured only", &mcp.CallToolResult{StructuredContent: []byte(`{"a":1}`)}, mcp.Version20250326,
			`"content":[{"type":"text","text":"{\"a\":1}"}],"isError":false}}`},
		{"structured array", &mcp.CallToolResult{StructuredContent: []byte(`[1]`)}, mcp.Version20260728,
			`"resultType":"complete","content":[{"type":"text","text":"[1]"}],"structuredContent":[1],"isError":false` + tail},
		{"structured array", &mcp.CallToolResult{StructuredContent: []byte(`[1]`)}, mcp.Version20251125,
			`"content":[{"type":"text","text":"[1]"}],"isError":false}}`},
		{"structured over lines", &mcp.CallToolResult{StructuredContent: []byte("{\n \"a\": 1\n}\n")}, mcp.Version20251125,
			`"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1},"isError":false}}`},
		{"nothing", &mcp.CallToolResult{}, mcp.Version20251125,
			`"content":[{"type":"text","text":"The tool finished and has nothing to report."}],"isError":false}}`},
		{"nil block", &mcp.CallToolResult{Content: mcp.ContentList{nil}}, mcp.Version20251125,
			`"content":[{"type":"text","text":""}],"isError":false}}`},
		{"error with structure", &mcp.CallToolResult{Content: mcp.Text("no"), StructuredContent: []byte(`{}`), IsError: true}, mcp.Version20251125,
			`"content":[{"type":"text","text":"no"}],"isError":true}}`},
		{"own meta", &mcp.CallToolResult{Content: mcp.Text("a"), Meta: mcp.Meta("{\"x\":\n1}")}, mcp.Version20251125,
			`"content":[{"type":"text","text":"a"}],"isError":false,"_meta":{"x":1}}}`},
		{"own meta", &mcp.CallToolResult{Content: mcp.Text("a"), Meta: mcp.Meta(`{"x":1,"io.modelcontextprotocol/serverInfo":2}`)}, mcp.Version20260728,
			`"resultType":"complete","content":[{"type":"text","text":"a"}],"isError":false,"_meta":{"x":1,"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}}}}`},
		{"empty meta", &mcp.CallToolResult{Content: mcp.Text("a"), Meta: mcp.Meta(`{ }`)}, mcp.Version20260728,
			`"resultType":"complete","content":[{"type":"text","text":"a"}],"isError":false` + tail},
		{"new blocks", &mcp.CallToolResult{Content: link}, mcp.Version20241105,
			`"content":[{"type":"text","text":"[resource n: a:b]"},{"type":"text","text":"[audio of type audio/wav, which this protocol revision cannot carry]"}],"isError":false}}`},
		{"new blocks", &mcp.CallToolResult{Content: link}, mcp.Version20250326,
			`"content":[{"type":"text","text":"[resource n: a:b]"},{"type":"audio","data":"AQ==","mimeType":"audio/wav"}],"isError":false}}`},
		{"new blocks", &mcp.CallToolResult{Content: link}, mcp.Version20250618,
			`"content":[{"type":"resource_link","uri":"a:b","name":"n"},{"type":"audio","data":"AQ==","mimeType":"audio/wav"}],"isError":false}}`},
	}
	for _, test := range tests {
		t.Run(test.name+" in "+string(test.version), func(t *testing.T) {
			t.Parallel()
			d := newDoor(newServer(t, server.Options{}, raw("tool", returns(test.result))))
			line := call("tool", "{}")
			if !test.version.Modern() {
				d, line = d.initialize(t, test.version, "{}"), old("tools/call", `{"name":"tool"}`)
			}
			if got, want := d.send(t, line), `{"jsonrpc":"2.0","id":1,"result":{`+test.want; got != want {
				t.Errorf("the answer is\n%s, want\n%s", got, want)
			}
		})
	}
}

// A handler may return one value to every call; answering must not change it.
func TestSharedResultsAreNotChanged(t *testing.T) {
	t.Parallel()
	failure := &mcp.CallToolResult{Content: mcp.Text("no"), StructuredContent: []byte(`{"a":1}`), IsError: true}
	question := &server.InputRequired{State: []byte("s"), Requests: mcp.InputRequests{{Key: "k", Request: &mcp.ListRootsParams{}}}}
	s := newServer(t, server.Options{}, raw("fail", returns(failure)), raw("ask", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return nil, question }))
	done := make(chan struct{})
	for range 4 {
		go func() {
			defer func() { done <- struct{}{} }()
			d := newDoor(s)
			for range 50 {
				d.send(t, call("fail", "{}"))
				d.send(t, requestWith("tools/call", `"name":"ask"`, `{"roots":{}}`, ""))
			}
		}()
	}
	for range 4 {
		<-done
	}
	if string(failure.StructuredContent) != `{"a":1}` {
		t.Errorf("the handler's value became %+v", failure)
	}
}

// The limit of a result holds for what is sent, and for how it is sent.
func TestResultTooLarge(t *testing.T) {
	t.Parallel()
	const limit = 10_000
	sized := func(name string, result *mcp.CallToolResult) server.Tool {
		tool := raw(name, returns(result))
		tool.Definition.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}
		return tool
	}
	var log logbook
	d := newDoor(newServer(t, server.Options{MaxResultBytes: limit, Log: log.logger()},
		sized("fits", words(strings.Repeat("x", limit-500))),
		sized("text", words(strings.Repeat("x", limit+1))),
		sized("image", &mcp.CallToolResult{Content: mcp.ContentList{&mcp.ImageContent{Data: make([]byte, limit), MIMEType: "image/png"}}}),
		sized("twice", &mcp.CallToolResult{StructuredContent: []byte(`"` + strings.Repeat("x", limit*2/3) + `"`)}),
		sized("escaped", words(strings.Repeat("\x01", limit/3))), // Each becomes six bytes.
		sized("failure", &mcp.CallToolResult{Content: mcp.Text(strings.Repeat("x", limit+1)), IsError: true}),
	))
	if got := d.ask(t, call("fits", "{}")); got.Result.IsError || log.String() != "" {
		t.Errorf("a result that fits: %.300s", got.raw)
	}
	for _, tool := range []string{"text", "image", "twice", "escaped", "failure"} {
		got := d.ask(t, call(tool, "{}")).toolError(t)
		if !strings.HasPrefix(got, "The result of "+tool+" is 1") && !strings.HasPrefix(got, "The result of "+tool+" is 2") ||
			!strings.Contains(got, "more than the 10000 that may be sent") || !strings.HasSuffix(got, "Nothing was changed, and trying again is safe.") {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if !strings.Contains(log.String(), "result too large") {
		t.Errorf("the log says %q", log.String())
	}
}

// However small the limit and however long the id, there is one short answer:
// the size of an answer is never the reason for another answer's size.
func TestLimitSmallerThanItsOwnError(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{MaxResultBytes: 1}, fast("tool")))
	if got := d.ask(t, call("tool", "{}")).toolError(t); !strings.HasPrefix(got, "The result of tool is ") {
		t.Errorf("a tool: %s", got)
	}
	if got := d.ask(t, request("tools/list", "")); got.code() != mcp.CodeInternalError || !strings.HasPrefix(got.Error.Message, "The result of tools/list is ") {
		t.Errorf("a list: %s", got.raw)
	}
	id := `"` + strings.Repeat("i", server.DefaultMaxResultBytes) + `"`
	d = newDoor(newServer(t, server.Options{}, fast("tool")))
	answer := d.send(t, strings.Replace(call("tool", "{}"), `"id":1`, `"id":`+id, 1))
	if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]`, id); !strings.HasPrefix(answer, want) {
		t.Errorf("a long id is answered %.100s … %s", answer, answer[len(answer)-300:])
	}
}

// What a handler puts into an error is one line of JSON or is left out.
func TestErrorData(t *testing.T) {
	t.Parallel()
	tests := []struct{ data, want string }{
		{"{\"a\":\n 1}", `,"data":{"a":1}}}`},
		{`{"a":`, `"message":"m"}}`},
		{``, `"message":"m"}}`},
	}
	for _, test := range tests {
		d := newDoor(newServer(t, server.Options{}, fails(&mcp.Error{Code: 7, Message: "m", Data: []byte(test.data)})))
		got := d.send(t, call("tool", "{}"))
		if err := jsonscan.Check([]byte(got), 0); err != nil || !strings.HasSuffix(got, test.want) || strings.Contains(got, "\n") {
			t.Errorf("data %q is sent as %s (%v)", test.data, got, err)
		}
	}
}
