package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Values of [CompletionRef]'s Type.
const (
	RefPrompt   = "ref/prompt"
	RefResource = "ref/resource"
)

// CompleteParams asks for values that could go on from what was typed
// (completion/complete).
type CompleteParams struct {
	Ref      CompletionRef      `json:"ref"`
	Argument CompletionArgument `json:"argument"`
	// Context came with revision 2025-06-18.
	Context *CompletionContext `json:"context,omitzero"`
	Meta    Meta               `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// CompletionRef names what the argument belongs to.
type CompletionRef struct {
	// Type is [RefPrompt] or [RefResource].
	Type string `json:"type"`
	// Name is the prompt's name.
	Name string `json:"name,omitzero"`
	// Title is the prompt's title.
	Title string `json:"title,omitzero"`
	// URI is the resource's URI or URI template.
	URI string `json:"uri,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// CompletionArgument is the argument that is being typed.
type CompletionArgument struct {
	Name string `json:"name"`
	// Value is what was typed so far.
	Value string `json:"value"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// CompletionContext is what is known already.
type CompletionContext struct {
	// Arguments are the values of other arguments.
	Arguments StringArguments `json:"arguments,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MaxCompletionValues is how many values a completion may hold.
const MaxCompletionValues = 100

// CompleteResult is the result of completion/complete.
type CompleteResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	Completion Completion `json:"completion"`
	Meta       Meta       `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// Completion holds the values.
type Completion struct {
	// Values are [MaxCompletionValues] at most.
	Values []string `json:"values"`
	// Total is how many there are in all, nil when unknown.
	Total *int64 `json:"total,omitzero"`
	// HasMore says that there are more than these, nil for no statement.
	HasMore *bool `json:"hasMore,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *CompleteResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain CompleteResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}
