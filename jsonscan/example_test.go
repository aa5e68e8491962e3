package jsonscan_test

import (
	"fmt"

	"helpdesk/jsonscan"
)

func ExampleCheck() {
	fmt.Println(jsonscan.Check([]byte(`{"id":1,"id":2}`), 0))
	fmt.Println(jsonscan.Check([]byte(`{"id":1}`), 0))
	// Output:
	// invalid JSON at byte 8: an object names a member twice
	// <nil>
}

func ExampleMembers() {
	var space [4]jsonscan.Member
	members, _, err := jsonscan.Members(space[:0], []byte(`{"id": 9007199254740993, "ok": true}`), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range members {
		fmt.Printf("%s is %s\n", m.Name, m.Value)
	}
	// Output:
	// id is 9007199254740993
	// ok is true
}

func ExampleLookup() {
	value, ok := jsonscan.Lookup([]byte(`{"name":"get_ticket","arguments":{"ticket_id":"2318"}}`), "arguments")
	fmt.Println(string(value), ok)
	// Output: {"ticket_id":"2318"} true
}

func ExampleAppendQuoted() {
	fmt.Println(string(jsonscan.AppendQuoted(nil, `No ticket "#2318".`)))
	// Output: "No ticket \"#2318\"."
}
