package mcp

import (
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// Content is one block of what a tool, a prompt or a model says: one of
// *[TextContent], *[ImageContent], *[AudioContent], *[ResourceLink],
// *[EmbeddedResource], and in sampling *[ToolUseContent] and
// *[ToolResultContent]. A block of a type that came later is an
// *[UnknownContent]. No other package can add one.
type Content interface {
	// Type is the block's member type.
	Type() string
	// appendTo appends the block as JSON.
	appendTo(dst []byte) []byte
}

// Values of a block's member type.
const (
	ContentTypeText         = "text"
	ContentTypeImage        = "image"
	ContentTypeAudio        = "audio"
	ContentTypeResourceLink = "resource_link"
	ContentTypeResource     = "resource"
	ContentTypeToolUse      = "tool_use"
	ContentTypeToolResult   = "tool_result"
)

// TextContent is text.
type TextContent struct {
	Text        string       `json:"text"`
	Annotations *Annotations `json:"annotations,omitzero"`
	Meta        Meta         `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ImageContent is a picture.
type ImageContent struct {
	// Data is the picture's bytes; they are base64 on the wire.
	Data []byte `json:"data"`
	// MIMEType is for example image/png.
	MIMEType    string       `json:"mimeType"`
	Annotations *Annotations `json:"annotations,omitzero"`
	Meta        Meta         `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// AudioContent is sound. It came with revision 2025-03-26.
type AudioContent struct {
	// Data is the sound's bytes; they are base64 on the wire.
	Data []byte `json:"data"`
	// MIMEType is for example audio/wav.
	MIMEType    string       `json:"mimeType"`
	Annotations *Annotations `json:"annotations,omitzero"`
	Meta        Meta         `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ResourceLink names a resource that the client may read. It need not be in
// the server's list of resources. It came with revision 2025-06-18.
type ResourceLink Resource

// EmbeddedResource is a resource with its contents.
type EmbeddedResource struct {
	Resource    ResourceContents `json:"resource"`
	Annotations *Annotations     `json:"annotations,omitzero"`
	Meta        Meta             `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// UnknownContent is a block of a type that this module does not know, or that
// has no place where it was found. It is passed on as it came.
type UnknownContent struct {
	// Raw is the whole object.
	Raw jsontext.Value
}

// Type is "text".
func (*TextContent) Type() string { return ContentTypeText }

// Type is "image".
func (*ImageContent) Type() string { return ContentTypeImage }

// Type is "audio".
func (*AudioContent) Type() string { return ContentTypeAudio }

// Type is "resource_link".
func (*ResourceLink) Type() string { return ContentTypeResourceLink }

// Type is "resource".
func (*EmbeddedResource) Type() string { return ContentTypeResource }

// Type is what the block says it is.
func (c *UnknownContent) Type() string {
	if c == nil {
		return ""
	}
	raw, _ := jsonscan.Lookup(jsonscan.Trim(c.Raw), "type")
	return jsonscan.Unquote(raw)
}

// AppendContent appends one block as JSON: type first, then its own members,
// _meta last. Raw members must be valid JSON. A nil block is written as an
// empty text, since a list of blocks has no place for null.
func AppendContent(dst []byte, c Content) []byte {
	if c == nil {
		return (*TextContent)(nil).appendTo(dst)
	}
	return c.appendTo(dst)
}

func (c *TextContent) appendTo(dst []byte) []byte {
	dst = append(dst, `{"type":"text","text":`...)
	if c == nil {
		return append(dst, `""}`...)
	}
	dst = jsonscan.AppendQuoted(dst, c.Text)
	if c.Annotations == nil && c.Meta == nil && c.Unknown == nil {
		return append(dst, '}')
	}
	o := object{dst: dst, more: true}
	o.annotations(c.Annotations)
	return o.end(c.Unknown, c.Meta)
}

func (c *ImageContent) appendTo(dst []byte) []byte {
	if c == nil {
		return AppendContent(dst, nil)
	}
	return appendMedia(dst, ContentTypeImage, c)
}

func (c *AudioContent) appendTo(dst []byte) []byte {
	if c == nil {
		return AppendContent(dst, nil)
	}
	return appendMedia(dst, ContentTypeAudio, (*ImageContent)(c))
}

// appendMedia writes a picture or a sound: they differ in their type only.
func appendMedia(dst []byte, kind string, c *ImageContent) []byte {
	o := openObject(dst)
	o.str("type", kind)
	o.base64("data", c.Data)
	o.str("mimeType", c.MIMEType)
	o.annotations(c.Annotations)
	return o.end(c.Unknown, c.Meta)
}

func (c *ResourceLink) appendTo(dst []byte) []byte {
	if c == nil {
		return AppendContent(dst, nil)
	}
	o := openObject(dst)
	o.str("type", ContentTypeResourceLink)
	return (*Resource)(c).appendMembers(o)
}

func (c *EmbeddedResource) appendTo(dst []byte) []byte {
	if c == nil {
		return AppendContent(dst, nil)
	}
	o := openObject(dst)
	o.str("type", ContentTypeResource)
	o.name("resource")
	o.dst = c.Resource.appendTo(o.dst)
	o.annotations(c.Annotations)
	return o.end(c.Unknown, c.Meta)
}

func (c *UnknownContent) appendTo(dst []byte) []byte {
	if c == nil || len(c.Raw) == 0 {
		return AppendContent(dst, nil)
	}
	return appendRaw(dst, c.Raw)
}
