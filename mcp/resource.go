package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Resource is something a server can give to read.
type Resource struct {
	// URI names the resource; any scheme will do.
	URI string `json:"uri"`
	// Name is for programs.
	Name string `json:"name"`
	// Title is for people. It came with revision 2025-06-18.
	Title string `json:"title,omitzero"`
	// Description is for the model.
	Description string `json:"description,omitzero"`
	MIMEType    string `json:"mimeType,omitzero"`
	// Size is the number of bytes before any encoding, nil when unknown.
	Size        *int64       `json:"size,omitzero"`
	Annotations *Annotations `json:"annotations,omitzero"`
	// Icons came with revision 2025-11-25.
	Icons []Icon `json:"icons,omitzero"`
	Meta  Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// appendMembers finishes an object with the members of a resource.
func (r *Resource) appendMembers(o object) []byte {
	o.str("uri", r.URI)
	o.str("name", r.Name)
	o.text("title", r.Title)
	o.text("description", r.Description)
	o.text("mimeType", r.MIMEType)
	o.integer("size", r.Size)
	o.annotations(r.Annotations)
	o.icons(r.Icons)
	return o.end(r.Unknown, r.Meta)
}

// MarshalJSONTo writes the resource, _meta last.
func (r *Resource) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(r.appendMembers(openObject(nil)))
}

// ResourceTemplate is a pattern of resources.
type ResourceTemplate struct {
	// URITemplate is of the form of RFC 6570.
	URITemplate string `json:"uriTemplate"`
	// Name is for programs.
	Name string `json:"name"`
	// Title is for people. It came with revision 2025-06-18.
	Title string `json:"title,omitzero"`
	// Description is for the model.
	Description string `json:"description,omitzero"`
	// MIMEType is set when all of the resources have the same.
	MIMEType    string       `json:"mimeType,omitzero"`
	Annotations *Annotations `json:"annotations,omitzero"`
	// Icons came with revision 2025-11-25.
	Icons []Icon `json:"icons,omitzero"`
	Meta  Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the template, _meta last.
func (t *ResourceTemplate) MarshalJSONTo(enc *jsontext.Encoder) error {
	o := openObject(nil)
	o.str("uriTemplate", t.URITemplate)
	o.str("name", t.Name)
	o.text("title", t.Title)
	o.text("description", t.Description)
	o.text("mimeType", t.MIMEType)
	o.annotations(t.Annotations)
	o.icons(t.Icons)
	return enc.WriteValue(o.end(t.Unknown, t.Meta))
}

// ResourceContents is what reading a resource gives: a text, or bytes. Nothing
// makes sense of both, but both are passed on when a peer sends them.
type ResourceContents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitzero"`
	// Text is sent even when it is empty, unless there is a Blob.
	Text string `json:"text"`
	// Blob is the bytes of what is no text; they are base64 on the wire. An
	// empty Blob that is not nil stands for a resource of no bytes.
	Blob []byte `json:"blob"`
	Meta Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

func (c *ResourceContents) appendTo(dst []byte) []byte {
	o := openObject(dst)
	o.str("uri", c.URI)
	o.text("mimeType", c.MIMEType)
	if c.Text != "" || c.Blob == nil {
		o.str("text", c.Text)
	}
	if c.Blob != nil {
		o.base64("blob", c.Blob)
	}
	return o.end(c.Unknown, c.Meta)
}

// MarshalJSONTo writes the contents.
func (c *ResourceContents) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// ListResourcesResult is the result of resources/list.
type ListResourcesResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	Resources  []Resource `json:"resources"`
	// NextCursor asks for the next page; nil on the last.
	NextCursor *string  `json:"nextCursor,omitzero"`
	Caching    *Caching `json:",embed"`
	Meta       Meta     `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *ListResourcesResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ListResourcesResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// ListResourceTemplatesResult is the result of resources/templates/list.
type ListResourceTemplatesResult struct {
	ResultType        ResultType         `json:"resultType,omitzero"`
	ResourceTemplates []ResourceTemplate `json:"resourceTemplates"`
	// NextCursor asks for the next page; nil on the last.
	NextCursor *string  `json:"nextCursor,omitzero"`
	Caching    *Caching `json:",embed"`
	Meta       Meta     `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *ListResourceTemplatesResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ListResourceTemplatesResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// ReadResourceParams asks for the contents of a resource (resources/read).
type ReadResourceParams struct {
	URI            string         `json:"uri"`
	InputResponses InputResponses `json:"inputResponses,omitzero"`
	RequestState   *string        `json:"requestState,omitzero"`
	Meta           Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ReadResourceResult is the result of resources/read.
type ReadResourceResult struct {
	ResultType ResultType         `json:"resultType,omitzero"`
	Contents   []ResourceContents `json:"contents"`
	Caching    *Caching           `json:",embed"`
	Meta       Meta               `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *ReadResourceResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ReadResourceResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// SubscribeParams is the params of resources/subscribe and
// resources/unsubscribe, both of the initialize era.
type SubscribeParams struct {
	URI  string `json:"uri"`
	Meta Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}
