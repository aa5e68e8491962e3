package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"helpdesk/jsonscan"
)

// askLibrary checks a value with the library, adds what it found and takes the
// steps from those given.
func (s *Schema) askLibrary(f *findings, g *graph, compiled *jsonschema.Schema, value []byte, steps *int) {
	if err := jsonscan.Check(value, 0); err != nil {
		f.put(Problem{Keyword: "json", Expected: fmt.Sprintf("are no acceptable JSON: %v", err)})
		return
	}
	if number, path := firstUncomputable(value, nil); number != nil {
		f.path = path
		p := f.problem("number", number)
		p.Expected = fmt.Sprintf("a number of at most %d digits and an exponent of at most %d", numberSize, numberSize)
		f.put(p)
		return
	}
	if *steps = g.afford(compiled, value, *steps); *steps < 0 {
		f.put(tooMuchWork())
		return
	}
	tree, err := validate(compiled, decode(value))
	if err != nil {
		f.put(Problem{Keyword: "json", Expected: err.Error()})
		return
	}
	if tree == nil {
		return
	}
	t := translator{schema: s, value: value, limit: f.limit, found: findings{limit: manyFindings, sentences: f.sentences}}
	for _, cause := range tree.Causes {
		t.tell(cause)
	}
	// The library goes through maps, so its order says nothing.
	slices.SortStableFunc(t.found.list, func(a, b Problem) int {
		return cmp.Or(comparePaths(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Expected, b.Expected))
	})
	for _, p := range slices.CompactFunc(t.found.list, func(a, b Problem) bool { return a == b }) {
		f.put(p)
	}
	f.more += t.found.more
}

// manyFindings is how many of the library's findings are put into words to
// choose from.
const manyFindings = 200

// comparePaths keeps items[2] before items[10].
func comparePaths(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	numA, endA := leadingNumber(a[i:])
	numB, endB := leadingNumber(b[i:])
	if endA > 0 && endB > 0 && endA != endB {
		return cmp.Compare(numA, numB)
	}
	return strings.Compare(a, b)
}

func leadingNumber(text string) (n, end int) {
	for end < len(text) && end < 9 && '0' <= text[end] && text[end] <= '9' {
		n = n*10 + int(text[end]-'0')
		end++
	}
	return n, end
}

// translator turns the library's tree of errors into problems.
type translator struct {
	schema *Schema
	value  []byte
	limit  int
	found  findings
}

// at goes to the place of an error and returns the value there.
func (t *translator) at(e *jsonschema.ValidationError) []byte {
	value := t.value
	t.found.path = t.found.path[:0]
	for _, token := range e.InstanceLocation {
		if jsonscan.KindOf(value) == jsonscan.Array {
			index, _ := strconv.Atoi(token)
			t.found.enterIndex(index)
			value = element(value, index)
			continue
		}
		t.found.enterName([]byte(token))
		value, _ = jsonscan.Lookup(value, token)
	}
	return value
}

func element(array []byte, index int) []byte {
	for it := jsonscan.Iterate(array); it.Next(); index-- {
		if index == 0 {
			return it.Value()
		}
	}
	return nil
}

// node is the subschema an error comes from, or nil when it is not ours.
func (t *translator) node(e *jsonschema.ValidationError) *node {
	return t.schema.nodes[pointerIn(e.SchemaURL)]
}

// tell adds the problems of an error and of what caused it.
func (t *translator) tell(e *jsonschema.ValidationError) {
	if len(t.found.list) >= manyFindings {
		t.found.more++
		return
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Group, *kind.Schema, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			t.tell(cause)
		}
	case *kind.AnyOf:
		t.tellChoice(e, "anyOf")
	case *kind.OneOf:
		t.tellChoice(e, "oneOf")
	case *kind.AdditionalProperties:
		value, n := t.at(e), t.node(e)
		for _, name := range k.Properties {
			t.found.enterName([]byte(name))
			member, _ := jsonscan.Lookup(value, name)
			t.found.add(n, "additionalProperties", member)
			t.found.leave()
		}
	case *kind.Required:
		t.tellMissing(e, k.Missing, "")
	case *kind.DependentRequired:
		t.tellMissing(e, k.Missing, k.Prop)
	case *kind.Dependency:
		t.tellMissing(e, k.Missing, k.Prop)
	case *kind.FalseSchema:
		t.tellFalse(e)
	default:
		t.tellPlain(e)
	}
}

// tellMissing reports members that were not given, each at its own place.
func (t *translator) tellMissing(e *jsonschema.ValidationError, names []string, because string) {
	t.at(e)
	for _, name := range names {
		t.found.enterName([]byte(name))
		p := t.found.problem("required", nil)
		declared := t.schema.nodes[pointerIn(e.SchemaURL)+"/properties/"+pointerToken(name)]
		if p.Expected = declared.expected("required", nil); because != "" {
			p.Expected = "needed when " + quotedText(shortened(because, false)) + " is given"
		}
		p.Example = declared.example()
		t.found.put(p)
		t.found.leave()
	}
}

// tellFalse reports a member that a false schema forbids.
func (t *translator) tellFalse(e *jsonschema.ValidationError) {
	value := t.at(e)
	place, cut := strings.CutSuffix(pointerIn(e.SchemaURL), "/unevaluatedProperties")
	if !cut {
		place, cut = strings.CutSuffix(place, "/additionalProperties")
	}
	if cut && len(t.found.path) > 0 {
		t.found.add(t.schema.nodes[place], "additionalProperties", value)
		return
	}
	p := t.found.problem("false", value)
	p.Expected = "left out"
	t.found.put(p)
}

// tellPlain reports an error that concerns one value and has no causes.
func (t *translator) tellPlain(e *jsonschema.ValidationError) {
	value := t.at(e)
	keyword := "schema"
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	n := t.node(e)
	p := t.found.problem(keyword, value)
	p.Expected = n.expected(keyword, value)
	switch k := e.ErrorKind.(type) {
	case *kind.Not:
		p.Keyword, p.Expected = "not", "something else"
	case *kind.PropertyNames:
		p.Expected = "an object without a member named " + quotedText(shortened(k.Property, false))
	case *kind.Contains, *kind.MinContains:
		p.Expected = "an array with more items of the kind it has to contain"
	case *kind.MaxContains:
		p.Expected = "an array with fewer items of the kind it has to contain"
	case *kind.AdditionalItems:
		p.Expected = "an array with " + counted(k.Count, "item") + " less"
	case *kind.Type:
		if p.Expected == "" {
			p.Expected = namesOfTypes(k.Want)
		}
	case *kind.Enum, *kind.Const:
		if p.Kind == jsonscan.String {
			p.Nearest = nearest(jsonscan.Unquote(value), n.choices())
		}
	}
	if _, isEnum := e.ErrorKind.(*kind.Enum); !isEnum {
		p.Example = n.example()
	}
	t.found.put(p)
}

func namesOfTypes(names []string) string {
	var set types
	for _, name := range names {
		for _, w := range wordsOfTypes {
			if w.name == name {
				set |= w.set
			}
		}
	}
	return set.words()
}

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
		if n := t.schema.nodes[pointerIn(reference.URL)]; n != nil {
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
	if n.types == 1<<jsonscan.Object && len(n.properties) > 0 && len(n.names()) <= fewProperties {
		words += " with " + knownNames(n.names())
	}
	return words
}
