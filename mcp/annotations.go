package mcp

import "github.com/go-json-experiment/json/jsontext"

// Role is the sender or recipient of a message.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Annotations tell a client how to use or show an object.
type Annotations struct {
	// Audience is who the object is for. None means no statement.
	Audience []Role `json:"audience,omitzero"`
	// Priority runs from 0, entirely optional, to 1, effectively required.
	Priority *float64 `json:"priority,omitzero"`
	// LastModified is a time in ISO 8601, for example 2025-01-12T15:00:58Z.
	// It came with revision 2025-06-18.
	LastModified string `json:"lastModified,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

func (o *object) annotations(a *Annotations) {
	if a == nil {
		return
	}
	o.name("annotations")
	in := openObject(o.dst)
	stringList(&in, "audience", a.Audience)
	in.float("priority", a.Priority)
	in.text("lastModified", a.LastModified)
	o.dst = in.end(a.Unknown, nil)
}
