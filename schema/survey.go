package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"helpdesk/jsonscan"
)

// applicator says how the value of a keyword holds subschemas.
type applicator int

const (
	noSchemas applicator = iota
	oneSchema
	arrayOfSchemas
	oneOrArray
	mapOfSchemas
)

// applicatorOf tells which keywords hold subschemas in a dialect.
func applicatorOf(keyword string, dialect Dialect) applicator {
	switch keyword {
	case "not", "if", "then", "else", "additionalProperties", "propertyNames", "contains", "additionalItems":
		return oneSchema
	case "items":
		return oneOrArray
	case "allOf", "anyOf", "oneOf":
		return arrayOfSchemas
	case "properties", "patternProperties", "definitions", "dependencies":
		return mapOfSchemas
	}
	if dialect == Draft7 {
		return noSchemas
	}
	switch keyword {
	case "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return oneSchema
	case "prefixItems":
		return arrayOfSchemas
	case "$defs", "dependentSchemas":
		return mapOfSchemas
	}
	return noSchemas
}

// subschema is one schema inside the schema, the root included.
type subschema struct {
	// at is its place as a JSON Pointer; the root's is empty.
	at  string
	raw []byte
}

// survey walks over the text of a schema before anything is compiled: it
// counts, and it refuses what the compiler could not take.
type survey struct {
	limits   Limits
	patterns *patternSet
	all      []subschema
	// known are the places of all, identified those with an $id by that.
	known      map[string]bool
	identified map[string]string
	refs       []reference
	// lost means that a reference leads to a place the walk did not find.
	lost bool
}

// reference is a $ref or $dynamicRef and the place of the resource it is in,
// which is the nearest schema around it with an $id.
type reference struct{ to, from string }

// spot is where the walk is.
type spot struct {
	at, resource string
	dialect      Dialect
}

func (p spot) below(tokens string) spot {
	p.at += tokens
	return p
}

// errTooMany ends the walk over a schema with too many subschemas.
var errTooMany = errors.New("too many subschemas")

func newSurvey(limits Limits, patterns *patternSet) *survey {
	return &survey{limits: limits, patterns: patterns, known: map[string]bool{}, identified: map[string]string{}}
}

func (s *survey) walk(raw []byte, p spot) error {
	if len(s.all) >= s.limits.Subschemas {
		return fmt.Errorf("%w: more than %d", errTooMany, s.limits.Subschemas)
	}
	s.known[p.at] = true
	s.all = append(s.all, subschema{p.at, raw})
	if jsonscan.KindOf(raw) != jsonscan.Object {
		return nil
	}
	id, identified := jsonscan.Lookup(raw, "$id")
	if identified {
		p.resource = p.at
		s.identified[jsonscan.Unquote(id)] = p.at
	}
	if uri, ok := jsonscan.Lookup(raw, "$schema"); ok && jsonscan.KindOf(uri) == jsonscan.String {
		named, err := dialectFromURI(jsonscan.Unquote(uri))
		if err != nil {
			return err
		}
		if p.at == "" || identified {
			p.dialect = named
		}
	}
	for it := jsonscan.Iterate(raw); it.Next(); {
		if err := s.keyword(jsonscan.UnescapeName(it.Name()), it.Value(), p); err != nil {
			return err
		}
	}
	return nil
}

func (s *survey) keyword(name string, value []byte, p spot) error {
	place := p.below("/" + pointerToken(name))
	kind := jsonscan.KindOf(value)
	switch {
	case (name == "$ref" || name == "$dynamicRef") && kind == jsonscan.String:
		s.refs = append(s.refs, reference{jsonscan.Unquote(value), p.resource})
	case name == "pattern" && kind == jsonscan.String:
		if err := s.pattern(jsonscan.Unquote(value), place); err != nil {
			return err
		}
	case name == "patternProperties" && kind == jsonscan.Object:
		for it := jsonscan.Iterate(value); it.Next(); {
			if err := s.pattern(jsonscan.UnescapeName(it.Name()), place); err != nil {
				return err
			}
		}
	case counts[name] && kind == jsonscan.Number:
		if d := readDecimal(value, nil); !d.neg && d.isInteger() && int64(len(d.digits))+d.exp > shortDivisor {
			return fmt.Errorf("%s at %q is too large: %s", name, p.at, Shorten(value))
		}
	}
	switch how := applicatorOf(name, p.dialect); {
	case how == noSchemas:
		return nil
	case how == oneSchema || how == oneOrArray && kind != jsonscan.Array:
		return s.child(value, place)
	case how == mapOfSchemas && kind == jsonscan.Object:
		for it := jsonscan.Iterate(value); it.Next(); {
			if err := s.child(it.Value(), place.below("/"+pointerToken(jsonscan.UnescapeName(it.Name())))); err != nil {
				return err
			}
		}
	case how != mapOfSchemas && kind == jsonscan.Array:
		n := 0
		for it := jsonscan.Iterate(value); it.Next(); n++ {
			if err := s.child(it.Value(), place.below("/"+strconv.Itoa(n))); err != nil {
				return err
			}
		}
	}
	return nil
}

