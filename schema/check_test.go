package schema_test

import (
	"strings"
	"testing"

	"helpdesk/schema"
)

// TestNumbersAreExact compares numbers no floating point could tell apart, on
// both ways of checking.
func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		schema string
		value  string
		want   bool
	}{
		{`"type":"integer"`, `1.0`, true},
		{`"type":"integer"`, `1e2`, true},
		{`"type":"integer"`, `120e-1`, true},
		{`"type":"integer"`, `1.5`, false},
		{`"type":"integer"`, `-0.0`, true},
		{`"type":"integer"`, `12345678901234567890123.0`, true},
		{`"type":"integer"`, `12345678901234567890123.00000000000000000000000000000000001`, false},
		{`"multipleOf":0.1`, `0.3`, true},
		{`"multipleOf":0.01`, `19.99`, true},
		{`"multipleOf":0.01`, `19.999`, false},
		{`"multipleOf":3`, `1e300`, false},
		{`"multipleOf":8`, `1e300`, true},
		{`"multipleOf":12345678901234567890123`, `24691357802469135780246`, true},
		{`"multipleOf":12345678901234567890123`, `24691357802469135780247`, false},
		{`"multipleOf":9007199254740993`, `9007199254740992`, false},
		{`"maximum":9007199254740992`, `9007199254740993`, false},
		{`"exclusiveMinimum":-1e-300`, `-1e-301`, true},
		{`"exclusiveMinimum":0`, `-0`, false},
		{`"minimum":-2.50`, `-2.5`, true},
		{`"minimum":-2.5`, `-2.51`, false},
		{`"const":1`, `1.0`, true},
		{`"enum":[100]`, `1e2`, true},
		{`"enum":[9007199254740993]`, `9007199254740992`, false},
		{`"enum":[{"a":[1,{"b":2.0}]}]`, `{"a":[1.0,{"b":2}]}`, true},
		{`"uniqueItems":true`, `[1,1.0]`, false},
		{`"uniqueItems":true`, `[1,"1",[1],{"a":1},true]`, true},
		{`"uniqueItems":true`, `[{"a":1,"b":2},{"b":2,"a":1.0}]`, false},
		{`"uniqueItems":true`, `["a","\u0061"]`, false},
		{`"maxLength":2`, `"😀é"`, true},
		{`"maxLength":2`, `"\ud83d\ude00\u00e9"`, true},
		{`"minLength":3`, `"e\u0301"`, false},
		{`"minLength":2e0`, `"ab"`, true},
	} {
		for _, text := range []string{`{` + test.schema + `}`, `{` + test.schema + `,"allOf":[{}]}`} {
			if got := compile(t, text).Valid([]byte(test.value)); got != test.want {
				t.Errorf("%s of %s: got %t", text, test.value, got)
			}
		}
	}
}

