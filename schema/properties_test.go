package schema_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestProperties reads what a list of tools shows of the arguments.
func TestProperties(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"type":"object","properties":{
		"z":{"type":"string","description":"First, e.g. abc.","pattern":"^[a-z]+$"},
		"a":{"type":["integer","null"],"examples":[7]},
		"ref":{"$ref":"#/$defs/n"},"choice":{"anyOf":[{"type":"boolean"},{"$ref":"#/$defs/n"},{"type":"null"}]},
		"kind":{"enum":["x",1]},"free":true,"\u00e9":{"type":"string","description":"e.g. 12 apples","pattern":"^a"},
		"loop":{"$ref":"#/properties/loop2"},"loop2":{"type":"array","items":{"$ref":"#/properties/loop"}}
	},"$defs":{"n":{"type":"number"}},"required":["z","kind"]}`)
	var b strings.Builder
	for _, p := range s.Properties() {
		fmt.Fprintf(&b, "%s %v required=%t example=%s enum=%s\n", p.Name, p.Types, p.Required, p.Example, p.Enum)
	}
	want := `z [string] required=true example="abc" enum=[]
a [integer null] required=false example=7 enum=[]
ref [number] required=false example= enum=[]
choice [boolean number null] required=false example= enum=[]
kind [] required=true example= enum=["x" 1]
free [] required=false example= enum=[]
é [string] required=false example= enum=[]
loop [array] required=false example= enum=[]
loop2 [array] required=false example= enum=[]
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if got := compile(t, `true`).Properties(); got != nil {
		t.Errorf("a boolean schema has the properties %v", got)
	}
}

// TestRootIsObject shows what the protocol takes as the schema of a tool.
func TestRootIsObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"type":"object"}`: true, ` {"title":"t","type":"object"}`: true,
		`{"type":["object"]}`: false, `{"type":"array"}`: false, `{}`: false, `true`: false, `{"properties":{}}`: false,
	} {
		if got := compile(t, text).RootIsObject(); got != want {
			t.Errorf("%s: got %t", text, got)
		}
	}
}

// TestCheckExamples finds the example that teaches the fault.
func TestCheckExamples(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ schema, want string }{
		{getTicketInput, ""},
		{`{"properties":{"a":{"type":"integer","examples":[1,2],"default":3}},"examples":[{"a":1}]}`, ""},
		{`{"properties":{"a":{"type":"integer","default":"3"}}}`, `the default "3" at /properties/a breaks its own schema: it must be an integer (type)`},
		{`{"properties":{"a":{"type":"integer"}},"examples":[{"a":1},{"a":"1"}]}`, `the example {"a":"1"} at the root breaks its own schema: "a" must be an integer (type)`},
		{`{"items":{"additionalProperties":{"enum":["a"],"examples":["b"]}}}`, `at /items/additionalProperties`},
		{`{"$defs":{"n":{"minimum":1,"examples":[0]}}}`, `at /$defs/n`},
		{`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`, ""},
		{`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":1}}}`, `the default 1 at /properties/a breaks its own schema: it must be a string or null (anyOf)`},
		{`{"properties":{"a":{"$ref":"#/$defs/n","default":0}},"$defs":{"n":{"minimum":1}}}`, `the default 0 at /properties/a breaks its own schema: it must be at least 1 (minimum)`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/n","default":0}},"definitions":{"n":{"minimum":1}}}`, `the default 0`},
		{`{"properties":{"examples":{"type":"string"},"default":{"type":"string"}}}`, ""},
	} {
		err := compile(t, test.schema).CheckExamples()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %s", test.schema, err, test.want)
		}
	}
}
