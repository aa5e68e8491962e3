package mcp

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Prompt is a text with gaps that a server offers to people.
type Prompt struct {
	// Name is for programs.
	Name string `json:"name"`
	// Title is for people. It came with revision 2025-06-18.
	Title       string           `json:"title,omitzero"`
	Description string           `json:"description,omitzero"`
	Arguments   []PromptArgument `json:"arguments,omitzero"`
	// Icons came with revision 2025-11-25.
	Icons []Icon `json:"icons,omitzero"`
	Meta  Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the prompt, _meta last.
func (p *Prompt) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain Prompt
	q := plain(*p)
	q.Unknown, q.Meta = metaLast(q.Unknown, q.Meta)
	return json.MarshalEncode(enc, &q)
}

// PromptArgument is a gap in a prompt.
type PromptArgument struct {
	// Name is for programs.
	Name string `json:"name"`
	// Title is for people. It came with revision 2025-06-18.
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	// Required says that the prompt cannot be had without. Nil means no.
	Required *bool `json:"required,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role Role
	// Content is one block. Unlike in tool results it is no list.
	Content Content
	// Unknown holds members this module does not know.
	Unknown jsontext.Value
}

// MarshalJSONTo writes the message.
func (m *PromptMessage) MarshalJSONTo(enc *jsontext.Encoder) error {
	o := openObject(nil)
	o.str("role", string(m.Role))
	o.name("content")
	o.dst = AppendContent(o.dst, m.Content)
	return enc.WriteValue(o.end(m.Unknown, nil))
}

// UnmarshalJSONFrom reads a message.
func (m *PromptMessage) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var wire struct {
		Role    Role           `json:"role"`
		Content jsontext.Value `json:"content"`
		Unknown jsontext.Value `json:",embed"`
	}
	if err := json.UnmarshalDecode(dec, &wire); err != nil {
		return err
	}
	content, err := decodeBlock(wire.Content)
	if err != nil {
		return err
	}
	*m = PromptMessage{Role: wire.Role, Content: content, Unknown: wire.Unknown}
	return nil
}

// ListPromptsResult is the result of prompts/list.
type ListPromptsResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	Prompts    []Prompt   `json:"prompts"`
	// NextCursor asks for the next page; nil on the last.
	NextCursor *string  `json:"nextCursor,omitzero"`
	Caching    *Caching `json:",embed"`
	Meta       Meta     `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *ListPromptsResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ListPromptsResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// StringArguments are arguments that are all strings: of prompts and of
// completions. They are written in the order of their names.
type StringArguments map[string]string

// MarshalJSONTo writes an object, also for nil.
func (a StringArguments) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if err := enc.WriteToken(jsontext.String(name)); err != nil {
			return err
		}
		if err := enc.WriteToken(jsontext.String(a[name])); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// GetPromptParams asks for a prompt with its gaps filled (prompts/get).
type GetPromptParams struct {
	Name           string          `json:"name"`
	Arguments      StringArguments `json:"arguments,omitzero"`
	InputResponses InputResponses  `json:"inputResponses,omitzero"`
	RequestState   *string         `json:"requestState,omitzero"`
	Meta           Meta            `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// GetPromptResult is the result of prompts/get.
type GetPromptResult struct {
	ResultType  ResultType      `json:"resultType,omitzero"`
	Description string          `json:"description,omitzero"`
	Messages    []PromptMessage `json:"messages"`
	Meta        Meta            `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *GetPromptResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain GetPromptResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}
