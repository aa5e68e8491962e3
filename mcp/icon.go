package mcp

import "github.com/go-json-experiment/json/jsontext"

// Icon is a picture a client may show beside a name (basic/index#icons).
// Whoever shows it must take its address and its bytes for untrusted.
type Icon struct {
	// Src is an https URL or a data: URI.
	Src string `json:"src"`
	// MIMEType is given when the source's own type is missing or generic.
	MIMEType string `json:"mimeType,omitzero"`
	// Sizes are of the form "48x48", or "any" for scalable formats. None
	// means that the icon serves at any size.
	Sizes []string `json:"sizes,omitzero"`
	// Theme is the background the icon is made for. None means any.
	Theme IconTheme `json:"theme,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// IconTheme is the background an icon is made for.
type IconTheme string

// The themes.
const (
	IconThemeLight IconTheme = "light"
	IconThemeDark  IconTheme = "dark"
)

func (o *object) icons(icons []Icon) {
	if icons == nil {
		return
	}
	o.name("icons")
	o.dst = append(o.dst, '[')
	for i := range icons {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = icons[i].appendTo(o.dst)
	}
	o.dst = append(o.dst, ']')
}

func (icon *Icon) appendTo(dst []byte) []byte {
	o := openObject(dst)
	o.str("src", icon.Src)
	o.text("mimeType", icon.MIMEType)
	stringList(&o, "sizes", icon.Sizes)
	o.text("theme", string(icon.Theme))
	return o.end(icon.Unknown, nil)
}
