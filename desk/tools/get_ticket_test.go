package tools_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"helpdesk/desk"
	"helpdesk/desk/memory"
	"helpdesk/desk/tools"
	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

func demoServer(t *testing.T, options server.Options) *server.Server {
	t.Helper()
	store, err := memory.New(desk.DemoTickets())
	if err != nil {
		t.Fatal(err)
	}
	all, err := tools.All(desk.NewService(store))
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(mcp.Implementation{Name: "helpdesk", Version: "1"}, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(all...); err != nil {
		t.Fatal(err)
	}
	return s
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// ask sends one request and returns the result's text.
func ask(t *testing.T, s *server.Server, method, params string) []byte {
	t.Helper()
	line := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`
	message, err := jsonrpc.Scan([]byte(line), 0)
	if err != nil {
		t.Fatal(err)
	}
	call := &server.Call{Principal: server.Local()}
	if _, err := s.Prepare(context.Background(), call, &message); err != nil {
		t.Fatal(err)
	}
	answer := s.Dispatch(call, nil)
	result, ok := jsonscan.Lookup(answer, "result")
	if !ok {
		t.Fatalf("the answer has no result: %s", answer)
	}
	return result
}

// tokens counts as OpenAI's o200k_base does.
func tokens(t *testing.T, text string) int {
	t.Helper()
	ids, _, err := codec.NewO200kBase().Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(ids)
}

// What the model is given of get_ticket is a promise: 378 bytes, 91 tokens.
func TestGetTicketCosts91Tokens(t *testing.T) {
	t.Parallel()
	list, _ := jsonscan.Lookup(ask(t, demoServer(t, server.Options{}), "tools/list", ""), "tools")
	elements := jsonscan.Iterate(list)
	if !elements.Next() {
		t.Fatal("no tool is listed")
	}
	var given bytes.Buffer
	given.WriteString(`[{`)
	for i, member := range []struct{ ours, theirs string }{{"name", "name"}, {"description", "description"}, {"inputSchema", "input_schema"}} {
		value, ok := jsonscan.Lookup(elements.Value(), member.ours)
		if !ok {
			t.Fatalf("the tool has no %s", member.ours)
		}
		if i > 0 {
			given.WriteByte(',')
		}
		given.WriteString(`"` + member.theirs + `":`)
		given.Write(value)
	}
	given.WriteString(`}]`)
	if given.Len() != 378 {
		t.Errorf("get_ticket is %d bytes, want 378: %s", given.Len(), given.Bytes())
	}
	if n := tokens(t, given.String()); n != 91 {
		t.Errorf("get_ticket costs %d tokens, want 91", n)
	}
}

func TestInstructionsCostAtMost12Tokens(t *testing.T) {
	t.Parallel()
	if n := tokens(t, tools.Instructions); n > 12 {
		t.Errorf("the instructions cost %d tokens, want at most 12", n)
	}
}

func TestGetTicketText(t *testing.T) {
	t.Parallel()
	const digitsOnly = `". Ticket numbers are digits only, for example 2318.`
	tests := []struct{ name, arguments, want string }{
		{"a hash", `{"ticket_id":"#2318"}`, `No ticket "#2318` + digitsOnly},
		{"an inherited property", `{"ticket_id":"constructor"}`, `No ticket "constructor` + digitsOnly},
		{"missing", `{}`, `No ticket "undefined` + digitsOnly},
		{"400 digits", `{"ticket_id":"` + strings.Repeat("4", 400) + `"}`, `No ticket "` + strings.Repeat("4", 40) + `…` + digitsOnly},
		{"Arabic-Indic digits", `{"ticket_id":"٢٣١٨"}`, `No ticket "٢٣١٨` + digitsOnly},
		{"well formed but absent", `{"ticket_id":"9999"}`, `No ticket "9999". The number is well formed, but no such ticket exists. Ask whoever gave you the number to check it.`},
		{"a string", `{"ticket_id":"2320"}`, `{"ticket_id":"2320","subject":"How do I add a second instructor?","status":"closed","customer_id":"cus_1310"}`},
		{"an integer", `{"ticket_id":2320}`, `{"ticket_id":"2320","subject":"How do I add a second instructor?","status":"closed","customer_id":"cus_1310"}`},
	}
	s := demoServer(t, server.Options{})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			content, _ := jsonscan.Lookup(ask(t, s, "tools/call", `"name":"get_ticket","arguments":`+test.arguments+`,`), "content")
			blocks := jsonscan.Iterate(content)
			blocks.Next()
			text, _ := jsonscan.Lookup(blocks.Value(), "text")
			if got := jsonscan.Unquote(text); got != test.want {
				t.Errorf("the model reads\n%s, want\n%s", got, test.want)
			}
		})
	}
}

// With strict types an integer is not taken for a string of digits.
func TestStrictTypes(t *testing.T) {
	t.Parallel()
	result := ask(t, demoServer(t, server.Options{StrictTypes: true}), "tools/call", `"name":"get_ticket","arguments":{"ticket_id":2318},`)
	if isError, _ := jsonscan.Lookup(result, "isError"); string(isError) != "true" {
		t.Errorf("an integer was accepted: %s", result)
	}
}
