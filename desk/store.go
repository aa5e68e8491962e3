package desk

import (
	"context"
	"errors"
)

// ErrNotFound means that what was asked for does not exist, or that the caller
// may not know that it does.
var ErrNotFound = errors.New("not found")

// Store keeps a desk. Implementations are safe for concurrent use.
type Store interface {
	// Ticket returns the ticket with the given number. The error wraps
	// ErrNotFound when there is none.
	Ticket(ctx context.Context, number string) (Ticket, error)
}
