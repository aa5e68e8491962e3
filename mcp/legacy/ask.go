package legacy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// reply is what a client answered to a request of ours.
type reply struct {
	result []byte
	err    error
}

// errClosed is what questions get when the connection ends under them.
var errClosed = mcp.NewToolError("The connection ended before the host answered the question this tool asked. Nothing was changed.")

// Ask sends requests to the client on the call's own stream and waits for all
// of the answers. It is the initialize-era form of InputRequired. A request
// that the revision does not have, and an error as the answer, become a tool
// error, since both leave the tool without what it needs.
func (s *Session) Ask(ctx context.Context, call *server.Call, requests mcp.InputRequests) (mcp.InputResponses, error) {
	type question struct {
		key     string
		id      jsonrpc.ID
		answers chan reply
	}
	questions := make([]question, 0, len(requests))
	defer func() {
		for _, q := range questions {
			s.forget(q.id)
		}
	}()
	for _, entry := range requests {
		params, ok := entry.Request.ParamsFor(s.version)
		if !ok {
			return nil, mcp.ToolErrorf("%s needs %s, which this host's protocol revision %s does not have. Nothing was changed.", call.Tool(), entry.Request.Method(), s.version)
		}
		id, answers, err := s.expect()
		if err != nil {
			return nil, err
		}
		questions = append(questions, question{entry.Key, id, answers})
		if err := call.Peer.Notify(ctx, jsonrpc.AppendRequest(nil, id, entry.Request.Method(), params)); err != nil {
			return nil, err
		}
	}
	var responses mcp.InputResponses
	for _, q := range questions {
		select {
		case answer := <-q.answers:
			if answer.err != nil {
				return nil, answer.err
			}
			responses.Set(q.key, answer.result)
		case <-ctx.Done():
			return nil, s.unanswered(ctx, call, q.id)
		}
	}
	return responses, nil
}

// unanswered tells the client that its answer is no longer wanted and the
// model why there is none.
func (s *Session) unanswered(ctx context.Context, call *server.Call, id jsonrpc.ID) error {
	cause := context.Cause(ctx)
	if !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	params := append(append([]byte(`{"requestId":`), id...), `,"reason":"no answer in time"}`...)
	// The answer came too late for us; whether this notice arrives changes
	// nothing for anybody.
	_ = call.Peer.Notify(context.WithoutCancel(ctx), jsonrpc.AppendNotification(nil, mcp.NotificationCancelled, params))
	return mcp.ToolErrorf("%s asked for input and got no answer in time. Nothing was changed; trying again asks again.", call.Tool())
}

// expect makes an id and a place for its answer.
func (s *Session) expect() (jsonrpc.ID, chan reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errClosed
	}
	s.lastID++
	id := jsonrpc.StringID("ask-" + strconv.FormatInt(s.lastID, 10))
	answers := make(chan reply, 1)
	s.waiting[id.Key()] = answers
	return id, answers, nil
}

func (s *Session) forget(id jsonrpc.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, id.Key())
}

// Deliver takes a response from the client. A response to nothing is ignored:
// it may be late, and answering it would be wrong.
func (s *Session) Deliver(message *jsonrpc.Message) {
	s.mu.Lock()
	answers := s.waiting[message.ID.Key()]
	delete(s.waiting, message.ID.Key())
	s.mu.Unlock()
	if answers == nil {
		return
	}
	if message.Kind == jsonrpc.ErrorResponse {
		text, _ := jsonscan.Lookup(message.Error, "message")
		answers <- reply{err: mcp.NewToolError(fmt.Sprintf("The host could not answer the question this tool asked: %.300s. Nothing was changed.", jsonscan.Unquote(text)))}
		return
	}
	answers <- reply{result: bytes.Clone(message.Result)}
}

// Close ends every open question.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for key, answers := range s.waiting {
		delete(s.waiting, key)
		answers <- reply{err: errClosed}
	}
}
