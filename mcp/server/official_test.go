package server_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// official checks messages against the published schema of one revision.
type official struct {
	compiler *jsonschema.Compiler
	root     string
	legacy   bool
}

func newOfficial(t *testing.T, version mcp.Version) *official {
	t.Helper()
	text, err := os.ReadFile("../testdata/schema/" + string(version) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	o := &official{compiler: jsonschema.NewCompiler(), root: "schema.json#/$defs/", legacy: !version.Modern()}
	if version < mcp.Version20251125 {
		o.root = "schema.json#/definitions/"
	}
	if err := o.compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *official) validate(t *testing.T, typeName string, text []byte) error {
	t.Helper()
	schema, err := o.compiler.Compile(o.root + typeName)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(instance)
}

// message checks a whole message, or its result when part is "result".
func (o *official) message(t *testing.T, typeName, part, text string) {
	t.Helper()
	if err := o.validate(t, "JSONRPCMessage", []byte(text)); err != nil {
		t.Errorf("%s is no message: %v", text, err)
	}
	checked := []byte(text)
	if part != "" {
		checked, _ = jsonscan.Lookup([]byte(text), part)
	}
	if err := o.validate(t, typeName, checked); err != nil {
		t.Errorf("%s of %s is no %s: %v", part, text, typeName, err)
	}
	if o.legacy {
		for _, member := range []string{"resultType", "ttlMs", "cacheScope"} {
			if strings.Contains(text, `"`+member+`":`) {
				t.Errorf("%s has the modern member %s", text, member)
			}
		}
	}
}

// everything is a server that has something to say for every type.
func everything(t *testing.T) *server.Server {
	typed, err := server.NewTool(mcp.Tool{Name: "typed", Title: "T", Description: "d", Icons: []mcp.Icon{{Src: "https://example.com/a.png", Sizes: []string{"48x48"}}},
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}, Meta: mcp.Meta(`{"example.com/a":1}`)},
		func(context.Context, *server.Call, struct{}) (deriveOut, error) { return deriveOut{1}, nil })
	if err != nil {
		t.Fatal(err)
	}
	listed := raw("listed", returns(&mcp.CallToolResult{StructuredContent: []byte(`[1]`)}))
	listed.Definition.OutputSchema = []byte(`{"type":"array"}`)
	blocks := raw("blocks", returns(&mcp.CallToolResult{Meta: mcp.Meta(`{"example.com/a":1}`), Content: mcp.ContentList{
		&mcp.TextContent{Text: "a", Meta: mcp.Meta(`{"example.com/a":1}`)},
		&mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"},
		&mcp.AudioContent{Data: []byte{1}, MIMEType: "audio/wav"},
		&mcp.ResourceLink{URI: "a:b", Name: "n"},
		&mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "a:b", Text: "t"}},
	}}))
	questions := raw("questions", func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		if call.State() != nil {
			return words("thank you"), nil
		}
		requests := mcp.InputRequests{{Key: "roots", Request: &mcp.ListRootsParams{}}, {Key: "model", Request: &mcp.CreateMessageParams{MaxTokens: 1,
			Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.SamplingContent{&mcp.TextContent{Text: "a"}}}}}}}
		if call.Version >= mcp.Version20250618 {
			requests.Add("form", form("m"))
		}
		if call.Version >= mcp.Version20251125 {
			requests.Add("link", &mcp.ElicitURLParams{Message: "m", URL: "https://example.com/"})
		}
		return nil, &server.InputRequired{Requests: requests, State: []byte("s")}
	})
	says := speaks(func(ctx context.Context, call *server.Call) error {
		return errors.Join(call.Progress(ctx, 1, 2, "m"), call.Log(ctx, mcp.LogError, "l", map[string]int{"a": 1}))
	})
	fault := raw("fault", func(context.Context, *server.Call) (*mcp.CallToolResult, error) { panic("p") })
	info := mcp.Implementation{Name: "test", Version: "1", Title: "T", Description: "d", WebsiteURL: "https://example.com", Icons: []mcp.Icon{{Src: "https://example.com/a.png"}}}
	s, err := server.New(info, server.Options{ToolsChange: true, Logging: true, Instructions: "i", PageSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(typed, listed, blocks, questions, says, fault); err != nil {
		t.Fatal(err)
	}
	return s
}

const canDoAll = `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`

// Every answer, notification and request of the modern era is what the
// official schema says.
func TestModernMessagesAreOfficial(t *testing.T) {
	t.Parallel()
	o := newOfficial(t, mcp.Version20260728)
	if o.validate(t, "ListToolsResult", []byte(`{"tools":[]}`)) == nil {
		t.Fatal("the schema accepts a list without its required members")
	}
	d := newDoor(everything(t))
	meta := `,"progressToken":1,"io.modelcontextprotocol/logLevel":"debug"`
	ask := func(typeName, method, members, capabilities string) reply {
		got := d.send(t, requestWith(method, members, capabilities, meta))
		part := "result"
		if strings.HasSuffix(typeName, "Error") || typeName == "JSONRPCErrorResponse" {
			part = ""
		}
		o.message(t, typeName, part, got)
		return readReply(t, got)
	}
	ask("DiscoverResult", "server/discover", "", "{}")
	page := ask("ListToolsResult", "tools/list", "", "{}")
	ask("ListToolsResult", "tools/list", `"cursor":"`+page.Result.NextCursor+`"`, "{}")
	for _, tool := range []string{"typed", "listed", "blocks", "tool", "fault"} {
		ask("CallToolResult", "tools/call", `"name":"`+tool+`","arguments":{}`, "{}")
	}
	state := ask("InputRequiredResult", "tools/call", `"name":"questions"`, canDoAll)
	ask("CallToolResult", "tools/call", `"name":"questions","requestState":"`+state.Result.RequestState+`"`, canDoAll)
	ask("MissingRequiredClientCapabilityError", "tools/call", `"name":"questions"`, "{}")
	for _, broken := range []string{`"name":"absent"`, `"name":1`, `"name":"tool","arguments":[]`} {
		ask("JSONRPCErrorResponse", "tools/call", broken, "{}")
	}
	ask("JSONRPCErrorResponse", "no/such", "", "{}")
	o.message(t, "UnsupportedProtocolVersionError", "", d.send(t, strings.Replace(request("tools/list", ""), "2026-07-28", "2099-01-01", 1)))
	notes := d.peer.sent()
	if len(notes) != 2 {
		t.Fatalf("the calls sent %q", notes)
	}
	o.message(t, "ProgressNotification", "", notes[0])
	o.message(t, "LoggingMessageNotification", "", notes[1])

	sent := d.peer.follow()
	c, answer := d.run(t, listen(`{"toolsListChanged":true}`))
	o.message(t, "SubscriptionsAcknowledgedNotification", "", <-sent)
	if err := d.server.Add(fast("more")); err != nil {
		t.Fatal(err)
	}
	o.message(t, "ToolListChangedNotification", "", <-sent)
	c.Stop()
	o.message(t, "CancelledNotification", "", <-sent)
	o.message(t, "SubscriptionsListenResult", "result", <-answer)
}

// The same for each revision of the initialize era, in its own words.
func TestLegacyMessagesAreOfficial(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.LegacyVersions() {
		t.Run(string(version), func(t *testing.T) {
			t.Parallel()
			o := newOfficial(t, version)
			s := everything(t)
			message, err := jsonrpc.Scan([]byte(old("initialize", `{"protocolVersion":"`+string(version)+`","capabilities":`+canDoAll+`,"clientInfo":{"name":"c","version":"1"}}`)), 0)
			if err != nil {
				t.Fatal(err)
			}
			session, answer, err := legacy.Initialize(s, &message)
			if err != nil {
				t.Fatal(err)
			}
			o.message(t, "InitializeResult", "result", string(answer))
			d := newDoor(s)
			d.session = session
			for _, line := range []string{old("ping", "{}"), old("logging/setLevel", `{"level":"debug"}`)} {
				message, err := jsonrpc.Scan([]byte(line), 0)
				if err != nil {
					t.Fatal(err)
				}
				answer, _ := session.Answer(nil, &message)
				o.message(t, "EmptyResult", "result", string(answer))
			}
			page := d.send(t, old("tools/list", "{}"))
			o.message(t, "ListToolsResult", "result", page)
			o.message(t, "ListToolsResult", "result", d.send(t, old("tools/list", `{"cursor":"`+readReply(t, page).Result.NextCursor+`"}`)))
			for _, tool := range []string{"typed", "listed", "blocks", "tool", "fault"} {
				o.message(t, "CallToolResult", "result", d.send(t, old("tools/call", `{"name":"`+tool+`","_meta":{"progressToken":"p"}}`)))
			}
			failure := "JSONRPCError"
			if version == mcp.Version20251125 {
				failure = "JSONRPCErrorResponse"
			}
			o.message(t, failure, "", d.send(t, old("tools/call", `{"name":"absent"}`)))
			o.message(t, failure, "", d.send(t, old("server/discover", `{}`)))
			notes := d.peer.sent()
			if len(notes) != 2 {
				t.Fatalf("the calls sent %q", notes)
			}
			o.message(t, "ProgressNotification", "", notes[0])
			o.message(t, "LoggingMessageNotification", "", notes[1])
			checkQuestions(t, o, d)
		})
	}
}

// checkQuestions lets a tool ask for everything its revision has.
func checkQuestions(t *testing.T, o *official, d *door) {
	t.Helper()
	types := map[string]string{"roots/list": "ListRootsRequest", "sampling/createMessage": "CreateMessageRequest", "elicitation/create": "ElicitRequest"}
	asked := 0
	d.peer.notify = func(_ context.Context, text string) error {
		message, err := jsonrpc.Scan([]byte(text), 0)
		if err != nil {
			t.Error(err)
			return err
		}
		o.message(t, types[string(message.Method)], "", text)
		asked++
		answer, err := jsonrpc.Scan(jsonrpc.AppendResult(nil, message.ID, []byte(`{}`)), 0)
		if err != nil {
			t.Error(err)
			return err
		}
		d.session.Deliver(&answer)
		return nil
	}
	o.message(t, "CallToolResult", "result", d.send(t, old("tools/call", `{"name":"questions"}`)))
	want := 2
	if d.session.Version() >= mcp.Version20250618 {
		want++
	}
	if d.session.Version() >= mcp.Version20251125 {
		want++
	}
	if asked != want {
		t.Errorf("the client was asked %d times, want %d", asked, want)
	}
}
