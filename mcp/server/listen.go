package server

import (
	"context"
	"errors"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
)

// listen is subscriptions/listen: it acknowledges the filter, then sends what
// changes until the client cancels or the server stops (patterns/subscriptions).
func (s *Server) listen(ctx context.Context, call *Call) (Result, error) {
	filter, err := s.readFilter(call.params.notifications)
	if err != nil {
		return nil, err
	}
	subscription, err := s.hub.subscribe(call.Principal.name(), filter)
	if err != nil {
		return nil, err
	}
	defer subscription.Close()

	id := append(jsonscan.AppendQuoted([]byte(`"_meta":{`), mcp.MetaSubscriptionID), ':')
	id = append(append(id, call.ID...), '}')
	call.yield()
	if err := call.notifyListener(ctx, mcp.NotificationSubscriptionsAcknowledged, id, filter.members()); err != nil {
		return nil, err
	}
	for {
		select {
		case <-subscription.Changed():
			if subscription.Take().Tools {
				if err := call.notifyListener(ctx, mcp.NotificationToolsListChanged, id, nil); err != nil {
					return nil, err
				}
			}
		case <-ctx.Done():
			if !errors.Is(context.Cause(ctx), ErrStopping) {
				return nil, context.Cause(ctx)
			}
			return call.endListening(id)
		}
	}
}

// endListening ends a subscription from the server's side. The cancellation
// page demands the notification, the subscriptions page asks for the result;
// the notification comes first, while the request it names is still open.
func (c *Call) endListening(id []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopNotice)
	defer cancel()
	request := append([]byte(`"requestId":`), c.ID...)
	request = append(request, `,"reason":"the server is stopping"`...)
	if err := c.notifyListener(ctx, mcp.NotificationCancelled, id, request); err != nil {
		return nil, err
	}
	return listenResult{subscription: id[len(`"_meta":`):]}, nil
}

// Stop asks a subscription to end gracefully; other calls are not touched.
func (c *Call) Stop() {
	if c.Method == mcp.MethodSubscriptionsListen && c.cancel != nil {
		c.cancel(ErrStopping)
	}
}

// notifyListener sends a notification that carries the subscription's id.
func (c *Call) notifyListener(ctx context.Context, method string, id, rest []byte) error {
	c.notify.Lock()
	defer c.notify.Unlock()
	if c.phase.Load() != running {
		return errCallOver
	}
	p := append([]byte{'{'}, id...)
	if len(rest) > 0 {
		p = append(append(p, ','), rest...)
	}
	return c.Peer.Notify(ctx, jsonrpc.AppendNotification(nil, method, append(p, '}')))
}

// listenResult is the answer to a subscription that the server ended.
type listenResult struct{ subscription []byte }

func (r listenResult) resultType() string                             { return resultComplete }
func (r listenResult) appendMembers(dst []byte, _ mcp.Version) []byte { return dst }
func (r listenResult) meta() []byte                                   { return r.subscription }

// Filter is what a subscription wants to hear of.
type Filter struct {
	// Tools asks for notifications/tools/list_changed.
	Tools bool
}

// members is the filter as the acknowledgment reports it: only what is
// honoured.
func (f Filter) members() []byte {
	if f.Tools {
		return []byte(`"notifications":{"toolsListChanged":true}`)
	}
	return []byte(`"notifications":{}`)
}

// readFilter takes what this server can honour from the requested filter.
// Unknown types are left out of the acknowledgment; that is how a client
// learns that they are not supported.
func (s *Server) readFilter(raw []byte) (Filter, error) {
	var f Filter
	if jsonscan.KindOf(raw) != jsonscan.Object {
		return f, mcp.InvalidParams(`params.notifications must be an object, for example {"toolsListChanged":true}`)
	}
	if value, ok := jsonscan.Lookup(raw, "toolsListChanged"); ok {
		if jsonscan.KindOf(value) != jsonscan.Bool {
			return f, mcp.InvalidParams("params.notifications.toolsListChanged must be true or false")
		}
		f.Tools = string(value) == "true" && s.opts.ToolsChange
	}
	return f, nil
}
