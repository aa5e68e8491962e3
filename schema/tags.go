package schema

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"helpdesk/jsonscan"
)

// member is one field of a struct as a member of an object.
type member struct {
	name     string
	typ      reflect.Type
	required bool
	tags     memberTags
}

// memberTags are what a field's tags say beside its name.
type memberTags struct {
	doc, title, example, examples, fallback, format string
	hasFallback                                     bool

	pattern, enum, minLength, maxLength, min, max, above, below, multipleOf string

	minItems, maxItems, unique string
	nullable                   bool
}

// membersOf lists the members of a struct, those of embedded structs in the
// place of their field.
func membersOf(t reflect.Type, outer []reflect.Type) ([]member, error) {
	var members []member
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Tag.Get("json") == "-" {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		flatten := field.Anonymous && name == "" && inner.Kind() == reflect.Struct &&
			!implements(inner, describerType) && !implements(inner, textMarshalerType) || hasOption(options, "inline")
		if !field.IsExported() && !flatten {
			continue
		}
		if flatten {
			if inner.Kind() != reflect.Struct {
				return nil, fmt.Errorf("field %s: only a struct can be inline", field.Name)
			}
			for _, o := range outer {
				if o == inner {
					return nil, fmt.Errorf("field %s: %v contains itself", field.Name, inner)
				}
			}
			flat, err := membersOf(inner, append(outer, t))
			if err != nil {
				return nil, fmt.Errorf("field %s: %w", field.Name, err)
			}
			if field.Type.Kind() == reflect.Pointer {
				for i := range flat {
					flat[i].required = false
				}
			}
			members = append(members, flat...)
			continue
		}
		m, err := memberOf(field, name, options)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", field.Name, err)
		}
		members = append(members, m)
	}
	return members, nil
}

func memberOf(field reflect.StructField, name, options string) (member, error) {
	for option := range strings.SplitSeq(options, ",") {
		if option == "string" || option == "unknown" || strings.HasPrefix(option, "format:") {
			return member{}, fmt.Errorf("the json option %s is not supported; use a type with a JSONSchema method", option)
		}
	}
	if name == "" {
		name = field.Name
	}
	if strings.HasPrefix(name, "'") {
		name = strings.Trim(name, "'")
	}
	tags, err := readTags(field.Tag)
	if err != nil {
		return member{}, err
	}
	optional := hasOption(options, "omitempty") || hasOption(options, "omitzero") || field.Type.Kind() == reflect.Pointer
	return member{name: name, typ: field.Type, required: !optional, tags: tags}, nil
}

func hasOption(options, option string) bool {
	for o := range strings.SplitSeq(options, ",") {
		if o == option {
			return true
		}
	}
	return false
}

// tagFields tells where each tag is kept.
func (m *memberTags) tagFields() map[string]*string {
	return map[string]*string{
		"doc": &m.doc, "title": &m.title, "example": &m.example, "examples": &m.examples, "default": &m.fallback, "format": &m.format,
		"pattern": &m.pattern, "enum": &m.enum, "minLength": &m.minLength, "maxLength": &m.maxLength,
		"min": &m.min, "max": &m.max, "above": &m.above, "below": &m.below, "multipleOf": &m.multipleOf,
		"minItems": &m.minItems, "maxItems": &m.maxItems, "unique": &m.unique,
	}
}

// misspelt are names people expect to work, with the tag that does.
var misspelt = map[string]string{
	"description": "doc", "desc": "doc", "minimum": "min", "maximum": "max",
	"exclusiveMinimum": "above", "exclusiveMaximum": "below", "uniqueItems": "unique", "regexp": "pattern", "required": `json:",omitempty"`,
}

