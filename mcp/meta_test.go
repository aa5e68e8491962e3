package mcp_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

func TestMetaWith(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, meta, key, value, want string
	}{
		{"into none", ``, "a", `1`, `{"a":1}`},
		{"into an empty one", ` { } `, "a", `1`, `{"a":1}`},
		{"at the end", `{"z": {"x" : 1}, "b":2}`, "a", `"v"`, `{"z":{"x" : 1},"b":2,"a":"v"}`},
		{"in its place", `{"z":1,"a":{"b":2},"y":3}`, "a", `null`, `{"z":1,"a":null,"y":3}`},
		{"under an escaped name", `{"\u0061":1,"y":3}`, "a", `2`, `{"\u0061":2,"y":3}`},
		{"a name to escape", `{}`, "a\"\n", `2`, `{"a\"\n":2}`},
		{"what is no object", `7`, "a", `2`, `{"a":2}`},
		{"a list", `[1]`, "a", `2`, `{"a":2}`},
	}
	for _, test := range tests {
		meta := mcp.Meta(test.meta)
		got := meta.With(test.key, []byte(test.value))
		if string(got) != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if string(meta) != test.meta {
			t.Errorf("%s: the original became %s", test.name, meta)
		}
		if value, ok := got.Get(test.key); !ok || string(value) != test.value {
			t.Errorf("%s: Get gives %s, %v", test.name, value, ok)
		}
	}
}

func TestMetaGet(t *testing.T) {
	t.Parallel()
	meta := mcp.Meta(` {"n": 12, "s":"a\u00e9\n", "o":{"in":1}} `)
	if value, ok := meta.Get("n"); !ok || string(value) != "12" {
		t.Errorf("n is %s, %v", value, ok)
	}
	if value, ok := meta.Get("in"); ok {
		t.Errorf("a key of an inner object was found: %s", value)
	}
	if value, ok := meta.GetString("s"); !ok || value != "aé\n" {
		t.Errorf("s is %q, %v", value, ok)
	}
	for _, key := range []string{"n", "o", "absent"} {
		if value, ok := meta.GetString(key); ok {
			t.Errorf("%s is the string %q", key, value)
		}
	}
	if _, ok := mcp.Meta(nil).Get("a"); ok {
		t.Error("a nil Meta has a key")
	}
}

func TestMetaMustBeAnObject(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`1`, `"a"`, `[]`, `true`} {
		if _, err := json.Marshal(mcp.Meta(text)); err == nil {
			t.Errorf("%s was written as _meta", text)
		}
	}
	if got, err := json.Marshal(mcp.Meta(nil)); err != nil || string(got) != "null" {
		t.Errorf("a nil Meta by itself is written %s (%v)", got, err)
	}
}

func TestValidateMetaKey(t *testing.T) {
	t.Parallel()
	tests := []struct {
		key     string
		problem string // empty: valid
	}{
		{"progressToken", ""},
		{"io.modelcontextprotocol/clientInfo", ""},
		{"dev.helpdesk/idempotencyKey", ""},
		{"claudecode/toolUseId", ""},
		{"x-codex-turn-metadata", ""},
		{"a-1.b/x_y.z-1", ""},
		{"com.example/", ""}, // A name may be empty.
		{"", ""},
		{"/name", "its prefix"},
		{"1com.example/a", `label "1com"`},
		{"com..example/a", `label ""`},
		{"com.example-/a", `label "example-"`},
		{"com.exa_mple/a", `label "exa_mple"`},
		{"com.example/a/b", "may hold only"},
		{"_name", "begin and end"},
		{"name.", "begin and end"},
		{"na me", "may hold only"},
		{"näme", "may hold only"},
	}
	for _, test := range tests {
		err := mcp.ValidateMetaKey(test.key)
		if test.problem == "" && err != nil || test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("ValidateMetaKey(%q) = %v, want %q", test.key, err, test.problem)
		}
	}
}

func TestReservedMetaKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"io.modelcontextprotocol/":          true,
		"dev.mcp/x":                         true,
		"org.modelcontextprotocol.api/x":    true,
		"com.mcp.tools/x":                   true,
		"com.example.mcp/x":                 false,
		"mcp/x":                             false,
		"com.mcpx/x":                        false,
		"io.modelcontextprotocol":           false, // No slash: a name, not a prefix.
		mcp.MetaProgressToken:               true,
		mcp.MetaTraceparent:                 true,
		mcp.MetaTracestate:                  true,
		mcp.MetaBaggage:                     true,
		mcp.MetaServerInfo:                  true,
		mcp.MetaIdempotencyKey:              false,
		mcp.MetaClaudeToolUseID:             false,
		mcp.MetaCodexCallID:                 false,
		"x.modelcontextprotocol.y/progress": true,
	} {
		if got := mcp.ReservedMetaKey(key); got != want {
			t.Errorf("ReservedMetaKey(%q) = %v, want %v", key, got, want)
		}
	}
}

// FuzzMeta holds that putting a key into any object gives an object that has
// the key and everything else as it was.
func FuzzMeta(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":{"c":[2]}}`), "b", []byte(`"new"`))
	f.Add([]byte(`{"\u0061":1}`), "a", []byte(`{}`))
	f.Add([]byte(`{ }`), "\"", []byte("[\n1]"))
	f.Fuzz(func(t *testing.T, object []byte, key string, value []byte) {
		if jsonscan.Check(object, 0) != nil || jsonscan.KindOf(jsonscan.Trim(object)) != jsonscan.Object ||
			jsonscan.Check(value, 0) != nil || jsonscan.Check(jsonscan.AppendQuoted(nil, key), 0) != nil ||
			jsonscan.Unquote(jsonscan.AppendQuoted(nil, key)) != key {
			return
		}
		before := mcp.Meta(object)
		after := before.With(key, value)
		if err := jsonscan.Check(after, jsonscan.DefaultDepth+1); err != nil {
			t.Fatalf("%s with %q: %s gives %s: %v", object, key, value, after, err)
		}
		got, ok := after.Get(key)
		if !ok || !bytes.Equal(jsonscan.AppendCanonical(nil, got), jsonscan.AppendCanonical(nil, value)) {
			t.Fatalf("%q holds %s, want %s", key, got, value)
		}
		for it := jsonscan.Iterate(jsonscan.Trim(object)); it.Next(); {
			name := jsonscan.UnescapeName(it.Name())
			if now, ok := after.Get(name); name != key && (!ok || !bytes.Equal(now, it.Value())) {
				t.Fatalf("%q held %s and now holds %s", name, it.Value(), now)
			}
		}
	})
}