// TestCoercion lists what is converted and, as important, what is not.
func TestCoercion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, schema, value string
		want                string // empty when the value is refused
	}{
		{"an integer for a string", `{"type":"string"}`, `2318`, `"2318"`},
		{"a negative one", `{"type":"string"}`, `-5`, `"-5"`},
		{"one that no float holds", `{"type":"string"}`, `9007199254740993`, `"9007199254740993"`},
		{"that then breaks the pattern", `{"type":"string","pattern":"^a"}`, `2318`, ``},
		{"not 2318.0, whose text is a guess", `{"type":"string"}`, `2318.0`, ``},
		{"nor 1e3", `{"type":"string"}`, `1e3`, ``},
		{"nor -0", `{"type":"string"}`, `-0`, ``},
		{"nor a boolean", `{"type":"string"}`, `true`, ``},
		{"nor null", `{"type":"string"}`, `null`, ``},
		{"a string for an integer", `{"type":"integer"}`, `"12"`, `12`},
		{"beyond the bounds", `{"type":"integer","maximum":10}`, `"12"`, ``},
		{"not with spaces", `{"type":"integer"}`, `" 12"`, ``},
		{"nor leading zeros", `{"type":"integer"}`, `"012"`, ``},
		{"nor a plus", `{"type":"integer"}`, `"+12"`, ``},
		{"nor a fraction", `{"type":"integer"}`, `"12.0"`, ``},
		{"nor -0", `{"type":"integer"}`, `"-0"`, ``},
		{"nor nothing", `{"type":"integer"}`, `""`, ``},
		{"a string for a number", `{"type":"number"}`, `"-12.50"`, `-12.50`},
		{"not with an exponent", `{"type":"number"}`, `"1e3"`, ``},
		{"nor Infinity", `{"type":"number"}`, `"Infinity"`, ``},
		{"true", `{"type":"boolean"}`, `"true"`, `true`},
		{"false", `{"type":"boolean"}`, `"false"`, `false`},
		{"not True", `{"type":"boolean"}`, `"True"`, ``},
		{"nor 1", `{"type":"boolean"}`, `1`, ``},
		{"an array in a string", `{"type":"array","items":{"type":"string"}}`, `"[\"a\"]"`, `["a"]`},
		{"with wrong types inside", `{"type":"array","items":{"type":"string"}}`, `" [1, \"b\"] "`, `["1","b"]`},
		{"with what cannot be put right", `{"type":"array","items":{"type":"string"}}`, `"[true]"`, ``},
		{"that is broken", `{"type":"array"}`, `"[1,"`, ``},
		{"with a name twice", `{"type":"object"}`, `"{\"a\":1,\"a\":2}"`, ``},
		{"an object in a string", `{"type":"object","required":["a"]}`, `"{\"a\":{}}"`, `{"a":{}}`},
		{"not an array for an object", `{"type":"object"}`, `"[]"`, ``},
		{"a union that takes the value keeps it", `{"type":["string","integer"]}`, `"12"`, `"12"`},
		{"one that does not", `{"type":["integer","null"]}`, `"12"`, `12`},
		{"null is not made", `{"type":["integer","null"]}`, `"null"`, ``},
		{"without a type nothing is expected", `{"enum":[1]}`, `"1"`, ``},
		{"enum after converting", `{"type":"integer","enum":[1]}`, `"1"`, `1`},
		{"deep down", `{"properties":{"a":{"items":{"additionalProperties":{"type":"integer"}}}}}`, `{"a": [ {"b": "1", "c": 2} ], "d":"1"}`, `{"a":[{"b":1,"c":2}],"d":"1"}`},
		{"names keep their escapes", `{"properties":{"é":{"type":"integer"}}}`, `{"\u00e9":"1"}`, `{"\u00e9":1}`},
		{"never what converting would spoil", `{"items":{"type":"string"},"uniqueItems":true}`, `[1,"1"]`, ``},
		{"in a schema for the library", `{"allOf":[{"required":["a"]}],"properties":{"a":{"type":"integer"}}}`, `{"a":"1"}`, `{"a":1}`},
		{"which has the last word", `{"properties":{"a":{"type":"integer","not":{"const":1}}}}`, `{"a":"1"}`, ``},
		{"also about pattern properties", `{"properties":{"a":{"type":"integer"}},"patternProperties":{"^b":{"type":"string"}},"additionalProperties":false}`, `{"a":"1","b":"2"}`, `{"a":1,"b":"2"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := compile(t, test.schema)
			r := s.Check([]byte(test.value))
			if test.want == "" {
				if len(r.Problems) == 0 || len(r.Coerced) > 0 || string(r.Value) != test.value {
					t.Errorf("%s became %s", test.value, r.Value)
				}
				return
			}
			if len(r.Problems) > 0 || string(r.Value) != test.want {
				t.Errorf("%s became %s: %s", test.value, r.Value, schema.Message(r.Problems))
			}
			if changed := test.value != test.want; changed != (len(r.Coerced) > 0) {
				t.Errorf("%d conversions are reported", len(r.Coerced))
			}
			if strict := s.Check([]byte(test.value), schema.StrictTypes()); (len(strict.Problems) > 0) != (len(r.Coerced) > 0) {
				t.Errorf("with StrictTypes the problems are %v", strict.Problems)
			}
		})
	}
}

// TestOriginalIsReported holds that a model reads its own value back, not one
// we made of it.
func TestOriginalIsReported(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"properties":{"ids":{"type":"array","items":{"type":"string"},"uniqueItems":true},"n":{"type":"integer","maximum":5}}}`)
	for value, want := range map[string]string{
		`{"ids":[1,"1"]}`: `Argument "ids[0]" is 1, but must be a string.`,
		`{"n":"12"}`:      `Argument "n" is "12", but must be an integer.`,
		`{"ids":"[1,1]"}`: `Argument "ids" is "[1,1]", but must be an array.`,
	} {
		if got := schema.Message(s.Check([]byte(value)).Problems); got != want {
			t.Errorf("%s: got %s", value, got)
		}
	}
}

// TestGoodInputTakesNoMemory holds the promise of the fast path.
func TestGoodInputTakesNoMemory(t *testing.T) {
	for _, test := range []struct{ schema, value string }{
		{getTicketInput, `{"ticket_id":"2318"}`},
		{getTicketOutput, ticket2318},
		{everyFastKeyword, `{"name":"abc","count":12,"ratio":0.5,"status":"open","fixed":"x","flag":true,"rows":[1,2],"nested":{"amount":0.3,"nested":{"a":1}}}`},
	} {
		s := compile(t, test.schema)
		value := []byte(test.value)
		allocs := testing.AllocsPerRun(100, func() {
			if r := s.Check(value); len(r.Problems) > 0 || &r.Value[0] != &value[0] {
				t.Fatal(schema.Message(r.Problems))
			}
			if !s.Valid(value) || s.Problems(value) != nil {
				t.Fatal("Valid and Problems see it differently")
			}
		})
		if allocs != 0 {
			t.Errorf("%s takes %v allocations", test.value, allocs)
		}
	}
}

// TestManyProperties goes beyond what is tried one by one, and beyond what the
// fast path keeps track of.
func TestManyProperties(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 8, 9, 64, 65, 256, 257, 1000} {
		var properties, names, members []string
		for i := range n {
			name := `"p` + strings.Repeat("x", i) + `"`
			properties = append(properties, name+`:{"type":"integer"}`)
			names = append(names, name)
			members = append(members, name+`:1`)
		}
		s := compile(t, `{"properties":{`+strings.Join(properties, ",")+`},"required":[`+strings.Join(names, ",")+`],"additionalProperties":false}`)
		if !s.Valid([]byte(`{` + strings.Join(members, ",") + `}`)) {
			t.Errorf("%d properties: all of them should do", n)
		}
		if s.Valid([]byte(`{` + strings.Join(members[1:], ",") + `}`)) {
			t.Errorf("%d properties: the first is missing", n)
		}
		if got := s.Problems([]byte(`{}`)); len(got) != min(n, 21) {
			t.Errorf("%d properties: an empty object has %d problems", n, len(got))
		}
	}
}
