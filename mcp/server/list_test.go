package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// names are the tools of a list, in its order.
func (r reply) names(t testing.TB) []string {
	t.Helper()
	if r.Result == nil {
		t.Fatalf("%s is no list", r.raw)
	}
	var names []string
	for _, tool := range r.Result.Tools {
		name, _ := jsonscan.Lookup(tool, "name")
		names = append(names, jsonscan.Unquote(name))
	}
	return names
}

// A thousand tools come in the order they were registered in, on one page, and
// as the same bytes every time and from every server built alike.
func TestListOrderAndBytes(t *testing.T) {
	t.Parallel()
	var want []string
	var tools []server.Tool
	for i := range 1000 {
		name := fmt.Sprintf("tool_%d", (i*7919)%1000)
		want = append(want, name)
		tools = append(tools, fast(name))
	}
	first := newDoor(newServer(t, server.Options{}, tools...))
	answer := first.ask(t, request("tools/list", ""))
	if got := answer.names(t); !slices.Equal(got, want) || answer.Result.NextCursor != "" {
		t.Errorf("the list has %d tools from %q on, next cursor %q", len(got), got[0], answer.Result.NextCursor)
	}
	for range 3 {
		if again := first.send(t, request("tools/list", "")); again != answer.raw {
			t.Fatal("the same list has other bytes")
		}
	}
	if other := newDoor(newServer(t, server.Options{}, tools...)).send(t, request("tools/list", "")); other != answer.raw {
		t.Error("another server lists the same tools in other bytes")
	}
	if got := first.ask(t, call("tool_999", "{}")).text(t); got != "done" {
		t.Errorf("one of the thousand says %q", got)
	}
}

// Each revision is shown the members it has, and no others.
func TestListMembersByRevision(t *testing.T) {
	t.Parallel()
	full := fast("full")
	full.Definition.Title = "Full"
	full.Definition.Description = "Has it all."
	full.Definition.OutputSchema = []byte(`{"type":"object"}`)
	full.Definition.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}
	full.Definition.Icons = []mcp.Icon{{Src: "https://example.com/a.png"}}
	full.Definition.Meta = mcp.Meta(`{"a.example/b":1}`)
	list := fast("list")
	list.Definition.OutputSchema = []byte(`{"type":"array"}`)
	d := newDoor(newServer(t, server.Options{}, full, list))

	always := []string{"name", "description", "inputSchema"}
	tests := []struct {
		version mcp.Version
		more    []string
		array   bool
	}{
		{mcp.Version20241105, nil, false},
		{mcp.Version20250326, []string{"annotations"}, false},
		{mcp.Version20250618, []string{"annotations", "title", "outputSchema", "_meta"}, false},
		{mcp.Version20251125, []string{"annotations", "title", "outputSchema", "_meta", "icons"}, false},
		{mcp.Version20260728, []string{"annotations", "title", "outputSchema", "_meta", "icons"}, true},
	}
	for _, test := range tests {
		t.Run(string(test.version), func(t *testing.T) {
			t.Parallel()
			var answer reply
			if test.version.Modern() {
				answer = d.ask(t, request("tools/list", ""))
				if answer.Result.ResultType != "complete" || answer.Result.TTL != 300_000 || answer.Result.CacheScope != "public" || answer.Result.Meta == nil {
					t.Errorf("the modern list lacks members: %s", answer.raw)
				}
			} else {
				answer = d.initialize(t, test.version, "{}").ask(t, old("tools/list", "{}"))
				if !strings.HasPrefix(answer.raw, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`) || !strings.HasSuffix(answer.raw, "]}}") {
					t.Errorf("the list has more members than tools: %s", answer.raw)
				}
			}
			var got []string
			for it := jsonscan.Iterate(answer.Result.Tools[0]); it.Next(); {
				got = append(got, string(it.Name()))
			}
			want := append(slices.Clone(always), test.more...)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("the tool has the members %q, want %q", got, want)
			}
			if _, has := jsonscan.Lookup(answer.Result.Tools[1], "outputSchema"); has != test.array {
				t.Errorf("an output schema that is no object is shown: %v, want %v", has, test.array)
			}
		})
	}
}

// scoped is a tool that needs a scope.
func scoped(name, scope string) server.Tool {
	tool := fast(name)
	tool.Scope = scope
	return tool
}

// Whoever lacks a tool's scope neither sees the tool nor learns that it is
// there. What one caller is shown is never another's.
func TestScopes(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, fast("open"), scoped("read", "tickets:read"), scoped("write", "tickets:write"), scoped("star", "*")))
	callers := []struct {
		name      string
		principal *server.Principal
		sees      []string
		cache     string
	}{
		{"nobody", nil, []string{"open"}, "private"},
		{"no scopes", &server.Principal{Name: "a"}, []string{"open"}, "private"},
		{"empty scope", &server.Principal{Name: "a", Scopes: []string{""}}, []string{"open"}, "private"},
		{"reader", &server.Principal{Name: "b", Scopes: []string{"tickets:read"}}, []string{"open", "read"}, "private"},
		{"both", &server.Principal{Name: "c", Scopes: []string{"tickets:write", "tickets:read", "tickets:read"}}, []string{"open", "read", "write"}, "private"},
		// Odd scopes must not be taken for the sets above.
		{"one scope with a space", &server.Principal{Name: "d", Scopes: []string{"tickets:read tickets:write"}}, []string{"open"}, "private"},
		{"local", server.Local(), []string{"open", "read", "write", "star"}, "public"},
		{"the scope star", &server.Principal{Name: "e", Scopes: []string{"*"}}, []string{"open", "star"}, "private"},
	}
	for range 2 { // Once to fill the cache and once to read it.
		for _, c := range callers {
			as := d.as(c.principal)
			list := as.ask(t, request("tools/list", ""))
			if got := list.names(t); !slices.Equal(got, c.sees) || list.Result.CacheScope != c.cache {
				t.Errorf("%s is shown %q with cacheScope %s, want %q with %s", c.name, got, list.Result.CacheScope, c.sees, c.cache)
			}
			for _, tool := range []string{"open", "read", "write", "star", "absent"} {
				answer := as.ask(t, call(tool, "{}"))
				if slices.Contains(c.sees, tool) {
					if answer.code() != 0 {
						t.Errorf("%s may not call %s: %s", c.name, tool, answer.raw)
					}
				} else if answer.code() != mcp.CodeInvalidParams || answer.Error.Message != "Unknown tool: "+tool {
					t.Errorf("%s calls %s: %s", c.name, tool, answer.raw)
				}
			}
		}
	}
}

// A tool's name may come with escapes, and a strange one is cut short.
func TestToolNamesInRequests(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{}, fast("get_ticket")))
	if got := d.ask(t, call(`get_ticke\u0074`, "{}")).text(t); got != "done" {
		t.Errorf("an escaped name: %q", got)
	}
	long := d.ask(t, call(strings.Repeat("x", 5000), "{}"))
	if long.code() != mcp.CodeInvalidParams || len(long.raw) > 500 {
		t.Errorf("a long name is answered with %d bytes: %.200s", len(long.raw), long.raw)
	}
	for _, params := range []string{`"arguments":{}`, `"name":5`, `"name":["a"]`, `"name":null`} {
		if got := d.ask(t, request("tools/call", params)); got.code() != mcp.CodeInvalidParams || !strings.HasPrefix(got.Error.Message, "params.name ") {
			t.Errorf("%s: %s", params, got.raw)
		}
	}
}
