package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"time"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/legacy"
	"helpdesk/mcp/server"
)

// line handles one line of input. Nothing in it can end the connection.
func (c *conn) line(st *seat, line []byte) {
	if jsonrpc.IsBlank(line) {
		return
	}
	c.greet(line)
	if jsonrpc.IsBatch(line) && c.batches() {
		c.batch(bytes.Clone(line))
		return
	}
	message, err := st.scanner.Scan(line, 0)
	if err != nil {
		c.refuse(err)
		return
	}
	switch message.Kind {
	case jsonrpc.Request:
		c.request(st, &message, line)
	case jsonrpc.Notification:
		c.notification(&message)
	default:
		if session := c.session(); session != nil {
			session.Deliver(&message)
		}
	}
}

func (c *conn) greet(line []byte) {
	if c.state.greeted { // Only the seat's holder comes here.
		return
	}
	c.update(func(s *state) { s.greeted = true })
	if c.opts.FirstMessage != nil {
		c.opts.FirstMessage(line)
	}
}

func (c *conn) session() *legacy.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.session
}

func (c *conn) batches() bool {
	session := c.session()
	return session != nil && session.Batches()
}

// refuse answers what is no message.
func (c *conn) refuse(err error) {
	c.out.hold(c.ended, append(refusal(err), '\n'))
}

func refusal(err error) []byte {
	var scan *jsonrpc.ScanError
	if !errors.As(err, &scan) {
		scan = &jsonrpc.ScanError{Code: jsonrpc.CodeInvalidRequest, Problem: err.Error()}
	}
	return jsonrpc.AppendError(nil, scan.ID, scan.Code, scan.Problem, nil)
}

// refuseLong answers a line that was skipped, unless it was an answer itself.
func (c *conn) refuseLong(tooLong *jsonrpc.LineTooLongError) {
	id, response := jsonrpc.ScanPrefix(tooLong.Prefix)
	problem := fmt.Sprintf("the message is longer than %d bytes", tooLong.Limit)
	if response {
		if session := c.session(); session != nil && id != nil {
			session.Fail(id, problem)
		}
		return
	}
	c.refuse(&jsonrpc.ScanError{Code: jsonrpc.CodeInvalidRequest, Problem: "Invalid Request: " + problem, ID: id})
}

// request answers a request, or starts what will answer it.
func (c *conn) request(st *seat, message *jsonrpc.Message, line []byte) {
	call, answer := c.prepare(message, c)
	if call == nil {
		c.out.hold(c.ended, append(answer, '\n'))
		return
	}
	if err := c.admit(call, len(line)); err != nil {
		call.Cancel(err)
		c.out.hold(c.ended, append(c.server.Refuse(nil, call.ID, err), '\n'))
		return
	}
	if call.Brief() {
		c.run(st, call, len(line))
		return
	}
	// The call keeps its line while the seat reads on, so it needs its own
	// copy, and the spans in it have to be found again.
	own := bytes.Clone(line)
	call.Cancel(errMoved)
	again, err := jsonrpc.Scan(own, 0)
	if err != nil {
		c.refuse(err)
		return
	}
	if call, answer = c.prepare(&again, c); call == nil {
		c.out.hold(c.ended, append(answer, '\n'))
		return
	}
	c.start(call, len(own), func(answer []byte) {
		if len(answer) > 0 {
			// Only a reader that is gone makes this fail, which ends the
			// connection elsewhere.
			_ = c.out.send(c.ended, append(answer, '\n'))
		}
	})
}

// crowd is how many calls may be in flight before the reading gives way.
const crowd = 32

// errMoved ends the context of a call that is prepared a second time.
var errMoved = errors.New("the call moved to a goroutine of its own")

// start runs a call on a goroutine of its own and hands its answer, empty when
// none is due from here, to finish.
func (c *conn) start(call *server.Call, bytes int, finish func(answer []byte)) {
	crowded := false
	c.update(func(s *state) {
		c.fly(s, call, bytes)
		crowded = len(s.inFlight) > crowd
	})
	call.StartClock()
	if crowded {
		// Let those that were started run first. Otherwise a burst of brief
		// calls of a tool that was slow once could be read faster than it is
		// begun, up to the limit, and be refused for nothing.
		defer runtime.Gosched()
	}
	go func() {
		began := time.Now()
		answer := c.server.Dispatch(call, nil)
		if time.Since(began) < patience {
			call.MarkBrief()
		}
		finish(answer)
		c.update(func(s *state) { c.land(s, call) })
	}()
}

