package server

import (
	"sync"
	"time"

	"helpdesk/mcp"
)

// maxSubscriptions is how many streams one principal may hold open.
const maxSubscriptions = 64

// stopNotice bounds the last words to a subscriber that may not be reading.
const stopNotice = time.Second

// Change says what is different now. Changes that happen while a listener is
// busy are merged, so a slow one costs no memory.
type Change struct {
	// Tools: the list of tools changed.
	Tools bool
}

// hub passes changes to whoever subscribed.
type hub struct {
	mu            sync.Mutex
	subscriptions map[*Subscription]struct{}
	perPrincipal  map[string]int
}

// Subscription receives the changes its filter asks for.
type Subscription struct {
	hub       *hub
	principal string
	filter    Filter
	changed   chan struct{}

	mu      sync.Mutex
	pending Change
}

// Subscribe starts listening to changes of the server.
func (s *Server) Subscribe(principal *Principal, filter Filter) (*Subscription, error) {
	return s.hub.subscribe(principal.name(), filter)
}

func (h *hub) subscribe(principal string, filter Filter) (*Subscription, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.perPrincipal[principal] >= maxSubscriptions {
		return nil, &mcp.Error{Code: mcp.CodeInternalError, Message: "Too many open subscriptions: close one before you open another"}
	}
	if h.perPrincipal == nil {
		h.perPrincipal = map[string]int{}
	}
	h.perPrincipal[principal]++
	sub := &Subscription{hub: h, principal: principal, filter: filter, changed: make(chan struct{}, 1)}
	h.subscriptions[sub] = struct{}{}
	return sub, nil
}

// Changed receives a value when there is something to [Subscription.Take].
func (s *Subscription) Changed() <-chan struct{} { return s.changed }

// Take returns what changed since the last call.
func (s *Subscription) Take() Change {
	s.mu.Lock()
	defer s.mu.Unlock()
	change := s.pending
	s.pending = Change{}
	return change
}

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if _, open := s.hub.subscriptions[s]; !open {
		return
	}
	delete(s.hub.subscriptions, s)
	if s.hub.perPrincipal[s.principal]--; s.hub.perPrincipal[s.principal] == 0 {
		delete(s.hub.perPrincipal, s.principal)
	}
}

func (h *hub) publish(change Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for sub := range h.subscriptions {
		sub.offer(change)
	}
}

func (s *Subscription) offer(change Change) {
	if !change.Tools || !s.filter.Tools {
		return
	}
	s.mu.Lock()
	s.pending.Tools = true
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
