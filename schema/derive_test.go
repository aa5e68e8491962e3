package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/schema"
)

type getTicket struct {
	TicketID string `json:"ticket_id" pattern:"^[0-9]+$" doc:"Ticket number, digits only, e.g. 2318"`
}

type ticket struct {
	TicketID   string `json:"ticket_id"`
	Subject    string `json:"subject"`
	Status     string `json:"status" enum:"open,pending,closed"`
	CustomerID string `json:"customer_id"`
}

// TestDeriveGetTicket holds that the first seed's schemas can be derived, to
// the byte.
func TestDeriveGetTicket(t *testing.T) {
	t.Parallel()
	input, err := schema.For[getTicket]()
	if err != nil || string(input) != getTicketInput {
		t.Errorf("input: %v\ngot  %s\nwant %s", err, input, getTicketInput)
	}
	output, err := schema.For[ticket](schema.Open())
	if err != nil || string(output) != getTicketOutput {
		t.Errorf("output: %v\ngot  %s\nwant %s", err, output, getTicketOutput)
	}
}

type money string

func (money) JSONSchema() []byte {
	return []byte(`{"type":"string","pattern":"^[0-9]+$","description":"Minor units"}`)
}

type span struct{}

func (*span) JSONSchema() []byte { return []byte(` {"type":"object"} `) }

type page struct {
	Limit  int    `json:"limit,omitzero" min:"1" max:"50" default:"10"`
	Cursor string `json:"cursor,omitempty"`
}

type inner struct {
	A int `json:"a"`
}

// TestDerive lists what Go types become.
func TestDerive(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		got  func(...schema.DeriveOption) ([]byte, error)
		want string
	}{
		{"a string", field[struct {
			V string `json:"v"`
		}], `{"type":"string"}`},
		{"with all it may have", field[struct {
			V string `json:"v" title:"T" doc:"a, b: \"c\"" pattern:"^[a-z],+$" minLength:"1" maxLength:"5" format:"x" default:"a," example:"b,,"`
		}], `{"type":"string","pattern":"^[a-z],+$","minLength":1,"maxLength":5,"format":"x","title":"T","description":"a, b: \"c\"","default":"a,","examples":["b,,"]}`},
		{"a choice", field[struct {
			V string `json:"v" enum:"open,closed" examples:"[\"open\",\"closed\"]"`
		}], `{"type":"string","enum":["open","closed"],"examples":["open","closed"]}`},
		{"a choice with commas", field[struct {
			V string `json:"v" enum:"[\"a,b\",\"c\"]"`
		}], `{"type":"string","enum":["a,b","c"]}`},
		{"an empty default", field[struct {
			V string `json:"v" default:""`
		}], `{"type":"string","default":""}`},
		{"a boolean", field[struct {
			V bool `json:"v" default:"false"`
		}], `{"type":"boolean","default":false}`},
		{"an integer", field[struct {
			V int64 `json:"v" min:"-1" below:"50" example:"10" enum:"1,10"`
		}], `{"type":"integer","minimum":-1,"exclusiveMaximum":50,"enum":[1,10],"examples":[10]}`},
		{"an unsigned one", field[struct {
			V uint8 `json:"v"`
		}], `{"type":"integer","minimum":0}`},
		{"with its own bound", field[struct {
			V uint `json:"v" min:"1"`
		}], `{"type":"integer","minimum":1}`},
		{"a number", field[struct {
			V float64 `json:"v" above:"0" max:"1e3" multipleOf:"0.01"`
		}], `{"type":"number","maximum":1e3,"exclusiveMinimum":0,"multipleOf":0.01}`},
		{"a pointer is not null", field[struct {
			V *string `json:"v"`
		}], `{"type":"string"}`},
		{"unless asked", field[struct {
			V *string `json:"v" nullable:"true" enum:"a"`
		}], `{"type":["string","null"],"enum":["a",null]}`},
		{"a slice", field[struct {
			V []string `json:"v" minItems:"1" maxItems:"3" unique:"true" pattern:"^a" doc:"d" example:"[\"a\"]"`
		}], `{"type":"array","minItems":1,"maxItems":3,"uniqueItems":true,"items":{"type":"string","pattern":"^a"},"description":"d","examples":[["a"]]}`},
		{"an array", field[struct {
			V [2]int `json:"v"`
		}], `{"type":"array","minItems":2,"maxItems":2,"items":{"type":"integer"}}`},
		{"slices of slices", field[struct {
			V [][]uint16 `json:"v" max:"5"`
		}], `{"type":"array","items":{"type":"array","items":{"type":"integer","minimum":0,"maximum":5}}}`},
		{"bytes", field[struct {
			V []byte `json:"v" doc:"d"`
		}], `{"type":"string","contentEncoding":"base64","description":"d"}`},
		{"a map", field[struct {
			V map[string]float32 `json:"v"`
		}], `{"type":"object","additionalProperties":{"type":"number"}}`},
		{"a map of anything", field[struct {
			V map[string]any `json:"v"`
		}], `{"type":"object"}`},
		{"anything", field[struct {
			V any `json:"v" doc:"d"`
		}], `{"description":"d"}`},
		{"raw JSON", field[struct {
			V json.RawMessage `json:"v"`
		}], `{}`},
		{"raw JSON of another codec", field[struct {
			V jsontext.Value `json:"v"`
		}], `{}`},
		{"a time", field[struct {
			V time.Time `json:"v"`
		}], `{"type":"string","format":"date-time"}`},
		{"text of its own", field[struct {
			V netip.Addr `json:"v"`
		}], `{"type":"string"}`},
		{"a schema of its own", field[struct {
			V money `json:"v"`
		}], `{"type":"string","pattern":"^[0-9]+$","description":"Minor units"}`},
		{"with words of the member", field[struct {
			V money `json:"v" doc:"Price" example:"\"5\""`
		}], `{"type":"string","pattern":"^[0-9]+$","description":"Price","examples":["5"]}`},
		{"a pointer to one", field[struct {
			V *span `json:"v"`
		}], `{"type":"object"}`},
		{"a struct", field[struct {
			V inner `json:"v" doc:"d"`
		}], `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false,"description":"d"}`},
	} {
		got, err := test.got()
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", test.name, err, got, test.want)
		}
	}
}

