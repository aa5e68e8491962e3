package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ListToolsResult is the result of tools/list.
type ListToolsResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	Tools      []Tool     `json:"tools"`
	// NextCursor asks for the next page; nil on the last.
	NextCursor *string  `json:"nextCursor,omitzero"`
	Caching    *Caching `json:",embed"`
	Meta       Meta     `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *ListToolsResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ListToolsResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// CallToolParams asks a tool to work (tools/call).
type CallToolParams struct {
	Name string `json:"name"`
	// Arguments is an object, nil when absent.
	Arguments jsontext.Value `json:"arguments,omitzero"`
	// InputResponses and RequestState answer an [InputRequiredResult]. They
	// came with revision 2026-07-28.
	InputResponses InputResponses `json:"inputResponses,omitzero"`
	RequestState   *string        `json:"requestState,omitzero"`
	Meta           Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// CallToolResult is the result of tools/call.
type CallToolResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	// Content is the result in words and pictures, or the text of an error.
	Content ContentList `json:"content"`
	// StructuredContent is the result as data, nil for none. It came with
	// revision 2025-06-18 as an object; since 2026-07-28 it is any value, and
	// the text null is one.
	StructuredContent jsontext.Value `json:"structuredContent,omitzero"`
	// IsError says that the tool failed and Content tells the model why.
	IsError bool `json:"isError,omitzero"`
	Meta    Meta `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *CallToolResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain CallToolResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}
