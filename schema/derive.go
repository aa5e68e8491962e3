package schema

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"helpdesk/jsonscan"
)

// Describer is a type that brings its own schema, for what Go's types cannot
// say. The schema must be an object and may not depend on the value.
type Describer interface {
	JSONSchema() []byte
}

// DeriveOption changes how [For] writes a schema.
type DeriveOption func(*deriver)

// Open lets objects have members the Go type does not name. Without it every
// object says "additionalProperties":false, which is right for arguments: it
// turns a misspelt name into an error the model can mend. Results should stay
// open, so that a later version can say more.
func Open() DeriveOption {
	return func(d *deriver) { d.open = true }
}

// For derives the schema of a Go type. The text is the same every time and
// follows the order of the fields.
//
// Strings, booleans, integers (unsigned ones with "minimum":0), floats,
// slices, arrays, maps with string keys and structs become what they look
// like; nested structs are written in place and embedded ones are flattened. A
// pointer is its element. time.Time is a string with the format date-time,
// []byte a base64 string, and any, like raw JSON, allows everything. A type
// that implements [Describer] says for itself what it is, and one that
// implements encoding.TextMarshaler is a string.
//
// The tag `json` names a member as encoding/json does. A member is required
// unless its tag says omitempty or omitzero or its type is a pointer. The
// other tags say more about a member:
//
//	doc          its description
//	title        its title
//	example      one right value
//	examples     several of them, as a JSON array
//	default      what is assumed when it is left out
//	format       the format of a string, an annotation
//	pattern      the regular expression (RE2) a string matches
//	enum         the allowed values, separated by commas, or as a JSON array
//	             when a value has a comma in it
//	min, max     bounds of a number
//	above, below bounds a number may not reach (exclusiveMinimum and
//	             exclusiveMaximum)
//	multipleOf   what a number is a multiple of
//	minLength, maxLength   of a string, in code points
//	minItems, maxItems     of an array
//	unique       "true" when no element of an array may come twice
//	nullable     "true" when null is allowed too
//
// On a slice or array the tags of strings and numbers speak of its elements.
// Values in example, default and enum are the text itself for a string, JSON
// for everything else.
//
// Errors: a type JSON has nothing for, a type that contains itself, a tag that
// is misspelt or does not fit the type, two members of one name. The result
// compiles, and its examples conform to it.
func For[T any](options ...DeriveOption) ([]byte, error) {
	d := deriver{}
	for _, option := range options {
		option(&d)
	}
	t := reflect.TypeFor[T]()
	text, err := d.schema(nil, t, memberTags{})
	if err != nil {
		return nil, fmt.Errorf("derive a schema from %v: %w", t, err)
	}
	compiled, err := Compile(text)
	if err == nil {
		err = compiled.CheckExamples()
	}
	if err != nil {
		return nil, fmt.Errorf("derive a schema from %v: %w", t, err)
	}
	return text, nil
}

// deriver writes schemas.
type deriver struct {
	open bool
	// inside are the types being written, to notice one in itself.
	inside []reflect.Type
}

var (
	describerType     = reflect.TypeFor[Describer]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	jsonMarshalerType = reflect.TypeFor[json.Marshaler]()
	timeType          = reflect.TypeFor[time.Time]()
	durationType      = reflect.TypeFor[time.Duration]()
	rawType           = reflect.TypeFor[json.RawMessage]()
	numberType        = reflect.TypeFor[json.Number]()
)

// schema appends the schema of a type with what its tags say.
func (d *deriver) schema(dst []byte, t reflect.Type, tags memberTags) ([]byte, error) {
	for t.Kind() == reflect.Pointer && !t.Implements(describerType) {
		if t.Elem() == t {
			return nil, fmt.Errorf("%v points to itself", t)
		}
		t = t.Elem()
	}
	if implements(t, describerType) {
		return d.described(dst, t, tags)
	}
	switch {
	case t == timeType:
		if tags.format == "" {
			tags.format = "date-time"
		}
		return tags.scalar(dst, "string")
	case isRawJSON(t) || t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return tags.annotated(append(dst, '{'), "")
	case t == durationType:
		return nil, errors.New("time.Duration has no JSON form of its own; use a number of seconds, or a type with a JSONSchema method")
	case t == numberType || implements(t, jsonMarshalerType) || hasMethod(t, "MarshalJSONTo"):
		return nil, fmt.Errorf("%v writes its own JSON; use a type with a JSONSchema method", t)
	case implements(t, textMarshalerType):
		return tags.scalar(dst, "string")
	}
	leave, err := d.enter(t)
	if err != nil {
		return nil, err
	}
	defer leave()
	switch t.Kind() {
	case reflect.String:
		return tags.scalar(dst, "string")
	case reflect.Bool:
		return tags.scalar(dst, "boolean")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return tags.scalar(dst, "integer")
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if tags.min == "" && tags.above == "" {
			tags.min = "0"
		}
		return tags.scalar(dst, "integer")
	case reflect.Float32, reflect.Float64:
		return tags.scalar(dst, "number")
	case reflect.Slice, reflect.Array:
		return d.array(dst, t, tags)
	case reflect.Map:
		return d.dictionary(dst, t, tags)
	case reflect.Struct:
		return d.object(dst, t, tags)
	default:
		return nil, fmt.Errorf("JSON has nothing for %v", t)
	}
}