// readTags reads the tags of a field. A tag that looks like one of ours but is
// none is an error; tags for other packages are left alone.
func readTags(tag reflect.StructTag) (memberTags, error) {
	var m memberTags
	fields := m.tagFields()
	for name, value := range eachTag(tag) {
		if place, ok := fields[name]; ok {
			if *place != "" {
				return m, fmt.Errorf("the tag %s is given twice", name)
			}
			if value == "" && name != "default" {
				return m, fmt.Errorf("the tag %s is empty", name)
			}
			*place = value
			m.hasFallback = m.hasFallback || name == "default"
			continue
		}
		switch {
		case name == "json":
		case name == "nullable":
			if value != "true" {
				return m, fmt.Errorf(`the tag nullable is %q; only "true" means something`, value)
			}
			m.nullable = true
		case misspelt[name] != "":
			return m, fmt.Errorf("there is no tag %s; use %s", name, misspelt[name])
		default:
			for ours := range fields {
				if len(name) > 2 && editDistance([]rune(strings.ToLower(name)), []rune(strings.ToLower(ours))) <= 1 {
					return m, fmt.Errorf("there is no tag %s; did you mean %s?", name, ours)
				}
			}
		}
	}
	if m.unique != "" && m.unique != "true" {
		return m, fmt.Errorf(`the tag unique is %q; only "true" means something`, m.unique)
	}
	if m.min != "" && m.above != "" || m.max != "" && m.below != "" {
		return m, errors.New("min and above, or max and below, contradict each other")
	}
	if m.example != "" && m.examples != "" {
		return m, errors.New("example and examples contradict each other")
	}
	for _, bounds := range [][2]string{{"min", "max"}, {"above", "below"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}} {
		low, high := *fields[bounds[0]], *fields[bounds[1]]
		if isNumber(low) && isNumber(high) && readDecimal([]byte(low), nil).compare(readDecimal([]byte(high), nil)) > 0 {
			return m, fmt.Errorf("%s is %s and %s is %s, so nothing fits", bounds[0], low, bounds[1], high)
		}
	}
	return m, nil
}

func isNumber(text string) bool {
	return jsonscan.KindOf([]byte(text)) == jsonscan.Number && jsonscan.Check([]byte(text), 0) == nil
}

