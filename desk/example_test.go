package desk_test

import (
	"context"
	"errors"
	"fmt"

	"helpdesk/desk"
	"helpdesk/desk/memory"
)

func ExampleService_Ticket() {
	store, err := memory.New(desk.DemoTickets())
	if err != nil {
		fmt.Println(err)
		return
	}
	service := desk.NewService(store)
	ticket, err := service.Ticket(context.Background(), "2318")
	fmt.Println(ticket.Subject, err)
	_, err = service.Ticket(context.Background(), "9999")
	fmt.Println(errors.Is(err, desk.ErrNotFound))
	// Output:
	// Charged twice for October <nil>
	// true
}
