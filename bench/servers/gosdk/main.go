// Command gosdk serves get_ticket with github.com/modelcontextprotocol/go-sdk,
// in the way its documentation shows: a typed tool, with the input and output
// checked by the SDK.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"helpdesk/bench/fixture"
)

type input struct {
	TicketID string `json:"ticket_id"`
	Note     string `json:"note,omitempty"`
}

func main() {
	tools := flag.Int("tools", 1, "how many `tools` to list")
	big := flag.Bool("big", false, "offer the tool with the 1 MiB result")
	flag.Parse()
	if err := newServer(*tools, *big).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func newServer(tools int, big bool) *mcp.Server {
	// One page for the whole list, as the other servers send it.
	server := mcp.NewServer(&mcp.Implementation{Name: "helpdesk", Version: "0.1.0"}, &mcp.ServerOptions{PageSize: tools + 1})
	closedWorld := false
	tickets := fixture.Tickets()
	mcp.AddTool(server, &mcp.Tool{
		Name: fixture.ToolName, Title: fixture.ToolTitle, Description: fixture.Description,
		InputSchema: json.RawMessage(fixture.InputSchema), OutputSchema: json.RawMessage(fixture.OutputSchema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closedWorld},
	}, func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, fixture.Ticket, error) {
		ticket, ok := tickets[in.TicketID]
		if !ok {
			return nil, fixture.Ticket{}, errors.New(fixture.Missing(in.TicketID))
		}
		return nil, ticket, nil
	})
	for i := 1; i < tools; i++ {
		name, description := fixture.Filler(i)
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(fixture.FillerSchema)},
			func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
				return nil, nil, errors.New("this tool only makes the list long")
			})
	}
	if big {
		text := fixture.BigText()
		mcp.AddTool(server, &mcp.Tool{Name: fixture.BigName, Description: fixture.BigDescription, InputSchema: json.RawMessage(fixture.BigSchema)},
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
			})
	}
	return server
}
