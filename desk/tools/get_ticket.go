package tools

import (
	"context"
	"errors"
	"fmt"

	"helpdesk/desk"
	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
	"helpdesk/schema"
)

// The definition of get_ticket is a promise to the byte: it is what the model
// reads, it costs 91 tokens, and prompt caches depend on it.
const (
	getTicketDescription = "Fetch one support ticket by its number, with its subject, status and customer id. Ticket numbers are digits only, for example 2318."

	getTicketInput = `{"type":"object","properties":{"ticket_id":{"type":"string","pattern":"^[0-9]+$","description":"Ticket number, digits only, e.g. 2318"}},"required":["ticket_id"],"additionalProperties":false}`

	getTicketOutput = `{"type":"object","properties":{"ticket_id":{"type":"string"},"subject":{"type":"string"},"status":{"type":"string","enum":["open","pending","closed"]},"customer_id":{"type":"string"}},"required":["ticket_id","subject","status","customer_id"]}`

	// noTicket answers every value that is no ticket number, whatever is
	// wrong with it.
	noTicket = `No ticket "{value}". Ticket numbers are digits only, for example 2318.`

	// absentTicket answers a well-formed number that nobody has. The model
	// cannot mend the form, so it is told what to do instead.
	absentTicket = `No ticket "{value}". The number is well formed, but no such ticket exists. Ask whoever gave you the number to check it.`
)

// noTicketText fills a sentence with the number as it was sent.
func noTicketText(sentence, number string) string {
	return schema.Sentence(sentence, jsonscan.AppendQuoted(nil, number))
}

type getTicketIn struct {
	TicketID string `json:"ticket_id"`
}

type getTicketOut struct {
	TicketID   string      `json:"ticket_id"`
	Subject    string      `json:"subject"`
	Status     desk.Status `json:"status"`
	CustomerID string      `json:"customer_id"`
}

// GetTicket is the tool get_ticket.
func GetTicket(service *desk.Service) (server.Tool, error) {
	tool, err := server.NewTool(mcp.Tool{
		Name:         "get_ticket",
		Title:        "Get ticket",
		Description:  getTicketDescription,
		InputSchema:  []byte(getTicketInput),
		OutputSchema: []byte(getTicketOutput),
		Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: mcp.True(), OpenWorldHint: mcp.False()},
	}, func(ctx context.Context, _ *server.Call, in getTicketIn) (getTicketOut, error) {
		ticket, err := service.Ticket(ctx, in.TicketID)
		switch {
		case errors.Is(err, desk.ErrTicketNumber):
			return getTicketOut{}, mcp.NewToolError(noTicketText(noTicket, in.TicketID))
		case errors.Is(err, desk.ErrNotFound):
			return getTicketOut{}, mcp.NewToolError(noTicketText(absentTicket, in.TicketID))
		case err != nil:
			return getTicketOut{}, fmt.Errorf("get_ticket: %w", err)
		}
		return getTicketOut{
			TicketID:   ticket.Number,
			Subject:    ticket.Subject,
			Status:     ticket.Status,
			CustomerID: ticket.CustomerID,
		}, nil
	})
	if err != nil {
		return server.Tool{}, err
	}
	tool.Scope = "tickets:read"
	tool.Sentences = map[string]string{"ticket_id": noTicket}
	return tool, nil
}
