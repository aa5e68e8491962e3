package server_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// fails is a tool that returns an error.
func fails(err error) server.Tool {
	return raw("tool", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return nil, err })
}

// What a handler meant for the model is shown; what it did not, is not.
func TestErrorsOfHandlers(t *testing.T) {
	t.Parallel()
	secret := errors.New("open /var/lib/secret.db: permission denied")
	tests := []struct {
		name   string
		err    error
		want   string
		logged string
	}{
		{"tool error", mcp.NewToolError("No such order."), "No such order.", ""},
		{"tool error with a cause", mcp.NewToolError("No such order.").WithCause(secret), "No such order.", "secret.db"},
		{"tool error inside another error", fmt.Errorf("secret %w", mcp.NewToolError("No such order.")), "No such order.", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var log logbook
			got := newDoor(newServer(t, server.Options{Log: log.logger()}, fails(test.err))).ask(t, call("tool", "{}"))
			if got.toolError(t) != test.want || strings.Contains(got.raw, "secret") {
				t.Errorf("the caller is told %s", got.raw)
			}
			if test.logged == "" && log.String() != "" || !strings.Contains(log.String(), test.logged) {
				t.Errorf("the log says %q, want %q in it", log.String(), test.logged)
			}
		})
	}
	t.Run("mcp error", func(t *testing.T) {
		t.Parallel()
		var log logbook
		d := newDoor(newServer(t, server.Options{Log: log.logger()}, fails(fmt.Errorf("secret: %w", mcp.ResourceNotFound("a:b")))))
		const want = `{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"Resource not found","data":{"uri":"a:b"}}}`
		if got := d.send(t, call("tool", "{}")); got != fmt.Sprintf(want, -32602) {
			t.Errorf("modern: %s", got)
		}
		if got := d.initialize(t, mcp.LatestLegacy, "{}").send(t, old("tools/call", `{"name":"tool"}`)); got != fmt.Sprintf(want, -32002) {
			t.Errorf("legacy: %s", got)
		}
		if log.String() != "" {
			t.Errorf("an answer is logged as a fault: %s", log.String())
		}
	})
}

var shownReference = regexp.MustCompile(`Reference: ([0-9a-f]{8})\.$|reference ([0-9a-f]{8})$`)

// A fault of ours is told with a reference and found under it in the log, with
// everything that was kept from the caller.
func TestFaults(t *testing.T) {
	t.Parallel()
	output := func(result *mcp.CallToolResult) server.Tool {
		tool := raw("tool", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return result, nil })
		tool.Definition.OutputSchema = []byte(`{"type":"object","properties":{"secret":{"type":"integer"}},"required":["secret"]}`)
		return tool
	}
	tests := []struct {
		name   string
		tool   server.Tool
		logged string
	}{
		{"plain error", fails(errors.New("secret")), "secret"},
		{"nil result", fails(nil), "neither a result nor an error"},
		{"nil tool error", fails((*mcp.ToolError)(nil)), "tool=tool"},
		{"nil mcp error", fails((*mcp.Error)(nil)), "tool=tool"},
		{"panic", raw("tool", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { panic("secret") }), "failure_test.go"},
		{"panic with nil", raw("tool", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { panic(nil) }), "stack="},
		{"output of another type", output(&mcp.CallToolResult{StructuredContent: []byte(`{"secret":"x"}`)}), "breaks the output schema"},
		{"output missing a member", output(&mcp.CallToolResult{StructuredContent: []byte(`{}`)}), "breaks the output schema"},
		{"output missing", output(words("secret")), "no structured content"},
		{"no question asked", fails(&server.InputRequired{}), "needs a request or a state"},
		{"structured content is no JSON", raw("tool", returns(&mcp.CallToolResult{StructuredContent: []byte(`{"secret":`)})), "structured content is no JSON"},
		{"structured content with a name twice", output(&mcp.CallToolResult{StructuredContent: []byte(`{"secret":1,"secret":2}`)}), "structured content is no JSON"},
		{"meta is no object", raw("tool", returns(&mcp.CallToolResult{Meta: mcp.Meta(`"secret"`)})), "_meta is no JSON object"},
		{"meta is no JSON", raw("tool", returns(&mcp.CallToolResult{Meta: mcp.Meta(`{"secret"}`)})), "_meta is no JSON object"},
		{"a block's meta is no JSON", raw("tool", returns(&mcp.CallToolResult{Content: mcp.ContentList{&mcp.TextContent{Meta: mcp.Meta(`{secret}`)}}})), "block 0 is no JSON"},
		{"a block is no JSON", raw("tool", returns(&mcp.CallToolResult{Content: mcp.ContentList{&mcp.UnknownContent{Raw: []byte(`secret`)}}})), "block 0 is no JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var log logbook
			text := newDoor(newServer(t, server.Options{Log: log.logger()}, test.tool)).ask(t, call("tool", "{}")).toolError(t)
			if !strings.HasPrefix(text, "tool failed through a fault in the server, not in your arguments. ") || strings.Contains(text, "secret") {
				t.Errorf("the caller is told %q", text)
			}
			reference := shownReference.FindStringSubmatch(text)
			if reference == nil || !strings.Contains(log.String(), "reference="+reference[1]) || !strings.Contains(log.String(), test.logged) {
				t.Errorf("the caller is told %q and the log says %q, want the same reference and %q", text, log.String(), test.logged)
			}
		})
	}
}

