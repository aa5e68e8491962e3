package mcp

import "github.com/go-json-experiment/json/jsontext"

// EmptyCapability is a capability that says all by being there: {}.
type EmptyCapability struct {
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ListChangedCapability offers a list that may change.
type ListChangedCapability struct {
	// ListChanged promises a notification when the list changes.
	ListChanged bool `json:"listChanged,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ResourcesCapability offers resources.
type ResourcesCapability struct {
	// Subscribe promises notifications about single resources.
	Subscribe bool `json:"subscribe,omitzero"`
	// ListChanged promises a notification when the list changes.
	ListChanged bool `json:"listChanged,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// SamplingCapability offers answers of the client's model.
type SamplingCapability struct {
	// Context offers more values of includeContext than none.
	Context *EmptyCapability `json:"context,omitzero"`
	// Tools offers tools and toolChoice.
	Tools *EmptyCapability `json:"tools,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ElicitationCapability offers questions to the person at the client. Read it
// with [ElicitationCapability.Form] and [ElicitationCapability.URL], because
// the empty object means form mode (client/elicitation#capabilities).
type ElicitationCapability struct {
	FormMode *EmptyCapability `json:"form,omitzero"`
	URLMode  *EmptyCapability `json:"url,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// Form reports whether the client shows forms. It may be asked of nil.
func (c *ElicitationCapability) Form() bool {
	return c != nil && (c.FormMode != nil || c.URLMode == nil)
}

// URL reports whether the client opens links. It may be asked of nil.
func (c *ElicitationCapability) URL() bool { return c != nil && c.URLMode != nil }

// ClientCapabilities is what a client offers. Nil means not offered. The zero
// value offers nothing and is written {}.
type ClientCapabilities struct {
	Experimental Settings `json:"experimental,omitzero"`
	// Roots is deprecated since revision 2026-07-28, and so is Sampling.
	// ListChanged is of the initialize era.
	Roots       *ListChangedCapability `json:"roots,omitzero"`
	Sampling    *SamplingCapability    `json:"sampling,omitzero"`
	Elicitation *ElicitationCapability `json:"elicitation,omitzero"`
	Extensions  Settings               `json:"extensions,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ServerCapabilities is what a server offers. Nil means not offered. The zero
// value offers nothing and is written {}.
type ServerCapabilities struct {
	Experimental Settings `json:"experimental,omitzero"`
	// Logging is deprecated since revision 2026-07-28.
	Logging *EmptyCapability `json:"logging,omitzero"`
	// Completions came with revision 2025-03-26.
	Completions *EmptyCapability       `json:"completions,omitzero"`
	Prompts     *ListChangedCapability `json:"prompts,omitzero"`
	Resources   *ResourcesCapability   `json:"resources,omitzero"`
	Tools       *ListChangedCapability `json:"tools,omitzero"`
	Extensions  Settings               `json:"extensions,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// Missing returns the part of required that c does not offer, and whether
// there is any. It is the requiredCapabilities of error -32021
// ([MissingCapability]). Settings inside extensions are not compared: only the
// two sides know what they mean.
func (c ClientCapabilities) Missing(required ClientCapabilities) (missing ClientCapabilities, any bool) {
	if required.Roots != nil && c.Roots == nil {
		missing.Roots, any = &ListChangedCapability{}, true
	}
	if lack := c.Sampling.missing(required.Sampling); lack != nil {
		missing.Sampling, any = lack, true
	}
	if lack := c.Elicitation.missing(required.Elicitation); lack != nil {
		missing.Elicitation, any = lack, true
	}
	missing.Experimental = c.Experimental.missing(required.Experimental)
	missing.Extensions = c.Extensions.missing(required.Extensions)
	return missing, any || missing.Experimental != nil || missing.Extensions != nil
}

func (c *SamplingCapability) missing(required *SamplingCapability) *SamplingCapability {
	if required == nil {
		return nil
	}
	lack := &SamplingCapability{}
	if required.Context != nil && (c == nil || c.Context == nil) {
		lack.Context = &EmptyCapability{}
	}
	if required.Tools != nil && (c == nil || c.Tools == nil) {
		lack.Tools = &EmptyCapability{}
	}
	if c != nil && lack.Context == nil && lack.Tools == nil {
		return nil
	}
	return lack
}

func (c *ElicitationCapability) missing(required *ElicitationCapability) *ElicitationCapability {
	if required == nil {
		return nil
	}
	lack := &ElicitationCapability{}
	if required.Form() && !c.Form() {
		lack.FormMode = &EmptyCapability{}
	}
	if required.URL() && !c.URL() {
		lack.URLMode = &EmptyCapability{}
	}
	if lack.FormMode == nil && lack.URLMode == nil {
		return nil
	}
	return lack
}

func (s Settings) missing(required Settings) Settings {
	var lack Settings
	for _, need := range required {
		if _, ok := s.Get(need.Name); !ok {
			lack = append(lack, need)
		}
	}
	return lack
}
