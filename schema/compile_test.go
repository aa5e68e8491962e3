package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"helpdesk/schema"
)

// TestCompileRefuses lists what is no schema for us, and what is said about it.
func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	doubled := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"a%d":{"$ref":"#/$defs/a%d"},`, i, i+1)
		}
		return fmt.Sprintf(`{"$ref":"#/$defs/a0","$defs":{%s"a%d":{}}}`, b.String(), n)
	}
	for _, test := range []struct{ name, schema, want string }{
		{"no JSON", `{"type":`, "the schema is not JSON"},
		{"a name twice", `{"type":"string","type":"number"}`, "names a member twice"},
		{"no schema", `"string"`, "a schema is an object or a boolean, not a string"},
		{"another dialect", `{"$schema":"http://json-schema.org/draft-04/schema#"}`,
			`the dialect "http://json-schema.org/draft-04/schema#" is not supported; supported are "https://json-schema.org/draft/2020-12/schema" and "http://json-schema.org/draft-07/schema#"`},
		{"another dialect inside", `{"$defs":{"a":{"$id":"a","$schema":"https://example.com/mine"}}}`, `the dialect "https://example.com/mine" is not supported`},
		{"a misspelt type", `{"properties":{"a":{"type":"strng"}}}`, "the schema breaks the rules of JSON Schema: at '/properties/a/type'"},
		{"items of 2019", `{"items":[{}]}`, "at '/items': got array, want boolean or object"},
		{"a file", `{"$ref":"file:///etc/hostname"}`, `a $ref leads to "file:///etc/hostname": nothing is loaded from outside the schema`},
		{"the net", `{"items":{"$ref":"https://example.com/a#/b"}}`, `a $ref leads to "https://example.com/a"`},
		{"a neighbour", `{"$ref":"other.json"}`, `a $ref leads to "other.json"`},
		{"a place that is not there", `{"$ref":"#/$defs/a"}`, "#/$defs/a"},
		{"look-ahead", `{"properties":{"a":{"pattern":"^(?!x)"}}}`, `pattern "^(?!x)" at "/properties/a/pattern" cannot be used: "(?!" is not RE2 syntax; look-ahead and look-behind such as (?=…) or (?!…) are not supported`},
		{"a back-reference", `{"pattern":"(a)\\1"}`, "back-references are not supported"},
		{"a pattern for names", `{"patternProperties":{"(?=a)":{}}}`, `pattern "(?=a)" at "/patternProperties"`},
		{"a huge pattern", `{"pattern":"((a{30}){30}b{1000}){1000}"}`, "repeats too often"},
		{"a large pattern", `{"pattern":"` + strings.Repeat("[a-z]x{900}", 30) + `"}`, "it is too large"},
		{"a huge number", `{"minimum":1e999999999}`, "the number 1e999999999 is too large"},
		{"a huge count", `{"maxLength":1e300}`, `maxLength at "" is too large`},
		{"itself", `{"anyOf":[{"$ref":"#"},{"type":"null"}]}`, "the schema refers to itself without going down into the value"},
		{"a long row", doubled(300), "more than 200 subschemas"},
		{"too deep", strings.Repeat(`{"items":`, 70) + `{}` + strings.Repeat(`}`, 70), "nest too deeply"},
		{"too many", `{"anyOf":[` + strings.Repeat(`{},`, 10_000) + `{}]}`, "too many subschemas"},
		{"too many in a place of its own", `{"$ref":"#/x","x":{"anyOf":[` + strings.Repeat(`{},`, 10_000) + `{}]}}`, "too many subschemas"},
		{"too long", `{"description":"` + strings.Repeat("a", 1<<20) + `"}`, "the schema is too large: 1048594 bytes where 1048576 are allowed"},
		{"names that multiply", `{"properties":{"` + strings.Repeat("a", 500_000) + `":{"required":[` + strings.Repeat(`"",`, 5000) + `""]}}}`, "the names in the schema are too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := schema.Compile([]byte(test.schema))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %v, want %s", err, test.want)
			}
		})
	}
}

// TestCompileErrorTypes shows what a caller can find out about an error.
func TestCompileErrorTypes(t *testing.T) {
	t.Parallel()
	_, err := schema.Compile([]byte(`{"items":{"pattern":"(?<=a)b"}}`))
	var pattern *schema.PatternError
	if !errors.As(err, &pattern) || pattern.Pattern != "(?<=a)b" || pattern.At != "/items/pattern" {
		t.Errorf("got %#v", err)
	}
	_, err = schema.Compile([]byte(`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`))
	var dialect *schema.DialectError
	if !errors.As(err, &dialect) || dialect.URI != "https://json-schema.org/draft/2019-09/schema" {
		t.Errorf("got %#v", err)
	}
}

// TestDialects shows where the two dialects differ.
func TestDialects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, schema, value string
		dialect             schema.Dialect
		want                bool
	}{
		{"the default is 2020-12", `{"prefixItems":[{"type":"null"}]}`, `[1]`, schema.Draft2020, false},
		{"by name", `{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"null"}]}`, `[1]`, schema.Draft2020, false},
		{"http is taken too", `{"$schema":"http://json-schema.org/draft/2020-12/schema#","prefixItems":[{"type":"null"}]}`, `[1]`, schema.Draft2020, false},
		{"draft-07 has no prefixItems", `{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"type":"null"}]}`, `[1]`, schema.Draft7, true},
		{"but items as an array", `{"$schema":"http://json-schema.org/draft-07/schema","items":[{"type":"null"}]}`, `[1]`, schema.Draft7, false},
		{"2020-12 reads what stands beside $ref", `{"$defs":{"a":{}},"$ref":"#/$defs/a","type":"null"}`, `1`, schema.Draft2020, false},
		{"draft-07 does not", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{}},"$ref":"#/definitions/a","type":"null"}`, `1`, schema.Draft7, true},
		{"format is an annotation", `{"format":"date-time"}`, `"x"`, schema.Draft2020, true},
		{"in draft-07 as well", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"date-time","anyOf":[{"format":"ipv4"}]}`, `"x"`, schema.Draft7, true},
		{"a meta-schema is built in", `{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":"strng"}`, schema.Draft2020, false},
		{"and one of the other dialect", `{"$ref":"http://json-schema.org/draft-07/schema#"}`, `{"minLength":-1}`, schema.Draft2020, false},
		{"a reference into a keyword nobody knows", `{"x-shared":{"id":{"type":"string"}},"items":{"$ref":"#/x-shared/id"}}`, `[1]`, schema.Draft2020, false},
		{"a boolean", `false`, `1`, schema.Draft2020, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := compile(t, test.schema)
			if s.Dialect() != test.dialect {
				t.Errorf("the dialect is %v", s.Dialect())
			}
			if got := s.Valid([]byte(test.value)); got != test.want {
				t.Errorf("valid: %t, want %t", got, test.want)
			}
			schema.Message(s.Problems([]byte(test.value)))
		})
	}
}

