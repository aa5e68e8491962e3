// Command mcpgo serves get_ticket with github.com/mark3labs/mcp-go, with its
// input validation switched on (it is off by default).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"helpdesk/bench/fixture"
)

func main() {
	tools := flag.Int("tools", 1, "how many `tools` to list")
	big := flag.Bool("big", false, "offer the tool with the 1 MiB result")
	flag.Parse()
	err := server.ServeStdio(newServer(*tools, *big))
	if err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "mcpgo:", err)
		os.Exit(1)
	}
}

func newServer(tools int, big bool) *server.MCPServer {
	s := server.NewMCPServer("helpdesk", "0.1.0",
		server.WithToolCapabilities(false),
		server.WithInputSchemaValidation())
	tickets := fixture.Tickets()
	readOnly, closedWorld := true, false
	get := mcp.NewToolWithRawSchema(fixture.ToolName, fixture.Description, json.RawMessage(fixture.InputSchema))
	get.Title = fixture.ToolTitle
	get.RawOutputSchema = json.RawMessage(fixture.OutputSchema)
	get.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &readOnly, OpenWorldHint: &closedWorld}
	s.AddTool(get, func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		number := request.GetString("ticket_id", "")
		ticket, ok := tickets[number]
		if !ok {
			return mcp.NewToolResultError(fixture.Missing(number)), nil
		}
		return mcp.NewToolResultJSON(ticket)
	})
	for i := 1; i < tools; i++ {
		name, description := fixture.Filler(i)
		s.AddTool(mcp.NewToolWithRawSchema(name, description, json.RawMessage(fixture.FillerSchema)),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultError("this tool only makes the list long"), nil
			})
	}
	if big {
		text := fixture.BigText()
		s.AddTool(mcp.NewToolWithRawSchema(fixture.BigName, fixture.BigDescription, json.RawMessage(fixture.BigSchema)),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultText(text), nil
			})
	}
	return s
}
