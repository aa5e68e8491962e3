package schema

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// member is one field of a struct as a member of an object.
type member struct {
	name     string
	typ      reflect.Type
	required bool
	tags     memberTags
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
	if quoted, ok := strings.CutPrefix(name, "'"); ok {
		if name, ok = strings.CutSuffix(quoted, "'"); !ok || strings.ContainsAny(name, `'\\`) {
			return member{}, errors.New("a name with a comma, a quote or a backslash in it is not supported")
		}
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
