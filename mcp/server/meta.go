package server

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
)

// params are the members of a request's params that the dispatcher reads, as
// raw text; nil where absent.
type params struct {
	meta           []byte
	name           []byte
	arguments      []byte
	cursor         []byte
	inputResponses []byte
	requestState   []byte
	notifications  []byte
}

// set takes one member. Names are compared by what they stand for, so an
// escaped name is the same name; only odd clients write one.
func (p *params) set(name, value []byte) {
	switch string(plainName(name)) {
	case "_meta":
		p.meta = value
	case "name":
		p.name = value
	case "arguments":
		p.arguments = value
	case "cursor":
		p.cursor = value
	case "inputResponses":
		p.inputResponses = value
	case "requestState":
		p.requestState = value
	case "notifications":
		p.notifications = value
	}
}

// requestMeta are the protocol's own keys of _meta (basic/index#_meta).
type requestMeta struct {
	protocolVersion    []byte
	clientInfo         []byte
	clientCapabilities []byte
	logLevel           []byte
	progressToken      []byte
}

func (m *requestMeta) set(name, value []byte) {
	switch string(plainName(name)) {
	case mcp.MetaProtocolVersion:
		m.protocolVersion = value
	case mcp.MetaClientInfo:
		m.clientInfo = value
	case mcp.MetaClientCapabilities:
		m.clientCapabilities = value
	case mcp.MetaLogLevel:
		m.logLevel = value
	case mcp.MetaProgressToken:
		m.progressToken = value
	}
}

// plainName resolves the escapes of a name, once.
func plainName(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	return []byte(jsonscan.UnescapeName(name))
}

// readParams finds what the dispatcher needs in params and their _meta, from
// what the scanner has noted already or else from the text.
func readParams(message *jsonrpc.Message) (p params, m requestMeta) {
	if message.Inner == nil {
		for it := jsonscan.Iterate(message.Params); it.Next(); {
			p.set(it.Name(), it.Value())
		}
		if jsonscan.KindOf(p.meta) == jsonscan.Object {
			for it := jsonscan.Iterate(p.meta); it.Next(); {
				m.set(it.Name(), it.Value())
			}
		}
		return p, m
	}
	inParams, inMeta := false, false
	for i := range message.Inner {
		switch member := &message.Inner[i]; member.Level {
		case 0:
			inParams = jsonscan.NameIs(member.Name, "params")
		case 1:
			if inParams {
				p.set(member.Name, member.Value)
				inMeta = jsonscan.NameIs(member.Name, "_meta")
			}
		case 2:
			if inParams && inMeta {
				m.set(member.Name, member.Value)
			}
		}
	}
	return p, m
}

// Prepare reads the params of a request and decides whether it is modern: a
// request whose _meta names a protocol version is, even on a connection that
// has initialized. For a modern request the call is complete; for any other,
// package legacy completes it from its session. The base context carries
// values only; the call ends through [Call.Cancel] and its clock.
//
// The error is a refusal to be answered as it is.
func (s *Server) Prepare(base context.Context, call *Call, message *jsonrpc.Message) (modern bool, err error) {
	// From the first request on, a list that was promised not to change does
	// not.
	if !s.started.Load() {
		s.started.Store(true)
	}
	call.server = s
	call.ID = message.ID
	call.Method = methodName(message.Method)
	call.ctx, call.cancel = context.WithCancelCause(base)
	if message.Params != nil && jsonscan.KindOf(message.Params) != jsonscan.Object {
		return false, mcp.InvalidParams("params must be an object")
	}
	fields, meta := readParams(message)
	call.params = fields
	call.Meta = fields.meta
	if call.Meta != nil && jsonscan.KindOf(call.Meta) != jsonscan.Object {
		return false, mcp.InvalidParams("params._meta must be an object")
	}
	if token := meta.progressToken; token != nil {
		if !jsonrpc.ID(token).Valid() {
			return false, mcp.InvalidParams("params._meta.progressToken must be a string or an integer")
		}
		call.ProgressToken = token
	}
	if meta.protocolVersion == nil {
		return false, nil
	}
	return true, s.modern(call, &meta)
}

