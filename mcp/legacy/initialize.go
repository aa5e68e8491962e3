package legacy

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
)

// initializeParams are read loosely: clients of five years write them, and
// what is not understood is not needed.
type initializeParams struct {
	ProtocolVersion string                 `json:"protocolVersion"`
	Capabilities    mcp.ClientCapabilities `json:"capabilities"`
	ClientInfo      mcp.Implementation     `json:"clientInfo"`
}

// Initialize answers an initialize request. The client's own revision is used
// when it is one of the four; any other is answered with the newest of them
// (2025-11-25 lifecycle page). The error is a refusal, and then there is no
// session.
func Initialize(s *server.Server, message *jsonrpc.Message) (*Session, []byte, error) {
	if jsonscan.KindOf(message.Params) != jsonscan.Object {
		return nil, nil, mcp.InvalidParams("params must be an object with protocolVersion, capabilities and clientInfo")
	}
	var params initializeParams
	if err := json.Unmarshal(message.Params, &params); err != nil {
		where := ""
		var semantic *json.SemanticError
		if errors.As(err, &semantic) && semantic.JSONPointer != "" {
			where = fmt.Sprintf("; the value at %.100q has the wrong form", semantic.JSONPointer)
		}
		return nil, nil, mcp.InvalidParams("params of initialize must hold protocolVersion, capabilities and clientInfo as the specification has them%s", where)
	}
	if params.ProtocolVersion == "" {
		return nil, nil, mcp.InvalidParams("params.protocolVersion is missing, for example %q", mcp.LatestLegacy)
	}
	session := &Session{
		server:  s,
		version: negotiate(params.ProtocolVersion),
		client:  &server.Client{Info: params.ClientInfo, Capabilities: params.Capabilities},
		waiting: map[string]chan reply{},
	}
	result, err := session.initializeResult()
	if err != nil {
		return nil, nil, err
	}
	return session, jsonrpc.AppendResult(nil, message.ID, result), nil
}

func negotiate(requested string) mcp.Version {
	if v := mcp.Version(requested); v.Known() && !v.Modern() {
		return v
	}
	return mcp.LatestLegacy
}

func (s *Session) initializeResult() ([]byte, error) {
	result := struct {
		ProtocolVersion mcp.Version        `json:"protocolVersion"`
		Capabilities    jsontext.Value     `json:"capabilities"`
		ServerInfo      mcp.Implementation `json:"serverInfo"`
		Instructions    string             `json:"instructions,omitzero"`
	}{ProtocolVersion: s.version, ServerInfo: infoFor(s.version, s.server.Info()), Instructions: s.server.Instructions()}
	var err error
	if result.Capabilities, err = json.Marshal(s.server.Capabilities()); err != nil {
		return nil, fmt.Errorf("encode the capabilities: %w", err)
	}
	encoded, err := json.Marshal(result, jsontext.EscapeForJS(true))
	if err != nil {
		return nil, fmt.Errorf("encode the initialize result: %w", err)
	}
	return encoded, nil
}

// infoFor leaves out what a revision's Implementation does not have yet: title
// came with 2025-06-18; description, websiteUrl and icons with 2025-11-25.
func infoFor(version mcp.Version, info mcp.Implementation) mcp.Implementation {
	if version < mcp.Version20251125 {
		info.Description, info.WebsiteURL, info.Icons = "", "", nil
	}
	if version < mcp.Version20250618 {
		info.Title = ""
	}
	return info
}
