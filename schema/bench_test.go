package schema_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/schema"
)

const ticket2318 = `{"ticket_id":"2318","subject":"Refund for order ORD-4512","status":"open","customer_id":"cus_1042"}`

func BenchmarkCheck(b *testing.B) {
	for _, test := range []struct{ name, schema, value string }{
		{"input", getTicketInput, `{"ticket_id":"2318"}`},
		{"output", getTicketOutput, ticket2318},
		{"bad", getTicketInput, `{"ticket_id":"#2318"}`},
		{"coerced", getTicketInput, `{"ticket_id":2318}`},
		{"composed", `{"allOf":[` + getTicketInput + `]}`, `{"ticket_id":"2318"}`},
	} {
		s := compile(b, test.schema)
		value := []byte(test.value)
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Check(value)
			}
		})
	}
}

// BenchmarkLibrary is the library alone, decoding included, as the measure.
func BenchmarkLibrary(b *testing.B) {
	for _, test := range []struct{ name, schema, value string }{
		{"input", getTicketInput, `{"ticket_id":"2318"}`},
		{"output", getTicketOutput, ticket2318},
		{"bad", getTicketInput, `{"ticket_id":"#2318"}`},
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(test.schema)))
		if err != nil {
			b.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("a.json", doc); err != nil {
			b.Fatal(err)
		}
		s := c.MustCompile("a.json")
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(test.value)))
				if err != nil {
					b.Fatal(err)
				}
				_ = s.Validate(value)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.Compile([]byte(getTicketInput)); err != nil {
			b.Fatal(err)
		}
	}
}
