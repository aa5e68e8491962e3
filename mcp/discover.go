package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DiscoverResult is the result of server/discover, which came with revision
// 2026-07-28.
type DiscoverResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	// SupportedVersions are those a request may name in its _meta.
	SupportedVersions []Version          `json:"supportedVersions"`
	Capabilities      ServerCapabilities `json:"capabilities"`
	// Instructions tell a model how to use the server.
	Instructions string   `json:"instructions,omitzero"`
	Caching      *Caching `json:",embed"`
	Meta         Meta     `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *DiscoverResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain DiscoverResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// InitializeParams opens a session of the initialize era.
type InitializeParams struct {
	// ProtocolVersion is the newest revision the client speaks.
	ProtocolVersion Version            `json:"protocolVersion"`
	Capabilities    ClientCapabilities `json:"capabilities"`
	ClientInfo      Implementation     `json:"clientInfo"`
	Meta            Meta               `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// InitializeResult is the result of initialize.
type InitializeResult struct {
	// ProtocolVersion is the revision of the session. It may differ from the
	// client's, which ends the connection when it does not speak it.
	ProtocolVersion Version            `json:"protocolVersion"`
	Capabilities    ServerCapabilities `json:"capabilities"`
	ServerInfo      Implementation     `json:"serverInfo"`
	// Instructions tell a model how to use the server.
	Instructions string `json:"instructions,omitzero"`
	Meta         Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, _meta last.
func (r *InitializeResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain InitializeResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// SetLevelParams is the params of logging/setLevel, of the initialize era.
type SetLevelParams struct {
	// Level is the least severe level the client wants to see.
	Level LogLevel `json:"level"`
	Meta  Meta     `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}
