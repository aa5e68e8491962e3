package schema

import (
	"math"
	"strings"

	"helpdesk/jsonscan"
)

// types is a set of JSON Schema types: one bit for each jsonscan.Kind, and one
// for integer. The empty set allows everything.
type types uint16

const integerType types = 1 << 15

// wordsOfTypes is the order in which types are named.
var wordsOfTypes = []struct {
	name string
	set  types
}{
	{"string", 1 << jsonscan.String}, {"integer", integerType}, {"number", 1 << jsonscan.Number},
	{"boolean", 1 << jsonscan.Bool}, {"array", 1 << jsonscan.Array}, {"object", 1 << jsonscan.Object},
	{"null", 1 << jsonscan.Null},
}

func (t types) has(kind jsonscan.Kind) bool { return t&(1<<kind) != 0 }

// typesOf reads the keyword type.
func typesOf(raw []byte) types {
	var t types
	if jsonscan.KindOf(raw) == jsonscan.Array {
		for it := jsonscan.Iterate(raw); it.Next(); {
			t |= typesOf(it.Value())
		}
		return t
	}
	name := jsonscan.Unquote(raw)
	for _, w := range wordsOfTypes {
		if w.name == name {
			t |= w.set
		}
	}
	return t
}

// node is one subschema of the fast path. A nil node allows everything.
type node struct {
	raw []byte
	// right is a value to give as an example, or nil.
	right []byte
	// partial means that the subschema says more than the node knows; then
	// the library has the last word.
	partial bool
	never   bool
	types   types

	enum  []literal
	konst *literal

	minLength, maxLength int
	pattern              *pattern

	minimum, maximum, above, below, multipleOf *decimal

	items              *node
	minItems, maxItems int
	unique             bool

	properties []property
	// byName finds a property where there are too many to try one by one.
	byName                       map[string]int
	required                     int
	others                       *node
	minProperties, maxProperties int
}

// property is one member an object may or must have.
type property struct {
	name     string
	node     *node
	required bool
	// declared means that the name stands in properties. A name may also be
	// required without being declared.
	declared bool
}

const (
	// fewProperties are tried one by one; more are looked up.
	fewProperties = 8
	// manyProperties is how many the fast path can keep track of.
	manyProperties = 256
)

