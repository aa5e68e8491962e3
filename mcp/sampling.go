package mcp

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CreateMessageParams asks the client's model (sampling/createMessage).
// Deprecated by the protocol since revision 2026-07-28.
type CreateMessageParams struct {
	Messages         []SamplingMessage `json:"messages"`
	ModelPreferences *ModelPreferences `json:"modelPreferences,omitzero"`
	SystemPrompt     string            `json:"systemPrompt,omitzero"`
	// IncludeContext is none, thisServer or allServers; the latter two are
	// deprecated.
	IncludeContext string   `json:"includeContext,omitzero"`
	Temperature    *float64 `json:"temperature,omitzero"`
	// MaxTokens is the most that the model may write.
	MaxTokens     int64    `json:"maxTokens"`
	StopSequences []string `json:"stopSequences,omitzero"`
	// Metadata is an object for the model's provider.
	Metadata jsontext.Value `json:"metadata,omitzero"`
	// Tools and ToolChoice came with revision 2025-11-25.
	Tools      []Tool      `json:"tools,omitzero"`
	ToolChoice *ToolChoice `json:"toolChoice,omitzero"`
	Meta       Meta        `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the params, _meta last.
func (p *CreateMessageParams) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain CreateMessageParams
	q := plain(*p)
	q.Unknown, q.Meta = metaLast(q.Unknown, q.Meta)
	return json.MarshalEncode(enc, &q)
}

// Method is sampling/createMessage.
func (*CreateMessageParams) Method() string { return MethodSamplingCreateMessage }

// ParamsFor returns the params. Tools and messages of several blocks came with
// revision 2025-11-25, sound with 2025-03-26.
func (p *CreateMessageParams) ParamsFor(version Version) (params []byte, ok bool) {
	if !version.Known() || version < p.since() {
		return nil, false
	}
	// Line separators are escaped as everywhere else we write JSON, since
	// some line readers take them for line ends.
	params, err := json.Marshal(p, jsontext.EscapeForJS(true))
	return params, err == nil
}

// since is the first revision that can carry these params.
func (p *CreateMessageParams) since() Version {
	if p.Tools != nil || p.ToolChoice != nil {
		return Version20251125
	}
	since := Version20241105
	for _, message := range p.Messages {
		if len(message.Content) != 1 {
			return Version20251125
		}
		switch message.Content[0].(type) {
		case *TextContent, *ImageContent:
		case *AudioContent:
			since = max(since, Version20250326)
		default:
			return Version20251125
		}
	}
	return since
}

func (p *CreateMessageParams) require(c *ClientCapabilities) {
	if c.Sampling == nil {
		c.Sampling = &SamplingCapability{}
	}
	if p.Tools != nil || p.ToolChoice != nil {
		c.Sampling.Tools = &EmptyCapability{}
	}
}

// ModelPreferences say which model a server would like. Priorities run from 0
// to 1; nil makes no statement.
type ModelPreferences struct {
	// Hints are tried in their order.
	Hints                []ModelHint `json:"hints,omitzero"`
	CostPriority         *float64    `json:"costPriority,omitzero"`
	SpeedPriority        *float64    `json:"speedPriority,omitzero"`
	IntelligencePriority *float64    `json:"intelligencePriority,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ModelHint is part of a model's name.
type ModelHint struct {
	Name string `json:"name,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ToolChoice says how the model may use tools.
type ToolChoice struct {
	// Mode is auto, required or none; empty means auto.
	Mode string `json:"mode,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// SamplingMessage is a message to or from a model.
type SamplingMessage struct {
	Role    Role            `json:"role"`
	Content SamplingContent `json:"content"`
	// Meta came with revision 2025-11-25.
	Meta Meta `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the message, _meta last.
func (m *SamplingMessage) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain SamplingMessage
	p := plain(*m)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// CreateMessageResult is the answer to sampling/createMessage.
type CreateMessageResult struct {
	Role    Role            `json:"role"`
	Content SamplingContent `json:"content"`
	// Model is the model's name.
	Model string `json:"model"`
	// StopReason is endTurn, stopSequence, maxTokens, toolUse or a provider's
	// own word.
	StopReason string `json:"stopReason,omitzero"`
	Meta       Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, _meta last.
func (r *CreateMessageResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain CreateMessageResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// SamplingContent is the content of a message to or from a model: one block
// up to revision 2025-06-18, one or more since. A single block is written
// without a list around it, which every revision understands.
type SamplingContent []Content

// MarshalJSONTo writes a block or a list of blocks.
func (c SamplingContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	if len(c) == 1 {
		return enc.WriteValue(AppendContent(nil, c[0]))
	}
	return enc.WriteValue(ContentList(c).AppendTo(nil))
}

// UnmarshalJSONFrom reads a block or a list of blocks.
func (c *SamplingContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch text.Kind() {
	case jsontext.KindNull:
		*c = nil
		return nil
	case jsontext.KindBeginArray:
		list, err := decodeList(text, decodeSampling)
		*c = SamplingContent(list)
		return err
	default:
		block, err := decodeSampling(text)
		if err != nil {
			return err
		}
		*c = SamplingContent{block}
		return nil
	}
}

// ToolUseContent is a model's wish to call a tool.
type ToolUseContent struct {
	// ID joins the use to its result.
	ID string `json:"id"`
	// Name is the tool's name.
	Name string `json:"name"`
	// Input is the arguments, an object.
	Input jsontext.Value `json:"input"`
	Meta  Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ToolResultContent is what a tool gave, for the model that asked.
type ToolResultContent struct {
	// ToolUseID is the ID of the [ToolUseContent].
	ToolUseID string      `json:"toolUseId"`
	Content   ContentList `json:"content"`
	// StructuredContent is any JSON value, nil for none.
	StructuredContent jsontext.Value `json:"structuredContent,omitzero"`
	IsError           bool           `json:"isError,omitzero"`
	Meta              Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// Type is "tool_use".
func (*ToolUseContent) Type() string { return ContentTypeToolUse }

// Type is "tool_result".
func (*ToolResultContent) Type() string { return ContentTypeToolResult }

func (c *ToolUseContent) appendTo(dst []byte) []byte {
	if c == nil {
		return AppendContent(dst, nil)
	}
	o := openObject(dst)
	o.str("type", ContentTypeToolUse)
	o.str("id", c.ID)
	o.str("name", c.Name)
	if len(c.Input) > 0 {
		o.raw("input", c.Input)
	} else {
		o.raw("input", []byte("{}"))
	}
	return o.end(c.Unknown, c.Meta)
}

func (c *ToolResultContent) appendTo(dst []byte) []byte {
	if c == nil {
		return AppendContent(dst, nil)
	}
	o := openObject(dst)
	o.str("type", ContentTypeToolResult)
	o.str("toolUseId", c.ToolUseID)
	o.name("content")
	o.dst = c.Content.AppendTo(o.dst)
	if len(c.StructuredContent) > 0 {
		o.raw("structuredContent", c.StructuredContent)
	}
	if c.IsError {
		o.raw("isError", []byte("true"))
	}
	return o.end(c.Unknown, c.Meta)
}

// decodeSampling reads a block of a message. The blocks inside a tool's result
// are those of [ContentList], so nesting ends there.
func decodeSampling(text []byte) (Content, error) {
	kind, err := blockType(text)
	if err != nil {
		return nil, err
	}
	switch kind {
	case ContentTypeToolUse:
		c := new(ToolUseContent)
		return decoded(text, (*toolUseBody)(c), c)
	case ContentTypeToolResult:
		c := new(ToolResultContent)
		return decoded(text, (*toolResultBody)(c), c)
	case ContentTypeResource, ContentTypeResourceLink:
		return &UnknownContent{Raw: bytes.Clone(text)}, nil
	default:
		return decodeBlock(text)
	}
}

type (
	toolUseBody    ToolUseContent
	toolResultBody ToolResultContent
)

// MarshalJSONTo writes the block.
func (c *ToolUseContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// MarshalJSONTo writes the block.
func (c *ToolResultContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// UnmarshalJSONFrom reads a block of type "tool_use".
func (c *ToolUseContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeToolUse, (*toolUseBody)(c))
}

// UnmarshalJSONFrom reads a block of type "tool_result".
func (c *ToolResultContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeToolResult, (*toolResultBody)(c))
}
