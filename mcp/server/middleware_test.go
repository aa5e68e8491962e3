package server_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// The first middleware is the outermost, for every method, and each can look,
// refuse and replace.
func TestMiddlewareOrder(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var steps []string
	note := func(step string) {
		mu.Lock()
		defer mu.Unlock()
		steps = append(steps, step)
	}
	noting := func(name string) server.Middleware {
		return func(next server.Handler) server.Handler {
			return func(ctx context.Context, call *server.Call) (server.Result, error) {
				note(name + " before " + call.Method)
				defer note(name + " after")
				return next(ctx, call)
			}
		}
	}
	guard := func(next server.Handler) server.Handler {
		return func(ctx context.Context, call *server.Call) (server.Result, error) {
			switch {
			case call.Method == mcp.MethodServerDiscover:
				return nil, mcp.InvalidRequest("not today")
			case call.Method == "own/method":
				return &server.ToolResult{Content: mcp.Text("replaced")}, nil
			}
			return next(ctx, call)
		}
	}
	d := newDoor(newServer(t, server.Options{Middleware: []server.Middleware{noting("outer"), noting("inner"), guard}}, speaks(func(context.Context, *server.Call) error {
		note("tool")
		return nil
	})))
	around := func(method string, middle ...string) []string {
		s := append([]string{"outer before " + method, "inner before " + method}, middle...)
		return append(s, "inner after", "outer after")
	}
	tests := []struct {
		line, answer string
		want         []string
	}{
		{call("tool", "{}"), `"text":"done"`, around("tools/call", "tool")},
		{call("absent", "{}"), "Unknown tool: absent", around("tools/call")},
		{request("server/discover", ""), "not today", around("server/discover")},
		{request("own/method", ""), `"text":"replaced"`, around("own/method")},
		{request("no/method", ""), "Method not found", around("no/method")},
	}
	for _, test := range tests {
		steps = nil
		if got := d.send(t, test.line); !strings.Contains(got, test.answer) {
			t.Errorf("%s is answered %s", test.line, got)
		}
		if !slices.Equal(steps, test.want) {
			t.Errorf("%s runs %q, want %q", test.line, steps, test.want)
		}
	}
}

type coerceIn struct {
	Name  string `json:"name,omitzero"`
	Count int    `json:"count,omitzero"`
	Exact bool   `json:"exact,omitzero"`
}

// Scalars in the wrong JSON type that say the same are taken, counted and
// logged without their values; StrictTypes refuses them.
func TestCoercion(t *testing.T) {
	t.Parallel()
	tool, err := server.NewTool(mcp.Tool{Name: "tool"}, func(_ context.Context, call *server.Call, in coerceIn) (coerceIn, error) {
		return in, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		arguments string
		want      string // empty when it is refused in either way
		coerced   int64
	}{
		{`{"name":"77123","count":3,"exact":true}`, `{"name":"77123","count":3,"exact":true}`, 0},
		{`{"name":77123}`, `{"name":"77123"}`, 1},
		{`{"name":77123,"count":"3","exact":"true"}`, `{"name":"77123","count":3,"exact":true}`, 3},
		{`{"count":"three"}`, ``, 0},
		{`{"count":[3]}`, ``, 0},
	}
	for _, test := range tests {
		var log logbook
		s := newServer(t, server.Options{Log: log.logger()}, tool)
		got := newDoor(s).ask(t, call("tool", test.arguments))
		if test.want == "" {
			got.toolError(t)
		} else if string(got.Result.StructuredContent) != test.want {
			t.Errorf("%s became %s, want %s", test.arguments, got.raw, test.want)
		}
		if s.Coerced() != test.coerced || int64(strings.Count(log.String(), "argument converted")) != test.coerced {
			t.Errorf("%s counts %d, want %d; the log says %q", test.arguments, s.Coerced(), test.coerced, log.String())
		}
		if strings.Contains(log.String(), "77123") {
			t.Errorf("the log holds the value: %s", log.String())
		}
		strict := newServer(t, server.Options{StrictTypes: true}, tool)
		if refused := newDoor(strict).ask(t, call("tool", test.arguments)).Result.IsError; refused != (test.want == "" || test.coerced > 0) || strict.Coerced() != 0 {
			t.Errorf("%s with strict types: refused %v, %d counted", test.arguments, refused, strict.Coerced())
		}
	}
}

// Arguments that fit the schema but not the Go type are the model's to mend.
func TestArgumentsBeyondTheType(t *testing.T) {
	t.Parallel()
	tool, err := server.NewTool(mcp.Tool{Name: "tool", InputSchema: []byte(anything)}, func(context.Context, *server.Call, coerceIn) (server.Text, error) {
		t.Error("the handler ran")
		return "", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d := newDoor(newServer(t, server.Options{}, tool))
	for _, arguments := range []string{`{"count":99999999999999999999}`, `{"count":1.5}`, `{"name":[]}`} {
		if got := d.ask(t, call("tool", arguments)).toolError(t); !strings.HasPrefix(got, "The arguments do not fit: ") {
			t.Errorf("%s: %q", arguments, got)
		}
	}
}

// Every problem of a call is told at once, with the tool's own sentence where
// it has one, and the handler does not run.
func TestProblemsOfArguments(t *testing.T) {
	t.Parallel()
	tool := speaks(func(context.Context, *server.Call) error {
		t.Error("the handler ran")
		return nil
	})
	tool.Definition.InputSchema = []byte(`{"type":"object","properties":{"id":{"type":"string","pattern":"^[0-9]+$"},"limit":{"type":"integer","maximum":9}},"required":["id"],"additionalProperties":false}`)
	tool.Sentences = map[string]string{"id": `No order "{value}".`}
	got := newDoor(newServer(t, server.Options{}, tool)).ask(t, call("tool", `{"id":"x","limit":10,"limt":1}`)).toolError(t)
	for _, want := range []string{`No order "x".`, `limit`, `"limt"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}
