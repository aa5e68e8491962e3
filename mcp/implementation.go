package mcp

import "github.com/go-json-experiment/json/jsontext"

// Implementation names a piece of software: a client or a server. It is what
// the software says about itself, so it may be shown and logged, and must not
// decide anything (basic/index#_meta).
type Implementation struct {
	// Name is for programs.
	Name string `json:"name"`
	// Title is for people. It came with revision 2025-06-18.
	Title string `json:"title,omitzero"`
	// Version is the software's own version.
	Version string `json:"version"`
	// Description says what the software does. Description, WebsiteURL and
	// Icons came with revision 2025-11-25.
	Description string `json:"description,omitzero"`
	// WebsiteURL is a page about the software.
	WebsiteURL string `json:"websiteUrl,omitzero"`
	Icons      []Icon `json:"icons,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}
