package mcp

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// Setting is one named entry of [Settings].
type Setting struct {
	Name  string
	Value jsontext.Value
}

// Settings is a JSON object with names that are not fixed, in the order they
// were written: extensions and experimental capabilities under their
// identifiers.
type Settings []Setting

// Get returns the value under a name.
func (s Settings) Get(name string) (value jsontext.Value, ok bool) {
	for i := range s {
		if s[i].Name == name {
			return s[i].Value, true
		}
	}
	return nil, false
}

// Set puts a value, which must be JSON, under a name. An empty value stands
// for {}, "supported without settings".
func (s *Settings) Set(name string, value []byte) {
	for i := range *s {
		if (*s)[i].Name == name {
			(*s)[i].Value = value
			return
		}
	}
	*s = append(*s, Setting{Name: name, Value: value})
}

// MarshalJSONTo writes the object.
func (s Settings) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for i := range s {
		if err := enc.WriteToken(jsontext.String(s[i].Name)); err != nil {
			return err
		}
		value := s[i].Value
		if len(value) == 0 {
			value = jsontext.Value("{}")
		}
		if err := enc.WriteValue(value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads an object; null gives no settings.
func (s *Settings) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*s = nil
	return readMembers(dec, func(name string, value jsontext.Value) error {
		*s = append(*s, Setting{name, value})
		return nil
	})
}

// readMembers reads an object in the order it was written. The values are
// copies. null has no members.
func readMembers(dec *jsontext.Decoder, member func(name string, value jsontext.Value) error) error {
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch text.Kind() {
	case jsontext.KindNull:
		return nil
	case jsontext.KindBeginObject:
	default:
		return fmt.Errorf("must be an object, got %v", jsonscan.KindOf(text))
	}
	text = bytes.Clone(text)
	for it := jsonscan.Iterate(text); it.Next(); {
		if err := member(jsonscan.UnescapeName(it.Name()), it.Value()); err != nil {
			return err
		}
	}
	return nil
}