// eachTag walks over the key:"value" pairs of a tag, as package reflect
// defines them.
func eachTag(tag reflect.StructTag) func(func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		for rest := string(tag); ; {
			rest = strings.TrimLeft(rest, " ")
			name, after, ok := strings.Cut(rest, `:"`)
			if !ok {
				return
			}
			end := 0
			for end < len(after) && after[end] != '"' {
				if after[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(after) {
				return
			}
			value, _ := reflect.StructTag(rest[:len(name)+2+end+1]).Lookup(name)
			if !yield(name, value) {
				return
			}
			rest = after[end+1:]
		}
	}
}

func (m memberTags) isZero() bool { return m == memberTags{} }

// split divides the tags of an array into its own and those of its elements.
func (m memberTags) split() (own, elements memberTags) {
	own = memberTags{doc: m.doc, title: m.title, example: m.example, examples: m.examples, fallback: m.fallback, hasFallback: m.hasFallback,
		minItems: m.minItems, maxItems: m.maxItems, unique: m.unique, nullable: m.nullable}
	elements = m
	elements.doc, elements.title, elements.example, elements.examples, elements.fallback, elements.hasFallback = "", "", "", "", "", false
	elements.minItems, elements.maxItems, elements.unique, elements.nullable = "", "", "", false
	return own, elements
}

// constraints are the tags that limit values, in the order in which they are
// written, with the keyword and the type they belong to.
func (m memberTags) constraints() []constraint {
	return []constraint{
		{"pattern", m.pattern, "string"}, {"minLength", m.minLength, "string"}, {"maxLength", m.maxLength, "string"},
		{"minimum", m.min, "number"}, {"maximum", m.max, "number"},
		{"exclusiveMinimum", m.above, "number"}, {"exclusiveMaximum", m.below, "number"}, {"multipleOf", m.multipleOf, "number"},
		{"minItems", m.minItems, "array"}, {"maxItems", m.maxItems, "array"}, {"uniqueItems", m.unique, "array"},
	}
}

type constraint struct{ keyword, value, belongs string }

// onlyAnnotations refuses every tag that limits values.
func (m memberTags) onlyAnnotations(where string) error {
	for _, c := range m.constraints() {
		if c.value != "" {
			return fmt.Errorf("the tag for %s does not fit %s", c.keyword, where)
		}
	}
	if m.enum != "" || m.nullable || m.format != "" {
		return fmt.Errorf("the tags enum, format and nullable do not fit %s", where)
	}
	return nil
}

// open begins a schema with its type and what limits it.
func (m memberTags) open(dst []byte, typeName string) ([]byte, error) {
	dst = append(dst, `{"type":`...)
	if m.nullable {
		dst = append(jsonscan.AppendQuoted(append(dst, '['), typeName), `,"null"]`...)
	} else {
		dst = jsonscan.AppendQuoted(dst, typeName)
	}
	for _, c := range m.constraints() {
		if c.value == "" {
			continue
		}
		if c.belongs != typeName && !(c.belongs == "number" && typeName == "integer") {
			return nil, fmt.Errorf("the tag for %s fits %s, not %s", c.keyword, article(c.belongs), article(typeName))
		}
		text := []byte(c.value)
		if c.keyword == "pattern" {
			text = jsonscan.AppendQuoted(nil, c.value)
		} else if jsonscan.Check(text, 0) != nil {
			return nil, fmt.Errorf("the tag for %s is %q, which is no JSON value", c.keyword, c.value)
		}
		dst = appendMember(dst, c.keyword, text)
	}
	if m.format != "" {
		if typeName != "string" {
			return nil, fmt.Errorf("the tag format fits a string, not %s", article(typeName))
		}
		dst = appendMember(dst, "format", jsonscan.AppendQuoted(nil, m.format))
	}
	if m.enum == "" {
		return dst, nil
	}
	if typeName == "array" || typeName == "object" || typeName == "boolean" {
		return nil, fmt.Errorf("the tag enum does not fit %s", article(typeName))
	}
	enum, err := m.enumValues(typeName)
	if err != nil {
		return nil, err
	}
	return appendMember(dst, "enum", enum), nil
}

func (m memberTags) enumValues(typeName string) ([]byte, error) {
	if strings.HasPrefix(m.enum, "[") {
		if err := jsonscan.Check([]byte(m.enum), 0); err != nil {
			return nil, fmt.Errorf("the tag enum: %w", err)
		}
		if m.nullable {
			return append(bytes.TrimRight([]byte(m.enum), "] \t"), ",null]"...), nil
		}
		return []byte(m.enum), nil
	}
	enum := []byte{'['}
	for text := range strings.SplitSeq(m.enum, ",") {
		value, err := tagValue("enum", text, typeName)
		if err != nil {
			return nil, err
		}
		if len(enum) > 1 {
			enum = append(enum, ',')
		}
		enum = append(enum, value...)
	}
	if m.nullable {
		enum = append(enum, ",null"...)
	}
	return append(enum, ']'), nil
}

// scalar writes the whole schema of a simple type.
func (m memberTags) scalar(dst []byte, typeName string) ([]byte, error) {
	dst, err := m.open(dst, typeName)
	if err != nil {
		return nil, err
	}
	return m.annotated(dst, typeName)
}

// annotated adds what describes a value and closes the schema. An empty type
// name means that every JSON value is allowed.
func (m memberTags) annotated(dst []byte, typeName string) ([]byte, error) {
	if typeName == "" {
		if err := m.onlyAnnotations("a value that may be anything"); err != nil {
			return nil, err
		}
	}
	if m.title != "" {
		dst = appendMember(dst, "title", jsonscan.AppendQuoted(nil, m.title))
	}
	if m.doc != "" {
		dst = appendMember(dst, "description", jsonscan.AppendQuoted(nil, m.doc))
	}
	if m.hasFallback {
		value, err := tagValue("default", m.fallback, typeName)
		if err != nil {
			return nil, err
		}
		dst = appendMember(dst, "default", value)
	}
	if m.example != "" {
		value, err := tagValue("example", m.example, typeName)
		if err != nil {
			return nil, err
		}
		dst = appendMember(dst, "examples", append(append([]byte{'['}, value...), ']'))
	}
	if m.examples != "" {
		if err := jsonscan.Check([]byte(m.examples), 0); err != nil || m.examples[0] != '[' {
			return nil, fmt.Errorf("the tag examples is %q, which is no JSON array", m.examples)
		}
		dst = appendMember(dst, "examples", []byte(m.examples))
	}
	return append(dst, '}'), nil
}

// replaces reports whether the tags say something in place of a keyword.
func (m memberTags) replaces(keyword string) bool {
	switch keyword {
	case "title":
		return m.title != ""
	case "description":
		return m.doc != ""
	case "default":
		return m.hasFallback
	case "examples":
		return m.example != "" || m.examples != ""
	default:
		return false
	}
}

// tagValue reads a value of a tag: the text itself for a string, JSON for
// everything else.
func tagValue(tag, text, typeName string) ([]byte, error) {
	if typeName == "string" {
		return jsonscan.AppendQuoted(nil, text), nil
	}
	if err := jsonscan.Check([]byte(text), 0); err != nil {
		return nil, fmt.Errorf("the tag %s is %q, which is no JSON: %w", tag, text, err)
	}
	return []byte(text), nil
}

// appendMember appends a member whose name needs no escaping.
func appendMember(dst []byte, name string, value []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(append(dst, '"'), name...), `":`...), value...)
}
