package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"helpdesk/jsonscan"
)

// tellChoice reports that none of several forms fits. When only one of them is
// of the right kind at all, its own problems are what the reader needs.
func (t *translator) tellChoice(e *jsonschema.ValidationError, keyword string) {
	if k, ok := e.ErrorKind.(*kind.OneOf); ok && len(k.Subschemas) > 0 {
		p := t.found.problem(keyword, t.at(e))
		p.Path, p.Expected = pathText(t.found.path), "of exactly one of the allowed forms, not of several"
		t.found.put(p)
		return
	}
	var close []*jsonschema.ValidationError
	for _, branch := range e.Causes {
		if !wrongKind(branch, len(e.InstanceLocation)) {
			close = append(close, branch)
		}
	}
	if len(close) == 1 {
		t.tell(close[0])
		return
	}
	value := t.at(e)
	p := t.found.problem(keyword, value)
	var forms []string
	for _, branch := range e.Causes {
		if form := t.form(branch); form != "" && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	p.Expected = "of one of the allowed forms"
	if len(forms) > 0 && len(forms) <= listedChoices {
		p.Expected = either(forms)
	}
	p.Example = t.node(e).example()
	t.found.put(p)
}

// wrongKind reports whether a branch already fails by what the value is, or by
// a constant member that tells the forms apart.
func wrongKind(e *jsonschema.ValidationError, depth int) bool {
	switch e.ErrorKind.(type) {
	case *kind.Type:
		return len(e.InstanceLocation) == depth
	case *kind.Const:
		return len(e.InstanceLocation) <= depth+1
	case *kind.Enum, *kind.FalseSchema:
		return len(e.InstanceLocation) == depth
	case *kind.Group, *kind.Reference, *kind.AllOf, *kind.Schema:
		return slices.ContainsFunc(e.Causes, func(cause *jsonschema.ValidationError) bool { return wrongKind(cause, depth) })
	default:
		return false
	}
}

// form describes one branch of a choice in a few words.
func (t *translator) form(branch *jsonschema.ValidationError) string {
	for {
		reference, ok := branch.ErrorKind.(*kind.Reference)
		if !ok {
			break
		}
		if n := t.nodeAt(reference.URL, ""); n != nil {
			return n.kindWords()
		}
		if len(branch.Causes) != 1 {
			return ""
		}
		branch = branch.Causes[0]
	}
	return t.node(branch).kindWords()
}

// kindWords says what a node allows in the fewest words.
func (n *node) kindWords() string {
	switch {
	case n == nil:
		return ""
	case n.konst != nil:
		return quoted(n.konst.raw)
	case len(n.enum) > 0:
		return listed(n.enum)
	}
	words := n.types.words()
	if names := n.names(); n.types == 1<<jsonscan.Object && len(names) > 0 && len(names) <= fewProperties {
		words += " with " + knownNames(names)
	}
	return words
}
