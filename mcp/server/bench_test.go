package server_test

import (
	"context"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

const benchLine = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_ticket","arguments":{"ticket_id":"2318"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"terminal","version":"0.1.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}`

type benchIn struct {
	TicketID string `json:"ticket_id" doc:"Ticket number, digits only, e.g. 2318" pattern:"^[0-9]+$"`
}

type benchOut struct {
	TicketID   string `json:"ticket_id"`
	Subject    string `json:"subject"`
	Status     string `json:"status" enum:"open,pending,closed"`
	CustomerID string `json:"customer_id"`
}

// BenchmarkDispatch is one call from its line to its answer, without a pipe.
func BenchmarkDispatch(b *testing.B) {
	s, err := server.New(mcp.Implementation{Name: "bench", Version: "1"}, server.Options{})
	if err != nil {
		b.Fatal(err)
	}
	tool, err := server.NewTool(mcp.Tool{Name: "get_ticket", Description: "x"}, func(_ context.Context, _ *server.Call, in benchIn) (benchOut, error) {
		return benchOut{in.TicketID, "Charged twice for October", "open", "cus_1042"}, nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Add(tool); err != nil {
		b.Fatal(err)
	}
	line := []byte(benchLine)
	principal := server.Local()
	var answer []byte
	b.ReportAllocs()
	for b.Loop() {
		m, err := jsonrpc.Scan(line, 0)
		if err != nil {
			b.Fatal(err)
		}
		call := &server.Call{Principal: principal}
		if _, err := s.Prepare(context.Background(), call, &m); err != nil {
			b.Fatal(err)
		}
		answer = s.Dispatch(call, answer[:0])
	}
	b.SetBytes(int64(len(answer)))
}
