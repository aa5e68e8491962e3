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
	// Nobody is asked anything before it is certain that all can be asked.
	params := make([][]byte, len(requests))
	for i, entry := range requests {
		var ok bool
		if params[i], ok = entry.Request.ParamsFor(s.version); !ok {
			return nil, mcp.ToolErrorf("%s needs %s, which this host's protocol revision %s does not have. Nothing was changed.", call.Tool(), entry.Request.Method(), s.version)
		}
	}
	questions := make([]question, 0, len(requests))
	defer func() {
		for _, q := range questions {
			s.forget(q.id)
		}
	}()
	for i, entry := range requests {
		id, answers, err := s.expect()
		if err != nil {
			return nil, err
		}
		questions = append(questions, question{entry.Key, id, answers})
		if err := call.Send(ctx, jsonrpc.AppendRequest(nil, id, entry.Request.Method(), params[i])); err != nil {
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
			return nil, s.unanswered(ctx, call, questions)
		}
	}
	return responses, nil
}

// question is one request of ours and where its answer arrives.
type question struct {
	key     string
	id      jsonrpc.ID
	answers chan reply
}

// unanswered tells the client which answers are no longer wanted and the model
// why there are none.
func (s *Session) unanswered(ctx context.Context, call *server.Call, questions []question) error {
	cause := context.Cause(ctx)
	if !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	for _, q := range questions {
		if !s.forget(q.id) {
			continue // This one was answered.
		}
		params := append(append([]byte(`{"requestId":`), q.id...), `,"reason":"no answer in time"}`...)
		// The answer came too late for us; whether this notice arrives changes
		// nothing for anybody.
		_ = call.Send(context.WithoutCancel(ctx), jsonrpc.AppendNotification(nil, mcp.NotificationCancelled, params))
	}
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

// forget reports whether the answer was still awaited.
func (s *Session) forget(id jsonrpc.ID) (awaited bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, awaited = s.waiting[id.Key()]
	delete(s.waiting, id.Key())
	return awaited
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
	if jsonscan.KindOf(message.Result) != jsonscan.Object {
		answers <- reply{err: mcp.NewToolError("The host answered the question this tool asked with something that is no answer. Nothing was changed.")}
		return
	}
	answers <- reply{result: bytes.Clone(message.Result)}
}

// Fail ends a question whose answer came but could not be read.
func (s *Session) Fail(id jsonrpc.ID, problem string) {
	s.mu.Lock()
	answers := s.waiting[id.Key()]
	delete(s.waiting, id.Key())
	s.mu.Unlock()
	if answers != nil {
		answers <- reply{err: mcp.ToolErrorf("The host's answer to the question this tool asked could not be read: %s. Nothing was changed.", problem)}
	}
}

// After makes the ids of questions go on where another session's ended, so that
// a late answer to one of its questions is not taken for an answer to ours.
func (s *Session) After(earlier *Session) {
	earlier.mu.Lock()
	last := earlier.lastID
	earlier.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID = last
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