// counts are the keywords whose value is a count. The library reads them into
// an int without looking.
var counts = map[string]bool{
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true,
	"minProperties": true, "maxProperties": true, "minContains": true, "maxContains": true,
}

func (s *survey) pattern(source string, place spot) error {
	if _, err := s.patterns.get(source); err != nil {
		return &PatternError{Pattern: source, At: place.at, Err: err}
	}
	return nil
}

// child walks into a value that should be a schema. Other values, such as the
// name lists of dependencies, are left to the meta-schema.
func (s *survey) child(raw []byte, p spot) error {
	switch jsonscan.KindOf(raw) {
	case jsonscan.Object, jsonscan.Bool:
		return s.walk(raw, p)
	default:
		return nil
	}
}

// strayTargets bounds the places that are no subschema but referred to as one,
// such as "#/x-shared/id". The library copies its index for each of them.
const strayTargets = 256

// followRefs walks to the places that only a reference makes subschemas, and
// to those that are referred to from there.
func (s *survey) followRefs(root []byte, dialect Dialect) error {
	strays := 0
	for i := 0; i < len(s.refs); i++ {
		ref := s.refs[i]
		base, fragment, _ := strings.Cut(ref.to, "#")
		if !strings.HasPrefix(fragment, "/") {
			// Whole resources and anchors are only found where the walk
			// has been.
			continue
		}
		from, known := ref.from, true
		if base != "" {
			from, known = s.identified[base]
		}
		pointer, err := url.PathUnescape(fragment)
		if err != nil || known && s.known[from+pointer] {
			continue
		}
		if strays++; strays > strayTargets {
			return fmt.Errorf("more than %d references lead to places that are no subschemas", strayTargets)
		}
		target, ok := valueAt(root, from+pointer)
		if !known || !ok {
			s.lost = true
			continue
		}
		if err := s.child(target, spot{at: from + pointer, resource: from, dialect: dialect}); err != nil {
			return err
		}
	}
	return nil
}

// valueAt returns the value at a JSON Pointer.
func valueAt(root []byte, pointer string) ([]byte, bool) {
	value := root
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		ok := false
		switch jsonscan.KindOf(value) {
		case jsonscan.Object:
			value, ok = jsonscan.Lookup(value, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
		case jsonscan.Array:
			if index, err := strconv.Atoi(token); err == nil && index >= 0 {
				value = element(value, index)
				ok = value != nil
			}
		}
		if !ok {
			return nil, false
		}
	}
	return value, true
}

// numberSize bounds the digits and the exponent of numbers in a schema, and
// those of an instance where the library reads it: it computes with
// fractions, whose size is that of the exponent.
const numberSize = 1000

// pathBytes bounds the length of all places in a schema together. A long name
// high up is part of the place of everything below it.
const pathBytes = 32 << 20

// census looks at every value of a schema's text, wherever it stands. It
// bounds what the walk cannot see, because a reference may lead into a keyword
// that nobody knows.
type census struct {
	limit   int
	schemas int
	paths   int
}

func (c *census) count(value []byte, path int) error {
	if c.paths += path; c.paths > pathBytes {
		return errors.New("the names in the schema are too long")
	}
	kind := jsonscan.KindOf(value)
	if kind == jsonscan.Object || kind == jsonscan.Bool {
		if c.schemas++; c.schemas > 2*c.limit {
			return fmt.Errorf("%w: more than %d objects and booleans", errTooMany, 2*c.limit)
		}
	}
	if kind == jsonscan.Number && !computable(value) {
		return fmt.Errorf("the number %s is too large: %d digits and an exponent of %d are allowed", Shorten(value), numberSize, numberSize)
	}
	for it := jsonscan.Iterate(value); it.Next(); {
		if err := c.count(it.Value(), path+len(it.Name())+8); err != nil {
			return err
		}
	}
	return nil
}

func computable(number []byte) bool {
	if len(number) <= 3 {
		return true
	}
	// The exponent counts as it is written: 0e999999999 is zero, but the
	// library would still raise ten to that power.
	mantissa, exponent := number, int64(0)
	for i, b := range number {
		if b == 'e' || b == 'E' {
			mantissa, exponent = number[:i], readExponent(number[i+1:])
			break
		}
	}
	return len(mantissa) <= numberSize && -numberSize <= exponent && exponent <= numberSize
}

// pointerToken escapes a name for a JSON Pointer (RFC 6901, section 3).
func pointerToken(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