// modern completes a call from its own _meta, in the order the specification
// needs: completeness (-32602) before the version (-32022), and both before
// anyone asks whether the method exists.
func (s *Server) modern(call *Call, meta *requestMeta) error {
	if jsonscan.KindOf(meta.protocolVersion) != jsonscan.String {
		return mcp.InvalidParams("params._meta[%q] must be a string such as %q", mcp.MetaProtocolVersion, mcp.Version20260728)
	}
	if meta.clientCapabilities == nil {
		return MissingMeta(mcp.MetaClientCapabilities)
	}
	if string(meta.protocolVersion) != `"`+string(mcp.Version20260728)+`"` {
		requested := jsonscan.Unquote(meta.protocolVersion)
		if requested != string(mcp.Version20260728) {
			return mcp.UnsupportedVersion(shortened(requested), []mcp.Version{mcp.Version20260728})
		}
	}
	client, err := s.client(meta.clientInfo, meta.clientCapabilities)
	if err != nil {
		return err
	}
	if meta.logLevel != nil {
		level, err := mcp.ParseLogLevel(jsonscan.Unquote(meta.logLevel))
		if err != nil || jsonscan.KindOf(meta.logLevel) != jsonscan.String {
			return mcp.InvalidParams("params._meta[%q] is no log level: use debug, info, notice, warning, error, critical, alert or emergency", mcp.MetaLogLevel)
		}
		call.LogLevel = level
	}
	call.Version = mcp.Version20260728
	call.Client = client
	return nil
}

// MissingMeta is the refusal of a request that lacks a required key of _meta.
// It names the key, because that is the only way the peer can learn of it.
func MissingMeta(key string) error {
	return mcp.InvalidParams("Missing params._meta[%q]: every request of protocol revision %s carries it", key, mcp.Version20260728)
}

// MissingVersion is the refusal of a request that is neither modern nor part
// of an initialized connection.
func MissingVersion() error { return MissingMeta(mcp.MetaProtocolVersion) }

// clientMemo keeps the last client description read, because a client sends
// the same bytes with every request. It is a memo of a pure function and not
// state: the answer for given bytes is always the same.
type clientMemo struct {
	info, capabilities []byte
	client             *Client
}

func (s *Server) client(info, capabilities []byte) (*Client, error) {
	if memo := s.lastClient.Load(); memo != nil && bytes.Equal(memo.info, info) && bytes.Equal(memo.capabilities, capabilities) {
		return memo.client, nil
	}
	client := &Client{}
	if err := json.Unmarshal(capabilities, &client.Capabilities); err != nil || jsonscan.KindOf(capabilities) != jsonscan.Object {
		return nil, mcp.InvalidParams("params._meta[%q] must be an object of capabilities, for example {}", mcp.MetaClientCapabilities)
	}
	if info != nil {
		if err := json.Unmarshal(info, &client.Info); err != nil || jsonscan.KindOf(info) != jsonscan.Object {
			return nil, mcp.InvalidParams(`params._meta[%q] must be an object such as {"name":"my-host","version":"1.0.0"}`, mcp.MetaClientInfo)
		}
	}
	s.lastClient.Store(&clientMemo{info: bytes.Clone(info), capabilities: bytes.Clone(capabilities), client: client})
	return client, nil
}

// methodName turns the bytes of a method into a string without allocating for
// the methods that matter.
func methodName(method []byte) string {
	switch string(method) {
	case mcp.MethodToolsCall:
		return mcp.MethodToolsCall
	case mcp.MethodToolsList:
		return mcp.MethodToolsList
	case mcp.MethodServerDiscover:
		return mcp.MethodServerDiscover
	case mcp.MethodPing:
		return mcp.MethodPing
	default:
		return string(method)
	}
}

// shortened keeps an echoed name from filling an answer.
func shortened(text string) string {
	const most = 200
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return fmt.Sprintf("%.*s…", most, text)
}
