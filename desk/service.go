package desk

import (
	"context"
	"fmt"
)

// Service holds every rule of the desk. What it does not allow cannot be done
// through any door.
type Service struct{ store Store }

// NewService makes a service on a store.
func NewService(store Store) *Service { return &Service{store: store} }

// Ticket returns one ticket by its number. The error wraps ErrTicketNumber
// when the text has not the form of a number, and ErrNotFound when there is no
// such ticket.
func (s *Service) Ticket(ctx context.Context, number string) (Ticket, error) {
	if err := CheckTicketNumber(number); err != nil {
		return Ticket{}, err
	}
	ticket, err := s.store.Ticket(ctx, number)
	if err != nil {
		return Ticket{}, fmt.Errorf("ticket %s: %w", number, err)
	}
	return ticket, nil
}