func returns(result *mcp.CallToolResult) server.ToolHandler {
	return func(context.Context, *server.Call) (*mcp.CallToolResult, error) { return result, nil }
}

// A middleware that fails is answered like any other fault, but before a tool
// is known there is no tool result to say so.
func TestFaultsOfMiddleware(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		middleware server.Handler
	}{
		{"panic", func(context.Context, *server.Call) (server.Result, error) { panic("secret") }},
		{"error", func(context.Context, *server.Call) (server.Result, error) { return nil, errors.New("secret") }},
		{"nothing", func(context.Context, *server.Call) (server.Result, error) { return nil, nil }},
		{"nil error", func(context.Context, *server.Call) (server.Result, error) { return nil, (*mcp.Error)(nil) }},
		{"nil result", func(context.Context, *server.Call) (server.Result, error) { return (*server.ToolResult)(nil), nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var log logbook
			d := newDoor(newServer(t, server.Options{Log: log.logger(), Middleware: []server.Middleware{
				func(server.Handler) server.Handler { return test.middleware },
			}}, fast("tool")))
			for _, line := range []string{call("tool", "{}"), request("tools/list", ""), request("server/discover", "")} {
				got := d.ask(t, line)
				if got.code() != mcp.CodeInternalError || strings.Contains(got.raw, "secret") {
					t.Fatalf("%s is answered %s", line, got.raw)
				}
				reference := shownReference.FindStringSubmatch(got.Error.Message)
				if reference == nil || !strings.Contains(log.String(), "reference="+reference[2]) {
					t.Errorf("the caller is told %q and the log says %q", got.Error.Message, log.String())
				}
			}
		})
	}
}

// A call that takes too long is answered in its place, though its handler
// never looks at its context. The tool's own timeout goes before the server's,
// and how it ended says what a second try may do.
func TestTimeout(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		annotations *mcp.ToolAnnotations
		consequence string
	}{
		{"no hints", nil, "Whether anything was changed is not known. Look before you try again, because a second try may act twice."},
		{"not read-only", &mcp.ToolAnnotations{ReadOnlyHint: mcp.False()}, "Whether anything was changed is not known. Look before you try again, because a second try may act twice."},
		{"read-only", &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}, "Nothing was changed, and trying again is safe."},
		{"idempotent", &mcp.ToolAnnotations{IdempotentHint: mcp.True()}, "Whether anything was changed is not known. Trying again with the same arguments is safe: it does not act twice."},
		{"read-only and idempotent", &mcp.ToolAnnotations{ReadOnlyHint: mcp.True(), IdempotentHint: mcp.True()}, "Nothing was changed, and trying again is safe."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			cause := make(chan error, 1)
			tool := raw("tool", func(ctx context.Context, _ *server.Call) (*mcp.CallToolResult, error) {
				<-release
				cause <- context.Cause(ctx)
				return words("late"), nil
			})
			tool.Timeout = 10 * time.Millisecond
			tool.Definition.Annotations = test.annotations
			var log logbook
			// The server's own timeout is never reached in this test.
			d := newDoor(newServer(t, server.Options{CallTimeout: time.Hour, Log: log.logger()}, tool))
			_, late := d.run(t, call("tool", "{}"))
			got := readReply(t, <-d.peer.answers)
			if want := "tool did not finish within 10ms and was stopped. " + test.consequence; got.toolError(t) != want {
				t.Errorf("the caller is told %q, want %q", got.toolError(t), want)
			}
			close(release)
			if answer := <-late; answer != "" {
				t.Errorf("the handler was answered for a second time: %s", answer)
			}
			if err := <-cause; err == nil || err.Error() != "the call took too long" {
				t.Errorf("the handler's context ended with %v", err)
			}
			// The answer goes out before the log line is written.
			for deadline := time.Now().Add(10 * time.Second); !strings.Contains(log.String(), "call given up"); time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("the log says %q", log.String())
				}
			}
		})
	}
}

// The server's own timeout bounds a middleware that never comes to a tool.
func TestTimeoutOfMiddleware(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{CallTimeout: 10 * time.Millisecond, Middleware: []server.Middleware{
		func(server.Handler) server.Handler {
			return func(ctx context.Context, _ *server.Call) (server.Result, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		},
	}}))
	_, late := d.run(t, request("server/discover", ""))
	if got := readReply(t, <-d.peer.answers); got.code() != mcp.CodeInternalError || got.Error.Message != "server/discover did not finish within 10ms and was stopped." {
		t.Errorf("the caller is told %s", got.raw)
	}
	if answer := <-late; answer != "" {
		t.Errorf("the call was answered twice: %s", answer)
	}
}

// A server that stops answers for the calls it leaves behind.
func TestAbandon(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	d := newDoor(newServer(t, server.Options{}, raw("tool", func(ctx context.Context, _ *server.Call) (*mcp.CallToolResult, error) {
		close(entered)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})))
	c, late := d.run(t, call("tool", "{}"))
	<-entered
	d.server.Abandon(c)
	d.server.Abandon(c)
	const want = "tool was cut short because the server is stopping. Whether anything was changed is not known. Look before you try again, because a second try may act twice."
	if got := readReply(t, <-d.peer.answers); got.toolError(t) != want {
		t.Errorf("the caller is told %s", got.raw)
	}
	if answer := <-late; answer != "" || len(d.peer.answers) != 0 {
		t.Errorf("the call was answered again: %q and %d more", answer, len(d.peer.answers))
	}
}
