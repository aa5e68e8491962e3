package server

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"time"

	"helpdesk/mcp"
)

// The defaults of Options, all of them bounds on what one peer may cost.
const (
	DefaultCallTimeout    = 60 * time.Second
	DefaultMaxResultBytes = 8 << 20
	DefaultMaxConcurrent  = 64
	DefaultMaxQueued      = 1024
	DefaultListTTL        = 5 * time.Minute
	DefaultStateTTL       = 10 * time.Minute
	DefaultMaxRounds      = 10
)

// Options configure a Server. The zero value is a good server: every limit
// has a default, and no capability is declared that was not asked for.
type Options struct {
	// Instructions tell the model how to use the server as a whole. Hosts
	// send them on every turn, so they should be short.
	Instructions string
	// ToolsChange declares that tools may be added and removed while the
	// server runs. It makes the capability {"tools":{"listChanged":true}}.
	ToolsChange bool
	// Logging declares the logging capability and lets [Call.Log] send.
	Logging bool
	// PageSize is how many tools one tools/list answer holds. Zero means all
	// of them, which is what hosts handle best (some read only one page).
	PageSize int
	// ListTTL is the freshness hint on lists and on server/discover.
	ListTTL time.Duration
	// CallTimeout bounds one call unless its tool has a timeout of its own.
	CallTimeout time.Duration
	// MaxResultBytes bounds one encoded result.
	MaxResultBytes int
	// MaxConcurrent is how many tool handlers run at once; MaxQueued is how
	// many more may wait for a place. Beyond both a call is told to come back.
	MaxConcurrent, MaxQueued int
	// StrictTypes switches off the exact conversion of scalars that hosts
	// commonly send in the wrong JSON type (see package schema).
	StrictTypes bool
	// StateSecret seals what a client carries between the rounds of one
	// request (requestState). Replicas behind one address must share it; at
	// least 32 bytes. Nil makes a random one for this process.
	StateSecret []byte
	// StateTTL is how long a sealed state is accepted.
	StateTTL time.Duration
	// MaxRounds bounds how often one legacy request may ask for more input.
	MaxRounds int
	// Middleware wraps every request, the first one outermost.
	Middleware []Middleware
	// Log receives faults, timeouts and conversions. Nil discards them.
	Log *slog.Logger
	// Now is the clock; nil means time.Now. Tests set it.
	Now func() time.Time
}

func (o Options) withDefaults() (Options, error) {
	set := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	count := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	set(&o.ListTTL, DefaultListTTL)
	set(&o.CallTimeout, DefaultCallTimeout)
	set(&o.StateTTL, DefaultStateTTL)
	count(&o.MaxResultBytes, DefaultMaxResultBytes)
	count(&o.MaxConcurrent, DefaultMaxConcurrent)
	count(&o.MaxQueued, DefaultMaxQueued)
	count(&o.MaxRounds, DefaultMaxRounds)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	switch {
	case o.StateSecret == nil:
		o.StateSecret = make([]byte, 32)
		if _, err := rand.Read(o.StateSecret); err != nil {
			return o, fmt.Errorf("server: make a state secret: %w", err)
		}
	case len(o.StateSecret) < 32:
		return o, fmt.Errorf("server: StateSecret has %d bytes, but needs at least 32", len(o.StateSecret))
	}
	if o.PageSize < 0 {
		return o, fmt.Errorf("server: PageSize is %d, but must not be negative", o.PageSize)
	}
	return o, nil
}

// capabilities says what the options and tools together offer.
func (s *Server) capabilities() mcp.ServerCapabilities {
	var c mcp.ServerCapabilities
	if s.opts.ToolsChange || len(s.tools().order) > 0 {
		c.Tools = &mcp.ListChangedCapability{ListChanged: s.opts.ToolsChange}
	}
	if s.opts.Logging {
		c.Logging = &mcp.EmptyCapability{}
	}
	return c
}
