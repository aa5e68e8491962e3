package mcp_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

// A question is written as each revision knows it, and not at all when it does
// not. Each form is checked by the official schema.
func TestInputRequestsByRevision(t *testing.T) {
	t.Parallel()
	text := func(s string) mcp.SamplingContent { return mcp.SamplingContent{&mcp.TextContent{Text: s}} }
	ask := func(content mcp.SamplingContent) *mcp.CreateMessageParams {
		return &mcp.CreateMessageParams{Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: content}}, MaxTokens: 9}
	}
	withTools := ask(text("a"))
	withTools.Tools = []mcp.Tool{{Name: "t"}}
	withChoice := ask(text("a"))
	withChoice.ToolChoice = &mcp.ToolChoice{Mode: "none"}
	const asked = `{"messages":[{"role":"user","content":{"type":"text","text":"a\u2028"}}],"maxTokens":9}`
	tests := []struct {
		name    string
		request mcp.InputRequest
		want    map[mcp.Version]string // absent: the revision has no such request
	}{
		{"form", &mcp.ElicitFormParams{Message: "Sure?", RequestedSchema: []byte(`{"type":"object", "properties":{"ok":{"type":"boolean"}}}`)}, map[mcp.Version]string{
			mcp.Version20250618: `{"message":"Sure?","requestedSchema":{"type":"object", "properties":{"ok":{"type":"boolean"}}}}`,
			mcp.Version20251125: `{"mode":"form","message":"Sure?","requestedSchema":{"type":"object", "properties":{"ok":{"type":"boolean"}}}}`,
			mcp.Version20260728: `{"mode":"form","message":"Sure?","requestedSchema":{"type":"object", "properties":{"ok":{"type":"boolean"}}}}`,
		}},
		{"form without fields", &mcp.ElicitFormParams{Message: "Sure?"}, map[mcp.Version]string{
			mcp.Version20250618: `{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}`,
			mcp.Version20251125: `{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{}}}`,
			mcp.Version20260728: `{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{}}}`,
		}},
		{"link", &mcp.ElicitURLParams{Message: "Pay", URL: "https://example.com/pay", ElicitationID: "e1"}, map[mcp.Version]string{
			mcp.Version20251125: `{"mode":"url","message":"Pay","elicitationId":"e1","url":"https://example.com/pay"}`,
			mcp.Version20260728: `{"mode":"url","message":"Pay","url":"https://example.com/pay"}`,
		}},
		{"link without id", &mcp.ElicitURLParams{Message: "Pay", URL: "https://example.com/pay"}, map[mcp.Version]string{
			mcp.Version20251125: `{"mode":"url","message":"Pay","elicitationId":"87f47ef3fab5ce24b3a15e028b8bbf4e","url":"https://example.com/pay"}`,
			mcp.Version20260728: `{"mode":"url","message":"Pay","url":"https://example.com/pay"}`,
		}},
		{"text for the model", ask(text("a\u2028")), map[mcp.Version]string{
			mcp.Version20241105: asked, mcp.Version20250326: asked, mcp.Version20250618: asked, mcp.Version20251125: asked, mcp.Version20260728: asked,
		}},
		{"sound for the model", ask(mcp.SamplingContent{&mcp.AudioContent{MIMEType: "audio/wav"}}), since(mcp.Version20250326,
			`{"messages":[{"role":"user","content":{"type":"audio","data":"","mimeType":"audio/wav"}}],"maxTokens":9}`)},
		{"two blocks for the model", ask(append(text("a"), text("b")...)), since(mcp.Version20251125,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}],"maxTokens":9}`)},
		{"a tool's result for the model", ask(mcp.SamplingContent{&mcp.ToolResultContent{ToolUseID: "1"}}), since(mcp.Version20251125,
			`{"messages":[{"role":"user","content":{"type":"tool_result","toolUseId":"1","content":[]}}],"maxTokens":9}`)},
		{"tools for the model", withTools, since(mcp.Version20251125,
			`{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":9,"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)},
		{"tool choice for the model", withChoice, since(mcp.Version20251125,
			`{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":9,"toolChoice":{"mode":"none"}}`)},
		{"roots", &mcp.ListRootsParams{}, since(mcp.Version20241105, ``)},
		{"roots with _meta", &mcp.ListRootsParams{Meta: mcp.Meta(`{"a":1}`)}, since(mcp.Version20241105, `{"_meta":{"a":1}}`)},
	}
	types := map[string]string{
		mcp.MethodElicitationCreate:     "ElicitRequest",
		mcp.MethodSamplingCreateMessage: "CreateMessageRequest",
		mcp.MethodRootsList:             "ListRootsRequest",
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, version := range append(mcp.Versions(), "2027-01-01", "") {
				params, ok := test.request.ParamsFor(version)
				want, exists := test.want[version]
				if ok != exists || string(params) != want {
					t.Errorf("%q: %s, %v; want %s, %v", version, params, ok, want, exists)
				}
				if !ok || params == nil {
					continue
				}
				checkOfficial(t, version, types[test.request.Method()]+"/properties/params", params)
				again, err := mcp.DecodeInputRequest(test.request.Method(), params)
				if err != nil {
					t.Errorf("%s: %v", version, err)
				} else if second, _ := again.ParamsFor(version); !bytes.Equal(second, params) {
					t.Errorf("%s: read and written again: %s, want %s", version, second, params)
				}
			}
		})
	}
}