func implements(t, what reflect.Type) bool {
	return t.Implements(what) || t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(what)
}

// enter notes that a type is being written, and refuses one inside itself.
func (d *deriver) enter(t reflect.Type) (leave func(), err error) {
	for _, outer := range d.inside {
		if outer == t {
			return nil, fmt.Errorf("%v contains itself; a schema for it would not be flat", t)
		}
	}
	d.inside = append(d.inside, t)
	return func() { d.inside = d.inside[:len(d.inside)-1] }, nil
}

// hasMethod finds the interfaces of JSON codecs other than the standard one.
func hasMethod(t reflect.Type, name string) bool {
	_, ok := reflect.PointerTo(t).MethodByName(name)
	return ok
}

// isRawJSON recognises json.RawMessage and the raw values of other codecs,
// such as jsontext.Value.
func isRawJSON(t reflect.Type) bool {
	return t == rawType || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && t.Name() == "Value" && strings.HasSuffix(t.PkgPath(), "jsontext")
}

// described takes the schema a type gives itself.
func (d *deriver) described(dst []byte, t reflect.Type, tags memberTags) ([]byte, error) {
	var value reflect.Value
	if t.Kind() == reflect.Pointer {
		value = reflect.New(t.Elem())
	} else {
		value = reflect.New(t)
	}
	describer, ok := value.Interface().(Describer)
	if !ok {
		describer, ok = value.Elem().Interface().(Describer)
	}
	if !ok {
		return nil, fmt.Errorf("%v has no JSONSchema method that works on its zero value", t)
	}
	text := jsonscan.Trim(describer.JSONSchema())
	if err := jsonscan.Check(text, 0); err != nil {
		return nil, fmt.Errorf("JSONSchema of %v: %w", t, err)
	}
	if jsonscan.KindOf(text) != jsonscan.Object {
		return nil, fmt.Errorf("JSONSchema of %v is not an object", t)
	}
	if err := tags.onlyAnnotations(fmt.Sprintf("%v, which has its own schema", t)); err != nil {
		return nil, err
	}
	if tags.isZero() {
		return append(dst, text...), nil
	}
	// The member's own words stand in place of the type's.
	dst = append(dst, '{')
	for it := jsonscan.Iterate(text); it.Next(); {
		if tags.replaces(jsonscan.UnescapeName(it.Name())) {
			continue
		}
		dst = appendMember(dst, string(it.Name()), it.Value())
	}
	return tags.annotated(dst, "")
}

func (d *deriver) array(dst []byte, t reflect.Type, tags memberTags) ([]byte, error) {
	if t.Elem().Kind() == reflect.Uint8 && !implements(t.Elem(), describerType) && !implements(t.Elem(), textMarshalerType) {
		dst, err := tags.open(dst, "string")
		if err != nil {
			return nil, err
		}
		return tags.annotated(appendMember(dst, "contentEncoding", []byte(`"base64"`)), "string")
	}
	own, elements := tags.split()
	if t.Kind() == reflect.Array {
		if own.minItems != "" || own.maxItems != "" {
			return nil, errors.New("minItems and maxItems do not fit an array of fixed length")
		}
		own.minItems, own.maxItems = strconv.Itoa(t.Len()), strconv.Itoa(t.Len())
	}
	dst, err := own.open(dst, "array")
	if err != nil {
		return nil, err
	}
	dst = append(dst, `,"items":`...)
	if dst, err = d.schema(dst, t.Elem(), elements); err != nil {
		return nil, fmt.Errorf("elements: %w", err)
	}
	return own.annotated(dst, "array")
}

func (d *deriver) dictionary(dst []byte, t reflect.Type, tags memberTags) ([]byte, error) {
	if t.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("a map needs string keys to be a JSON object, and %v has not", t)
	}
	dst, err := tags.open(dst, "object")
	if err != nil {
		return nil, err
	}
	if elem := t.Elem(); elem.Kind() != reflect.Interface && !isRawJSON(elem) {
		dst = append(dst, `,"additionalProperties":`...)
		if dst, err = d.schema(dst, elem, memberTags{}); err != nil {
			return nil, fmt.Errorf("values: %w", err)
		}
	}
	return tags.annotated(dst, "object")
}

func (d *deriver) object(dst []byte, t reflect.Type, tags memberTags) ([]byte, error) {
	members, err := membersOf(t, nil)
	if err != nil {
		return nil, err
	}
	if dst, err = tags.open(dst, "object"); err != nil {
		return nil, err
	}
	dst = append(dst, `,"properties":{`...)
	var required []byte
	names := map[string]bool{}
	for i, m := range members {
		if names[m.name] {
			return nil, fmt.Errorf("two members are named %q", m.name)
		}
		names[m.name] = true
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonscan.AppendQuoted(dst, m.name), ':')
		if dst, err = d.schema(dst, m.typ, m.tags); err != nil {
			return nil, fmt.Errorf("member %q: %w", m.name, err)
		}
		if m.required {
			if required != nil {
				required = append(required, ',')
			}
			required = jsonscan.AppendQuoted(required, m.name)
		}
	}
	dst = append(dst, '}')
	if required != nil {
		dst = append(append(append(dst, `,"required":[`...), required...), ']')
	}
	if !d.open {
		dst = append(dst, `,"additionalProperties":false`...)
	}
	return tags.annotated(dst, "object")
}
