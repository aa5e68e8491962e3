package schema

import (
	"fmt"

	"helpdesk/jsonscan"
)

// Result is what [Schema.Check] found.
type Result struct {
	// Value is the value to go on with: the very bytes that were given, or
	// new ones when something was converted. With problems it is what was
	// given.
	Value []byte
	// Coerced are the conversions that were made, in the order of the value.
	Coerced []Coercion
	// Problems are all faults found, at most [Limits].Problems and a count
	// of the rest. None means that Value is valid.
	Problems []Problem
}

// Check judges arguments that a model sent, and puts right what hosts commonly
// send in the wrong JSON type; see [Coercion] for what is converted. Text that
// is valid as it is comes back as the same slice, and for a flat schema this
// takes no memory.
//
// The value must have been accepted by jsonscan.Check.
func (s *Schema) Check(instance []byte, options ...CheckOption) Result {
	value := jsonscan.Trim(instance)
	if s.library == nil && s.valid(value) {
		return Result{Value: instance}
	}
	problems := s.problems(value)
	if len(problems) == 0 {
		return Result{Value: instance}
	}
	var set checkSettings
	for _, option := range options {
		option(&set)
	}
	if set.strict || unreadable(problems[0]) {
		return Result{Value: instance, Problems: problems}
	}
	converted, coerced := s.coerce(value)
	if len(coerced) == 0 {
		return Result{Value: instance, Problems: problems}
	}
	left := s.problems(converted)
	if len(left) == 0 {
		return Result{Value: converted, Coerced: coerced}
	}
	return Result{Value: instance, Problems: withoutCoerced(problems, left, coerced)}
}

func unreadable(p Problem) bool {
	return p.Keyword == "json" || p.Keyword == "steps"
}

// withoutCoerced drops from the problems of a value what converting would have
// put right, so that a reader is told of the real faults only. If nothing else
// is wrong with the original, everything stays: then converting itself made
// the fault, for example two equal items of ["1", 1].
func withoutCoerced(problems, left []Problem, coerced []Coercion) []Problem {
	settled := map[string]bool{}
	for _, c := range coerced {
		settled[c.Path] = true
	}
	for _, p := range left {
		delete(settled, p.Path)
	}
	var rest []Problem
	for _, p := range problems {
		if !settled[p.Path] {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 || rest[0].Keyword == "more" {
		return problems
	}
	return rest
}

// Valid reports whether a value conforms to the schema as it is, without any
// conversion. The value must have been accepted by jsonscan.Check.
func (s *Schema) Valid(instance []byte) bool {
	return s.valid(jsonscan.Trim(instance))
}

// Problems tells everything that is wrong with a value, without any
// conversion; it is nil when nothing is. The value must have been accepted by
// jsonscan.Check.
func (s *Schema) Problems(instance []byte) []Problem {
	value := jsonscan.Trim(instance)
	if s.library == nil && s.valid(value) {
		return nil
	}
	return s.problems(value)
}

func (s *Schema) valid(value []byte) bool {
	if s.library == nil {
		w := walker{steps: s.limits.Steps}
		return w.check(s.root, value) && w.steps >= 0
	}
	return len(s.libraryProblems(value)) == 0
}

func (s *Schema) findings() findings {
	return findings{limit: s.limits.Problems, sentences: s.sentences}
}

// problems looks for everything wrong with a value.
func (s *Schema) problems(value []byte) []Problem {
	f := s.findings()
	if err := jsonscan.Check(value, 0); err != nil {
		return []Problem{{Keyword: "json", Expected: fmt.Sprintf("are no acceptable JSON: %v", err)}}
	}
	if s.library != nil {
		return s.libraryProblems(value)
	}
	w := walker{steps: s.limits.Steps, found: &f}
	w.check(s.root, value)
	if w.steps < 0 {
		return []Problem{tooMuchWork()}
	}
	return f.problems()
}

func (s *Schema) libraryProblems(value []byte) []Problem {
	f := s.findings()
	steps := s.limits.Steps
	s.askLibrary(&f, s.graph, s.library, value, &steps)
	return f.problems()
}

func tooMuchWork() Problem {
	return Problem{Keyword: "steps", Expected: "are too large to be checked; send less at once"}
}
