package server_test

import (
	"context"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// Numbers that JSON Schema counts as integers reach an integer field however
// they are spelled, and what does not fit is explained without Go's words.
func TestIntegersInAnySpelling(t *testing.T) {
	t.Parallel()
	type in struct {
		N    int64   `json:"n"`
		List []int64 `json:"list,omitempty"`
		Text string  `json:"text,omitempty"`
	}
	tool, err := server.NewTool(mcp.Tool{Name: "tool", Description: "x"}, func(_ context.Context, _ *server.Call, in in) (in, error) { return in, nil })
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(mcp.Implementation{Name: "test", Version: "1"}, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(tool); err != nil {
		t.Fatal(err)
	}
	d := newDoor(s)
	for arguments, want := range map[string]string{
		`{"n":1}`:   `"structuredContent":{"n":1}`,
		`{"n":1.0}`: `"structuredContent":{"n":1}`,
		`{"n":1e2,"list":[2.0,-30e-1],"text":"4.0"}`: `"structuredContent":{"n":100,"list":[2,-3],"text":"4.0"}`,
		`{"n":1e30}`: `The arguments do not fit: the value at \"n\" is too large`,
	} {
		if got := d.send(t, call("tool", arguments)); !strings.Contains(got, want) || strings.Contains(got, "int64") {
			t.Errorf("%s gives %s, want %s in it", arguments, got, want)
		}
	}
}

// A handler that appends to its arguments, or changes them, does nothing to
// the text that the answer's id and the next message are read from.
func TestArgumentsHaveNoRoomBehindThem(t *testing.T) {
	t.Parallel()
	s, err := server.New(mcp.Implementation{Name: "test", Version: "1"}, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Add(server.Tool{
		Definition: mcp.Tool{Name: "tool", InputSchema: []byte(`{"type":"object"}`)},
		Handle: func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
			_ = append(call.Arguments(), strings.Repeat("X", 1000)...)
			return &mcp.CallToolResult{Content: mcp.Text("done")}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	line := `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"tool","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}},"id":7}`
	if got := newDoor(s).send(t, line); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":7,`) {
		t.Errorf("the answer is %s", got)
	}
}