// field derives a struct and returns the schema of its member v.
func field[T any](options ...schema.DeriveOption) ([]byte, error) {
	text, err := schema.For[T](options...)
	if err != nil {
		return nil, err
	}
	s, err := schema.Compile(text)
	if err != nil {
		return nil, err
	}
	return s.Properties()[0].Raw, nil
}

// TestDeriveObjects shows which members an object has and which it needs.
func TestDeriveObjects(t *testing.T) {
	t.Parallel()
	type search struct {
		page
		Query    string `json:"query"`
		Ignored  string `json:"-"`
		Dash     string `json:"'-'"`
		Untagged bool
		hidden   int
		Nested   *inner         `json:"nested"`
		Extra    map[string]any `json:"extra,omitempty" db:"x" yaml:"y"`
		inner    `json:"named"`
	}
	_ = search{hidden: 1}
	got, err := schema.For[search]()
	want := `{"type":"object","properties":{` +
		`"limit":{"type":"integer","minimum":1,"maximum":50,"default":10},"cursor":{"type":"string"},` +
		`"query":{"type":"string"},"-":{"type":"string"},"Untagged":{"type":"boolean"},` +
		`"nested":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false},"extra":{"type":"object"}},` +
		`"required":["query","-","Untagged"],"additionalProperties":false}`
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
	if got, err := schema.For[struct{}](); err != nil || string(got) != `{"type":"object","properties":{},"additionalProperties":false}` {
		t.Errorf("no members: %v %s", err, got)
	}
	if got, err := schema.For[[]inner](schema.Open()); err != nil || string(got) != `{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}` {
		t.Errorf("an array: %v %s", err, got)
	}
}

type list struct {
	Next *list `json:"next,omitempty"`
}

type forest []forest

type EmbedsItself struct {
	*EmbedsItself
	A int
}

