// Package memory keeps a desk in memory: for the demo, which needs no file,
// and for tests.
package memory

import (
	"context"
	"fmt"

	"helpdesk/desk"
)

// Store is a desk.Store whose content is fixed when it is made.
type Store struct{ tickets map[string]desk.Ticket }

// New makes a store that holds the given tickets. Numbers must be well formed
// and unique.
func New(tickets []desk.Ticket) (*Store, error) {
	s := &Store{tickets: make(map[string]desk.Ticket, len(tickets))}
	for _, t := range tickets {
		if err := desk.CheckTicketNumber(t.Number); err != nil {
			return nil, fmt.Errorf("memory: ticket %q: %w", t.Number, err)
		}
		if !t.Status.Valid() {
			return nil, fmt.Errorf("memory: ticket %s has the unknown status %q", t.Number, t.Status)
		}
		if _, exists := s.tickets[t.Number]; exists {
			return nil, fmt.Errorf("memory: ticket %s is given twice", t.Number)
		}
		s.tickets[t.Number] = t
	}
	return s, nil
}

// Ticket implements desk.Store.
func (s *Store) Ticket(_ context.Context, number string) (desk.Ticket, error) {
	t, ok := s.tickets[number]
	if !ok {
		return desk.Ticket{}, desk.ErrNotFound
	}
	return t, nil
}