func since(first mcp.Version, params string) map[mcp.Version]string {
	want := map[mcp.Version]string{}
	for _, version := range mcp.Versions() {
		if version >= first {
			want[version] = params
		}
	}
	return want
}

func TestRequiredCapabilities(t *testing.T) {
	t.Parallel()
	var requests mcp.InputRequests
	check := func(want string) {
		t.Helper()
		if got, err := json.Marshal(requests.Required()); err != nil || string(got) != want {
			t.Errorf("required is %s (%v), want %s", got, err, want)
		}
	}
	check(`{}`)
	requests.Add("ok", &mcp.ElicitFormParams{Message: "?"})
	check(`{"elicitation":{"form":{}}}`)
	requests.Add("pay", &mcp.ElicitURLParams{})
	check(`{"elicitation":{"form":{},"url":{}}}`)
	requests.Add("say", &mcp.CreateMessageParams{})
	check(`{"sampling":{},"elicitation":{"form":{},"url":{}}}`)
	requests.Add("use", &mcp.CreateMessageParams{Tools: []mcp.Tool{}})
	requests.Add("again", &mcp.CreateMessageParams{})
	requests.Add("where", &mcp.ListRootsParams{})
	requests.Add("what", &mcp.UnknownInputRequest{MethodName: "camera/shoot"})
	requests.Add("nothing", nil)
	check(`{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`)
}

// Questions are asked in the order they were given, so the order must survive
// an object on the wire.
func TestInputRequestsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	requests := mcp.InputRequests{
		{Key: "z\"", Request: &mcp.ListRootsParams{}, Unknown: []byte(`{"x":1}`)},
		{Key: "nothing"},
		{Key: "a", Request: &mcp.UnknownInputRequest{MethodName: "camera/shoot"}},
	}
	const want = `{"z\"":{"method":"roots/list","x":1},"a":{"method":"camera/shoot"}}`
	got, err := json.Marshal(requests)
	if err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	if _, ok := requests[2].Request.ParamsFor(mcp.LatestLegacy); ok {
		t.Error("an unknown request belongs to an old revision")
	}
}

func TestInputResponses(t *testing.T) {
	t.Parallel()
	var responses mcp.InputResponses
	if err := json.Unmarshal([]byte(`{"z":{"action":"accept"},"\u0061":{"action":"cancel"}}`), &responses); err != nil {
		t.Fatal(err)
	}
	if value, ok := responses.Get("a"); !ok || string(value) != `{"action":"cancel"}` {
		t.Errorf("a is %s, %v", value, ok)
	}
	if _, ok := responses.Get("b"); ok {
		t.Error("b was found")
	}
	responses.Set("z", []byte(`{"action":"decline"}`))
	responses.Set("b", []byte(`{}`))
	got, err := json.Marshal(responses)
	if want := `{"z":{"action":"decline"},"a":{"action":"cancel"},"b":{}}`; err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	responses.Set("c", []byte(`{`))
	if got, err := json.Marshal(responses); err == nil {
		t.Errorf("broken JSON was written: %s", got)
	}
	if got, err := json.Marshal(mcp.InputResponses(nil)); err != nil || string(got) != `{}` {
		t.Errorf("no answers are written %s (%v)", got, err)
	}
}

func TestDecodeInputRequestRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ method, params string }{
		{"", `{}`},
		{mcp.MethodRootsList, `[]`},
		{mcp.MethodRootsList, `{`},
		{mcp.MethodElicitationCreate, ``},
		{mcp.MethodElicitationCreate, `[]`},
		{mcp.MethodElicitationCreate, `{"mode":"url","url":1}`},
		{mcp.MethodSamplingCreateMessage, `{"messages":[{"content":[1]}]}`},
		{"camera/shoot", `{"a":1,"a":2}`},
	} {
		if request, err := mcp.DecodeInputRequest(test.method, []byte(test.params)); err == nil {
			t.Errorf("%s with %s was taken for a %T", test.method, test.params, request)
		}
	}
}

// FuzzInputRequests holds that requests which can be read can be written, and
// then are the same for ever, in every revision that has them.
func FuzzInputRequests(f *testing.F) {
	f.Add([]byte(`{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"},"x":1}},"b":{"method":"roots/list"}}`))
	f.Add([]byte(`{"u":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u","elicitationId":"e"}}}`))
	f.Add([]byte(`{"m":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"temperature":1,"maxTokens":1}}}`))
	f.Add([]byte("{\"x\":{\"method\":\"camera/shoot\",\"params\":[\n1],\"y\":{}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var first mcp.InputRequests
		if jsonscan.Check(text, 0) != nil || json.Unmarshal(text, &first) != nil {
			return
		}
		written := first.AppendTo(nil)
		var second mcp.InputRequests
		if err := json.Unmarshal(written, &second); err != nil {
			t.Fatalf("%s was written for %s and cannot be read: %v", written, text, err)
		}
		if again := second.AppendTo(nil); !bytes.Equal(again, written) || bytes.ContainsAny(written, "\n\r") {
			t.Fatalf("%s is written %s, and then %s", text, written, again)
		}
		for _, entry := range first {
			for _, version := range mcp.Versions() {
				if params, ok := entry.Request.ParamsFor(version); ok && params != nil {
					if err := jsonscan.Check(params, jsonscan.DefaultDepth+1); err != nil {
						t.Fatalf("%s for %s is no JSON: %v", params, version, err)
					}
				}
			}
		}
	})
}
