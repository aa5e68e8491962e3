package desk

import (
	"errors"
	"fmt"
)

// Status is where a ticket is in its life.
type Status string

// The three states of a ticket.
const (
	// Open waits for the company.
	Open Status = "open"
	// Pending waits for the customer.
	Pending Status = "pending"
	// Closed is done.
	Closed Status = "closed"
)

// Valid reports whether the status is one of the three.
func (s Status) Valid() bool { return s == Open || s == Pending || s == Closed }

// Ticket is one request for help.
type Ticket struct {
	// Number identifies the ticket: digits only, for example 2318.
	Number string
	// Subject is the customer's own headline.
	Subject string
	Status  Status
	// CustomerID is the customer who wrote, for example cus_1042.
	CustomerID string
}

// maxNumberDigits is more than any desk will ever need, and keeps a number of
// four hundred digits from being looked up anywhere.
const maxNumberDigits = 18

// ErrTicketNumber means that a text has not the form of a ticket number.
var ErrTicketNumber = errors.New("ticket numbers are digits only, for example 2318")

// CheckTicketNumber reports whether a text has the form of a ticket number:
// 1 to 18 ASCII digits. The error wraps ErrTicketNumber.
func CheckTicketNumber(text string) error {
	if len(text) == 0 || len(text) > maxNumberDigits {
		return fmt.Errorf("%d characters: %w", len(text), ErrTicketNumber)
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return fmt.Errorf("character %d: %w", i+1, ErrTicketNumber)
		}
	}
	return nil
}
