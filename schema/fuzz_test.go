package schema_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"helpdesk/jsonscan"
	"helpdesk/schema"
)

// FuzzCompile holds that no bytes make Compile crash or hang, that what
// compiles keeps its text, and that its examples can be checked.
func FuzzCompile(f *testing.F) {
	for _, seed := range compileSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := schema.Compile(raw)
		if err != nil {
			return
		}
		if string(s.Raw()) != string(raw) {
			t.Errorf("the schema's text changed from %q to %q", raw, s.Raw())
		}
		_ = s.CheckExamples()
		for _, p := range s.Properties() {
			if p.Example != nil && jsonscan.Check(p.Example, 0) != nil {
				t.Errorf("the example of %q is no JSON: %q", p.Name, p.Example)
			}
		}
		for _, instance := range []string{`{}`, `{"a":[1,"x",null]}`, `[[],{"a":{}}]`, `"text"`, `1.5e3`, `null`} {
			if got, want := s.Valid([]byte(instance)), len(s.Problems([]byte(instance))) == 0; got != want {
				t.Errorf("%s: Valid says %t, Problems %t", instance, got, want)
			}
		}
	})
}

var compileSeeds = []string{
	getTicketInput, getTicketOutput, `true`, `{}`, `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}]}`,
	`{"$ref":"#/$defs/a","$defs":{"a":{"type":["integer","null"],"default":1}}}`,
	`{"properties":{"n":{"$ref":"#"}},"additionalProperties":{"enum":[1,"a",null,[2]]}}`,
	`{"anyOf":[{"const":1},{"not":{"multipleOf":0.1}}],"if":{"required":["a"]},"then":{"minProperties":1},"else":false}`,
	`{"$id":"http://example.com/a","$dynamicAnchor":"x","$defs":{"b":{"$dynamicAnchor":"x"}},"items":{"$dynamicRef":"#x"}}`,
	`{"allOf":[{"$ref":"#"}]}`, `{"pattern":"(?=a)"}`, `{"minimum":1e999999999}`, `{"$ref":"file:///etc/hostname"}`,
	`{"x":{"anyOf":[true,false]},"$ref":"#/x","unevaluatedProperties":false}`,
}

// FuzzCheck holds that whatever a peer sends, checking neither crashes nor
// changes its mind, and that what was converted is valid.
func FuzzCheck(f *testing.F) {
	schemas := []*schema.Schema{
		compile(f, everyFastKeyword), compile(f, everyOtherKeyword), compile(f, getTicketInput),
	}
	for _, seed := range []string{
		`{"ticket_id":"2318"}`, `{"ticket_id":2318}`, `{"name":"a","count":"12","rows":"[1,2]","flag":"true"}`,
		`{"rows":[1,1.0],"nested":{"nested":{"amount":0.30}}}`, `{"pair":["a",1],"either":1,"p_x":"y"}`, `[[[[`, `{"a`, `"\ud800"`, "{\"a\":\"\u202e\\n\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, instance []byte) {
		judged := jsonscan.Check(instance, 0) == nil
		for _, s := range schemas {
			r := s.Check(instance)
			schema.Message(r.Problems)
			problems := s.Problems(instance)
			if !judged {
				continue
			}
			if s.Valid(instance) != (len(problems) == 0) {
				t.Errorf("Valid and Problems differ on %q", instance)
			}
			if len(r.Problems) > 0 && string(r.Value) != string(instance) {
				t.Errorf("Check changed a value with problems: %q to %q", instance, r.Value)
			}
			if len(r.Problems) == 0 && !s.Valid(r.Value) {
				t.Errorf("Check made %q of %q, which is not valid", r.Value, instance)
			}
			if len(r.Coerced) == 0 && string(r.Value) != string(instance) {
				t.Errorf("Check changed %q to %q without saying so", instance, r.Value)
			}
		}
	})
}

