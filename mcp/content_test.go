package mcp_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

func TestAppendContent(t *testing.T) {
	t.Parallel()
	priority, unmeasured, size := 1.0, math.NaN(), int64(1<<53+1)
	tests := []struct {
		name    string
		content mcp.Content
		want    string
	}{
		{"text", &mcp.TextContent{Text: "\"<>&\u2028\xff"}, `{"type":"text","text":"\"<>&\u2028` + "\ufffd" + `"}`},
		{"text with all", &mcp.TextContent{Text: "a", Annotations: &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}, Priority: &priority}, Meta: mcp.Meta(`{}`), Unknown: []byte(`{"x": 1}`)},
			`{"type":"text","text":"a","annotations":{"audience":["user"],"priority":1},"x":1,"_meta":{}}`},
		{"what is no number is left out", &mcp.TextContent{Annotations: &mcp.Annotations{Priority: &unmeasured}}, `{"type":"text","text":"","annotations":{}}`},
		{"image", &mcp.ImageContent{Data: []byte{0xfb, 0xff}, MIMEType: "image/png"}, `{"type":"image","data":"+/8=","mimeType":"image/png"}`},
		{"audio", &mcp.AudioContent{MIMEType: "audio/wav"}, `{"type":"audio","data":"","mimeType":"audio/wav"}`},
		{"link", &mcp.ResourceLink{URI: "a:b", Name: "b", Size: &size}, `{"type":"resource_link","uri":"a:b","name":"b","size":9007199254740993}`},
		{"text resource", &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "a:b"}}, `{"type":"resource","resource":{"uri":"a:b","text":""}}`},
		{"bytes resource", &mcp.EmbeddedResource{Resource: mcp.ResourceContents{URI: "a:b", Blob: []byte{}}}, `{"type":"resource","resource":{"uri":"a:b","blob":""}}`},
		{"tool use", &mcp.ToolUseContent{ID: "1", Name: "n"}, `{"type":"tool_use","id":"1","name":"n","input":{}}`},
		{"tool result", &mcp.ToolResultContent{ToolUseID: "1"}, `{"type":"tool_result","toolUseId":"1","content":[]}`},
		{"unknown, verbatim", &mcp.UnknownContent{Raw: []byte(` { "type" : "video", "x":"\u00e9" } `)}, `{ "type" : "video", "x":"\u00e9" }`},
		{"unknown, on one line", &mcp.UnknownContent{Raw: []byte("{\n \"type\":\"video\"}")}, `{"type":"video"}`},

		// A list of blocks has no place for null, and hosts fail on it.
		{"nil", nil, `{"type":"text","text":""}`},
		{"nil text", (*mcp.TextContent)(nil), `{"type":"text","text":""}`},
		{"nil image", (*mcp.ImageContent)(nil), `{"type":"text","text":""}`},
		{"nil audio", (*mcp.AudioContent)(nil), `{"type":"text","text":""}`},
		{"nil link", (*mcp.ResourceLink)(nil), `{"type":"text","text":""}`},
		{"nil resource", (*mcp.EmbeddedResource)(nil), `{"type":"text","text":""}`},
		{"nil tool use", (*mcp.ToolUseContent)(nil), `{"type":"text","text":""}`},
		{"nil tool result", (*mcp.ToolResultContent)(nil), `{"type":"text","text":""}`},
		{"empty unknown", &mcp.UnknownContent{}, `{"type":"text","text":""}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := mcp.AppendContent([]byte("["), test.content)
			if string(got) != "["+test.want {
				t.Errorf("got  %s\nwant [%s", got, test.want)
			}
			if err := jsonscan.Check(got[1:], 0); err != nil {
				t.Errorf("%s is no JSON: %v", got[1:], err)
			}
		})
	}
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	for want, content := range map[string]mcp.Content{
		"text":          &mcp.TextContent{},
		"image":         &mcp.ImageContent{},
		"audio":         &mcp.AudioContent{},
		"resource_link": &mcp.ResourceLink{},
		"resource":      &mcp.EmbeddedResource{},
		"tool_use":      &mcp.ToolUseContent{},
		"tool_result":   &mcp.ToolResultContent{},
		"video":         &mcp.UnknownContent{Raw: []byte(`{"type":"video"}`)},
		"":              (*mcp.UnknownContent)(nil),
	} {
		if got := content.Type(); got != want {
			t.Errorf("%T is of type %q, want %q", content, got, want)
		}
	}
}

func TestContentListIsNeverNull(t *testing.T) {
	t.Parallel()
	for _, list := range []mcp.ContentList{nil, {}} {
		got, err := json.Marshal(mcp.CallToolResult{Content: list})
		if err != nil || string(got) != `{"content":[]}` {
			t.Errorf("%#v is written %s (%v)", list, got, err)
		}
	}
}

// What is decoded must not change when the buffer it came from is used again.
func TestDecodedContentKeepsNothingOfTheText(t *testing.T) {
	t.Parallel()
	for _, block := range []string{
		`{"type":"text","text":"abc","x":[1],"_meta":{"k":1}}`,
		`{"type":"image","data":"AAEC","mimeType":"image/png"}`,
		`{"type":"video","x":"abc"}`,
	} {
		text := []byte(block)
		content, err := mcp.DecodeContent(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			text[i] = '#'
		}
		if got := mcp.AppendContent(nil, content); string(got) != block {
			t.Errorf("after its text was overwritten, %s is %s", block, got)
		}
	}
}

func TestDecodeContentRefuses(t *testing.T) {
	t.Parallel()
	deep := `{"type":"x","a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`
	for _, text := range []string{``, `{`, `null`, `"text"`, `[]`, `{}`, `{"type":"text"} x`, `{"type":"text","type":"text"}`, `{"type":"text","text":"\ud800"}`, deep} {
		if content, err := mcp.DecodeContent([]byte(text)); err == nil {
			t.Errorf("%.40s was taken for a %T", text, content)
		}
	}
}

// FuzzContent holds that what can be read can be written without losing
// anything, and then is the same for ever.
func FuzzContent(f *testing.F) {
	for _, block := range []string{
		`{"type":"text","text":"a","annotations":{"audience":["user"],"priority":0.1,"x":1},"_meta":{"a":1},"y":2}`,
		`{"type":"image","data":"AAEC","mimeType":"image/png"}`,
		`{"type":"audio","data":"","mimeType":"audio/wav"}`,
		`{"type":"resource_link","uri":"a:b","name":"b","size":-1,"icons":[{"src":"s","sizes":[]}]}`,
		`{"type":"resource","resource":{"uri":"a:b","text":"t","blob":""}}`,
		`{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"a"}],"structuredContent":null}`,
		`{"t\u0079pe":"video","a":{ "b" :1e400}}`,
		"{\"type\":\"text\",\n\"text\":null,\"_meta\":{\"a\" :\r\n1},\"x\":[ 1,\n2]}",
	} {
		f.Add([]byte(block))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		first, err := mcp.DecodeContent(text)
		if err != nil {
			return
		}
		written := mcp.AppendContent(nil, first)
		if bytes.ContainsAny(written, "\n\r") {
			t.Fatalf("%q has a line break", written)
		}
		second, err := mcp.DecodeContent(written)
		if err != nil {
			t.Fatalf("%s was written for %s and cannot be read: %v", written, text, err)
		}
		if again := mcp.AppendContent(nil, second); !bytes.Equal(again, written) {
			t.Fatalf("%s is written again as %s", written, again)
		}
		third, err := mcp.DecodeContent(mcp.AppendContent(nil, second))
		if err != nil || !reflect.DeepEqual(second, third) {
			t.Fatalf("%s is read as %#v, and then as %#v (%v)", written, second, third, err)
		}
		// No member is lost that says anything.
		for it := jsonscan.Iterate(jsonscan.Trim(text)); it.Next(); {
			switch string(it.Value()) {
			case `null`, `""`, `false`:
				continue
			}
			if _, ok := jsonscan.Lookup(written, jsonscan.UnescapeName(it.Name())); !ok {
				t.Fatalf("%s lost %s: %s", text, it.Name(), written)
			}
		}
		if _, ok := first.(*mcp.UnknownContent); ok {
			before, after := jsonscan.AppendCanonical(nil, text), jsonscan.AppendCanonical(nil, written)
			if !bytes.Equal(before, after) {
				t.Fatalf("the unknown block %s became %s", before, after)
			}
		}
	})
}

func BenchmarkAppendContentText(b *testing.B) {
	content := mcp.Content(&mcp.TextContent{Text: strings.Repeat(`{"ticket_id":"2318"}`, 10)})
	dst := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		dst = mcp.AppendContent(dst[:0], content)
	}
}
