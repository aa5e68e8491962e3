package server_test

import (
	"context"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// A tool that could go wrong later does not start.
func TestToolsThatDoNotStart(t *testing.T) {
	t.Parallel()
	with := func(change func(*server.Tool)) server.Tool {
		tool := fast("tool")
		change(&tool)
		return tool
	}
	tests := []struct {
		name string
		tool server.Tool
		want string
	}{
		{"empty name", with(func(tool *server.Tool) { tool.Definition.Name = "" }), "a tool needs a name"},
		{"name with a space", with(func(tool *server.Tool) { tool.Definition.Name = "get ticket" }), `has ' ' at byte 3`},
		{"name beyond ASCII", with(func(tool *server.Tool) { tool.Definition.Name = "größe" }), `has 'ö' at byte 2`},
		{"name too long", with(func(tool *server.Tool) { tool.Definition.Name = strings.Repeat("a", 129) }), "129 bytes long"},
		{"no handler", with(func(tool *server.Tool) { tool.Handle = nil }), "has no handler"},
		{"no schema", with(func(tool *server.Tool) { tool.Definition.InputSchema = nil }), "input schema: is missing"},
		{"schema is no JSON", with(func(tool *server.Tool) { tool.Definition.InputSchema = []byte(`{"type":`) }), "input schema: "},
		{"schema with a name twice", with(func(tool *server.Tool) { tool.Definition.InputSchema = []byte(`{"type":"object","type":"object"}`) }), "input schema: "},
		{"schema does not compile", with(func(tool *server.Tool) {
			tool.Definition.InputSchema = []byte(`{"type":"object","properties":{"a":{"type":"number","minimum":"1"}}}`)
		}), "input schema: "},
		{"pattern does not compile", with(func(tool *server.Tool) {
			tool.Definition.InputSchema = []byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}`)
		}), "input schema: "},
		{"schema leads outside", with(func(tool *server.Tool) {
			tool.Definition.InputSchema = []byte(`{"type":"object","$ref":"https://example.com/a.json"}`)
		}), "input schema: "},
		{"another dialect", with(func(tool *server.Tool) {
			tool.Definition.InputSchema = []byte(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`)
		}), "input schema: "},
		{"root is an array", with(func(tool *server.Tool) { tool.Definition.InputSchema = []byte(`{"type":"array"}`) }), `its root must say "type":"object"`},
		{"root without a type", with(func(tool *server.Tool) { tool.Definition.InputSchema = []byte(`{}`) }), `its root must say "type":"object"`},
		{"root is true", with(func(tool *server.Tool) { tool.Definition.InputSchema = []byte(`true`) }), "input schema: "},
		{"example breaks its schema", with(func(tool *server.Tool) {
			tool.Definition.InputSchema = []byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"^[0-9]+$","examples":["x"]}}}`)
		}), "input schema: "},
		{"default breaks its schema", with(func(tool *server.Tool) {
			tool.Definition.InputSchema = []byte(`{"type":"object","properties":{"a":{"type":"integer","maximum":3,"default":4}}}`)
		}), "input schema: "},
		{"sentence for no property", with(func(tool *server.Tool) { tool.Sentences = map[string]string{"a": "No {value}."} }), "input schema: "},
		{"output schema does not compile", with(func(tool *server.Tool) { tool.Definition.OutputSchema = []byte(`{"type":"thing"}`) }), "output schema: "},
		{"output schema is empty", with(func(tool *server.Tool) { tool.Definition.OutputSchema = []byte{} }), "output schema: "},
		{"output example breaks its schema", with(func(tool *server.Tool) {
			tool.Definition.OutputSchema = []byte(`{"type":"object","properties":{"a":{"type":"integer","examples":["x"]}}}`)
		}), "output schema: "},
		{"meta is no JSON", with(func(tool *server.Tool) { tool.Definition.Meta = mcp.Meta(`{"a":}`) }), "no JSON object"},
		{"unknown member that is known", with(func(tool *server.Tool) { tool.Definition.Unknown = []byte(`{"name":"other"}`) }), "no JSON object"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, server.Options{})
			err := s.Add(fast("good"), test.tool)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "server: ") {
				t.Fatalf("Add says %v, want %q in it", err, test.want)
			}
			if got := newDoor(s).ask(t, request("tools/list", "")); len(got.Result.Tools) != 0 {
				t.Errorf("the good tool beside the bad one was added: %s", got.raw)
			}
		})
	}
}

// Two tools of one name are refused in one Add and across two.
func TestDuplicateNames(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{})
	if err := s.Add(fast("a"), fast("a")); err == nil || !strings.Contains(err.Error(), `"a" is registered already`) {
		t.Errorf("two at once: %v", err)
	}
	if err := s.Add(fast("a")); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(fast("b"), fast("a")); err == nil {
		t.Error("the second a was added")
	}
	if err := s.Remove("a", "b"); err == nil || !strings.Contains(err.Error(), `no tool "b"`) {
		t.Errorf("b was added, or an unknown tool removed: %v", err)
	}
	if err := s.Remove("a"); err != nil {
		t.Errorf("a was not kept after a failed Remove: %v", err)
	}
	if tools := s.Capabilities().Tools; tools != nil {
		t.Error("a server that lost its only tool still declares tools")
	}
}

// The list of a server that did not declare listChanged is fixed by its first
// answer, whatever that was.
func TestStaticServerIsStatic(t *testing.T) {
	t.Parallel()
	for _, first := range []string{request("server/discover", ""), request("no/such", ""), call("absent", "{}")} {
		s := newServer(t, server.Options{}, fast("a"))
		if err := s.Add(fast("b")); err != nil {
			t.Fatal(err)
		}
		newDoor(s).send(t, first)
		if err := s.Add(fast("c")); err == nil || !strings.Contains(err.Error(), "Options.ToolsChange") {
			t.Errorf("after %s: Add says %v", first, err)
		}
		if err := s.Remove("a"); err == nil {
			t.Errorf("after %s: a tool was removed", first)
		}
	}
	s := newServer(t, server.Options{ToolsChange: true}, fast("a"))
	d := newDoor(s)
	if d.ask(t, call("b", "{}")).code() != mcp.CodeInvalidParams {
		t.Error("there is a tool b")
	}
	if err := s.Add(fast("b")); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove("a"); err != nil {
		t.Fatal(err)
	}
	if got := d.ask(t, call("b", "{}")).text(t); got != "done" {
		t.Errorf("b says %q", got)
	}
	if got := d.ask(t, call("a", "{}")); got.code() != mcp.CodeInvalidParams || got.Error.Message != "Unknown tool: a" {
		t.Errorf("the removed tool says %s", got.raw)
	}
}

type deriveIn struct {
	ID    string `json:"id" doc:"The number" pattern:"^[0-9]+$" example:"7"`
	Limit *int   `json:"limit,omitzero" min:"1" max:"9"`
}

type deriveOut struct {
	Sum int `json:"sum"`
}

// NewTool derives what the definition leaves out, and nothing else.
func TestDerivedSchemas(t *testing.T) {
	t.Parallel()
	handle := func(context.Context, *server.Call, deriveIn) (deriveOut, error) { return deriveOut{1}, nil }
	derived, err := server.NewTool(mcp.Tool{Name: "a"}, handle)
	if err != nil {
		t.Fatal(err)
	}
	const wantIn = `{"type":"object","properties":{"id":{"type":"string","pattern":"^[0-9]+$","description":"The number","examples":["7"]},"limit":{"type":"integer","minimum":1,"maximum":9}},"required":["id"],"additionalProperties":false}`
	const wantOut = `{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}`
	if got := string(derived.Definition.InputSchema); got != wantIn {
		t.Errorf("input schema\n%s, want\n%s", got, wantIn)
	}
	if got := string(derived.Definition.OutputSchema); got != wantOut {
		t.Errorf("output schema\n%s, want\n%s", got, wantOut)
	}
	literal, err := server.NewTool(mcp.Tool{Name: "a", InputSchema: []byte(anything), OutputSchema: []byte(`{"type":"object","minProperties":1}`)}, handle)
	if err != nil {
		t.Fatal(err)
	}
	if string(literal.Definition.InputSchema) != anything || string(literal.Definition.OutputSchema) != `{"type":"object","minProperties":1}` {
		t.Errorf("literal schemas were replaced: %s %s", literal.Definition.InputSchema, literal.Definition.OutputSchema)
	}
	words, err := server.NewTool(mcp.Tool{Name: "a"}, func(context.Context, *server.Call, deriveIn) (server.Text, error) { return "", nil })
	if err != nil || words.Definition.OutputSchema != nil {
		t.Errorf("a tool that answers in words has the output schema %s (%v)", words.Definition.OutputSchema, err)
	}
	if _, err := server.NewTool[deriveIn, deriveOut](mcp.Tool{Name: "a"}, nil); err == nil || !strings.Contains(err.Error(), `tool "a": has no handler`) {
		t.Errorf("a typed tool without a handler: %v", err)
	}
	if _, err := server.NewTool(mcp.Tool{Name: "a"}, func(context.Context, *server.Call, struct{ F func() }) (server.Text, error) { return "", nil }); err == nil {
		t.Error("a schema was derived from a function")
	}
}

// A literal schema goes out as it was written. Only line breaks force it into
// its compact form, because a message is one line.
func TestLiteralSchemasOnTheWire(t *testing.T) {
	t.Parallel()
	tests := []struct{ written, want string }{
		{`{ "type" :	"object","title":"a < b & c" ,"properties":{}}`, `{ "type" :	"object","title":"a < b & c" ,"properties":{}}`},
		{"  {\"type\":\"object\"}  ", `{"type":"object"}`},
		{`{"properties":{"\u0061":{"enum":[1.0,1e2,"\/"]}},"type":"object"}`, `{"properties":{"\u0061":{"enum":[1.0,1e2,"\/"]}},"type":"object"}`},
		{"{\n  \"type\": \"object\",\r\n  \"title\": \"a  b\\n\"\n}\n", `{"type":"object","title":"a  b\n"}`},
	}
	for _, test := range tests {
		tool := fast("a")
		tool.Definition.InputSchema = []byte(test.written)
		tool.Definition.OutputSchema = []byte(test.written)
		got := newDoor(newServer(t, server.Options{}, tool)).send(t, request("tools/list", ""))
		if want := `"inputSchema":` + test.want + `,"outputSchema":` + test.want + `}`; !strings.Contains(got, want) {
			t.Errorf("the list\n%s does not hold\n%s", got, want)
		}
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	t.Parallel()
	info := mcp.Implementation{Name: "test", Version: "1"}
	tests := []struct {
		info    mcp.Implementation
		options server.Options
		want    string
	}{
		{mcp.Implementation{Version: "1"}, server.Options{}, "needs a name and a version"},
		{mcp.Implementation{Name: "test"}, server.Options{}, "needs a name and a version"},
		{info, server.Options{StateSecret: make([]byte, 31)}, "31 bytes"},
		{info, server.Options{StateSecret: []byte{}}, "0 bytes"},
		{info, server.Options{PageSize: -1}, "PageSize is -1"},
	}
	for _, test := range tests {
		if _, err := server.New(test.info, test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("New says %v, want %q in it", err, test.want)
		}
	}
}
