package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"helpdesk/jsonscan"
)

// Problem is one thing wrong with a value.
type Problem struct {
	// Path is the argument's place in plain words: "ticket_id",
	// "items[2].amount". It is empty for the value as a whole. A name that
	// is no plain word stands in quotes: items[2]["unit price"].
	Path string
	// Keyword is the rule of the schema that was broken, such as "pattern";
	// "additionalProperties" for an unknown argument, "required" for a
	// missing one. Not from the schema are "json" (the text is not JSON),
	// "steps" (checking it would take too long), "number" (too large to
	// compute with) and "more" (Value tells how many further problems are
	// not listed).
	Keyword string
	// Value is the value received as [Shorten] shows it.
	Value string
	// Kind is the JSON type of the value; Invalid when it is missing.
	Kind jsonscan.Kind
	// Expected says in words what the value must be, so that it reads well
	// after "must be". For an unknown argument it lists the known ones.
	Expected string
	// Example is a right value as Shorten shows it, or empty.
	Example string
	// Nearest is the valid name or enum value that looks most like the one
	// received, or empty when none is close.
	Nearest string
	// Sentence is what the tool itself has to say about this argument, or
	// empty. See [WithSentence].
	Sentence string
}

// shownCharacters is how much of a value is shown (design, section 9).
const shownCharacters = 40

// compactedBytes is how much of an array or object is looked at to show it.
const compactedBytes = 4096

// missingValue is what stands for a value that was not sent.
const missingValue = "undefined"

// Shorten shows a JSON value in a message: a string as it is, anything else as
// compact JSON, "undefined" when there is none; at most 40 characters followed
// by … when longer. Control characters, line ends and characters that change
// the direction of writing are escaped as in JSON, so that no value can look
// like a part of the message around it.
func Shorten(value []byte) string {
	value = jsonscan.Trim(value)
	if len(value) == 0 {
		return missingValue
	}
	if value[0] == '"' {
		// A character takes at most twelve bytes when written as escapes.
		head := value[1:max(len(value)-1, 1)]
		cut := false
		if limit := 12 * (shownCharacters + 1); len(head) > limit {
			head, cut = wholeEscapes(head[:limit]), true
		}
		return shortened(jsonscan.UnescapeName(head), cut)
	}
	cut := len(value) > compactedBytes
	if cut {
		value = value[:compactedBytes]
	}
	return shortened(string(jsonscan.AppendCompact(nil, value)), cut)
}

// wholeEscapes drops an escape that was cut in two at the end of text.
func wholeEscapes(text []byte) []byte {
	for i := 0; i < len(text); {
		size := 1
		if text[i] == '\\' {
			size = 2
			if i+1 < len(text) && text[i+1] == 'u' {
				size = 6
			}
		}
		if i+size > len(text) {
			return text[:i]
		}
		i += size
	}
	return text
}

// shortened cuts text after 40 characters and escapes what could deceive.
func shortened(text string, cut bool) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == shownCharacters {
			cut = true
			break
		}
		n++
		writeHarmless(&b, r)
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}

func writeHarmless(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
		if r > 0xFFFF {
			fmt.Fprintf(b, `\U%08x`, r)
			return
		}
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		b.WriteRune(r)
	}
}

// Sentence fills a tool's own sentence: {value} becomes the value as [Shorten]
// shows it. A nil value means that the argument is missing.
func Sentence(template string, value []byte) string {
	return strings.ReplaceAll(template, "{value}", Shorten(value))
}

// step is one step of a path: into a member by name or an element by index.
type step struct {
	name  string
	index int
	named bool
}

// pathText writes a path in plain words.
func pathText(path []step) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case !s.named:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		case !plainWord(s.name):
			b.WriteString(`["`)
			b.WriteString(strings.ReplaceAll(shortened(s.name, false), `"`, `\"`))
			b.WriteString(`"]`)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(shortened(s.name, false))
		}
	}
	return b.String()
}

// pathPattern writes a path with [] in the place of every index.
func pathPattern(path []step) string {
	var b strings.Builder
	for i, s := range path {
		switch {
		case !s.named:
			b.WriteString("[]")
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		}
	}
	return b.String()
}

func plainWord(name string) bool {
	if name == "" || !utf8.ValidString(name) {
		return false
	}
	for _, r := range name {
		if r != '_' && r != '-' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// findings collects the problems of one check.
type findings struct {
	limit     int
	sentences map[string]string
	path      []step
	list      []Problem
	more      int
}

func (f *findings) enterName(name []byte) {
	f.path = append(f.path, step{name: string(name), named: true})
}
func (f *findings) enterIndex(index int) { f.path = append(f.path, step{index: index}) }
func (f *findings) leave()               { f.path = f.path[:len(f.path)-1] }

// add notes that value breaks a keyword of n at the current path.
func (f *findings) add(n *node, keyword string, value []byte) {
	if len(f.list) >= f.limit {
		f.more++
		return
	}
	p := f.problem(keyword, value)
	p.Expected = n.expected(keyword, value)
	switch keyword {
	case "additionalProperties":
		p.Nearest = nearest(f.path[len(f.path)-1].name, n.names())
	case "enum", "const":
		if p.Kind == jsonscan.String {
			p.Nearest = nearest(jsonscan.Unquote(value), n.choices())
		}
	default:
		p.Example = n.example()
	}
	f.list = append(f.list, p)
}

// problem begins a problem at the current path.
func (f *findings) problem(keyword string, value []byte) Problem {
	p := Problem{Path: pathText(f.path), Keyword: keyword, Value: Shorten(value), Kind: jsonscan.KindOf(value)}
	if len(f.sentences) > 0 && keyword != "additionalProperties" {
		if template, ok := f.sentences[pathPattern(f.path)]; ok {
			p.Sentence = Sentence(template, value)
		}
	}
	return p
}

// put adds a problem made elsewhere.
func (f *findings) put(p Problem) {
	if len(f.list) >= f.limit {
		f.more++
		return
	}
	f.list = append(f.list, p)
}

// problems is everything that was found, with a last entry that counts what
// the limit kept out.
func (f *findings) problems() []Problem {
	if f.more == 0 {
		return f.list
	}
	return append(f.list, Problem{Keyword: "more", Value: strconv.Itoa(f.more)})
}
