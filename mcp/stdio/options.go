package stdio

import (
	"log/slog"
	"time"

	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// The defaults of Options.
const (
	// DefaultDrain is how long calls may finish after the end of input or a
	// signal. Hosts kill a server about two seconds after they closed its
	// stdin, so waiting longer would lose the answers instead of saving them.
	DefaultDrain = 1200 * time.Millisecond
	// DefaultMaxInFlight is how many calls one connection may have open.
	DefaultMaxInFlight = 1024
	// DefaultMaxInFlightBytes is how much text open calls may hold together.
	DefaultMaxInFlightBytes = 64 << 20
	// maxBatch is how many messages one batch of revision 2025-03-26 may hold.
	maxBatch = 256
)

// Options configure a connection. The zero value is right for a server that a
// host starts.
type Options struct {
	// MaxLine bounds one message in bytes; longer ones are skipped and
	// answered. Zero means jsonrpc.DefaultMaxLine.
	MaxLine int
	// Drain bounds the end; see DefaultDrain.
	Drain time.Duration
	// MaxInFlight and MaxInFlightBytes bound the open calls; a call beyond
	// them is refused.
	MaxInFlight, MaxInFlightBytes int
	// Principal is who calls. Nil means server.Local, whoever started us.
	Principal *server.Principal
	// FirstMessage, when set, is told the first line a client sends, so that
	// an operator can see which era a host speaks.
	FirstMessage func(line []byte)
	// Log receives what concerns the connection itself. Nil discards it.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = jsonrpc.DefaultMaxLine
	}
	if o.Drain <= 0 {
		o.Drain = DefaultDrain
	}
	if o.MaxInFlight <= 0 {
		o.MaxInFlight = DefaultMaxInFlight
	}
	if o.MaxInFlightBytes <= 0 {
		o.MaxInFlightBytes = DefaultMaxInFlightBytes
	}
	if o.Principal == nil {
		o.Principal = server.Local()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
