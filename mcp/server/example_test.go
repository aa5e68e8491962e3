package server_test

import (
	"context"
	"fmt"
	"log"

	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// serve does the least that a transport does: it answers one line.
func serve(s *server.Server, line string) {
	message, err := jsonrpc.Scan([]byte(line), 0)
	if err != nil {
		log.Fatal(err)
	}
	call := &server.Call{Principal: server.Local()}
	if _, err := s.Prepare(context.Background(), call, &message); err != nil {
		fmt.Printf("%s\n", s.Refuse(nil, message.ID, err))
		return
	}
	fmt.Printf("%s\n", s.Dispatch(call, nil))
}

func ExampleNew() {
	s, err := server.New(mcp.Implementation{Name: "weather", Version: "1.0.0"}, server.Options{
		Instructions: "Weather by city.",
	})
	if err != nil {
		log.Fatal(err)
	}
	serve(s, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"instructions":"Weather by city.","ttlMs":300000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.0.0"}}}}
}

// newExample makes a server with one tool.
func newExample(tool server.Tool, options server.Options) *server.Server {
	s, err := server.New(mcp.Implementation{Name: "weather", Version: "1.0.0"}, options)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Add(tool); err != nil {
		log.Fatal(err)
	}
	return s
}

// The schemas of a typed tool come from its types, and its result appears as
// data and as text.
func ExampleNewTool() {
	type city struct {
		Name string `json:"name" doc:"Name of the city, e.g. Oslo" example:"Oslo"`
	}
	type weather struct {
		Celsius int `json:"celsius"`
	}
	tool, err := server.NewTool(mcp.Tool{Name: "get_weather", Description: "Weather of a city."},
		func(_ context.Context, _ *server.Call, in city) (weather, error) {
			if in.Name != "Oslo" {
				return weather{}, mcp.ToolErrorf("There is no city %q here. Only Oslo is known.", in.Name)
			}
			return weather{Celsius: -3}, nil
		})
	if err != nil {
		log.Fatal(err)
	}
	s := newExample(tool, server.Options{})
	serve(s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","arguments":{"name":"Oslo"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	serve(s, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_weather","arguments":{"name":"Rome"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"celsius\":-3}"}],"structuredContent":{"celsius":-3},"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.0.0"}}}}
	// {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"There is no city \"Rome\" here. Only Oslo is known."}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.0.0"}}}}
}

// A tool written by hand chooses its own blocks of content.
func ExampleTool() {
	tool := server.Tool{
		Definition: mcp.Tool{
			Name:        "get_map",
			InputSchema: []byte(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
		},
		Handle: func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: mcp.ContentList{
				&mcp.TextContent{Text: "A map for " + string(call.Arguments())},
				&mcp.ImageContent{Data: []byte{0x89, 'P', 'N', 'G'}, MIMEType: "image/png"},
			}}, nil
		},
	}
	s := newExample(tool, server.Options{})
	serve(s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_map","arguments":{"name":"Oslo"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"A map for {\"name\":\"Oslo\"}"},{"type":"image","data":"iVBORw==","mimeType":"image/png"}],"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.0.0"}}}}
}

// A handler that needs a person's answer returns its question and runs again,
// from its beginning, once there is one.
func ExampleInputRequired() {
	tool, err := server.NewTool(mcp.Tool{Name: "forget_city"}, func(_ context.Context, call *server.Call, _ struct{}) (server.Text, error) {
		answer, ok := call.Answer("sure")
		if !ok {
			return "", &server.InputRequired{Requests: mcp.InputRequests{{Key: "sure", Request: &mcp.ElicitFormParams{
				Message:         "Forget Oslo?",
				RequestedSchema: []byte(`{"type":"object","properties":{}}`),
			}}}}
		}
		return server.Text("The person said " + string(answer)), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	s := newExample(tool, server.Options{})
	serve(s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forget_city","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`)
	serve(s, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forget_city","inputResponses":{"sure":{"action":"decline"}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"sure":{"method":"elicitation/create","params":{"mode":"form","message":"Forget Oslo?","requestedSchema":{"type":"object","properties":{}}}}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.0.0"}}}}
	// {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The person said {\"action\":\"decline\"}"}],"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.0.0"}}}}
}

// A middleware sees every request before it is looked at.
func ExampleMiddleware() {
	closed := func(next server.Handler) server.Handler {
		return func(ctx context.Context, call *server.Call) (server.Result, error) {
			if call.Method == mcp.MethodToolsCall {
				return nil, mcp.InvalidRequest("We are closed, %s", call.Principal.Name)
			}
			return next(ctx, call)
		}
	}
	s := newExample(fast("get_weather"), server.Options{Middleware: []server.Middleware{closed}})
	serve(s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"We are closed, local"}}
}

// Whoever has the process to themselves may do everything; others hold scopes.
func ExamplePrincipal_Allows() {
	reader := &server.Principal{Name: "reader", Scopes: []string{"weather:read"}}
	fmt.Println(reader.Allows("weather:read"), reader.Allows("weather:write"), reader.Allows(""), server.Local().Allows("weather:write"))
	// Output: true false true true
}
