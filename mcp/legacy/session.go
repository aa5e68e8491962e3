package legacy

import (
	"context"
	"sync"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// Session is what one initialize established: for a pipe the state of the
// process, for HTTP what a session id stands for.
type Session struct {
	server  *server.Server
	version mcp.Version
	client  *server.Client

	mu       sync.Mutex
	logLevel mcp.LogLevel
	// waiting are the requests of ours that the client has not answered, by
	// the key of their id. closed refuses new ones.
	waiting map[string]chan reply
	lastID  int64
	closed  bool
}

// Version is the revision that was agreed on.
func (s *Session) Version() mcp.Version { return s.version }

// Client is what the client said about itself.
func (s *Session) Client() *server.Client { return s.client }

// Batches reports whether this revision has JSON-RPC batches: of all of MCP's
// only 2025-03-26 does.
func (s *Session) Batches() bool { return s.version == mcp.Version20250326 }

// Complete gives a call the facts of the session, after which it is like any
// other call.
func (s *Session) Complete(call *server.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call.Version = s.version
	call.Client = s.client
	call.LogLevel = s.logLevel
	call.Asker = s
}

// Answer answers the methods that the era has besides those of the server.
// handled is false for every other method.
func (s *Session) Answer(dst []byte, message *jsonrpc.Message) (answer []byte, handled bool) {
	switch string(message.Method) {
	case mcp.MethodPing:
		return AnswerPing(dst, message.ID), true
	case mcp.MethodLoggingSetLevel:
		if err := s.setLevel(message.Params); err != nil {
			return s.server.Refuse(dst, message.ID, err), true
		}
		return jsonrpc.AppendResult(dst, message.ID, []byte("{}")), true
	default:
		return dst, false
	}
}

// AnswerPing appends the answer to a ping, which the era allows even before
// initialize.
func AnswerPing(dst []byte, id jsonrpc.ID) []byte {
	return jsonrpc.AppendResult(dst, id, []byte("{}"))
}

// setLevel is logging/setLevel. It is taken at any time, because one host
// sends it before its initialized notification.
func (s *Session) setLevel(params []byte) error {
	raw, _ := jsonscan.Lookup(params, "level")
	if jsonscan.KindOf(raw) != jsonscan.String {
		return mcp.InvalidParams(`params.level must be a log level, for example "info"`)
	}
	level, err := mcp.ParseLogLevel(jsonscan.Unquote(raw))
	if err != nil {
		return mcp.InvalidParams("params.level is no log level: use debug, info, notice, warning, error, critical, alert or emergency")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logLevel = level
	return nil
}

// Watch hears of every change from now on, to pass it on as list_changed. It
// returns nil when the server's list cannot change. It must be called before
// the initialize result goes out, or a change right after would be missed.
func (s *Session) Watch(principal *server.Principal) (*Watch, error) {
	if tools := s.server.Capabilities().Tools; tools == nil || !tools.ListChanged {
		return nil, nil
	}
	subscription, err := s.server.Subscribe(principal, server.Filter{Tools: true})
	if err != nil {
		return nil, err
	}
	return &Watch{subscription}, nil
}

// Watch is what [Session.Watch] started.
type Watch struct{ subscription *server.Subscription }

// Run sends list_changed notifications until ctx ends or the peer fails.
func (w *Watch) Run(ctx context.Context, peer server.Peer) error {
	defer w.subscription.Close()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.subscription.Changed():
			if !w.subscription.Take().Tools {
				continue
			}
			if err := peer.Notify(ctx, jsonrpc.AppendNotification(nil, mcp.NotificationToolsListChanged, nil)); err != nil {
				return err
			}
		}
	}
}
