// Command ours serves get_ticket with the library of this project, the way the
// other servers here do it with theirs: one typed tool, its input checked
// against the schema. The product itself (helpdesk) always has all its tools,
// so this program stands for it where lists of other lengths are compared.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"helpdesk/bench/fixture"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

type input struct {
	TicketID string `json:"ticket_id"`
	Note     string `json:"note,omitzero"`
}

func main() {
	tools := flag.Int("tools", 1, "how many `tools` to list")
	big := flag.Bool("big", false, "offer the tool with the 1 MiB result")
	flag.Parse()
	s, err := newServer(*tools, *big)
	if err == nil {
		err = stdio.Serve(context.Background(), s, stdio.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func newServer(tools int, big bool) (*server.Server, error) {
	s, err := server.New(mcp.Implementation{Name: "helpdesk", Version: "0.1.0"}, server.Options{})
	if err != nil {
		return nil, err
	}
	get, err := getTicket()
	if err != nil {
		return nil, err
	}
	list := []server.Tool{get}
	for i := 1; i < tools; i++ {
		name, description := fixture.Filler(i)
		filler, err := server.NewTool(mcp.Tool{Name: name, Description: description, InputSchema: []byte(fixture.FillerSchema)},
			func(context.Context, *server.Call, input) (server.Text, error) {
				return "", errors.New("this tool only makes the list long")
			})
		if err != nil {
			return nil, err
		}
		list = append(list, filler)
	}
	if big {
		text := server.Text(fixture.BigText())
		large, err := server.NewTool(mcp.Tool{Name: fixture.BigName, Description: fixture.BigDescription, InputSchema: []byte(fixture.BigSchema)},
			func(context.Context, *server.Call, struct{}) (server.Text, error) { return text, nil })
		if err != nil {
			return nil, err
		}
		list = append(list, large)
	}
	return s, s.Add(list...)
}

func getTicket() (server.Tool, error) {
	tickets := fixture.Tickets()
	tool, err := server.NewTool(mcp.Tool{
		Name: fixture.ToolName, Title: fixture.ToolTitle, Description: fixture.Description,
		InputSchema: []byte(fixture.InputSchema), OutputSchema: []byte(fixture.OutputSchema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.True(), OpenWorldHint: mcp.False()},
	}, func(_ context.Context, _ *server.Call, in input) (fixture.Ticket, error) {
		ticket, ok := tickets[in.TicketID]
		if !ok {
			return fixture.Ticket{}, mcp.NewToolError(fixture.Missing(in.TicketID))
		}
		return ticket, nil
	})
	tool.Sentences = map[string]string{"ticket_id": fixture.Missing("{value}")}
	return tool, err
}