// prepare makes a call of a request. When there is none to run, since it was
// refused or is answered already, answer is what to send.
func (c *conn) prepare(message *jsonrpc.Message, peer server.Peer) (call *server.Call, answer []byte) {
	call = &server.Call{Principal: c.opts.Principal, Peer: peer}
	modern, err := c.server.Prepare(c.base, call, message)
	switch {
	case err != nil:
		return nil, c.server.Refuse(nil, message.ID, err)
	case modern:
		return call, nil
	}
	session := c.session()
	switch {
	case call.Method == mcp.MethodInitialize:
		return nil, c.initialize(message)
	case session == nil && call.Method == mcp.MethodPing:
		return nil, legacy.AnswerPing(nil, message.ID)
	case session == nil:
		return nil, c.server.Refuse(nil, message.ID, server.MissingVersion())
	}
	if answer, handled := session.Answer(nil, message); handled {
		return nil, answer
	}
	session.Complete(call)
	return call, nil
}

// initialize opens the initialize era on this connection. Another initialize
// opens it anew, as a host behind a lasting proxy may do.
func (c *conn) initialize(message *jsonrpc.Message) []byte {
	session, answer, err := legacy.Initialize(c.server, message)
	if err != nil {
		return c.server.Refuse(nil, message.ID, err)
	}
	var old *legacy.Session
	c.update(func(s *state) { old, s.session = s.session, session })
	if old != nil {
		session.After(old)
		// The first session's watch goes on: what changes is the same for all.
		old.Close()
		return answer
	}
	watch, err := session.Watch(c.opts.Principal)
	switch {
	case err != nil:
		c.opts.Log.Warn("list_changed notifications will not be sent", "error", err)
	case watch != nil:
		go func() {
			if err := watch.Run(c.ended, c); err != nil && c.ended.Err() == nil {
				c.opts.Log.Warn("list_changed notifications ended", "error", err)
			}
		}()
	}
	return answer
}

// admit holds a connection to its bounds.
func (c *conn) admit(call *server.Call, bytes int) (err error) {
	backlog := c.out.backlog.Load()
	c.update(func(s *state) {
		switch {
		case backlog > maxBacklog:
			err = &mcp.Error{Code: mcp.CodeInternalError, Message: "The server is busy: its answers are not being read; nothing was changed, try again when they are"}
		case len(s.inFlight) == 0:
		case s.inFlight[call.ID.Key()] != nil:
			err = &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "Invalid Request: a request with this id is still running"}
		case len(s.inFlight) >= c.opts.MaxInFlight:
			err = &mcp.Error{Code: mcp.CodeInternalError, Message: fmt.Sprintf("The server is busy: %d requests of this connection are open; nothing was changed, try again when some are answered", len(s.inFlight))}
		case s.bytes+bytes > c.opts.MaxInFlightBytes:
			err = &mcp.Error{Code: mcp.CodeInternalError, Message: fmt.Sprintf("The server is busy: the open requests of this connection hold %d bytes; nothing was changed, try again when some are answered", s.bytes)}
		}
	})
	return err
}

// notification handles what needs no answer. Unknown and malformed ones are
// ignored, as the specification asks.
func (c *conn) notification(message *jsonrpc.Message) {
	if string(message.Method) != mcp.NotificationCancelled {
		return
	}
	id, _ := jsonscan.Lookup(message.Params, "requestId")
	if !jsonrpc.ID(id).Valid() {
		return
	}
	reason, _ := jsonscan.Lookup(message.Params, "reason")
	var f *flight
	c.update(func(s *state) { f = s.inFlight[jsonrpc.ID(id).Key()] })
	if f == nil {
		return
	}
	if !f.call.Cancel(&CancelledError{Reason: shortReason(reason)}) {
		return
	}
	if b, ok := f.call.Peer.(*batchAnswers); ok {
		// The rest of the batch does not wait for a handler that may not
		// look at its context.
		b.dropped(f.call)
	}
	c.update(func(s *state) { c.land(s, f.call) })
}

// CancelledError is the cause of a handler's ended context when the client
// cancelled the request.
type CancelledError struct {
	// Reason is what the client gave, possibly empty.
	Reason string
}

// Error implements the error interface.
func (e *CancelledError) Error() string {
	if e.Reason == "" {
		return "the client cancelled the request"
	}
	return "the client cancelled the request: " + e.Reason
}

func shortReason(raw []byte) string {
	if jsonscan.KindOf(raw) != jsonscan.String {
		return ""
	}
	return fmt.Sprintf("%.200s", jsonscan.Unquote(raw))
}
