package schema_test

import (
	"testing"

	"helpdesk/schema"
)

// The schemas of get_ticket, as its definition has them.
const (
	getTicketInput  = `{"type":"object","properties":{"ticket_id":{"type":"string","pattern":"^[0-9]+$","description":"Ticket number, digits only, e.g. 2318"}},"required":["ticket_id"],"additionalProperties":false}`
	getTicketOutput = `{"type":"object","properties":{"ticket_id":{"type":"string"},"subject":{"type":"string"},"status":{"type":"string","enum":["open","pending","closed"]},"customer_id":{"type":"string"}},"required":["ticket_id","subject","status","customer_id"]}`
)

// everyFastKeyword uses all that the fast path reads, everyOtherKeyword much
// of what it leaves to the library.
const (
	everyFastKeyword = `{"type":"object","properties":{
		"name":{"type":"string","minLength":1,"maxLength":5,"pattern":"^[a-z]*$"},
		"count":{"type":"integer","minimum":1,"exclusiveMaximum":50,"multipleOf":2},
		"ratio":{"type":["number","null"],"exclusiveMinimum":0,"maximum":1},
		"status":{"enum":["open","closed",3,null,{"a":[1.0]}]},
		"fixed":{"const":"x"},"flag":{"type":"boolean"},"never":false,
		"rows":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3,"uniqueItems":true},
		"nested":{"type":"object","properties":{"amount":{"type":"number","multipleOf":0.1},"nested":{"type":"object","additionalProperties":{"type":"number"}}},"minProperties":1,"maxProperties":2}
	},"required":["name"],"additionalProperties":false}`
	everyOtherKeyword = `{"type":"object","$defs":{"tree":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}},
		"properties":{"tree":{"$ref":"#/$defs/tree"},"pair":{"prefixItems":[{"type":"string"},{"type":"number"}],"items":false},
			"either":{"anyOf":[{"type":"string","minLength":3},{"type":"object","required":["x"]}]},"one":{"oneOf":[{"const":1},{"minimum":1}]},
			"has":{"contains":{"const":1},"maxContains":2},"not":{"not":{"type":"string"}},"count":{"type":"integer"},"name":{"type":"string"}},
		"patternProperties":{"^p_":{"type":"string"}},"dependentRequired":{"either":["one"]},"propertyNames":{"maxLength":10},
		"if":{"required":["has"]},"then":{"required":["name"]},"unevaluatedProperties":false}`
)

func compile(t testing.TB, text string, options ...schema.Option) *schema.Schema {
	t.Helper()
	s, err := schema.Compile([]byte(text), options...)
	if err != nil {
		t.Fatalf("compile %s: %v", text, err)
	}
	return s
}
