package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ListRootsParams asks a client which directories and files a server may work
// on (roots/list). Deprecated by the protocol since revision 2026-07-28.
type ListRootsParams struct {
	Meta Meta `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// Method is roots/list.
func (*ListRootsParams) Method() string { return MethodRootsList }

// ParamsFor returns the params, which are mostly none.
func (p *ListRootsParams) ParamsFor(version Version) (params []byte, ok bool) {
	if !version.Known() {
		return nil, false
	}
	if len(p.Meta) == 0 && len(p.Unknown) == 0 {
		return nil, true
	}
	o := openObject(nil)
	return o.end(p.Unknown, p.Meta), true
}

func (*ListRootsParams) require(c *ClientCapabilities) { c.Roots = &ListChangedCapability{} }

// ListRootsResult is the answer to roots/list.
type ListRootsResult struct {
	Roots []Root `json:"roots"`
	Meta  Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, _meta last.
func (r *ListRootsResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain ListRootsResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// Root is a directory or a file.
type Root struct {
	// URI begins with file://.
	URI  string `json:"uri"`
	Name string `json:"name,omitzero"`
	// Meta came with revision 2025-06-18.
	Meta Meta `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the root, _meta last.
func (r *Root) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain Root
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}
