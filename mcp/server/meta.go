package server

import (
	"bytes"
	"context"
	"fmt"

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

func readParams(text []byte) params {
	var p params
	for it := jsonscan.Iterate(text); it.Next(); {
		switch string(it.Name()) {
		case "_meta":
			p.meta = it.Value()
		case "name":
			p.name = it.Value()
		case "arguments":
			p.arguments = it.Value()
		case "cursor":
			p.cursor = it.Value()
		case "inputResponses":
			p.inputResponses = it.Value()
		case "requestState":
			p.requestState = it.Value()
		case "notifications":
			p.notifications = it.Value()
		}
	}
	return p
}

// requestMeta are the protocol's own keys of _meta (basic/index#_meta).
type requestMeta struct {
	protocolVersion    []byte
	clientInfo         []byte
	clientCapabilities []byte
	logLevel           []byte
	progressToken      []byte
}

func readMeta(text []byte) requestMeta {
	var m requestMeta
	for it := jsonscan.Iterate(text); it.Next(); {
		switch string(it.Name()) {
		case mcp.MetaProtocolVersion:
			m.protocolVersion = it.Value()
		case mcp.MetaClientInfo:
			m.clientInfo = it.Value()
		case mcp.MetaClientCapabilities:
			m.clientCapabilities = it.Value()
		case mcp.MetaLogLevel:
			m.logLevel = it.Value()
		case mcp.MetaProgressToken:
			m.progressToken = it.Value()
		}
	}
	return m
}

// Prepare reads the params of a request and decides whether it is modern: a
// request whose _meta names a protocol version is, even on a connection that
// has initialized. For a modern request the call is complete; for any other,
// package legacy completes it from its session. The base context carries
// values only; the call ends through [Call.Cancel] and its clock.
//
// The error is a refusal to be answered as it is.
func (s *Server) Prepare(base context.Context, call *Call, message *jsonrpc.Message) (modern bool, err error) {
	call.server = s
	call.ID = message.ID
	call.Method = methodName(message.Method)
	call.ctx, call.cancel = context.WithCancelCause(base)
	if message.Params != nil && jsonscan.KindOf(message.Params) != jsonscan.Object {
		return false, mcp.InvalidParams("params must be an object")
	}
	call.params = readParams(message.Params)
	call.Meta = call.params.meta
	if call.Meta != nil && jsonscan.KindOf(call.Meta) != jsonscan.Object {
		return false, mcp.InvalidParams("params._meta must be an object")
	}
	meta := readMeta(call.Meta)
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
			return mcp.UnsupportedVersion(requested, []mcp.Version{mcp.Version20260728})
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
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%.*s…", most, text)
}
