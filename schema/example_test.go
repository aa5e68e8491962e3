package schema_test

import (
	"fmt"
	"log"

	"helpdesk/schema"
)

func ExampleCompile() {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"limit":{"type":"integer","maximum":50}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Valid([]byte(`{"limit":10}`)), s.Valid([]byte(`{"limit":500}`)))
	_, err = schema.Compile([]byte(`{"type":"strng"}`))
	fmt.Println(err != nil)
	// Output:
	// true false
	// true
}

func ExampleSchema_Check() {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"ticket_id":{"type":"string","pattern":"^[0-9]+$"}},"required":["ticket_id"]}`))
	if err != nil {
		log.Fatal(err)
	}
	// Hosts send numbers for digits.
	result := s.Check([]byte(`{"ticket_id":2318}`))
	fmt.Printf("%s %v\n", result.Value, result.Coerced)
	result = s.Check([]byte(`{"ticket_id":"#2318"}`))
	fmt.Println(schema.Message(result.Problems))
	// Output:
	// {"ticket_id":"2318"} [{ticket_id integer string}]
	// Argument "ticket_id" is "#2318", but must be digits only.
}

func ExampleSchema_Problems() {
	s, err := schema.Compile([]byte(`{"properties":{"limit":{"type":"integer","maximum":50,"default":10}}}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range s.Problems([]byte(`{"limit":500}`)) {
		fmt.Println(p.Path, p.Keyword, p.Value, p.Expected, p.Example)
	}
	// Output:
	// limit maximum 500 at most 50 10
}

func ExampleSchema_Properties() {
	s, err := schema.Compile([]byte(`{"properties":{"status":{"type":"string","enum":["open","closed"]},"limit":{"type":"integer","default":10}},"required":["status"]}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range s.Properties() {
		fmt.Printf("%s %v %t %q\n", p.Name, p.Types, p.Required, p.Example)
	}
	// Output:
	// status [string] true ""
	// limit [integer] false "10"
}

func ExampleSchema_CheckExamples() {
	s, err := schema.Compile([]byte(`{"properties":{"limit":{"type":"integer","maximum":50,"examples":[100]}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.CheckExamples())
	// Output:
	// the example 100 at /properties/limit breaks its own schema: it must be at most 50 (maximum)
}

func ExampleMessage() {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{
		"status":{"type":"string","enum":["open","pending","closed"]},
		"limit":{"type":"integer","maximum":50,"default":10},
		"ticket_id":{"type":"string","description":"Ticket number, digits only, e.g. 2318"}
	},"required":["ticket_id"],"additionalProperties":false}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Message(s.Problems([]byte(`{"ticketid":"2318","status":"opened","limit":500}`))))
	// Output:
	// Unknown argument "ticketid". Did you mean "ticket_id"?
	// Argument "status" is "opened", which is not one of "open", "pending", "closed". Did you mean "open"?
	// Argument "limit" is 500, but must be at most 50, for example 10.
	// Argument "ticket_id" is missing. It is a string: Ticket number, digits only, e.g. 2318.
}

func ExampleWithSentence() {
	s, err := schema.Compile([]byte(`{"properties":{"ticket_id":{"type":"string","pattern":"^[0-9]+$"}},"required":["ticket_id"]}`),
		schema.WithSentence("ticket_id", `No ticket "{value}". Ticket numbers are digits only, for example 2318.`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Message(s.Problems([]byte(`{"ticket_id":"#2318"}`))))
	fmt.Println(schema.Message(s.Problems([]byte(`{}`))))
	// Output:
	// No ticket "#2318". Ticket numbers are digits only, for example 2318.
	// No ticket "undefined". Ticket numbers are digits only, for example 2318.
}

func ExampleSentence() {
	fmt.Println(schema.Sentence(`No ticket "{value}".`, []byte(`"9999"`)))
	fmt.Println(schema.Sentence(`No ticket "{value}".`, nil))
	// Output:
	// No ticket "9999".
	// No ticket "undefined".
}

func ExampleFor() {
	type arguments struct {
		OrderID string  `json:"order_id" pattern:"^ORD-[0-9]+$" doc:"Order number, for example ORD-4512."`
		Amount  float64 `json:"amount" above:"0"`
		Reason  string  `json:"reason,omitempty" enum:"damaged,late,other"`
	}
	text, err := schema.For[arguments]()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// {"type":"object","properties":{"order_id":{"type":"string","pattern":"^ORD-[0-9]+$","description":"Order number, for example ORD-4512."},"amount":{"type":"number","exclusiveMinimum":0},"reason":{"type":"string","enum":["damaged","late","other"]}},"required":["order_id","amount"],"additionalProperties":false}
}

func ExampleOpen() {
	type ticket struct {
		Status string `json:"status" enum:"open,closed"`
	}
	text, err := schema.For[ticket](schema.Open())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// {"type":"object","properties":{"status":{"type":"string","enum":["open","closed"]}},"required":["status"]}
}

func ExampleStrictTypes() {
	s, err := schema.Compile([]byte(`{"properties":{"limit":{"type":"integer"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Message(s.Check([]byte(`{"limit":"10"}`), schema.StrictTypes()).Problems))
	// Output:
	// Argument "limit" is "10", but must be an integer.
}

func ExampleWithLimits() {
	_, err := schema.Compile([]byte(`{"type":"object"}`), schema.WithLimits(schema.Limits{Bytes: 10}))
	fmt.Println(err)
	// Output:
	// the schema is too large: 17 bytes where 10 are allowed
}

func ExampleShorten() {
	fmt.Println(schema.Shorten([]byte(`"#2318"`)))
	fmt.Println(schema.Shorten([]byte(`{ "lines": "a\nb" }`)))
	fmt.Println(schema.Shorten([]byte(`"a\nb"`)))
	// Output:
	// #2318
	// {"lines":"a\nb"}
	// a\nb
}
