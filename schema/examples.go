package schema

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/jsonscan"
)

// CheckExamples makes sure that every value in examples and default, anywhere
// in the schema, conforms to the subschema that gives it. A model learns from
// examples; one that breaks its own schema teaches it the fault.
//
// All examples together may take [Limits].Steps.
func (s *Schema) CheckExamples() error {
	if len(s.exemplary) == 0 {
		return nil
	}
	judge, err := s.judges()
	if err != nil {
		return err
	}
	for i, sub := range s.exemplary {
		examples, _ := jsonscan.Lookup(sub.raw, "examples")
		if jsonscan.KindOf(examples) == jsonscan.Array {
			for it := jsonscan.Iterate(examples); it.Next(); {
				if err := example(judge, i, sub, "example", it.Value()); err != nil {
					return err
				}
			}
		}
		if value, ok := jsonscan.Lookup(sub.raw, "default"); ok {
			if err := example(judge, i, sub, "default", value); err != nil {
				return err
			}
		}
	}
	return nil
}

// example judges one value.
func example(judge func(i int, value []byte) []Problem, i int, sub subschema, what string, value []byte) error {
	if problems := judge(i, value); len(problems) > 0 {
		where := sub.at
		if where == "" {
			where = "the root"
		}
		p := problems[0]
		expected := p.Expected
		if p.Path != "" {
			expected = quotedText(p.Path) + " must be " + expected
		} else {
			expected = "it must be " + expected
		}
		return fmt.Errorf("the %s %s at %s breaks its own schema: %s (%s)", what, quoted(value), where, expected, p.Keyword)
	}
	return nil
}

// judges returns a function that checks a value against one of the subschemas
// that give examples.
func (s *Schema) judges() (func(i int, value []byte) []Problem, error) {
	steps := s.limits.Steps
	if s.library == nil {
		b := builder{patterns: &patternSet{bySource: map[string]*pattern{}}, dialect: s.dialect}
		nodes := make([]*node, len(s.exemplary))
		for i, sub := range s.exemplary {
			nodes[i] = b.build(sub.raw)
		}
		return func(i int, value []byte) []Problem {
			f := findings{limit: 1}
			w := walker{steps: steps, found: &f}
			w.check(nodes[i], value)
			if steps = w.steps; steps < 0 {
				return []Problem{tooMuchWork()}
			}
			return f.list
		}, nil
	}
	patterns := &patternSet{bySource: map[string]*pattern{}}
	library, err := newLibrary(jsonscan.Trim(s.raw), s.dialect, patterns)
	if err != nil {
		return nil, err
	}
	var compiled []*jsonschema.Schema
	for _, sub := range s.exemplary {
		c, err := library.compile(sub.at)
		if err != nil {
			return nil, err
		}
		compiled = append(compiled, c)
	}
	roots := compiled[:len(compiled):len(compiled)]
	for _, at := range s.dynamic {
		c, err := library.compile(at)
		if err != nil {
			return nil, err
		}
		roots = append(roots, c)
	}
	g, err := newGraph(roots, patterns)
	if err != nil {
		return nil, err
	}
	return func(i int, value []byte) []Problem {
		f := findings{limit: 1}
		s.askLibrary(&f, g, compiled[i], value, &steps)
		return f.list
	}, nil
}
