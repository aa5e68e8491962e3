package server

import (
	"context"
	"errors"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
)

// Peer is the other side as the dispatcher needs it. A transport implements
// it: for stdio once per connection, for HTTP once per request.
type Peer interface {
	// Notify sends one notification that belongs to a call still running. It
	// blocks while the peer reads slowly and gives up when ctx ends.
	Notify(ctx context.Context, message []byte) error
	// Answer sends the one answer of a call that could not wait for its
	// handler, such as after a timeout.
	Answer(call *Call, message []byte)
}

// Yielder is a Peer that lends its reading goroutine to calls. Yield is called
// before a call blocks for long, so that the transport can take it back.
type Yielder interface{ Yield(call *Call) }

// Congester is a Peer that knows when its client reads too slowly. A call that
// sends into a congested connection gives its place among the running calls to
// others meanwhile, so that one slow reader does not stop everybody's calls.
type Congester interface{ Congested() bool }

// Asker puts questions to a client of the initialize era, where the server
// sends requests of its own. In the modern era a call has none, and questions
// travel in the result instead.
type Asker interface {
	// Ask sends every request and waits for all the answers.
	Ask(ctx context.Context, call *Call, requests mcp.InputRequests) (mcp.InputResponses, error)
}

// Client is what a client says about itself. It is for display, logs and
// capability checks, never for decisions about access.
type Client struct {
	Info         mcp.Implementation
	Capabilities mcp.ClientCapabilities
}

// Call is one request on its way through the server. Its exported fields are
// facts and must not be changed by handlers. Everything that is a slice of
// bytes belongs to the message and is valid until the handler returns.
type Call struct {
	ID     jsonrpc.ID
	Method string
	// Version is the protocol revision this request is answered in.
	Version mcp.Version
	// Client is never nil; a modern client that did not name itself has an
	// empty Info.
	Client    *Client
	Principal *Principal
	// Meta is the request's _meta object as it came, nil when there was none.
	Meta []byte
	// LogLevel is the least severe level the client wants to see; empty means
	// it wants no log messages.
	LogLevel mcp.LogLevel
	// ProgressToken is the raw token, nil when progress is not wanted.
	ProgressToken []byte
	// Peer carries notifications; Asker is nil in the modern era.
	Peer  Peer
	Asker Asker

	params  params
	entry   atomic.Pointer[entry]
	args    []byte
	answers mcp.InputResponses
	state   []byte
	stateID string

	server *Server
	ctx    context.Context
	cancel context.CancelCauseFunc
	phase  atomic.Int32
	placed atomic.Bool
	// began is set when the handler is about to run.
	began atomic.Bool
	clock atomic.Pointer[time.Timer]

	// notify orders notifications before the answer: it is held while one is
	// sent and taken once when the call ends.
	notify   sync.Mutex
	progress float64
	reported bool
}

// The phases of a call. It leaves running exactly once, so that it is answered
// at most once, whoever comes first: its handler, its clock, the client's
// cancellation or the server's shutdown.
const (
	running int32 = iota
	answered
	cancelled
)

// errCallOver is the cause of a handler's ended context once its call was
// answered.
var errCallOver = errors.New("the call is over")

// settle moves a running call to its last phase and reports whether this
// caller was first. Afterwards no notification of the call is sent. A reason
// ends the handler's context first, so that a notification stuck on a slow
// reader lets go.
func (c *Call) settle(phase int32, reason error) bool {
	if !c.phase.CompareAndSwap(running, phase) {
		return false
	}
	if phase == answered {
		// The clock of a cancelled call goes on until its handler returns.
		c.stopClock()
	}
	if reason != nil {
		c.cancel(reason)
	}
	c.notify.Lock()
	defer c.notify.Unlock()
	return true
}

// Tool is the name of the tool being called, empty for other methods.
func (c *Call) Tool() string {
	e := c.entry.Load()
	if e == nil {
		return ""
	}
	return e.Definition.Name
}

// Arguments is the text of the tool's arguments, checked against the input
// schema. A handler that keeps it must copy it.
func (c *Call) Arguments() []byte { return c.args }

// Answer returns the client's answer to an input request the handler made in
// an earlier round under this key.
func (c *Call) Answer(key string) (response []byte, ok bool) {
	return c.answers.Get(key)
}

// State is what the handler put into the InputRequired of the round before,
// after its seal was verified. It is nil in the first round.
func (c *Call) State() []byte { return c.state }

// StateID is a name unique to the sealed state that came with this call, so
// that a handler can accept it once only. It is empty without a state.
func (c *Call) StateID() string { return c.stateID }

