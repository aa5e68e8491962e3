package schema

import (
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/jsonscan"
)

// Schema is a compiled schema. It never changes and may be used by many
// goroutines at once.
type Schema struct {
	raw       []byte
	dialect   Dialect
	limits    Limits
	sentences map[string]string
	root      *node
	// library and graph are set when the root cannot say everything.
	library *jsonschema.Schema
	graph   *graph
	// nodes are the subschemas by their place, for what is said about the
	// library's findings.
	nodes map[string]*node
	// dynamic are the places only a $dynamicRef may lead to.
	dynamic []string
	// exemplary are the subschemas that give examples or a default.
	exemplary []subschema
}

// Compile reads a schema. The text is kept as it is, byte for byte; see
// [Schema.Raw].
//
// Errors: text that is no JSON value, is no schema of its dialect, goes beyond
// the [Limits], or refers to something outside itself. A *[DialectError] tells
// of a dialect that is not supported, a *[PatternError] of a regular
// expression that RE2 cannot read.
func Compile(raw []byte, options ...Option) (*Schema, error) {
	var set settings
	for _, option := range options {
		option(&set)
	}
	limits := set.limits.withDefaults()
	if len(raw) > limits.Bytes {
		return nil, fmt.Errorf("the schema is too large: %d bytes where %d are allowed", len(raw), limits.Bytes)
	}
	if err := jsonscan.Check(raw, limits.Depth); err != nil {
		return nil, fmt.Errorf("the schema is not JSON: %w", err)
	}
	s := &Schema{raw: slices.Clone(raw), limits: limits, sentences: set.sentences}
	if err := s.compile(); err != nil {
		return nil, err
	}
	return s, s.checkSentences()
}

func (s *Schema) compile() error {
	text := jsonscan.Trim(s.raw)
	if kind := jsonscan.KindOf(text); kind != jsonscan.Object && kind != jsonscan.Bool {
		return fmt.Errorf("a schema is an object or a boolean, not %s", article(kind.String()))
	}
	if uri, ok := jsonscan.Lookup(text, "$schema"); ok && jsonscan.KindOf(uri) == jsonscan.String {
		dialect, err := dialectFromURI(jsonscan.Unquote(uri))
		if err != nil {
			return err
		}
		s.dialect = dialect
	}
	all := census{limit: s.limits.Subschemas}
	if err := all.count(text, 0); err != nil {
		return err
	}
	patterns := &patternSet{bySource: map[string]*pattern{}}
	found := newSurvey(s.limits, patterns)
	if err := found.walk(text, spot{dialect: s.dialect}); err != nil {
		return err
	}
	if err := found.followRefs(text, s.dialect); err != nil {
		return err
	}
	library, err := newLibrary(text, s.dialect, patterns)
	if err != nil {
		return err
	}
	compiled, err := library.compile("")
	if err != nil {
		return err
	}
	b := builder{patterns: patterns, dialect: s.dialect}
	s.root = b.build(text)
	for _, sub := range found.all {
		if sub.has("examples") || sub.has("default") {
			s.exemplary = append(s.exemplary, sub)
		}
	}
	if !b.partial {
		return nil
	}
	return s.useLibrary(compiled, library, found)
}

// useLibrary prepares a schema that the fast path cannot judge alone.
func (s *Schema) useLibrary(compiled *jsonschema.Schema, library *library, found *survey) error {
	roots := []*jsonschema.Schema{compiled}
	for _, sub := range found.all {
		if !sub.has("$dynamicAnchor") {
			continue
		}
		// Only a $dynamicRef may lead here, which no field of the compiled
		// schema shows.
		target, err := library.compile(sub.at)
		if err != nil {
			return err
		}
		roots = append(roots, target)
		s.dynamic = append(s.dynamic, sub.at)
	}
	var err error
	if s.graph, err = newGraph(roots, found.patterns); err != nil {
		return err
	}
	if found.lost && s.graph.dynamic {
		// An unknown place may hold the anchor a $dynamicRef finds.
		return errors.New("a schema with $dynamicRef must not refer to places that are no subschemas")
	}
	s.library = compiled
	s.nodes = make(map[string]*node, len(found.all))
	shallow := builder{patterns: found.patterns, dialect: s.dialect, shallow: true}
	for _, sub := range found.all {
		s.nodes[sub.at] = shallow.build(sub.raw)
	}
	return nil
}

func (sub subschema) has(keyword string) bool {
	_, ok := jsonscan.Lookup(sub.raw, keyword)
	return ok && sub.raw[0] == '{'
}

// checkSentences makes sure that every sentence has a property it speaks of.
func (s *Schema) checkSentences() error {
	for path := range s.sentences {
		if s.root == nil || s.library == nil && !s.root.hasPath(path) {
			return fmt.Errorf("a sentence is given for %q, but the schema has no such property", path)
		}
	}
	return nil
}

// Raw returns the schema as its author wrote it, byte for byte. It must not be
// changed.
func (s *Schema) Raw() []byte { return s.raw }

// Dialect returns the dialect the schema is written in.
func (s *Schema) Dialect() Dialect { return s.dialect }

// Flat reports whether the schema is one the fast path judges alone, as tools'
// schemas should be: no references, no composition.
func (s *Schema) Flat() bool { return s.library == nil }

// RootIsObject reports whether the schema says "type":"object" at its root, as
// the protocol demands of a tool's schemas.
func (s *Schema) RootIsObject() bool {
	name, ok := jsonscan.Lookup(jsonscan.Trim(s.raw), "type")
	return ok && jsonscan.Unquote(name) == "object"
}
