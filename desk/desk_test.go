package desk_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"helpdesk/desk"
	"helpdesk/desk/memory"
)

func TestCheckTicketNumber(t *testing.T) {
	t.Parallel()
	for number, ok := range map[string]bool{
		"2318": true, "0": true, "02318": true, strings.Repeat("9", 18): true,
		"": false, "#2318": false, " 2318": false, "2318\n": false, "-1": false, "1.0": false, "٢٣١٨": false, strings.Repeat("9", 19): false,
	} {
		err := desk.CheckTicketNumber(number)
		if (err == nil) != ok {
			t.Errorf("CheckTicketNumber(%q) = %v, want ok=%v", number, err, ok)
		}
		if err != nil && !errors.Is(err, desk.ErrTicketNumber) {
			t.Errorf("CheckTicketNumber(%q) does not wrap ErrTicketNumber", number)
		}
	}
}

func TestService(t *testing.T) {
	t.Parallel()
	store, err := memory.New(desk.DemoTickets())
	if err != nil {
		t.Fatal(err)
	}
	service := desk.NewService(store)
	ticket, err := service.Ticket(context.Background(), "2319")
	if err != nil || ticket.Subject != "Class schedule not syncing to calendar" || ticket.Status != desk.Pending {
		t.Errorf("ticket 2319 is %+v, %v", ticket, err)
	}
	if _, err := service.Ticket(context.Background(), "9999"); !errors.Is(err, desk.ErrNotFound) {
		t.Errorf("ticket 9999 gives %v, want ErrNotFound", err)
	}
	if _, err := service.Ticket(context.Background(), "constructor"); !errors.Is(err, desk.ErrTicketNumber) {
		t.Errorf("constructor gives %v, want ErrTicketNumber", err)
	}
}

func TestMemoryRefusesBadTickets(t *testing.T) {
	t.Parallel()
	good := desk.Ticket{Number: "1", Status: desk.Open}
	for name, tickets := range map[string][]desk.Ticket{
		"bad number": {{Number: "A1", Status: desk.Open}},
		"bad status": {{Number: "1", Status: "lost"}},
		"twice":      {good, good},
	} {
		if _, err := memory.New(tickets); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