// FuzzFastPathEqualsLibrary makes a schema and values from the fuzzer's bytes
// and holds that the fast path says of them what the library says. An empty
// allOf changes no meaning, but only the library reads it.
func FuzzFastPathEqualsLibrary(f *testing.F) {
	for i := range 64 {
		f.Add(randomBytes(uint64(i), 64+8*i))
	}
	f.Fuzz(func(t *testing.T, entropy []byte) { compareWithLibrary(t, entropy) })
}

// TestFastPathEqualsLibrary does what the fuzz target does, on the same
// random schemas every time.
func TestFastPathEqualsLibrary(t *testing.T) {
	t.Parallel()
	valid, total := 0, 0
	for i := range 1200 {
		v, n := compareWithLibrary(t, randomBytes(uint64(i)+1000, 300))
		valid += v
		total += n
	}
	if valid < total/10 || valid > total*9/10 {
		t.Errorf("%d of %d values are valid: the generated cases are too one-sided to show anything", valid, total)
	}
}

func compareWithLibrary(t *testing.T, entropy []byte) (valid, total int) {
	t.Helper()
	g := &generator{entropy: entropy}
	text := g.schema(0)
	if g.chance(4) {
		text = `{"$schema":"http://json-schema.org/draft-07/schema#",` + text[1:]
	}
	text = strings.Replace(text, ",}", "}", 1)
	twin := text[:len(text)-1] + `,"allOf":[{}]}`
	if text == "{}" {
		twin = `{"allOf":[{}]}`
	}
	fast, err := schema.Compile([]byte(text))
	if err != nil {
		t.Fatalf("generated schema %s: %v", text, err)
	}
	slow, err := schema.Compile([]byte(twin))
	if err != nil {
		t.Fatalf("generated schema %s: %v", twin, err)
	}
	for range 8 {
		instance := []byte(g.instance(0))
		if err := jsonscan.Check(instance, 0); err != nil {
			t.Fatalf("generated instance %s: %v", instance, err)
		}
		want := slow.Valid(instance)
		if got := fast.Valid(instance); got != want {
			t.Fatalf("schema %s\nvalue  %s\nfast path says %t, library %t\n%s\n%s", text, instance, got, want,
				schema.Message(fast.Problems(instance)), schema.Message(slow.Problems(instance)))
		}
		if problems := fast.Problems(instance); (len(problems) == 0) != want {
			t.Fatalf("schema %s\nvalue  %s\nValid says %t, problems are %v", text, instance, want, problems)
		}
		total++
		if want {
			valid++
		}
	}
	return valid, total
}

func randomBytes(seed uint64, n int) []byte {
	source := rand.New(rand.NewPCG(seed, 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(source.Uint32())
	}
	return b
}

// FuzzPattern holds that identifiers' patterns, which are matched without the
// regexp engine, mean what the engine takes them to mean.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{`^[0-9]+$`, `^ORD-[0-9]+$`, `^cus_[0-9]+$`, `^[A-Z]{3}$`, `^a?$`, `^[a-z]{2,4}$`, `^\d*$`, `^[^a]+$`, `(?i)^ab[c-d]+$`, `^a|b$`, `^(?:x)[0-9]$`, `^[0-9]{4}-[0-9]{2}$`, `^\w+?$`, `^$`, `^[0-9]+\z`, `(?m)^[0-9]+$`} {
		for _, text := range []string{"", "2318", "ORD-1", "cus_", "ABC", "aa", "a\n", "12\n", "\u0662", "K", "2020-01"} {
			f.Add(p, text)
		}
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		quoted := jsonscan.AppendQuoted(nil, source)
		value := jsonscan.AppendQuoted(nil, text)
		s, err := schema.Compile([]byte(`{"pattern":` + string(quoted) + `}`))
		if err != nil {
			return
		}
		// Quoting replaced what was no UTF-8.
		source, text = jsonscan.Unquote(quoted), jsonscan.Unquote(value)
		if got, want := s.Valid(value), regexp.MustCompile(source).MatchString(text); got != want {
			t.Errorf("pattern %q on %q: got %t, the engine says %t", source, text, got, want)
		}
		if !s.Valid(value) {
			schema.Message(s.Problems(value))
		}
	})
}
