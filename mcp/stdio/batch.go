package stdio

import (
	"context"
	"sync"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// batch handles a JSON-RPC batch, which only revision 2025-03-26 has. Its
// requests run at the same time and their answers go out in one array, in
// their order; notifications of the calls go out by themselves before it.
// The text must not be shared, since calls keep it.
func (c *conn) batch(text []byte) {
	if err := jsonscan.Check(text, 0); err != nil {
		c.refuse(&jsonrpc.ScanError{Code: jsonrpc.CodeParseError, Problem: "Parse error: " + err.Error()})
		return
	}
	var messages [][]byte
	for it := jsonscan.Iterate(jsonscan.Trim(text)); len(messages) <= maxBatch && it.Next(); {
		messages = append(messages, it.Value())
	}
	if len(messages) == 0 || len(messages) > maxBatch {
		c.refuse(&jsonrpc.ScanError{Code: jsonrpc.CodeInvalidRequest, Problem: "Invalid Request: a batch holds 1 to 256 messages"})
		return
	}
	b := &batchAnswers{
		conn:    c,
		answers: make([][]byte, len(messages)),
		settled: make([]bool, len(messages)),
		left:    len(messages),
		place:   map[*server.Call]int{},
	}
	for i, message := range messages {
		b.message(i, message)
	}
}

// maxBatchAnswers bounds what the answers of one batch hold until the last one
// is there.
const maxBatchAnswers = 64 << 20

// batchAnswers collects the answers of one batch. It is the Peer of its calls.
type batchAnswers struct {
	conn *conn

	mu      sync.Mutex
	answers [][]byte
	settled []bool
	left    int
	bytes   int
	place   map[*server.Call]int
}

// message handles one message of the batch.
func (b *batchAnswers) message(i int, text []byte) {
	message, err := jsonrpc.Scan(text, 0)
	switch {
	case err != nil:
		b.settle(i, refusal(err))
		return
	case message.Kind == jsonrpc.Notification:
		b.conn.notification(&message)
		b.settle(i, nil)
		return
	case message.Kind != jsonrpc.Request:
		if session := b.conn.session(); session != nil {
			session.Deliver(&message)
		}
		b.settle(i, nil)
		return
	}
	refuse := func(err error) { b.settle(i, b.conn.server.Refuse(nil, message.ID, err)) }
	if string(message.Method) == mcp.MethodInitialize {
		refuse(&mcp.Error{Code: mcp.CodeInvalidRequest, Message: "Invalid Request: initialize must not be part of a batch"})
		return
	}
	call, answer := b.conn.prepare(&message, b)
	if call == nil {
		b.settle(i, answer)
		return
	}
	if call.Version.Modern() {
		err = &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "Invalid Request: batches are not part of protocol revision " + string(call.Version)}
	} else {
		err = b.conn.admit(call, len(text))
	}
	if err != nil {
		call.Cancel(err)
		refuse(err)
		return
	}
	b.mu.Lock()
	b.place[call] = i
	b.mu.Unlock()
	b.conn.start(call, len(text), func(answer []byte) { b.settle(i, answer) })
}

// settle stores the answer of one message, nil for none, and sends the batch's
// when it was the last.
func (b *batchAnswers) settle(i int, answer []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.settled[i] {
		return
	}
	if b.bytes += len(answer); b.bytes > maxBatchAnswers {
		id, _ := jsonscan.Lookup(answer, "id")
		answer = jsonrpc.AppendError(nil, id, mcp.CodeInternalError, "The answers of this batch are too long together: send the requests one by one. Whether this one changed anything is not known.", nil)
	}
	b.settled[i], b.answers[i] = true, answer
	if b.left--; b.left > 0 {
		return
	}
	out := []byte{'['}
	for _, answer := range b.answers {
		if answer == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, answer...)
	}
	if len(out) == 1 {
		return // Only notifications: a batch of them is not answered.
	}
	// Sending fails only when nobody reads any more.
	_ = b.conn.out.send(b.conn.ended, append(out, "]\n"...))
}

// dropped settles a call that the client cancelled: it is not answered.
func (b *batchAnswers) dropped(call *server.Call) {
	b.mu.Lock()
	i := b.place[call]
	b.mu.Unlock()
	b.settle(i, nil)
}

// Notify implements server.Peer.
func (b *batchAnswers) Notify(ctx context.Context, message []byte) error {
	return b.conn.Notify(ctx, message)
}

// Congested implements server.Congester.
func (b *batchAnswers) Congested() bool { return b.conn.Congested() }

// Answer implements server.Peer.
func (b *batchAnswers) Answer(call *server.Call, message []byte) {
	b.mu.Lock()
	i := b.place[call]
	b.mu.Unlock()
	b.settle(i, message)
	b.conn.update(func(s *state) { b.conn.land(s, call) })
}
