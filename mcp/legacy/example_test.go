package legacy_test

import (
	"context"
	"fmt"
	"log"

	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// A session completes the requests that follow its initialize.
func ExampleInitialize() {
	s, err := server.New(mcp.Implementation{Name: "weather", Version: "1.0.0"}, server.Options{})
	if err != nil {
		log.Fatal(err)
	}
	scan := func(line string) *jsonrpc.Message {
		message, err := jsonrpc.Scan([]byte(line), 0)
		if err != nil {
			log.Fatal(err)
		}
		return &message
	}
	session, answer, err := legacy.Initialize(s, scan(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"old-host","version":"1"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", answer)

	ping, _ := session.Answer(nil, scan(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	fmt.Printf("%s\n", ping)

	list := scan(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	call := &server.Call{Principal: server.Local()}
	if _, err := s.Prepare(context.Background(), call, list); err != nil {
		log.Fatal(err)
	}
	session.Complete(call)
	fmt.Printf("%s\n", s.Dispatch(call, nil))
	// Output:
	// {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"weather","version":"1.0.0"}}}
	// {"jsonrpc":"2.0","id":1,"result":{}}
	// {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
}
