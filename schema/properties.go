package schema

import (
	"slices"
	"strings"

	"helpdesk/jsonscan"
)

// Property is one member the schema declares at its root: one argument of a
// tool.
type Property struct {
	// Name is the member's name.
	Name string
	// Types are the JSON Schema types the member may have, in the order in
	// which the schema names them; none when the schema does not say. A
	// reference inside the schema is followed, and the forms of anyOf and
	// oneOf are taken together.
	Types []string
	// Description is the member's own description.
	Description string
	// Example is the JSON text of a right value, from examples, default or
	// the end of the description; nil when there is none.
	Example []byte
	// Enum are the JSON texts of the values the member is limited to.
	Enum [][]byte
	// Required reports whether the member must be given.
	Required bool
	// Raw is the member's schema as its author wrote it.
	Raw []byte
}

// Properties returns what the root of the schema declares in properties, in
// the order in which it was written.
func (s *Schema) Properties() []Property {
	text := jsonscan.Trim(s.raw)
	declared, _ := jsonscan.Lookup(text, "properties")
	var required []string
	if list, ok := jsonscan.Lookup(text, "required"); ok {
		for it := jsonscan.Iterate(list); it.Next(); {
			required = append(required, jsonscan.Unquote(it.Value()))
		}
	}
	var properties []Property
	for it := jsonscan.Iterate(declared); it.Next(); {
		name := jsonscan.UnescapeName(it.Name())
		p := Property{Name: name, Raw: it.Value(), Required: slices.Contains(required, name)}
		var n *node
		if s.root != nil {
			if i := s.root.find([]byte(name)); i >= 0 {
				n = s.root.properties[i].node
			}
		}
		if n != nil {
			p.Description, p.Example = n.text("description"), n.right
			for i := range n.enum {
				p.Enum = append(p.Enum, n.enum[i].raw)
			}
		}
		p.Types = s.typesOf(nil, it.Value(), 0)
		properties = append(properties, p)
	}
	return properties
}

// typeHops bounds how many references and choices are followed for a type.
const typeHops = 8

// typesOf appends the types a subschema allows.
func (s *Schema) typesOf(types []string, raw []byte, hops int) []string {
	if hops == typeHops {
		return types
	}
	add := func(value []byte) {
		if name := jsonscan.Unquote(value); !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	if t, ok := jsonscan.Lookup(raw, "type"); ok {
		if jsonscan.KindOf(t) == jsonscan.String {
			add(t)
		}
		for it := jsonscan.Iterate(t); it.Next(); {
			add(it.Value())
		}
		return types
	}
	if ref, ok := jsonscan.Lookup(raw, "$ref"); ok {
		if place, local := strings.CutPrefix(jsonscan.Unquote(ref), "#"); local {
			if n := s.nodes[place]; n != nil {
				types = s.typesOf(types, n.raw, hops+1)
			}
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		forms, _ := jsonscan.Lookup(raw, keyword)
		for it := jsonscan.Iterate(forms); it.Next(); {
			types = s.typesOf(types, it.Value(), hops+1)
		}
	}
	return types
}
