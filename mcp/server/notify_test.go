package server_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// speaks is a tool that runs a function and answers.
func speaks(say func(ctx context.Context, call *server.Call) error) server.Tool {
	return raw("tool", func(ctx context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		if err := say(ctx, call); err != nil {
			return nil, err
		}
		return words("done"), nil
	})
}

// Progress is sent in its order and only while it grows; what JSON has no
// number for is not sent.
func TestProgress(t *testing.T) {
	t.Parallel()
	type report struct {
		progress, total float64
		message         string
	}
	tests := []struct {
		name    string
		reports []report
		want    []string // behind {"progressToken":"p",
	}{
		{"grows", []report{{0, 10, ""}, {1, 10, "one"}, {2.5, 0, ""}}, []string{`"progress":0,"total":10`, `"progress":1,"total":10,"message":"one"`, `"progress":2.5`}},
		{"stands and falls", []report{{2, 0, ""}, {2, 0, "again"}, {1, 0, ""}, {3, 0, ""}}, []string{`"progress":2`, `"progress":3`}},
		{"negative", []report{{-1, 0, ""}, {0, 0, ""}}, []string{`"progress":-1`, `"progress":0`}},
		{"no exponents", []report{{1e21, 1e22, ""}}, []string{`"progress":1000000000000000000000,"total":10000000000000000000000`}},
		{"no numbers", []report{{math.NaN(), 0, ""}, {math.Inf(-1), 0, ""}, {1, math.Inf(1), ""}, {math.Inf(1), 0, ""}, {2, math.NaN(), ""}}, []string{`"progress":1`, `"progress":2`}},
		{"odd words", []report{{1, 0, "a\nb\u2028\xff<"}}, []string{"\"progress\":1,\"message\":\"a\\nb\\u2028\ufffd<\""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(newServer(t, server.Options{}, speaks(func(ctx context.Context, call *server.Call) error {
				for _, r := range test.reports {
					if err := call.Progress(ctx, r.progress, r.total, r.message); err != nil {
						return err
					}
				}
				return nil
			})))
			d.send(t, talks("tool"))
			var want []string
			for _, members := range test.want {
				want = append(want, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p",`+members+`}}`)
			}
			if got := d.peer.sent(); !slices.Equal(got, want) {
				t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// Log messages are sent when they are at least as severe as the request asks
// for; which level a request asks for is its own business.
func TestLogLevels(t *testing.T) {
	t.Parallel()
	everything := speaks(func(ctx context.Context, call *server.Call) error {
		for _, level := range append(mcp.LogLevels(), "loud", "") {
			if err := call.Log(ctx, level, "", string(level)); err != nil {
				return err
			}
		}
		return nil
	})
	levels := mcp.LogLevels()
	for i, least := range levels {
		d := newDoor(newServer(t, server.Options{Logging: true}, everything))
		d.send(t, requestWith("tools/call", `"name":"tool"`, "{}", `,"io.modelcontextprotocol/logLevel":"`+string(least)+`"`))
		var want []string
		for _, level := range levels[i:] {
			want = append(want, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"`+string(level)+`","data":"`+string(level)+`"}}`)
		}
		if got := d.peer.sent(); !slices.Equal(got, want) {
			t.Errorf("from %s on: sent %q, want %q", least, got, want)
		}
	}
	silent := newDoor(newServer(t, server.Options{}, everything))
	silent.send(t, talks("tool"))
	if got := silent.peer.sent(); len(got) != 0 {
		t.Errorf("a server without the logging capability logs %q", got)
	}
}

// In the initialize era the level is the session's, from the time it is set.
func TestLegacyLogLevel(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{Logging: true}, speaks(func(ctx context.Context, call *server.Call) error {
		return call.Log(ctx, mcp.LogWarning, "l", map[string]any{"b": 1, "a": "x"})
	}))).initialize(t, mcp.Version20250618, "{}")
	d.send(t, old("tools/call", `{"name":"tool"}`))
	if got := d.peer.sent(); len(got) != 0 {
		t.Errorf("without a level: %q", got)
	}
	setLevel(t, d, "warning")
	d.send(t, old("tools/call", `{"name":"tool"}`))
	setLevel(t, d, "error")
	d.send(t, old("tools/call", `{"name":"tool"}`))
	want := []string{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"l","data":{"a":"x","b":1}}}`}
	if got := d.peer.sent(); !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// A message that cannot be written is the handler's error to deal with.
func TestMessagesThatFail(t *testing.T) {
	t.Parallel()
	gone := errors.New("the reader is gone")
	d := newDoor(newServer(t, server.Options{Logging: true}, speaks(func(ctx context.Context, call *server.Call) error {
		if err := call.Log(ctx, mcp.LogError, "", func() {}); err == nil {
			t.Error("a function was logged as JSON")
		}
		if err := call.Progress(ctx, 1, 0, ""); !errors.Is(err, gone) {
			t.Errorf("progress: %v", err)
		}
		if err := call.Log(ctx, mcp.LogError, "", 1); !errors.Is(err, gone) {
			t.Errorf("log: %v", err)
		}
		return nil
	})))
	d.peer.notify = func(context.Context, string) error { return gone }
	if got := d.ask(t, talks("tool")).text(t); got != "done" {
		t.Errorf("the call says %q", got)
	}
}

// What a handler can see of the request it serves.
func TestCallFacts(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, speaks(func(_ context.Context, call *server.Call) error {
		trace, _ := call.MetaValue("traceparent")
		if _, ok := call.MetaValue("absent"); ok {
			t.Error("there is an absent key in _meta")
		}
		facts := []string{string(call.ID), call.Method, call.Tool(), string(call.Version), call.Client.Info.Name, call.Principal.Name, string(call.Arguments()), string(trace), string(call.LogLevel), string(call.ProgressToken)}
		want := []string{`1`, "tools/call", "tool", "2026-07-28", "terminal", "local", `{}`, `"00-1"`, "", "9007199254740993"}
		if !slices.Equal(facts, want) {
			t.Errorf("the handler sees %q, want %q", facts, want)
		}
		return nil
	})))
	d.ask(t, requestWith("tools/call", `"name":"tool","arguments":null`, "{}", `,"traceparent":"00-1","progressToken":9007199254740993`)).text(t)
}