// find returns the index of a property, or -1.
func (n *node) find(name []byte) int {
	if n.byName != nil {
		if i, ok := n.byName[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range n.properties {
		if n.properties[i].name == string(name) {
			return i
		}
	}
	return -1
}

// builder makes nodes from a schema that its meta-schema has accepted.
type builder struct {
	patterns *patternSet
	dialect  Dialect
	// partial is set once any node does not know everything.
	partial bool
	// shallow leaves the subschemas of a node out.
	shallow bool
}

// unread are the keywords only the library applies.
var unread = map[string]bool{
	"$ref": true, "$dynamicRef": true, "$dynamicAnchor": true, "$recursiveRef": true, "$recursiveAnchor": true,
	"allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "then": true, "else": true,
	"dependencies": true, "dependentRequired": true, "dependentSchemas": true,
	"patternProperties": true, "propertyNames": true, "unevaluatedProperties": true,
	"prefixItems": true, "additionalItems": true, "contains": true, "minContains": true, "maxContains": true, "unevaluatedItems": true,
}

func (b *builder) build(raw []byte) *node {
	n := &node{raw: raw, maxLength: math.MaxInt, maxItems: math.MaxInt, maxProperties: math.MaxInt}
	if jsonscan.KindOf(raw) != jsonscan.Object {
		if len(raw) == len("true") {
			return nil
		}
		n.never = true
		return n
	}
	if b.dialect == Draft7 {
		if _, ok := jsonscan.Lookup(raw, "$ref"); ok {
			// All other members beside $ref are ignored there.
			n.partial, b.partial = true, true
			return n
		}
	}
	if uri, ok := jsonscan.Lookup(raw, "$schema"); ok {
		if d, err := dialectFromURI(jsonscan.Unquote(uri)); err == nil && d != b.dialect {
			n.partial = true
		}
	}
	for it := jsonscan.Iterate(raw); it.Next(); {
		b.keyword(n, jsonscan.UnescapeName(it.Name()), it.Value())
	}
	if len(n.properties) > manyProperties {
		n.partial = true
	}
	if len(n.properties) <= fewProperties {
		n.byName = nil
	}
	for _, p := range n.properties {
		if p.required {
			n.required++
		}
	}
	b.partial = b.partial || n.partial
	n.right = n.exampleValue()
	return n
}

func (b *builder) child(raw []byte) *node {
	if b.shallow {
		return nil
	}
	return b.build(raw)
}

func (b *builder) keyword(n *node, name string, value []byte) {
	switch name {
	case "type":
		n.types = typesOf(value)
	case "enum":
		n.enum = []literal{}
		for it := jsonscan.Iterate(value); it.Next(); {
			n.enum = append(n.enum, newLiteral(it.Value()))
		}
	case "const":
		l := newLiteral(value)
		n.konst = &l
	case "minLength":
		n.minLength = countOf(value)
	case "maxLength":
		n.maxLength = countOf(value)
	case "minItems":
		n.minItems = countOf(value)
	case "maxItems":
		n.maxItems = countOf(value)
	case "minProperties":
		n.minProperties = countOf(value)
	case "maxProperties":
		n.maxProperties = countOf(value)
	case "minimum":
		n.minimum = numberOf(value)
	case "maximum":
		n.maximum = numberOf(value)
	case "exclusiveMinimum":
		n.above = numberOf(value)
	case "exclusiveMaximum":
		n.below = numberOf(value)
	case "multipleOf":
		n.multipleOf = numberOf(value)
	case "uniqueItems":
		n.unique = string(value) == "true"
	case "pattern":
		// The survey compiled every pattern before.
		n.pattern, _ = b.patterns.get(jsonscan.Unquote(value))
	case "items":
		if jsonscan.KindOf(value) == jsonscan.Array {
			n.partial = true
			return
		}
		n.items = b.child(value)
	case "properties":
		for it := jsonscan.Iterate(value); it.Next(); {
			p := n.property(jsonscan.UnescapeName(it.Name()))
			p.declared, p.node = true, b.child(it.Value())
		}
	case "required":
		for it := jsonscan.Iterate(value); it.Next(); {
			n.property(jsonscan.Unquote(it.Value())).required = true
		}
	case "additionalProperties":
		n.others = b.child(value)
	default:
		if unread[name] {
			n.partial = true
		}
	}
}

// property returns the property with this name, making it if need be.
func (n *node) property(name string) *property {
	if i, ok := n.byName[name]; ok {
		return &n.properties[i]
	}
	if n.byName == nil {
		n.byName = map[string]int{}
	}
	n.byName[name] = len(n.properties)
	n.properties = append(n.properties, property{name: name})
	return &n.properties[len(n.properties)-1]
}

func countOf(raw []byte) int {
	n, ok := readDecimal(raw, nil).count()
	if !ok {
		return math.MaxInt
	}
	return n
}

func numberOf(raw []byte) *decimal {
	d := readDecimal(raw, nil)
	return &d
}

// hasPath reports whether a path as WithSentence takes it leads to a declared
// property.
func (n *node) hasPath(path string) bool {
	if n == nil {
		return false
	}
	if rest, ok := strings.CutPrefix(path, "[]"); ok {
		rest = strings.TrimPrefix(rest, ".")
		return n.items != nil && (rest == "" || n.items.hasPath(rest))
	}
	for _, p := range n.properties {
		rest, ok := strings.CutPrefix(path, p.name)
		switch {
		case !ok:
		case rest == "":
			return true
		case strings.HasPrefix(rest, ".") && p.node.hasPath(rest[1:]), strings.HasPrefix(rest, "[]") && p.node.hasPath(rest):
			return true
		}
	}
	return false
}
