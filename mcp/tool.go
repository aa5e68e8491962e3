package mcp

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Tool is what a server tells about one of its tools.
type Tool struct {
	// Name identifies the tool within its server; see [ValidateToolName].
	Name string `json:"name"`
	// Title is for people. It came with revision 2025-06-18.
	Title string `json:"title,omitzero"`
	// Description is for the model: when and how to call the tool.
	Description string `json:"description,omitzero"`
	// InputSchema is the JSON Schema of the arguments as its author wrote it.
	// Its root says "type":"object". An absent one is sent as
	// {"type":"object"}, since the protocol requires one.
	InputSchema jsontext.Value `json:"inputSchema"`
	// OutputSchema is the JSON Schema of structuredContent, nil for none. It
	// came with revision 2025-06-18.
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"`
	// Annotations came with revision 2025-03-26, Icons with 2025-11-25.
	Annotations *ToolAnnotations `json:"annotations,omitzero"`
	Icons       []Icon           `json:"icons,omitzero"`
	Meta        Meta             `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ToolAnnotations are hints about what a tool does. A client must not rely on
// those of a server it does not trust. A hint has three states: nil is not
// sent and leaves the protocol's default.
type ToolAnnotations struct {
	// Title is for people; a tool's own title goes before it.
	Title string `json:"title,omitzero"`
	// ReadOnlyHint: the tool changes nothing. The default is false.
	ReadOnlyHint *bool `json:"readOnlyHint,omitzero"`
	// DestructiveHint: the tool may destroy and not only add. The default is
	// true. It means something only for tools that change things.
	DestructiveHint *bool `json:"destructiveHint,omitzero"`
	// IdempotentHint: calling again with the same arguments changes nothing
	// more. The default is false. It means something only for tools that
	// change things.
	IdempotentHint *bool `json:"idempotentHint,omitzero"`
	// OpenWorldHint: the tool deals with an open world of outside entities.
	// The default is true.
	OpenWorldHint *bool `json:"openWorldHint,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// True is a hint that says yes.
func True() *bool { b := true; return &b }

// False is a hint that says no.
func False() *bool { b := false; return &b }

// AppendTool appends the definition of a tool: name, title, description,
// inputSchema, outputSchema, annotations, icons, _meta, in this order and only
// what is set. Schemas go out byte for byte; only one with line breaks is
// compacted, because a message is one line on stdio. All raw members must be
// valid JSON.
func AppendTool(dst []byte, t *Tool) []byte {
	o := openObject(dst)
	o.str("name", t.Name)
	o.text("title", t.Title)
	o.text("description", t.Description)
	if len(t.InputSchema) > 0 {
		o.raw("inputSchema", t.InputSchema)
	} else {
		o.raw("inputSchema", []byte(`{"type":"object"}`))
	}
	if len(t.OutputSchema) > 0 {
		o.raw("outputSchema", t.OutputSchema)
	}
	if a := t.Annotations; a != nil {
		o.name("annotations")
		in := openObject(o.dst)
		in.text("title", a.Title)
		in.flag("readOnlyHint", a.ReadOnlyHint)
		in.flag("destructiveHint", a.DestructiveHint)
		in.flag("idempotentHint", a.IdempotentHint)
		in.flag("openWorldHint", a.OpenWorldHint)
		o.dst = in.end(a.Unknown, nil)
	}
	o.icons(t.Icons)
	return o.end(t.Unknown, t.Meta)
}

// MarshalJSONTo writes what [AppendTool] writes, except that the codec removes
// white space from the schemas.
func (t *Tool) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(AppendTool(nil, t))
}

// MaxToolName is the length of the longest tool name, in bytes.
const MaxToolName = 128

// ValidateToolName checks a name against server/tools#tool-names: 1 to 128
// letters, digits, underscores, hyphens and dots of ASCII. The specification
// recommends this; hosts and model APIs reject names that do otherwise, so
// here it is a rule.
func ValidateToolName(name string) error {
	if name == "" {
		return errors.New("a tool needs a name, for example get_ticket")
	}
	if len(name) > MaxToolName {
		return fmt.Errorf("tool name %.40q… is %d bytes long, more than %d", name, len(name), MaxToolName)
	}
	for i, r := range name {
		if r > 0x7F || !isAlphanumeric(name[i]) && r != '_' && r != '-' && r != '.' {
			return fmt.Errorf("tool name %q has %q at byte %d: use only the letters A-Z and a-z, digits, and _ . -", name, r, i)
		}
	}
	return nil
}
