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
	for _, cause := range inOrder(tree.Causes) {
		t.tell(cause)
	}
	slices.SortStableFunc(t.found.list, func(a, b Problem) int {
		return cmp.Or(comparePaths(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Expected, b.Expected))
	})
	for _, p := range slices.CompactFunc(t.found.list, func(a, b Problem) bool { return a == b }) {
		f.put(p)
	}
	f.more += t.found.more
}

// inOrder sorts what the library found, which goes through maps.
func inOrder(causes []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	slices.SortStableFunc(causes, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(slices.CompareFunc(a.InstanceLocation, b.InstanceLocation, compareTokens), cmp.Compare(a.SchemaURL, b.SchemaURL))
	})
	return causes
}

// manyFindings is how many of the library's findings are put into words to
// choose from.
const manyFindings = 200

// compareTokens keeps element 2 before element 10.
func compareTokens(a, b string) int {
	if isIndex(a) && isIndex(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}

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
	return t.nodeAt(e.SchemaURL, "")
}

// nodeAt is the subschema at an address of the library and a place below it.
func (t *translator) nodeAt(address, below string) *node {
	at, ok := pointerIn(address)
	if !ok {
		return nil
	}
	return t.schema.nodes[at+below]
}

// tell adds the problems of an error and of what caused it.
func (t *translator) tell(e *jsonschema.ValidationError) {
	if len(t.found.list) >= manyFindings {
		t.found.more++
		return
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Group, *kind.Schema, *kind.Reference, *kind.AllOf:
		for _, cause := range inOrder(e.Causes) {
			t.tell(cause)
		}
	case *kind.AnyOf:
		t.tellChoice(e, "anyOf")
	case *kind.OneOf:
		t.tellChoice(e, "oneOf")
	case *kind.AdditionalProperties:
		t.tellUnknown(e, k.Properties)
	case *kind.Required:
		t.tellMissing(e, k.Missing, "")
	case *kind.DependentRequired:
		t.tellMissing(e, k.Missing, k.Prop)
	case *kind.Dependency:
		t.tellMissing(e, k.Missing, k.Prop)
	case *kind.FalseSchema:
		t.tellFalse(e)
	case *kind.PropertyNames:
		t.tellName(e, k.Property)
	default:
		t.tellPlain(e)
	}
}

// tellUnknown reports members that are not allowed, in the order of the value.
func (t *translator) tellUnknown(e *jsonschema.ValidationError, names []string) {
	value, n := t.at(e), t.node(e)
	unknown := make(map[string]bool, len(names))
	for _, name := range names {
		unknown[name] = true
	}
	for it := jsonscan.Iterate(value); it.Next(); {
		if name := jsonscan.UnescapeName(it.Name()); unknown[name] {
			t.found.enterName([]byte(name))
			t.found.add(n, "additionalProperties", it.Value())
			t.found.leave()
		}
	}
}

// tellMissing reports members that were not given, each at its own place.
func (t *translator) tellMissing(e *jsonschema.ValidationError, names []string, because string) {
	t.at(e)
	for _, name := range names {
		t.found.enterName([]byte(name))
		p := t.found.problem("required", nil)
		declared := t.nodeAt(e.SchemaURL, "/properties/"+pointerToken(name))
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
	place, _ := pointerIn(e.SchemaURL)
	place, cut := strings.CutSuffix(place, "/unevaluatedProperties")
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

// tellName reports a member whose name is not allowed. The library keeps the
// place of such an error in memory it uses again, so only the depth of the
// place can be believed. If one object there has a member of that name it is
// meant; otherwise the value as a whole is named.
func (t *translator) tellName(e *jsonschema.ValidationError, name string) {
	var place, found []step
	holders := 0
	var search func(value []byte, depth int)
	search = func(value []byte, depth int) {
		if depth == 0 {
			if _, ok := jsonscan.Lookup(value, name); ok && jsonscan.KindOf(value) == jsonscan.Object {
				holders++
				found = slices.Clone(place)
			}
			return
		}
		named, index := jsonscan.KindOf(value) == jsonscan.Object, 0
		for it := jsonscan.Iterate(value); it.Next() && holders < 2; index++ {
			place = append(place, step{name: jsonscan.UnescapeName(it.Name()), index: index, named: named})
			search(it.Value(), depth-1)
			place = place[:len(place)-1]
		}
	}
	if len(t.found.list) < t.limit {
		search(t.value, len(e.InstanceLocation))
	}
	if holders != 1 {
		found = nil
	}
	value := t.value
	for _, s := range found {
		if s.named {
			value, _ = jsonscan.Lookup(value, s.name)
		} else {
			value = element(value, s.index)
		}
	}
	t.found.path = append(t.found.path[:0], found...)
	p := t.found.problem("propertyNames", value)
	p.Expected = "an object without a member named " + quotedText(shortened(name, false))
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
