package schema

import (
	"slices"
	"strings"

	"helpdesk/jsonscan"
)

// Message puts all problems into one text for a language model: short
// sentences, one for each argument, each on its own line. It is empty when
// there are no problems.
//
// A sentence of the tool's own stands once for its argument, in place of
// everything else that would be said about it.
func Message(problems []Problem) string {
	var lines []string
	for i := 0; i < len(problems); {
		end := i + 1
		for end < len(problems) && problems[end].Path == problems[i].Path && joinable(problems[end]) && joinable(problems[i]) {
			end++
		}
		line := sentence(problems[i:end])
		if own := problems[i].Sentence; own != "" {
			line = own
		}
		// Two arguments may share a sentence; nobody needs to read it twice.
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		i = end
	}
	return strings.Join(lines, "\n")
}

// joinable problems of one argument are told in one sentence.
func joinable(p Problem) bool {
	switch p.Keyword {
	case "additionalProperties", "required", "enum", "more", "json", "steps", "number", "false":
		return p.Sentence != ""
	default:
		return p.Sentence != "" || p.Expected != ""
	}
}

// sentence tells the problems of one argument.
func sentence(problems []Problem) string {
	p := problems[0]
	var b strings.Builder
	switch p.Keyword {
	case "more":
		b.WriteString("And " + p.Value + " more problem")
		if p.Value != "1" {
			b.WriteByte('s')
		}
		b.WriteByte('.')
		return b.String()
	case "json", "steps":
		return "The arguments " + p.Expected + "."
	case "additionalProperties":
		b.WriteString("Unknown argument " + quotedText(p.Path) + ".")
		switch {
		case p.Nearest != "":
			b.WriteString(" Did you mean " + quotedText(p.Nearest) + "?")
		case p.Expected != "" && strings.Contains(p.Expected, ", "):
			b.WriteString(" The known ones are " + p.Expected + ".")
		case p.Expected != "":
			b.WriteString(" The only known one is " + p.Expected + ".")
		}
		return b.String()
	case "required":
		b.WriteString("Argument " + quotedText(p.Path) + " is missing.")
		if p.Expected != "" && p.Expected != "given" {
			b.WriteString(" It is " + p.Expected)
			if p.Example != "" && !strings.HasSuffix(p.Expected, p.Example) {
				b.WriteString(", for example " + p.Example)
			}
			b.WriteByte('.')
		}
		return b.String()
	}
	b.WriteString(subject(p))
	switch {
	case p.Keyword == "enum" && strings.HasPrefix(p.Expected, "one of "):
		b.WriteString(", which is not " + p.Expected)
	case p.Expected == "":
		b.WriteString(", which is not allowed")
	default:
		for i, each := range problems {
			if i == 0 {
				b.WriteString(", but must be ")
			} else {
				b.WriteString(" and ")
			}
			b.WriteString(each.Expected)
		}
	}
	if p.Example != "" {
		b.WriteString(", for example " + p.Example)
	}
	b.WriteByte('.')
	if p.Nearest != "" {
		b.WriteString(" Did you mean " + quotedText(p.Nearest) + "?")
	}
	return b.String()
}

// subject names the argument and shows what it is.
func subject(p Problem) string {
	value := p.Value
	if p.Kind == jsonscan.String {
		value = quotedText(value)
	}
	if p.Path == "" {
		return "The arguments are " + value
	}
	return "Argument " + quotedText(p.Path) + " is " + value
}