// TestWorkIsCounted checks values that a schema of a few lines could keep the
// library busy with for years.
func TestWorkIsCounted(t *testing.T) {
	t.Parallel()
	var doubling strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	twice := `{"$defs":{"n":{"properties":{"c":{"anyOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}]}}}},"$ref":"#/$defs/n"}`
	deep := func(n int) string { return strings.Repeat(`{"c":`, n) + `1` + strings.Repeat(`}`, n) }
	numbers := `[` + strings.Repeat(`1e999,`, 100_000) + `1]`
	for _, test := range []struct {
		name, schema, value string
		want                string
	}{
		{"subschemas that double", `{"$ref":"#/$defs/a0","$defs":{` + doubling.String() + `"a60":{}}}`, `1`, "steps"},
		{"with every level of the value", twice, deep(100), "steps"},
		{"but not where the value is flat", twice, deep(3), ""},
		{"a plain recursion may be as deep as JSON may", `{"properties":{"c":{"$ref":"#"}}}`, deep(128), ""},
		{"deeper is no JSON for us", `{"properties":{"c":{"$ref":"#"}}}`, deep(129), "json"},
		{"deeper on the fast path", `{"type":"array"}`, deep(129), "json"},
		{"a recursion in both branches of if", `{"properties":{"c":{"if":{"type":"object"},"then":{"$ref":"#"},"else":{"$ref":"#"}}}}`, deep(100), ""},
		{"a long text for a slow pattern", `{"pattern":"(a?){300}a{300}$"}`, `"` + strings.Repeat("a", 100_000) + `b"`, "steps"},
		{"the same for the library", `{"not":{},"pattern":"(a?){300}a{300}$"}`, `"` + strings.Repeat("a", 100_000) + `b"`, "steps"},
		{"many large numbers", `{"not":{},"items":{"minimum":1}}`, numbers, "steps"},
		{"which the fast path takes in its stride", `{"items":{"minimum":1}}`, numbers, ""},
		{"a number beyond all bounds", `{"not":{},"multipleOf":3}`, `1e9999999999999999999`, "number"},
		{"again on the fast path", `{"multipleOf":3}`, `1e9999999999999999999`, "multipleOf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := compile(t, test.schema)
			problems := s.Problems([]byte(test.value))
			got := ""
			if len(problems) > 0 {
				got = problems[0].Keyword
			}
			if got != test.want && !(test.want == "" && got == "not") {
				t.Errorf("got the problem %q, want %q", got, test.want)
			}
			if valid := s.Valid([]byte(test.value)); valid != (len(problems) == 0) {
				t.Errorf("Valid says %t", valid)
			}
			if r := s.Check([]byte(test.value)); len(r.Problems) != len(problems) {
				t.Errorf("Check says %v, Problems %v", r.Problems, problems)
			}
		})
	}
}

