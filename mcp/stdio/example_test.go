package stdio_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

func greeter() (*server.Server, error) {
	s, err := server.New(mcp.Implementation{Name: "greeter", Version: "1.0.0"}, server.Options{})
	if err != nil {
		return nil, err
	}
	type in struct {
		Name string `json:"name" doc:"Whom to greet, e.g. Ada" example:"Ada"`
	}
	greet, err := server.NewTool(mcp.Tool{Name: "greet", Description: "Greet somebody."},
		func(_ context.Context, _ *server.Call, in in) (server.Text, error) {
			return server.Text("Hello, " + in.Name + "!"), nil
		})
	if err != nil {
		return nil, err
	}
	return s, s.Add(greet)
}

// A connection is any reader and writer; here they are pipes in memory.
func ExampleServeConn() {
	s, err := greeter()
	if err != nil {
		fmt.Println(err)
		return
	}
	in, client := io.Pipe()
	go func() {
		defer client.Close() // The end of input ends the connection.
		io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"},`+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n")
	}()
	var out strings.Builder
	fmt.Println("ended with", stdio.ServeConn(context.Background(), s, in, &out, stdio.Options{}))
	fmt.Print(out.String())
	// Output:
	// ended with <nil>
	// {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"Hello, Ada!"}],"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"greeter","version":"1.0.0"}}}}
}

// A program that a host starts serves its own stdin and stdout and ends with
// status 0 when the host is done. This example is compiled and not run, because
// Serve takes the stdout of the whole process; package transcripts runs built
// programs that consist of little more than this.
func ExampleServe() {
	s, err := greeter()
	if err == nil {
		err = stdio.Serve(context.Background(), s, stdio.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
