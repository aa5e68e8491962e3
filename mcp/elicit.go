package mcp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// Values of the member mode of elicitation/create. An absent mode means form.
const (
	elicitModeForm = "form"
	elicitModeURL  = "url"
)

// ElicitFormParams asks the person at the client to fill in a form
// (elicitation/create). It came with revision 2025-06-18. A form must never
// ask for a secret.
type ElicitFormParams struct {
	// Message tells the person what is asked and why.
	Message string `json:"message"`
	// RequestedSchema describes the form: a flat object whose properties are
	// strings, numbers, booleans and choices
	// (client/elicitation#requested-schema).
	RequestedSchema jsontext.Value `json:"requestedSchema"`
	Meta            Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ElicitURLParams asks the person at the client to visit a link, for what must
// not pass through the client (elicitation/create). It came with revision
// 2025-11-25.
type ElicitURLParams struct {
	// Message tells the person why.
	Message string `json:"message"`
	// ElicitationID names the question within the server. It is of revision
	// 2025-11-25 alone, which requires it; an empty one is derived from URL.
	ElicitationID string `json:"elicitationId,omitzero"`
	// URL is the link.
	URL  string `json:"url"`
	Meta Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// Method is elicitation/create.
func (*ElicitFormParams) Method() string { return MethodElicitationCreate }

// Method is elicitation/create.
func (*ElicitURLParams) Method() string { return MethodElicitationCreate }

// ParamsFor returns the params. Revision 2025-06-18 knows only forms and does
// not call them so; later ones have a mode.
func (p *ElicitFormParams) ParamsFor(version Version) (params []byte, ok bool) {
	if !version.Known() || version < Version20250618 {
		return nil, false
	}
	return p.append(version > Version20250618), true
}

func (p *ElicitFormParams) append(mode bool) []byte {
	o := openObject(nil)
	if mode {
		o.str("mode", elicitModeForm)
	}
	o.str("message", p.Message)
	if len(p.RequestedSchema) > 0 {
		o.raw("requestedSchema", p.RequestedSchema)
	} else {
		o.raw("requestedSchema", []byte(`{"type":"object","properties":{}}`))
	}
	return o.end(p.Unknown, p.Meta)
}

// ParamsFor returns the params, for revision 2025-11-25 with elicitationId.
func (p *ElicitURLParams) ParamsFor(version Version) (params []byte, ok bool) {
	if !version.Known() || version < Version20251125 {
		return nil, false
	}
	o := openObject(nil)
	o.str("mode", elicitModeURL)
	o.str("message", p.Message)
	if !version.Modern() {
		o.str("elicitationId", p.id())
	}
	o.str("url", p.URL)
	return o.end(p.Unknown, p.Meta), true
}

func (p *ElicitURLParams) id() string {
	if p.ElicitationID != "" {
		return p.ElicitationID
	}
	sum := sha256.Sum256([]byte(p.URL))
	return hex.EncodeToString(sum[:16])
}

func (*ElicitFormParams) require(c *ClientCapabilities) {
	if c.Elicitation == nil {
		c.Elicitation = &ElicitationCapability{}
	}
	c.Elicitation.FormMode = &EmptyCapability{}
}

func (*ElicitURLParams) require(c *ClientCapabilities) {
	if c.Elicitation == nil {
		c.Elicitation = &ElicitationCapability{}
	}
	c.Elicitation.URLMode = &EmptyCapability{}
}

// decodeElicit chooses by mode.
func decodeElicit(params []byte) (InputRequest, error) {
	mode, hasMode := jsonscan.Lookup(jsonscan.Trim(params), "mode")
	var request InputRequest
	var err error
	switch name := jsonscan.Unquote(mode); {
	case !hasMode || name == elicitModeForm:
		p := new(ElicitFormParams)
		request, err = p, decodeMode(params, (*formBody)(p))
	case name == elicitModeURL:
		p := new(ElicitURLParams)
		request, err = p, decodeMode(params, (*urlBody)(p))
	default:
		request = &UnknownInputRequest{MethodName: MethodElicitationCreate, Params: bytes.Clone(params)}
	}
	if err != nil {
		return nil, fmt.Errorf("params of %s: %w", MethodElicitationCreate, err)
	}
	return request, nil
}

// The bodies are the params without the member mode, which the Go type says.
type (
	formBody ElicitFormParams
	urlBody  ElicitURLParams
)

func decodeMode[B any](params []byte, body *B) error {
	wire := struct {
		Mode string `json:"mode"`
		Body *B     `json:",embed"`
	}{Body: body}
	return json.Unmarshal(params, &wire)
}

// ElicitAction is what a person did with a question.
type ElicitAction string

const (
	// ElicitAccept: the person sent the form or opened the link. For a link
	// it does not mean that what is behind it was done.
	ElicitAccept ElicitAction = "accept"
	// ElicitDecline: the person said no.
	ElicitDecline ElicitAction = "decline"
	// ElicitCancel: the person closed the question without an answer.
	ElicitCancel ElicitAction = "cancel"
)

// ElicitResult is the answer to elicitation/create.
type ElicitResult struct {
	Action ElicitAction `json:"action"`
	// Content is what the person entered, an object. It must be checked
	// against the requested schema: it comes from outside. It is there only
	// for an accepted form.
	Content jsontext.Value `json:"content,omitzero"`
	Meta    Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, _meta last.
func (r *ElicitResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ElicitResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}
