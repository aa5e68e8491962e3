package mcp_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"helpdesk/mcp"
)

func TestAppendTool(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		tool mcp.Tool
		want string
	}{
		{"schemas go out byte for byte",
			mcp.Tool{Name: "a", InputSchema: []byte(`{ "type":"object",  "x":"\u00e9<é>", "n":1.50 }`), OutputSchema: []byte(` {"type" : "object"}`)},
			`{"name":"a","inputSchema":{ "type":"object",  "x":"\u00e9<é>", "n":1.50 },"outputSchema":{"type" : "object"}}`},
		{"line breaks never go out",
			mcp.Tool{Name: "a", InputSchema: []byte("{\n  \"type\": \"object\",\r\n  \"x\": \"a\\n b\"\n}")},
			`{"name":"a","inputSchema":{"type":"object","x":"a\n b"}}`},
		{"a tool without schema takes any object",
			mcp.Tool{Name: "a"}, `{"name":"a","inputSchema":{"type":"object"}}`},
		{"all members in their order",
			mcp.Tool{Name: "a", Title: "T", Description: "<b> & \u2028", InputSchema: []byte(`{}`), OutputSchema: []byte(`{}`),
				Annotations: &mcp.ToolAnnotations{Title: "A", OpenWorldHint: mcp.False(), ReadOnlyHint: mcp.True(), IdempotentHint: mcp.True(), DestructiveHint: mcp.False()},
				Icons:       []mcp.Icon{{Src: "data:,"}, {Src: "data:,", MIMEType: "image/png", Sizes: []string{}, Theme: mcp.IconThemeLight}},
				Unknown:     []byte(`{"execution": {}}`), Meta: mcp.Meta(`{"k": 1}`)},
			`{"name":"a","title":"T","description":"<b> & \u2028","inputSchema":{},"outputSchema":{},` +
				`"annotations":{"title":"A","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},` +
				`"icons":[{"src":"data:,"},{"src":"data:,","mimeType":"image/png","sizes":[],"theme":"light"}],"execution":{},"_meta":{"k": 1}}`},
		{"hints that say nothing are not sent",
			mcp.Tool{Name: "a", InputSchema: []byte(`{}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.False()}},
			`{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":false}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := mcp.AppendTool([]byte("before "), &test.tool)
			if string(got) != "before "+test.want {
				t.Errorf("got  %s\nwant before %s", got, test.want)
			}
			var again mcp.Tool
			if err := json.Unmarshal(got[len("before "):], &again); err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
			if second := mcp.AppendTool(nil, &again); string(second) != test.want {
				t.Errorf("written again it is\n%s, want\n%s", second, test.want)
			}
		})
	}
}

func TestValidateToolName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, problem string
	}{
		{"getUser", ""},
		{"DATA_EXPORT_v2", ""},
		{"admin.tools.list", ""},
		{"0-_.", ""},
		{strings.Repeat("a", 128), ""},
		{"", "a tool needs a name"},
		{strings.Repeat("a", 129), "is 129 bytes long, more than 128"},
		{"get ticket", `has ' ' at byte 3`},
		{"get,ticket", `has ',' at byte 3`},
		{"get/ticket", `has '/' at byte 3`},
		{"gét", `has 'é' at byte 1`},
		{"a\x00", `has '\x00' at byte 1`},
		{"a\xff", `has '�' at byte 1`},
		{"a\n", `has '\n' at byte 1`},
	}
	for _, test := range tests {
		err := mcp.ValidateToolName(test.name)
		if test.problem == "" && err != nil || test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("ValidateToolName(%.20q) = %v, want %q", test.name, err, test.problem)
		}
	}
}
