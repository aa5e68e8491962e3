package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

func numbered(n int) []server.Tool {
	var tools []server.Tool
	for i := range n {
		tools = append(tools, fast(fmt.Sprintf("tool_%d", i)))
	}
	return tools
}

// walk follows the cursors from the first page to the last.
func walk(t *testing.T, d *door) (names, cursors []string) {
	t.Helper()
	members := ""
	for {
		page := d.ask(t, request("tools/list", members))
		names = append(names, page.names(t)...)
		next := page.Result.NextCursor
		if next == "" {
			return names, cursors
		}
		cursors = append(cursors, next)
		members = `"cursor":"` + next + `"`
	}
}

// Pages put together are the whole list, at every page size.
func TestPages(t *testing.T) {
	t.Parallel()
	tools := numbered(7)
	whole, _ := walk(t, newDoor(newServer(t, server.Options{}, tools...)))
	for size := 1; size <= 8; size++ {
		d := newDoor(newServer(t, server.Options{PageSize: size}, tools...))
		names, cursors := walk(t, d)
		if !slices.Equal(names, whole) || len(cursors) != (len(tools)-1)/size {
			t.Errorf("pages of %d give %q with %d cursors", size, names, len(cursors))
		}
		null := d.send(t, request("tools/list", `"cursor":null`))
		if first := d.send(t, request("tools/list", "")); null != first {
			t.Errorf("a null cursor is not the first page: %s", null)
		}
	}
	empty := newDoor(newServer(t, server.Options{PageSize: 2}))
	if page := empty.ask(t, request("tools/list", "")); len(page.Result.Tools) != 0 || page.Result.NextCursor != "" || !strings.Contains(page.raw, `"tools":[]`) {
		t.Errorf("the list of a server without tools: %s", page.raw)
	}
}

// A cursor that this list did not give out is refused with -32602.
func TestCursorsThatAreRefused(t *testing.T) {
	t.Parallel()
	tools := numbered(7)
	d := newDoor(newServer(t, server.Options{PageSize: 3}, append(tools, scoped("hidden", "s"))...))
	_, cursors := walk(t, d)
	good := cursors[0]

	type attempt struct{ name, value string }
	attempts := []attempt{
		{"empty", `""`}, {"number", `3`}, {"object", `{}`}, {"array", `["a"]`}, {"false", `false`},
		{"words", `"next"`}, {"padded", `"` + good + `="`}, {"shorter", `"` + good[:len(good)-1] + `"`}, {"longer", `"` + good + `A"`},
		{"line break inside", `"` + good[:4] + `\n` + good[4:] + `"`},
	}
	for i := range good {
		changed := []byte(good)
		changed[i] = 'A'
		if good[i] == 'A' {
			changed[i] = 'B'
		}
		attempts = append(attempts, attempt{fmt.Sprintf("character %d changed", i), `"` + string(changed) + `"`})
	}
	_, others := walk(t, newDoor(newServer(t, server.Options{PageSize: 3}, numbered(6)...)))
	attempts = append(attempts, attempt{"of another list", `"` + others[0] + `"`})
	_, others = walk(t, d.as(&server.Principal{Scopes: []string{"other"}}))
	attempts = append(attempts, attempt{"of another caller", `"` + others[0] + `"`})
	for _, a := range attempts {
		got := d.ask(t, request("tools/list", `"cursor":`+a.value))
		// Changing the position to that of another page makes a cursor that
		// was given out as well: it grants nothing and reads as that page.
		if got.code() == 0 && slices.Contains(cursors, strings.Trim(a.value, `"`)) {
			continue
		}
		if got.code() != mcp.CodeInvalidParams || !strings.HasPrefix(got.Error.Message, "Invalid cursor") {
			t.Errorf("%s: %.200s", a.name, got.raw)
		}
	}
	if got := newDoor(newServer(t, server.Options{}, tools...)).ask(t, request("tools/list", `"cursor":"`+good+`"`)); got.code() != mcp.CodeInvalidParams {
		t.Errorf("a cursor is taken by a server without pages: %s", got.raw)
	}
}

// A list that changed cannot be continued in the middle.
func TestCursorOfAChangedList(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{PageSize: 2, ToolsChange: true}, numbered(5)...)
	d := newDoor(s)
	_, cursors := walk(t, d)
	if err := s.Remove("tool_4"); err != nil {
		t.Fatal(err)
	}
	if got := d.ask(t, request("tools/list", `"cursor":"`+cursors[0]+`"`)); got.code() != mcp.CodeInvalidParams {
		t.Errorf("an old cursor continues a new list: %s", got.raw)
	}
}
