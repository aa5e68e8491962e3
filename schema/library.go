package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/jsonscan"
)

// location is the address a schema has while it is compiled. It is no place
// anything could be loaded from, and it has a path so that a relative $ref
// does not resolve to the schema itself.
const location = "tool:///schema.json"

// errNotLoaded is why the loader refuses.
var errNotLoaded = errors.New("nothing is loaded from outside the schema")

// refuse is a loader that loads nothing. The library's own would read files
// and put what it found into its errors.
type refuse struct{}

func (refuse) Load(string) (any, error) { return nil, errNotLoaded }

// library is the compiler of one schema with what it has compiled.
type library struct {
	compiler *jsonschema.Compiler
}

func newLibrary(raw []byte, dialect Dialect, patterns *patternSet) (*library, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(refuse{})
	c.DefaultDraft(dialect.draft())
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		p, err := patterns.get(source)
		if err != nil {
			return nil, err
		}
		return p.expr, nil
	})
	if err := c.AddResource(location, decode(raw)); err != nil {
		return nil, err
	}
	return &library{c}, nil
}

// compile returns the subschema at a JSON Pointer.
func (l *library) compile(at string) (compiled *jsonschema.Schema, err error) {
	// The library panics on some contradictions of $id. A schema from a peer
	// must not end the process because of one.
	defer func() {
		if fault := recover(); fault != nil {
			compiled, err = nil, fmt.Errorf("the schema cannot be compiled: %v", fault)
		}
	}()
	compiled, err = l.compiler.Compile(location + "#" + url.PathEscape(at))
	if err != nil {
		return nil, explainCompile(err)
	}
	return compiled, nil
}

// explainCompile says in our words what the library refused.
func explainCompile(err error) error {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return fmt.Errorf("a $ref leads to %q: %w", strings.Replace(load.URL, "tool:///", "", 1), errNotLoaded)
	}
	var badPattern *jsonschema.InvalidRegexError
	if errors.As(err, &badPattern) {
		at, _ := pointerIn(badPattern.URL)
		return &PatternError{Pattern: badPattern.Regex, At: at, Err: badPattern.Err}
	}
	var refused *jsonschema.SchemaValidationError
	if errors.As(err, &refused) {
		var tree *jsonschema.ValidationError
		if errors.As(refused.Err, &tree) {
			return fmt.Errorf("the schema breaks the rules of JSON Schema: %s", deepest(tree))
		}
	}
	return err
}

// deepest finds the fault of a schema that lies deepest in it: the others say
// only that something further down is wrong.
func deepest(tree *jsonschema.ValidationError) string {
	found := tree
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 && (len(found.Causes) > 0 || len(e.InstanceLocation) > len(found.InstanceLocation)) {
			found = e
		}
		for _, cause := range inOrder(e.Causes) {
			walk(cause)
		}
	}
	walk(tree)
	return found.Error()
}

// pointerIn takes the JSON Pointer out of a schema's location. Places outside
// the schema, in a meta-schema, have none.
func pointerIn(address string) (pointer string, ok bool) {
	fragment, ok := strings.CutPrefix(address, location+"#")
	if !ok {
		return "", false
	}
	pointer, err := url.PathUnescape(fragment)
	return pointer, err == nil
}

// decode makes the Go values the library works with. Numbers keep their text.
func decode(value []byte) any {
	switch jsonscan.KindOf(value) {
	case jsonscan.Object:
		members := map[string]any{}
		for it := jsonscan.Iterate(value); it.Next(); {
			members[jsonscan.UnescapeName(it.Name())] = decode(it.Value())
		}
		return members
	case jsonscan.Array:
		elements := []any{}
		for it := jsonscan.Iterate(value); it.Next(); {
			elements = append(elements, decode(it.Value()))
		}
		return elements
	case jsonscan.String:
		return jsonscan.Unquote(value)
	case jsonscan.Number:
		return json.Number(value)
	case jsonscan.Bool:
		return value[0] == 't'
	default:
		return nil
	}
}

// validate runs the library. It returns nil when the value is valid.
func validate(compiled *jsonschema.Schema, value any) (tree *jsonschema.ValidationError, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			tree, err = nil, fmt.Errorf("the value cannot be checked: %v", fault)
		}
	}()
	if err := compiled.Validate(value); err != nil {
		if errors.As(err, &tree) {
			return tree, nil
		}
		return nil, err
	}
	return nil, nil
}

// firstUncomputable finds a number the library could not compute with.
func firstUncomputable(value []byte, path []step) ([]byte, []step) {
	switch jsonscan.KindOf(value) {
	case jsonscan.Number:
		if !computable(value) {
			return value, path
		}
	case jsonscan.Array, jsonscan.Object:
		named := value[0] == '{'
		n := 0
		for it := jsonscan.Iterate(value); it.Next(); n++ {
			s := step{index: n, named: named}
			if named {
				s.name = string(it.Name())
			}
			if found, at := firstUncomputable(it.Value(), append(path, s)); found != nil {
				return found, at
			}
		}
	}
	return nil, nil
}
