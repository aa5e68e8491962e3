package mcp

import (
	"bytes"
	"encoding/base64"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// object writes one JSON object member by member. It exists because the codec
// rewrites raw JSON, and because blocks of content are on the hot path.
type object struct {
	dst  []byte
	more bool
}

func openObject(dst []byte) object { return object{dst: append(dst, '{')} }

// next writes what stands between two members.
func (o *object) next() {
	if o.more {
		o.dst = append(o.dst, ',')
	}
	o.more = true
}

// name begins a member. Names are constants of this package without anything
// to escape.
func (o *object) name(name string) {
	o.next()
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

func (o *object) str(name, value string) {
	o.name(name)
	o.dst = jsonscan.AppendQuoted(o.dst, value)
}

// text is str for members that are left out when empty.
func (o *object) text(name, value string) {
	if value != "" {
		o.str(name, value)
	}
}

func (o *object) flag(name string, value *bool) {
	if value != nil {
		o.name(name)
		o.dst = strconv.AppendBool(o.dst, *value)
	}
}

func (o *object) integer(name string, value *int64) {
	if value != nil {
		o.name(name)
		o.dst = strconv.AppendInt(o.dst, *value, 10)
	}
}

// float leaves out what JSON has no number for.
func (o *object) float(name string, value *float64) {
	if value != nil && !math.IsNaN(*value) && !math.IsInf(*value, 0) {
		o.name(name)
		o.dst = strconv.AppendFloat(o.dst, *value, 'g', -1, 64)
	}
}

func (o *object) base64(name string, value []byte) {
	o.name(name)
	o.dst = append(o.dst, '"')
	o.dst = base64.StdEncoding.AppendEncode(o.dst, value)
	o.dst = append(o.dst, '"')
}

// stringList writes a list of strings unless it is nil.
func stringList[S ~string](o *object, name string, values []S) {
	if values == nil {
		return
	}
	o.name(name)
	o.dst = append(o.dst, '[')
	for i, value := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = jsonscan.AppendQuoted(o.dst, string(value))
	}
	o.dst = append(o.dst, ']')
}

// raw writes a member whose value is JSON text already.
func (o *object) raw(name string, value []byte) {
	o.name(name)
	o.dst = appendRaw(o.dst, value)
}

// members writes the members of a raw object among the own ones.
func (o *object) members(raw []byte) {
	raw = jsonscan.Trim(raw)
	if jsonscan.KindOf(raw) != jsonscan.Object {
		return
	}
	for it := jsonscan.Iterate(raw); it.Next(); {
		o.next()
		o.dst = append(append(append(o.dst, '"'), it.Name()...), '"', ':')
		o.dst = appendRaw(o.dst, it.Value())
	}
}

// end writes what an object of the protocol ends with: unknown members, then
// _meta.
func (o *object) end(unknown jsontext.Value, meta Meta) []byte {
	o.members(unknown)
	if meta := jsonscan.Trim(meta); jsonscan.KindOf(meta) == jsonscan.Object {
		o.raw("_meta", meta)
	}
	return append(o.dst, '}')
}

// appendRaw writes JSON text as it stands. Only line breaks are worth touching
// it: they can only be white space, and a message is one line.
func appendRaw(dst, text []byte) []byte {
	if bytes.ContainsAny(text, "\n\r") {
		return jsonscan.AppendCompact(dst, text)
	}
	return append(dst, jsonscan.Trim(text)...)
}

// metaLast moves _meta behind the unknown members for the codec, which always
// writes the unknown ones last.
func metaLast(unknown jsontext.Value, meta Meta) (jsontext.Value, Meta) {
	if len(unknown) == 0 || len(meta) == 0 {
		return unknown, meta
	}
	o := openObject(nil)
	return o.end(unknown, meta), nil
}
