package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
)

// Server answers MCP requests. It is safe for concurrent use and may serve any
// number of connections and transports at once.
type Server struct {
	info mcp.Implementation
	opts Options
	// metaSuffix is the _meta member of every modern result, encoded once.
	metaSuffix []byte
	sealer     *sealer
	handler    Handler
	limiter    limiter
	hub        hub

	registry   atomic.Pointer[registry]
	discovered memo
	lastClient atomic.Pointer[clientMemo]
	started    atomic.Bool
	coerced    atomic.Int64

	changing sync.Mutex
}

// Handler answers one request. See [Middleware].
type Handler func(ctx context.Context, call *Call) (Result, error)

// Middleware wraps a handler. It may look at the call, refuse it with an
// error, or replace the result; it runs inside the containment of panics and
// the call's timeout. For tools/call it runs before the tool is looked up.
type Middleware func(next Handler) Handler

// New makes a server that presents itself as info; a name and a version are
// required.
func New(info mcp.Implementation, options Options) (*Server, error) {
	if info.Name == "" || info.Version == "" {
		return nil, errors.New("server: an implementation needs a name and a version")
	}
	opts, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(info, outputOptions)
	if err != nil {
		return nil, err
	}
	s := &Server{info: info, opts: opts}
	s.metaSuffix = append(jsonscan.AppendQuoted([]byte(`"_meta":{`), mcp.MetaServerInfo), ':')
	s.metaSuffix = append(append(s.metaSuffix, encoded...), '}')
	if s.sealer, err = newSealer(opts.StateSecret); err != nil {
		return nil, err
	}
	s.limiter = limiter{most: opts.MaxConcurrent, queue: opts.MaxQueued}
	s.hub.subscriptions = map[*Subscription]struct{}{}
	s.registry.Store(newRegistry(nil))
	s.handler = s.route
	for i := len(opts.Middleware) - 1; i >= 0; i-- {
		s.handler = opts.Middleware[i](s.handler)
	}
	return s, nil
}

// Info is how the server presents itself.
func (s *Server) Info() mcp.Implementation { return s.info }

// Instructions is what the model is told about the server as a whole.
func (s *Server) Instructions() string { return s.opts.Instructions }

// Capabilities is what the server declares.
func (s *Server) Capabilities() mcp.ServerCapabilities { return s.capabilities() }

// Coerced is how many scalar arguments were converted from a wrong JSON type
// since the server was made.
func (s *Server) Coerced() int64 { return s.coerced.Load() }

func (s *Server) tools() *registry { return s.registry.Load() }

// Dispatch runs a call that [Server.Prepare] made and returns dst with the
// answer appended, without a line end. When no answer is due from here, since
// the call was cancelled or something else answered it first, dst comes back
// as it was.
//
// Dispatch returns when the handler does. A transport that must not wait runs
// it on a goroutine of its own and calls [Call.StartClock]; if the timeout
// passes first, the answer goes to the call's Peer instead.
func (s *Server) Dispatch(call *Call, dst []byte) []byte {
	result, err := s.contain(call)
	if !call.settle(answered, nil) {
		call.stopClock()
		return dst
	}
	call.cancel(errCallOver)
	s.leavePlace(call)
	return s.appendAnswer(dst, call, result, err)
}

// Refuse appends the answer to a request that never became a call.
func (s *Server) Refuse(dst []byte, id jsonrpc.ID, err error) []byte {
	refusal := s.wireError(nil, err)
	return jsonrpc.AppendError(dst, id, refusal.Code, refusal.Message, refusal.Data)
}

// route finds the method's handler. Each era knows only its own methods; what
// a legacy session answers by itself never comes here.
func (s *Server) route(ctx context.Context, call *Call) (Result, error) {
	switch call.Method {
	case mcp.MethodToolsCall:
		return s.callTool(ctx, call)
	case mcp.MethodToolsList:
		return s.listTools(call)
	}
	if call.Version.Modern() {
		switch call.Method {
		case mcp.MethodServerDiscover:
			return s.discover(call)
		case mcp.MethodSubscriptionsListen:
			return s.listen(ctx, call)
		}
	}
	return nil, mcp.MethodNotFound(shortened(call.Method))
}
