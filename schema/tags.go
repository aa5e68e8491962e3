package schema

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"helpdesk/jsonscan"
)

// memberTags are what a field's tags say beside its name.
type memberTags struct {
	doc, title, example, examples, fallback, format string
	hasFallback                                     bool

	pattern, enum, minLength, maxLength, min, max, above, below, multipleOf string

	minItems, maxItems, unique string
	nullable                   bool
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