// TestDeriveRefuses lists what cannot be derived, and what is said about it.
func TestDeriveRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		derive func(...schema.DeriveOption) ([]byte, error)
		want   string
	}{
		{"a type in itself", schema.For[list], `member "next": schema_test.list contains itself`},
		{"also in slices", schema.For[forest], "contains itself"},
		{"or embedded", schema.For[EmbedsItself], "contains itself"},
		{"a channel", schema.For[struct{ C chan int }], `member "C": JSON has nothing for chan int`},
		{"an interface with methods", schema.For[struct{ E error }], "JSON has nothing for error"},
		{"keys that are no strings", schema.For[map[int]string], "a map needs string keys"},
		{"JSON of its own", schema.For[struct{ I big.Int }], "big.Int writes its own JSON; use a type with a JSONSchema method"},
		{"a number as text", schema.For[json.Number], "writes its own JSON"},
		{"a duration", schema.For[time.Duration], "time.Duration has no JSON form of its own"},
		{"the option string", schema.For[struct {
			A int `json:"a,string"`
		}], "the json option string is not supported"},
		{"another format", schema.For[struct {
			A time.Time `json:"a,format:unix"`
		}], "the json option format:unix is not supported"},
		{"one name twice", schema.For[struct {
			inner
			B int `json:"a"`
		}], `two members are named "a"`},
		{"a keyword as a tag", schema.For[struct {
			A int `minimum:"1"`
		}], "field A: there is no tag minimum; use min"},
		{"a misspelt tag", schema.For[struct {
			A string `patern:"a"`
		}], "there is no tag patern; did you mean pattern?"},
		{"an empty tag", schema.For[struct {
			A string `doc:""`
		}], "the tag doc is empty"},
		{"a tag twice", schema.For[struct {
			//lint:ignore SA5008 This is the fault to be found.
			A string `doc:"a" json:"a" doc:"b"`
		}], "the tag doc is given twice"},
		{"a tag of another type", schema.For[struct {
			A int `pattern:"a"`
		}], `member "A": the tag for pattern fits a string, not an integer`},
		{"a bound for a string", schema.For[struct {
			A string `max:"5"`
		}], "the tag for maximum fits a number, not a string"},
		{"a bound for a boolean", schema.For[struct {
			A bool `enum:"true"`
		}], "the tag enum does not fit a boolean"},
		{"items of a string", schema.For[struct {
			A string `minItems:"1"`
		}], "the tag for minItems fits an array"},
		{"items of a fixed array", schema.For[struct {
			A [2]int `minItems:"1"`
		}], "do not fit an array of fixed length"},
		{"limits for anything", schema.For[struct {
			A any `pattern:"a"`
		}], "the tag for pattern does not fit a value that may be anything"},
		{"limits beside a schema of its own", schema.For[struct {
			A money `enum:"1"`
		}], "do not fit schema_test.money, which has its own schema"},
		{"a bound that is no number", schema.For[struct {
			A int `min:"one"`
		}], `the tag for minimum is "one", which is no JSON value`},
		{"a negative length", schema.For[struct {
			A string `minLength:"-1"`
		}], "breaks the rules of JSON Schema"},
		{"nothing that fits", schema.For[struct {
			A int `min:"5" max:"4"`
		}], "min is 5 and max is 4, so nothing fits"},
		{"two lower bounds", schema.For[struct {
			A int `min:"5" above:"4"`
		}], "contradict each other"},
		{"two ways of examples", schema.For[struct {
			A int `example:"5" examples:"[4]"`
		}], "example and examples contradict each other"},
		{"a pattern with look-ahead", schema.For[struct {
			A string `pattern:"(?=a)"`
		}], "look-ahead"},
		{"an example that breaks the rules", schema.For[struct {
			A string `pattern:"^[0-9]+$" example:"#2318"`
		}], `the example "#2318" at /properties/A breaks its own schema: it must be digits only (pattern)`},
		{"a default of another type", schema.For[struct {
			A int `default:"ten"`
		}], `the tag default is "ten", which is no JSON`},
		{"an unknown answer", schema.For[struct {
			A []int `unique:"yes"`
		}], `the tag unique is "yes"`},
	} {
		_, err := test.derive()
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got the error %v, want %s", test.name, err, test.want)
		}
	}
}

// TestDerivedSchemasAreFlat holds that what is derived needs no library, so
// that it takes the fast path.
func TestDerivedSchemasAreFlat(t *testing.T) {
	t.Parallel()
	text, err := schema.For[struct {
		Page  page
		Rows  []ticket
		Since time.Time
		Any   any
	}]()
	if err != nil {
		t.Fatal(err)
	}
	if s := compile(t, string(text)); !s.Flat() {
		t.Errorf("the library is needed for %s", text)
	}
}
