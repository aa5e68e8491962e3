package schema

import (
	"fmt"
	"regexp"
	"strings"

	"helpdesk/jsonscan"
)

// expected says what a keyword of the node demands, to be read after "must
// be". Every text must be true: a model believes it.
func (n *node) expected(keyword string, value []byte) string {
	if n == nil {
		if keyword == "required" {
			return "given"
		}
		return ""
	}
	switch keyword {
	case "type":
		return n.types.words()
	case "const":
		return quoted(n.konst.raw)
	case "enum":
		return listed(n.enum)
	case "minLength":
		return fmt.Sprintf("at least %s long", counted(n.minLength, "character"))
	case "maxLength":
		return fmt.Sprintf("at most %s long", counted(n.maxLength, "character"))
	case "pattern":
		return n.pattern.words()
	case "minimum":
		return "at least " + n.number(keyword)
	case "maximum":
		return "at most " + n.number(keyword)
	case "exclusiveMinimum":
		return "more than " + n.number(keyword)
	case "exclusiveMaximum":
		return "less than " + n.number(keyword)
	case "multipleOf":
		return "a multiple of " + n.number(keyword)
	case "minItems":
		return fmt.Sprintf("an array of at least %s", counted(n.minItems, "item"))
	case "maxItems":
		return fmt.Sprintf("an array of at most %s", counted(n.maxItems, "item"))
	case "uniqueItems":
		if i, j, ok := firstRepeat(value); ok {
			return fmt.Sprintf("an array without repeated items (items %d and %d are equal)", i, j)
		}
		return "an array without repeated items"
	case "minProperties":
		return fmt.Sprintf("an object of at least %s", counted(n.minProperties, "member"))
	case "maxProperties":
		return fmt.Sprintf("an object of at most %s", counted(n.maxProperties, "member"))
	case "additionalProperties":
		return knownNames(n.names())
	case "false":
		return "left out"
	case "required":
		return n.whole()
	}
	return ""
}

// whole describes the node for someone who gave nothing: its type, and what
// its description says.
func (n *node) whole() string {
	what := n.types.words()
	switch {
	case n.konst != nil:
		what = quoted(n.konst.raw)
	case len(n.enum) > 0:
		what = listed(n.enum)
	case what == "":
		what = "a value"
	}
	if d := n.text("description"); d != "" {
		return what + ": " + sentenceOf(d)
	}
	return what
}

// number is a numeric keyword as its author wrote it.
func (n *node) number(keyword string) string {
	raw, _ := jsonscan.Lookup(n.raw, keyword)
	return Shorten(raw)
}

// text is a string keyword of the node, such as its description.
func (n *node) text(keyword string) string {
	if raw, ok := jsonscan.Lookup(n.raw, keyword); ok && jsonscan.KindOf(raw) == jsonscan.String {
		return jsonscan.Unquote(raw)
	}
	return ""
}

// names are the members the node declares and allows.
func (n *node) names() []string {
	if n == nil {
		return nil
	}
	var names []string
	for _, p := range n.properties {
		if p.declared && (p.node == nil || !p.node.never) {
			names = append(names, p.name)
		}
	}
	return names
}

// choices are the strings the node allows by enum or const.
func (n *node) choices() []string {
	if n == nil {
		return nil
	}
	var texts []string
	for _, l := range n.enum {
		if l.kind == jsonscan.String {
			texts = append(texts, string(l.text))
		}
	}
	if n.konst != nil && n.konst.kind == jsonscan.String {
		texts = append(texts, string(n.konst.text))
	}
	return texts
}

// words names the types a value may have.
func (t types) words() string {
	var names []string
	for _, w := range wordsOfTypes {
		if t&w.set != 0 {
			names = append(names, article(w.name))
		}
	}
	return either(names)
}

func article(typeName string) string {
	switch typeName {
	case "integer", "array", "object":
		return "an " + typeName
	case "null":
		return typeName
	default:
		return "a " + typeName
	}
}

// either joins alternatives as a sentence does.
func either(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " or " + texts[len(texts)-1]
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// listedChoices is how many values or names a message lists.
const listedChoices = 20

func listed(enum []literal) string {
	var texts []string
	for i, l := range enum {
		if i == listedChoices {
			texts = append(texts, fmt.Sprintf("%d more", len(enum)-i))
			break
		}
		texts = append(texts, quoted(l.raw))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "one of " + strings.Join(texts, ", ")
}

func knownNames(names []string) string {
	var texts []string
	for i, name := range names {
		if i == listedChoices {
			texts = append(texts, fmt.Sprintf("%d more", len(names)-i))
			break
		}
		texts = append(texts, `"`+shortened(name, false)+`"`)
	}
	return strings.Join(texts, ", ")
}

// quoted shows a value with quotes around it when it is a string.
func quoted(raw []byte) string {
	text := Shorten(raw)
	if jsonscan.KindOf(raw) == jsonscan.String {
		return quotedText(text)
	}
	return text
}

func quotedText(text string) string {
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

// describedBytes bounds how much of a description goes into a message.
const describedBytes = 400

// sentenceOf makes a description fit for one line of a message, without its
// final full stop.
func sentenceOf(text string) string {
	return strings.TrimSuffix(flat(strings.Join(strings.Fields(text), " ")), ".")
}

// flat makes text from the schema harmless and not too long.
func flat(text string) string {
	if len(text) > describedBytes {
		text = strings.ToValidUTF8(text[:describedBytes], "") + "…"
	}
	var b strings.Builder
	for _, r := range text {
		writeHarmless(&b, r)
	}
	return b.String()
}

// givenExample finds an example at the end of a description: "…, e.g. 2318" or
// "…, for example ORD-4512."
var givenExample = regexp.MustCompile(`(?i)(?:\be\.g\.,?|\bfor example:?|\bfor instance) +["'` + "`" + `]?([^\s"'` + "`" + `]{1,40})["'` + "`" + `]?\.?\s*$`)

// example shows a value that would have been right, or nothing.
func (n *node) example() string {
	if n == nil || n.right == nil {
		return ""
	}
	return Shorten(n.right)
}

const (
	// exampleSteps bounds the check of one example.
	exampleSteps = 1 << 13
	// exampleBytes is how much of a description's end is looked at.
	exampleBytes = 120
)

// exampleValue finds a right value: the first of examples, the default, or
// what the description gives as one. A value that breaks the node's own rules
// is no example.
func (n *node) exampleValue() []byte {
	fits := func(raw []byte) bool {
		w := walker{steps: exampleSteps}
		return w.check(n, raw) && w.steps >= 0
	}
	if list, ok := jsonscan.Lookup(n.raw, "examples"); ok && jsonscan.KindOf(list) == jsonscan.Array {
		if it := jsonscan.Iterate(list); it.Next() && fits(it.Value()) {
			return it.Value()
		}
	}
	if value, ok := jsonscan.Lookup(n.raw, "default"); ok && string(value) != "null" && fits(value) {
		return value
	}
	description := n.text("description")
	match := givenExample.FindStringSubmatch(description[max(0, len(description)-exampleBytes):])
	if match == nil {
		return nil
	}
	given := strings.TrimRight(match[1], ".,;)")
	if asString := jsonscan.AppendQuoted(nil, given); n.types.has(jsonscan.String) && fits(asString) {
		return asString
	}
	if n.types != 0 && jsonscan.Check([]byte(given), 0) == nil && fits([]byte(given)) {
		return []byte(given)
	}
	return nil
}