// TestLimitsCanBeSet shows each limit at work.
func TestLimitsCanBeSet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limits schema.Limits
		schema string
		want   string
	}{
		{schema.Limits{Bytes: 10}, `{"type":"null"}`, "15 bytes where 10 are allowed"},
		{schema.Limits{Depth: 2}, `{"items":{"items":{}}}`, "nest too deeply"},
		{schema.Limits{Subschemas: 2}, `{"items":{"items":{}}}`, "more than 2"},
		{schema.Limits{}, `{"items":{"items":{}}}`, ""},
	} {
		_, err := schema.Compile([]byte(test.schema), schema.WithLimits(test.limits))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: got %v, want %q", test.limits, err, test.want)
		}
	}
	s := compile(t, `{"items":{"type":"integer"}}`, schema.WithLimits(schema.Limits{Steps: 100}))
	if !s.Valid([]byte(`[1,2,3]`)) || s.Valid([]byte(`[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]`)) {
		t.Error("100 steps should do for three numbers and not for fifteen")
	}
}

// TestRawIsTheAuthorsText holds that a schema is sent as it was written.
func TestRawIsTheAuthorsText(t *testing.T) {
	t.Parallel()
	text := " { \"type\" : \"object\",\t\"x-mcp-header\" : \"\\u0041\" }\n"
	given := []byte(text)
	s, err := schema.Compile(given)
	if err != nil {
		t.Fatal(err)
	}
	given[3] = 'X'
	if string(s.Raw()) != text {
		t.Errorf("got %q", s.Raw())
	}
}

// TestManyGoroutines lets the race detector look at both ways of checking.
func TestManyGoroutines(t *testing.T) {
	t.Parallel()
	for _, text := range []string{everyFastKeyword, everyOtherKeyword} {
		s := compile(t, text)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for _, value := range []string{`{"name":"a","count":"12"}`, `{"name":1,"tree":{"kids":[1]},"either":"x"}`, `[]`} {
					schema.Message(s.Check([]byte(value)).Problems)
					s.Properties()
				}
				if err := s.CheckExamples(); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
}

// TestSentencesNeedAProperty holds that a sentence nobody would ever read is
// noticed when the tool is made.
func TestSentencesNeedAProperty(t *testing.T) {
	t.Parallel()
	text := `{"properties":{"rows":{"items":{"properties":{"amount":{"type":"number"}}}},"ticket_id":{"type":"string"}}}`
	for path, ok := range map[string]bool{
		"ticket_id": true, "rows": true, "rows[].amount": true, "rows[]": true,
		"ticket": false, "ticketid": false, "rows.amount": false, "rows[].amounts": false, "[]": false, "": false,
	} {
		_, err := schema.Compile([]byte(text), schema.WithSentence(path, "x"))
		if (err == nil) != ok {
			t.Errorf("a sentence for %q: got the error %v", path, err)
		}
	}
	s := compile(t, text, schema.WithSentence("rows[].amount", `{value} is no amount.`))
	if got := schema.Message(s.Problems([]byte(`{"rows":[{"amount":"a"},{"amount":"b"},{"amount":"a"}]}`))); got != "a is no amount.\nb is no amount." {
		t.Errorf("got %q", got)
	}
}
