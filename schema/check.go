package schema

import (
	"fmt"
	"strings"

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
	if s.library == nil {
		w := walker{steps: s.limits.Steps}
		if w.check(s.root, value) && w.steps >= 0 {
			return Result{Value: instance}
		}
		if w.steps < 0 {
			return Result{Value: instance, Problems: []Problem{tooMuchWork()}}
		}
	}
	var set checkSettings
	for _, option := range options {
		option(&set)
	}
	return s.mend(instance, value, set.strict)
}

// mend looks for conversions that make a value valid, and for its problems if
// there are none. The fast path has found the value wrong already; where the
// library judges nothing is known yet.
func (s *Schema) mend(instance, value []byte, strict bool) Result {
	var problems []Problem
	if s.library != nil || strict || jsonscan.Check(value, 0) != nil {
		problems = s.problems(value)
		if len(problems) == 0 || strict || unreadable(problems[0]) {
			return Result{Value: instance, Problems: problems}
		}
	}
	if converted, coerced := s.coerce(value); len(coerced) > 0 {
		left := s.problems(converted)
		if len(left) == 0 {
			return Result{Value: converted, Coerced: coerced}
		}
		if untouched(left, coerced) {
			return Result{Value: instance, Problems: left}
		}
	}
	if problems == nil {
		problems = s.problems(value)
	}
	return Result{Value: instance, Problems: problems}
}

// unreadable is a problem that no conversion can mend.
func unreadable(p Problem) bool {
	return p.Keyword == "json" || p.Keyword == "steps"
}

// untouched reports whether the problems that are left after converting all
// speak of values that were sent like that. If so they are what to report:
// converting has put the others right. If not, a conversion made the problem,
// as in ["1", 1] for unique strings, and the original is reported.
func untouched(left []Problem, coerced []Coercion) bool {
	for _, p := range left {
		for _, c := range coerced {
			if rest, below := strings.CutPrefix(c.Path, p.Path); below && p.Keyword != "more" &&
				(p.Path == "" || rest == "" || rest[0] == '.' || rest[0] == '[') {
				return false
			}
		}
	}
	return true
}

// Valid reports whether a value conforms to the schema as it is, without any
// conversion. The value must have been accepted by jsonscan.Check.
func (s *Schema) Valid(instance []byte) bool {
	value := jsonscan.Trim(instance)
	if s.library == nil {
		return s.fastValid(value)
	}
	return len(s.problems(value)) == 0
}

// Problems tells everything that is wrong with a value, without any
// conversion; it is nil when nothing is. The value must have been accepted by
// jsonscan.Check.
func (s *Schema) Problems(instance []byte) []Problem {
	value := jsonscan.Trim(instance)
	if s.fastValid(value) {
		return nil
	}
	return s.problems(value)
}

// fastValid reports whether the fast path can tell that a value is valid.
func (s *Schema) fastValid(value []byte) bool {
	if s.library != nil {
		return false
	}
	w := walker{steps: s.limits.Steps}
	return w.check(s.root, value) && w.steps >= 0
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
	steps := s.limits.Steps
	if s.library != nil {
		s.askLibrary(&f, s.graph, s.library, value, &steps)
		return f.problems()
	}
	w := walker{steps: steps, found: &f}
	w.check(s.root, value)
	if w.steps < 0 {
		return []Problem{tooMuchWork()}
	}
	return f.problems()
}

func tooMuchWork() Problem {
	return Problem{Keyword: "steps", Expected: "are too large to be checked; send less at once"}
}
