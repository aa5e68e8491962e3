package schema

import (
	"bytes"
	"fmt"
	"strings"

	"helpdesk/jsonscan"
)

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
