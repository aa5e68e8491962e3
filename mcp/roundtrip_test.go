package mcp_test

import (
	"bytes"
	"flag"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"golang.org/x/tools/txtar"

	"helpdesk/mcp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// messageTypes are the Go types of the types in the schema of 2026-07-28.
var messageTypes = map[string]func() any{
	"AudioContent":                                func() any { return new(mcp.AudioContent) },
	"BlobResourceContents":                        func() any { return new(mcp.ResourceContents) },
	"CallToolRequestParams":                       func() any { return new(mcp.CallToolParams) },
	"CallToolResult":                              func() any { return new(mcp.CallToolResult) },
	"CancelledNotificationParams":                 func() any { return new(mcp.CancelledParams) },
	"ClientCapabilities":                          func() any { return new(mcp.ClientCapabilities) },
	"CompleteRequestParams":                       func() any { return new(mcp.CompleteParams) },
	"CompleteResult":                              func() any { return new(mcp.CompleteResult) },
	"CreateMessageRequestParams":                  func() any { return new(mcp.CreateMessageParams) },
	"CreateMessageResult":                         func() any { return new(mcp.CreateMessageResult) },
	"DiscoverResult":                              func() any { return new(mcp.DiscoverResult) },
	"ElicitResult":                                func() any { return new(mcp.ElicitResult) },
	"EmbeddedResource":                            func() any { return new(mcp.EmbeddedResource) },
	"Error":                                       func() any { return new(mcp.Error) },
	"GetPromptRequestParams":                      func() any { return new(mcp.GetPromptParams) },
	"GetPromptResult":                             func() any { return new(mcp.GetPromptResult) },
	"ImageContent":                                func() any { return new(mcp.ImageContent) },
	"Implementation":                              func() any { return new(mcp.Implementation) },
	"InputRequiredResult":                         func() any { return new(mcp.InputRequiredResult) },
	"InputResponses":                              func() any { return new(mcp.InputResponses) },
	"ListPromptsResult":                           func() any { return new(mcp.ListPromptsResult) },
	"ListResourceTemplatesResult":                 func() any { return new(mcp.ListResourceTemplatesResult) },
	"ListResourcesResult":                         func() any { return new(mcp.ListResourcesResult) },
	"ListRootsResult":                             func() any { return new(mcp.ListRootsResult) },
	"ListToolsResult":                             func() any { return new(mcp.ListToolsResult) },
	"LoggingMessageNotificationParams":            func() any { return new(mcp.LoggingMessageParams) },
	"NotificationParams":                          func() any { return new(mcp.NotificationParams) },
	"PaginatedRequestParams":                      func() any { return new(mcp.ListParams) },
	"ProgressNotificationParams":                  func() any { return new(mcp.ProgressParams) },
	"ReadResourceRequestParams":                   func() any { return new(mcp.ReadResourceParams) },
	"ReadResourceResult":                          func() any { return new(mcp.ReadResourceResult) },
	"ResourceLink":                                func() any { return new(mcp.ResourceLink) },
	"ResourceUpdatedNotificationParams":           func() any { return new(mcp.ResourceUpdatedParams) },
	"Result":                                      func() any { return new(mcp.EmptyResult) },
	"SubscriptionsAcknowledgedNotificationParams": func() any { return new(mcp.SubscriptionsAcknowledgedParams) },
	"SubscriptionsListenRequestParams":            func() any { return new(mcp.SubscriptionsListenParams) },
	"TextContent":                                 func() any { return new(mcp.TextContent) },
	"Tool":                                        func() any { return new(mcp.Tool) },
	"ToolResultContent":                           func() any { return new(mcp.ToolResultContent) },
	"ToolUseContent":                              func() any { return new(mcp.ToolUseContent) },
}

// What is read and written again keeps every member, also those of revisions
// to come.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	const file = "testdata/roundtrip.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, out := archive.Files[i], &archive.Files[i+1]
		name := path.Dir(in.Name)
		if in.Name != name+"/in.json" || out.Name != name+"/out.json" {
			t.Fatalf("%s is followed by %s, want pairs of in.json and out.json", in.Name, out.Name)
		}
		tested[name] = true
		make, ok := messageTypes[name]
		if !ok {
			t.Fatalf("no Go type for %s", name)
		}
		checkOfficial(t, mcp.Latest, name, in.Data)
		value := make()
		if err := json.Unmarshal(in.Data, value); err != nil {
			t.Errorf("%s: %v", in.Name, err)
			continue
		}
		got, err := json.Marshal(value)
		if err != nil {
			t.Errorf("%s: %v", in.Name, err)
			continue
		}
		checkOfficial(t, mcp.Latest, name, got)
		again := make()
		if err := json.Unmarshal(got, again); err != nil {
			t.Errorf("%s: what was written cannot be read: %v", name, err)
			continue
		}
		if second, err := json.Marshal(again); err != nil || !bytes.Equal(second, got) {
			t.Errorf("%s: written again it is %s (%v), want %s", name, second, err, got)
		}
		if *update {
			out.Data = append(got, '\n')
		} else if want := strings.TrimSpace(string(out.Data)); string(got) != want {
			t.Errorf("%s is written\n%s, want\n%s", name, got, want)
		}
	}
	for name := range messageTypes {
		if !tested[name] {
			t.Errorf("%s has no test in %s", name, file)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Some peers write null for what is absent. A wrong type is an error, and so
// is a member that is there twice; a name in another case is another member.
func TestReading(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		into       any
		problem    string // empty: accepted
		out        string
	}{
		{"null for absent", `{"name":"a","title":null,"inputSchema":{"type":"object"},"annotations":null,"icons":null,"_meta":null}`,
			new(mcp.Tool), "", `{"name":"a","inputSchema":{"type":"object"}}`},
		{"null content", `{"content":null}`, new(mcp.CallToolResult), "", `{"content":[]}`},
		{"null settings", `{"extensions":null,"roots":null}`, new(mcp.ClientCapabilities), "", `{}`},
		{"other case", `{"NAME":"b","name":"a","inputSchema":{}}`, new(mcp.Tool), "", `{"name":"a","inputSchema":{},"NAME":"b"}`},
		{"escaped name", `{"n\u0061me":"a","inputSchema":{}}`, new(mcp.Tool), "", `{"name":"a","inputSchema":{}}`},
		{"unknown block", `{"content":[{"a": 1,"type":"video"}]}`, new(mcp.CallToolResult), "", `{"content":[{"a":1,"type":"video"}]}`},
		{"block out of place", `{"content":[{"type":"tool_use","id":1}]}`, new(mcp.CallToolResult), "", `{"content":[{"type":"tool_use","id":1}]}`},
		{"resource in sampling", `{"role":"user","content":[{"type":"resource"},{"type":"resource_link","uri":1}]}`, new(mcp.SamplingMessage), "",
			`{"role":"user","content":[{"type":"resource"},{"type":"resource_link","uri":1}]}`},
		{"unknown request", `{"a":{"method":"camera/shoot","params":{"flash":true},"x":1},"b":{"method":"elicitation/create","params":{"mode":"voice","text":"?"}}}`,
			new(mcp.InputRequests), "", `{"a":{"method":"camera/shoot","params":{"flash":true},"x":1},"b":{"method":"elicitation/create","params":{"mode":"voice","text":"?"}}}`},
		{"one block in a list", `{"role":"user","content":[{"type":"text","text":"a"}]}`, new(mcp.SamplingMessage), "", `{"role":"user","content":{"type":"text","text":"a"}}`},

		{"member twice", `{"name":"a","name":"b"}`, new(mcp.Tool), "duplicate", ""},
		{"unknown member twice", `{"type":"text","text":"a","x":1,"x":2}`, new(mcp.TextContent), "duplicate", ""},
		{"block with a member twice", `{"content":[{"type":"text","text":"a","text":"b"}]}`, new(mcp.CallToolResult), "duplicate", ""},
		{"name is a number", `{"name":1}`, new(mcp.Tool), "string", ""},
		{"meta is a list", `{"name":"a","_meta":[]}`, new(mcp.Tool), "_meta must be an object", ""},
		{"content is an object", `{"content":{"type":"text","text":"a"}}`, new(mcp.CallToolResult), "content must be a list of blocks, got object", ""},
		{"block is a string", `{"content":["a"]}`, new(mcp.CallToolResult), `content block 0: a content block must be an object with a string "type"`, ""},
		{"block without type", `{"content":[{"type":"text","text":""},{"text":"a"}]}`, new(mcp.CallToolResult), `content block 1`, ""},
		{"type is a number", `{"content":[{"type":1}]}`, new(mcp.CallToolResult), `string "type"`, ""},
		{"data is no base64", `{"content":[{"type":"image","data":"*","mimeType":"image/png"}]}`, new(mcp.CallToolResult), "image block", ""},
		{"wrong block", `{"type":"image","data":"","mimeType":"image/png"}`, new(mcp.TextContent), `type "image" stands where one of type "text"`, ""},
		{"settings are a list", `{"extensions":[]}`, new(mcp.ClientCapabilities), "must be an object, got array", ""},
		{"answers are a list", `[]`, new(mcp.InputResponses), "must be an object", ""},
		{"answer is a string", `{"a":"yes"}`, new(mcp.InputResponses), `input response "a" must be an object`, ""},
		{"request without method", `{"a":{}}`, new(mcp.InputRequests), `input request "a": the method is missing`, ""},
		{"request is a number", `{"a":1}`, new(mcp.InputRequests), `input request "a"`, ""},
		{"sampling without params", `{"a":{"method":"sampling/createMessage"}}`, new(mcp.InputRequests), "params of sampling/createMessage", ""},
		{"form message is a number", `{"a":{"method":"elicitation/create","params":{"message":1}}}`, new(mcp.InputRequests), "params of elicitation/create", ""},
		{"roots with wrong meta", `{"a":{"method":"roots/list","params":{"_meta":1}}}`, new(mcp.InputRequests), "params of roots/list", ""},
		{"prompt without content", `{"role":"user"}`, new(mcp.PromptMessage), `string "type"`, ""},
		{"sampling content is a number", `{"role":"user","content":1}`, new(mcp.SamplingMessage), `string "type"`, ""},
		{"invalid UTF-8", "{\"name\":\"\xff\"}", new(mcp.Tool), "UTF-8", ""},
		{"unknown block without type", `{"a":1}`, new(mcp.UnknownContent), `string "type"`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := json.Unmarshal([]byte(test.text), test.into)
			if test.problem != "" {
				if err == nil || !strings.Contains(err.Error(), test.problem) {
					t.Fatalf("reading %s gave %v, want an error about %q", test.text, err, test.problem)
				}
				return
			}
			if err != nil {
				t.Fatalf("reading %s: %v", test.text, err)
			}
			if got, err := json.Marshal(test.into); err != nil || string(got) != test.out {
				t.Errorf("%s is written %s (%v), want %s", test.text, got, err, test.out)
			}
		})
	}
}
