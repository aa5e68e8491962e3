package mcp

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// ContentList is a list of blocks. Nil and empty lists are written [].
type ContentList []Content

// Text makes the list that most tools return: one text.
func Text(text string) ContentList { return ContentList{&TextContent{Text: text}} }

// AppendTo appends the list as JSON; see [AppendContent].
func (l ContentList) AppendTo(dst []byte) []byte {
	dst = append(dst, '[')
	for i, c := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendContent(dst, c)
	}
	return append(dst, ']')
}

// MarshalJSONTo writes the list.
func (l ContentList) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(l.AppendTo(nil))
}

// UnmarshalJSONFrom reads a list. A block of a type that has no place in tool
// results and prompts becomes an *[UnknownContent]. null gives an empty list.
func (l *ContentList) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch text.Kind() {
	case jsontext.KindNull:
		*l = nil
		return nil
	case jsontext.KindBeginArray:
		*l, err = decodeList(text, decodeBlock)
		return err
	default:
		return fmt.Errorf("content must be a list of blocks, got %v", jsonscan.KindOf(text))
	}
}

// DecodeContent reads one block of a tool result or a prompt. The text must be
// one JSON value that passed the envelope's checks. It keeps no part of text.
func DecodeContent(text []byte) (Content, error) {
	if err := jsonscan.Check(text, 0); err != nil {
		return nil, err
	}
	return decodeBlock(jsonscan.Trim(text))
}

func decodeList(text []byte, decode func([]byte) (Content, error)) (ContentList, error) {
	list := ContentList{}
	for it := jsonscan.Iterate(text); it.Next(); {
		c, err := decode(it.Value())
		if err != nil {
			return nil, fmt.Errorf("content block %d: %w", len(list), err)
		}
		list = append(list, c)
	}
	return list, nil
}

var errContentType = errors.New(`a content block must be an object with a string "type"`)

// blockType finds the discriminator of a checked block.
func blockType(text []byte) (string, error) {
	raw, _ := jsonscan.Lookup(text, "type")
	if jsonscan.KindOf(raw) != jsonscan.String {
		return "", errContentType
	}
	return jsonscan.Unquote(raw), nil
}

// decodeBlock reads a block that may stand in a tool result or a prompt. It
// never calls itself, so nesting costs no repeated reading.
func decodeBlock(text []byte) (Content, error) {
	kind, err := blockType(text)
	if err != nil {
		return nil, err
	}
	switch kind {
	case ContentTypeText:
		c := new(TextContent)
		return decoded(text, (*textBody)(c), c)
	case ContentTypeImage:
		c := new(ImageContent)
		return decoded(text, (*imageBody)(c), c)
	case ContentTypeAudio:
		c := new(AudioContent)
		return decoded(text, (*audioBody)(c), c)
	case ContentTypeResourceLink:
		c := new(ResourceLink)
		return decoded(text, (*linkBody)(c), c)
	case ContentTypeResource:
		c := new(EmbeddedResource)
		return decoded(text, (*embeddedBody)(c), c)
	default:
		return &UnknownContent{Raw: bytes.Clone(text)}, nil
	}
}

// The bodies are the blocks without their methods and without the member
// type, which the Go type says already.
type (
	textBody     TextContent
	imageBody    ImageContent
	audioBody    AudioContent
	linkBody     ResourceLink
	embeddedBody EmbeddedResource
)

// decoded fills the body of c and returns c.
func decoded[B any](text []byte, body *B, c Content) (Content, error) {
	if err := decodeTyped(text, body); err != nil {
		return nil, fmt.Errorf("%s block: %w", c.Type(), err)
	}
	return c, nil
}

// decodeTyped reads an object whose member type was looked at before.
func decodeTyped[B any](text []byte, body *B) error {
	wire := struct {
		Type string `json:"type"`
		Body *B     `json:",embed"`
	}{Body: body}
	return json.Unmarshal(text, &wire)
}

// readTyped reads an object that must be of one type.
func readTyped[B any](dec *jsontext.Decoder, kind string, body *B) error {
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	got, err := blockType(text)
	if err != nil {
		return err
	}
	if got != kind {
		return fmt.Errorf("a block of type %.40q stands where one of type %q is expected", got, kind)
	}
	return decodeTyped(text, body)
}

// MarshalJSONTo writes the block.
func (c *TextContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// MarshalJSONTo writes the block.
func (c *ImageContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// MarshalJSONTo writes the block.
func (c *AudioContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// MarshalJSONTo writes the block.
func (c *ResourceLink) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// MarshalJSONTo writes the block.
func (c *EmbeddedResource) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// MarshalJSONTo writes the block.
func (c *UnknownContent) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(c.appendTo(nil))
}

// UnmarshalJSONFrom reads a block of type "text".
func (c *TextContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeText, (*textBody)(c))
}

// UnmarshalJSONFrom reads a block of type "image".
func (c *ImageContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeImage, (*imageBody)(c))
}

// UnmarshalJSONFrom reads a block of type "audio".
func (c *AudioContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeAudio, (*audioBody)(c))
}

// UnmarshalJSONFrom reads a block of type "resource_link".
func (c *ResourceLink) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeResourceLink, (*linkBody)(c))
}

// UnmarshalJSONFrom reads a block of type "resource".
func (c *EmbeddedResource) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return readTyped(dec, ContentTypeResource, (*embeddedBody)(c))
}

// UnmarshalJSONFrom keeps any object that has a type.
func (c *UnknownContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if _, err := blockType(text); err != nil {
		return err
	}
	c.Raw = bytes.Clone(text)
	return nil
}