// MetaValue returns the raw value of a key of the request's _meta.
func (c *Call) MetaValue(key string) (value []byte, ok bool) {
	return jsonscan.Lookup(c.Meta, key)
}

// Progress tells the client how far the call is. It does nothing when the
// client did not ask, when the call is over, or when progress did not grow
// (patterns/progress: the value must increase). A total of zero is unknown.
// What JSON has no number for, infinities and NaN, is not sent.
func (c *Call) Progress(ctx context.Context, progress, total float64, message string) error {
	if c.ProgressToken == nil || math.IsNaN(progress) || math.IsInf(progress, 0) {
		return nil
	}
	c.notify.Lock()
	defer c.notify.Unlock()
	if c.phase.Load() != running || c.reported && progress <= c.progress {
		return nil
	}
	c.progress, c.reported = progress, true
	p := append([]byte(`{"progressToken":`), c.ProgressToken...)
	p = append(p, `,"progress":`...)
	p = appendFloat(p, progress)
	if total > 0 && !math.IsInf(total, 0) {
		p = appendFloat(append(p, `,"total":`...), total)
	}
	if message != "" {
		p = jsonscan.AppendQuoted(append(p, `,"message":`...), message)
	}
	return c.send(ctx, jsonrpc.AppendNotification(nil, mcp.NotificationProgress, append(p, '}')))
}

// Send sends a message that belongs to this call, such as a request to a
// client of the initialize era. Once the call is over nothing more is sent for
// it, and the error says why.
func (c *Call) Send(ctx context.Context, message []byte) error {
	c.notify.Lock()
	defer c.notify.Unlock()
	if c.phase.Load() != running {
		if cause := context.Cause(c.ctx); cause != nil {
			return cause
		}
		return errCallOver
	}
	return c.send(ctx, message)
}

// send lets go of a slow reader when the call ends, even if the handler gave
// it a context that does not: whoever ends the call waits for the lock that is
// held here.
func (c *Call) send(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })
	defer stop()
	if slow, ok := c.Peer.(Congester); ok && slow.Congested() && c.placed.CompareAndSwap(true, false) {
		c.server.limiter.release()
		defer c.takePlaceBack()
	}
	return c.Peer.Notify(ctx, message)
}

// takePlaceBack lets a call go on that stepped aside, even if that makes one
// more than there are places: it holds what it has begun. A call that was given
// up meanwhile needs no place.
func (c *Call) takePlaceBack() {
	c.server.limiter.reenter()
	c.placed.Store(true)
	if c.phase.Load() != running {
		c.server.leavePlace(c)
	}
}

func appendFloat(dst []byte, f float64) []byte {
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// Log sends a log message to the client when it asked for this level or a
// less severe one for this request. It is for the person who watches the
// host, and must never hold secrets or inner details (utilities/logging).
func (c *Call) Log(ctx context.Context, level mcp.LogLevel, logger string, data any) error {
	if !c.server.opts.Logging || c.LogLevel == "" || !level.AtLeast(c.LogLevel) {
		return nil
	}
	encoded, err := json.Marshal(data, outputOptions)
	if err != nil {
		return err
	}
	c.notify.Lock()
	defer c.notify.Unlock()
	if c.phase.Load() != running {
		return nil
	}
	p := jsonscan.AppendQuoted([]byte(`{"level":`), string(level))
	if logger != "" {
		p = jsonscan.AppendQuoted(append(p, `,"logger":`...), logger)
	}
	p = append(append(append(p, `,"data":`...), encoded...), '}')
	return c.send(ctx, jsonrpc.AppendNotification(nil, mcp.NotificationMessage, p))
}

// yield gives the transport's goroutine back before a wait of unknown length.
func (c *Call) yield() {
	if y, ok := c.Peer.(Yielder); ok {
		y.Yield(c)
	}
}

// Cancel ends a call because its client no longer wants it. The handler's
// context ends with the reason as its cause and nothing more is sent. It
// reports whether the call was still running. A handler that ignores its
// context keeps its place among the concurrent ones until it returns or its
// time is up.
func (c *Call) Cancel(reason error) bool { return c.settle(cancelled, reason) }

// StartClock starts the timeout of a call whose handler did not return at
// once. Transports call it when they let go of a call; it is idempotent.
func (c *Call) StartClock() {
	if c.Method == mcp.MethodSubscriptionsListen {
		return // A subscription lasts until somebody ends it.
	}
	timer := time.AfterFunc(c.timeout(), func() { c.server.expire(c) })
	if !c.clock.CompareAndSwap(nil, timer) || c.phase.Load() == answered {
		timer.Stop()
	}
}

func (c *Call) stopClock() {
	if timer := c.clock.Load(); timer != nil {
		timer.Stop()
	}
}
