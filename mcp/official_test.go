package mcp_test

import (
	"bytes"
	"embed"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

// The official JSON Schemas of the five revisions, as they were published.
//
//go:embed testdata/schema/*.json
var official embed.FS

// definitions is where a revision's schema keeps its types. The dialect, and
// with it the place, changed with 2025-11-25.
func definitions(version mcp.Version) string {
	if version < mcp.Version20251125 {
		return "/definitions/"
	}
	return "/$defs/"
}

// A compiler is not safe for use by several goroutines, so all of the tests
// share one with a lock. Types are compiled when they are first asked for.
var schemas = struct {
	sync.Mutex
	compiler *jsonschema.Compiler
	loaded   map[mcp.Version]bool
}{compiler: jsonschema.NewCompiler(), loaded: map[mcp.Version]bool{}}

func officialText(t testing.TB, version mcp.Version) []byte {
	t.Helper()
	text, err := official.ReadFile("testdata/schema/" + string(version) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkOfficial validates JSON against a type of a revision. The type may be
// followed by a path into it, as in "CallToolRequest/properties/params".
func checkOfficial(t testing.TB, version mcp.Version, typeName string, text []byte) {
	t.Helper()
	schemas.Lock()
	defer schemas.Unlock()
	location := string(version) + ".json"
	if !schemas.loaded[version] {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(officialText(t, version)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schemas.compiler.AddResource(location, document); err != nil {
			t.Fatal(err)
		}
		schemas.loaded[version] = true
	}
	schema, err := schemas.compiler.Compile(location + "#" + definitions(version) + typeName)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Errorf("%s is no %s of %s: %v", text, typeName, version, err)
	}
}

// A check that accepts everything would make the tests of this package
// worthless.
func TestOfficialSchemasRefuse(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.Versions() {
		recorder := &recorder{TB: t}
		checkOfficial(recorder, version, "Tool", []byte(`{"name":1}`))
		if !recorder.failed {
			t.Errorf("the schema of %s accepts a tool whose name is a number", version)
		}
	}
}

// recorder notes failures instead of reporting them.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Errorf(string, ...any) { r.failed = true }

// Every method in the official schemas is one that this package names, and
// belongs to exactly the revisions that Defines says.
func TestMethodsAreTheOfficialOnes(t *testing.T) {
	t.Parallel()
	defined := map[mcp.Version][]string{}
	var all []string
	for _, version := range mcp.Versions() {
		types, _ := jsonscan.Lookup(officialText(t, version), strings.Trim(definitions(version), "/"))
		for it := jsonscan.Iterate(types); it.Next(); {
			properties, _ := jsonscan.Lookup(it.Value(), "properties")
			method, _ := jsonscan.Lookup(properties, "method")
			if name, ok := jsonscan.Lookup(method, "const"); ok {
				defined[version] = append(defined[version], jsonscan.Unquote(name))
			}
		}
		all = append(all, defined[version]...)
	}
	if len(all) < 100 {
		t.Fatalf("found only %d methods in the schemas", len(all))
	}
	for _, version := range mcp.Versions() {
		for _, method := range all {
			if want := slices.Contains(defined[version], method); version.Defines(method) != want {
				t.Errorf("%s defines %s: %v, want %v", version, method, !want, want)
			}
		}
	}
	if mcp.Version("2027-01-01").Defines(mcp.MethodToolsList) || mcp.Latest.Defines("tools/delete") {
		t.Error("an unknown revision or method is defined")
	}
}

// What the initialize era shares with the newest revision must be right in its
// own revisions too.
func TestLegacyMessages(t *testing.T) {
	t.Parallel()
	icons := []mcp.Icon{{Src: "https://example.com/a.png", Sizes: []string{"48x48"}}}
	tests := []struct {
		typeName string
		since    mcp.Version
		value    any
	}{
		{"Tool", mcp.Version20241105, &mcp.Tool{Name: "a", Description: "d"}},
		{"Tool", mcp.Version20250326, &mcp.Tool{Name: "a", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}}},
		{"Tool", mcp.Version20250618, &mcp.Tool{Name: "a", Title: "A", OutputSchema: []byte(`{"type":"object"}`), Meta: mcp.Meta(`{}`)}},
		{"Tool", mcp.Version20251125, &mcp.Tool{Name: "a", Icons: icons}},
		{"ListToolsResult", mcp.Version20241105, &mcp.ListToolsResult{}},
		{"CallToolResult", mcp.Version20241105, &mcp.CallToolResult{Content: mcp.Text("a"), IsError: true}},
		{"CallToolResult", mcp.Version20250618, &mcp.CallToolResult{StructuredContent: []byte(`{"a":1}`)}},
		{"CallToolRequest/properties/params", mcp.Version20241105, &mcp.CallToolParams{Name: "a", Arguments: []byte(`{}`)}},
		{"TextContent", mcp.Version20241105, &mcp.TextContent{Text: "a"}},
		{"ImageContent", mcp.Version20241105, &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"}},
		{"AudioContent", mcp.Version20250326, &mcp.AudioContent{Data: []byte{1}, MIMEType: "audio/wav"}},
		{"EmbeddedResource", mcp.Version20241105, &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "a:b", Text: "t"}}},
		{"ResourceLink", mcp.Version20250618, &mcp.ResourceLink{URI: "a:b", Name: "b"}},
		{"Resource", mcp.Version20241105, &mcp.Resource{URI: "a:b", Name: "b", MIMEType: "text/plain"}},
		{"ResourceTemplate", mcp.Version20241105, &mcp.ResourceTemplate{URITemplate: "a:{b}", Name: "b"}},
		{"ReadResourceResult", mcp.Version20241105, &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: "a:b", Blob: []byte{}}}}},
		{"SubscribeRequest/properties/params", mcp.Version20241105, &mcp.SubscribeParams{URI: "a:b"}},
		{"GetPromptResult", mcp.Version20241105, &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: &mcp.TextContent{Text: "a"}}}}},
		{"InitializeRequest/properties/params", mcp.Version20241105, &mcp.InitializeParams{
			ProtocolVersion: mcp.LatestLegacy, ClientInfo: mcp.Implementation{Name: "c", Version: "1"}}},
		{"InitializeResult", mcp.Version20241105, &mcp.InitializeResult{
			ProtocolVersion: mcp.LatestLegacy, ServerInfo: mcp.Implementation{Name: "s", Version: "1"}, Instructions: "i",
			Capabilities: mcp.ServerCapabilities{Tools: &mcp.ListChangedCapability{}, Logging: &mcp.EmptyCapability{}}}},
		{"InitializeResult", mcp.Version20251125, &mcp.InitializeResult{
			ProtocolVersion: mcp.LatestLegacy, ServerInfo: mcp.Implementation{Name: "s", Version: "1", Title: "S", WebsiteURL: "https://example.com", Icons: icons}}},
		{"SetLevelRequest/properties/params", mcp.Version20241105, &mcp.SetLevelParams{Level: mcp.LogNotice}},
		{"LoggingMessageNotification/properties/params", mcp.Version20241105, &mcp.LoggingMessageParams{Level: mcp.LogError, Data: []byte(`"x"`)}},
		{"ProgressNotification/properties/params", mcp.Version20241105, &mcp.ProgressParams{ProgressToken: []byte(`1`), Progress: 1}},
		{"CancelledNotification/properties/params", mcp.Version20241105, &mcp.CancelledParams{RequestID: []byte(`1`), Reason: "r"}},
		{"ListRootsResult", mcp.Version20241105, &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file:///a"}}}},
		{"CreateMessageResult", mcp.Version20241105, &mcp.CreateMessageResult{
			Role: mcp.RoleAssistant, Model: "m", Content: mcp.SamplingContent{&mcp.TextContent{Text: "a"}}}},
		{"ElicitResult", mcp.Version20250618, &mcp.ElicitResult{Action: mcp.ElicitAccept, Content: []byte(`{"a":true}`)}},
		{"CompleteResult", mcp.Version20241105, &mcp.CompleteResult{}},
		{"ElicitationCompleteNotification/properties/params", mcp.Version20251125, &mcp.ElicitationCompleteParams{ElicitationID: "e"}},
	}
	for _, test := range tests {
		for _, version := range mcp.LegacyVersions() {
			if version < test.since {
				continue
			}
			text, err := json.Marshal(test.value)
			if err != nil {
				t.Errorf("%s: %v", test.typeName, err)
				continue
			}
			typeName := test.typeName
			if base, ok := strings.CutSuffix(typeName, "Request/properties/params"); ok && version == mcp.Version20251125 {
				typeName = base + "RequestParams"
			} else if base, ok := strings.CutSuffix(typeName, "Notification/properties/params"); ok && version == mcp.Version20251125 && base != "ElicitationComplete" {
				typeName = base + "NotificationParams"
			}
			checkOfficial(t, version, typeName, text)
		}
	}
}
