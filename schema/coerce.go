package schema

import "helpdesk/jsonscan"

// Coercion is one conversion of a value that came in the wrong JSON type.
//
// Hosts and models commonly confuse types that look alike. These conversions
// are made, at any depth, where the schema does not accept the value as it is:
//
//   - an integer for a string: 2318 becomes "2318". Only integers in their one
//     plain form; 2318.0, 1e3 and -0 stay what they are, since nobody can tell
//     which text was meant;
//   - a string for a number or integer: "12" becomes 12. The string must be a
//     plain JSON number without exponent, "-0" not being one, and for an
//     integer without a fraction;
//   - "true" and "false" for a boolean;
//   - a string that holds a JSON array or object where one is expected.
//
// A conversion is made only when the new value conforms to all the schema says
// about it. Otherwise the original value is reported.
type Coercion struct {
	// Path is the place of the value, as in [Problem].Path.
	Path string
	// From and To are the JSON Schema types before and after, such as
	// "integer" and "string".
	From, To string
}

// coercer rewrites a value.
type coercer struct {
	walker
	path    []step
	coerced []Coercion
}

// coerce returns the value with every possible conversion made. The result is
// not yet known to be valid as a whole.
func (s *Schema) coerce(value []byte) ([]byte, []Coercion) {
	c := coercer{walker: walker{steps: s.limits.Steps}}
	out := c.rewrite(s.root, value)
	if c.steps < 0 {
		return value, nil
	}
	return out, c.coerced
}

// rewrite returns the value or, if something in it was converted, a new one.
func (c *coercer) rewrite(n *node, value []byte) []byte {
	if n == nil || !c.spend(len(value)+8) {
		return value
	}
	kind := jsonscan.KindOf(value)
	if !n.types.accepts(value, kind) {
		return c.convert(n, value, kind)
	}
	switch kind {
	case jsonscan.Object:
		return c.rewriteMembers(n, value)
	case jsonscan.Array:
		if n.items != nil && !n.partial {
			return c.rewriteElements(n, value)
		}
	}
	return value
}

func (c *coercer) rewriteMembers(n *node, object []byte) []byte {
	before := len(c.coerced)
	out := append(make([]byte, 0, len(object)+8), '{')
	for it := jsonscan.Iterate(object); it.Next(); {
		name := jsonscan.UnescapeName(it.Name())
		child := n.others
		if n.partial {
			child = nil
		}
		if i := n.find([]byte(name)); i >= 0 && n.properties[i].declared {
			child = n.properties[i].node
		}
		c.path = append(c.path, step{name: name, named: true})
		value := c.rewrite(child, it.Value())
		c.path = c.path[:len(c.path)-1]
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), it.Name()...), '"', ':')
		out = append(out, value...)
	}
	if len(c.coerced) == before {
		return object
	}
	return append(out, '}')
}

func (c *coercer) rewriteElements(n *node, array []byte) []byte {
	before := len(c.coerced)
	out := append(make([]byte, 0, len(array)+8), '[')
	index := 0
	for it := jsonscan.Iterate(array); it.Next(); index++ {
		c.path = append(c.path, step{index: index})
		value := c.rewrite(n.items, it.Value())
		c.path = c.path[:len(c.path)-1]
		if index > 0 {
			out = append(out, ',')
		}
		out = append(out, value...)
	}
	if len(c.coerced) == before {
		return array
	}
	return append(out, ']')
}

// conversionSteps is what one conversion costs beside reading the value. It
// keeps a million of them from being collected.
const conversionSteps = 200

// convert tries the one conversion that fits the value and what is expected.
func (c *coercer) convert(n *node, value []byte, kind jsonscan.Kind) []byte {
	candidate := conversion(n.types, value, kind)
	if candidate == nil || !c.spend(conversionSteps) {
		return value
	}
	before := len(c.coerced)
	c.coerced = append(c.coerced, Coercion{Path: pathText(c.path), From: typeName(value), To: typeName(candidate)})
	if to := jsonscan.KindOf(candidate); to == jsonscan.Array || to == jsonscan.Object {
		candidate = c.rewrite(n, candidate)
	}
	if !c.check(n, candidate) || c.steps < 0 {
		c.coerced = c.coerced[:before]
		return value
	}
	return candidate
}

// conversion returns the value in another type that the set allows, or nil.
func conversion(want types, value []byte, kind jsonscan.Kind) []byte {
	if kind == jsonscan.Number && want.has(jsonscan.String) && plainNumber(value, true) {
		return append(append([]byte{'"'}, value...), '"')
	}
	if kind != jsonscan.String {
		return nil
	}
	whole := []byte(jsonscan.Unquote(value))
	text := jsonscan.Trim(whole)
	to := jsonscan.KindOf(text)
	if to == jsonscan.Array || to == jsonscan.Object {
		if want.has(to) && jsonscan.Check(text, 0) == nil {
			return text
		}
		return nil
	}
	if len(text) != len(whole) {
		return nil
	}
	switch {
	case to == jsonscan.Bool && want.has(to) && (string(text) == "true" || string(text) == "false"):
		return text
	case to == jsonscan.Number && want.has(to) && plainNumber(text, false):
		return text
	case to == jsonscan.Number && want&integerType != 0 && plainNumber(text, true):
		return text
	}
	return nil
}

// typeName names the narrowest type of a value.
func typeName(value []byte) string {
	if kind := jsonscan.KindOf(value); kind != jsonscan.Number || !plainNumber(value, true) {
		return kind.String()
	}
	return "integer"
}

// plainNumber reports whether text is a JSON number without exponent, and
// without a fraction when it must be an integer. "-0" is not plain.
func plainNumber(text []byte, integer bool) bool {
	if len(text) == 0 || string(text) == "-0" || jsonscan.Check(text, 0) != nil {
		return false
	}
	for i, b := range text {
		if b == '-' && i == 0 || '0' <= b && b <= '9' || b == '.' && !integer {
			continue
		}
		return false
	}
	return true
}
