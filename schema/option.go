package schema

import "helpdesk/jsonscan"

// Limits bound what a schema may be and what checking may cost. A zero field
// means its default.
type Limits struct {
	// Bytes is the largest schema text; default 1 MiB.
	Bytes int
	// Depth is how deeply arrays and objects of the schema text may nest;
	// default 64.
	Depth int
	// Subschemas is how many schemas a schema may hold, itself included;
	// default 10,000.
	Subschemas int
	// Steps is the work one check may take, in steps of about a nanosecond;
	// default 2^26. See the package documentation for what is counted.
	Steps int
	// Problems is how many problems one check reports; default 20.
	Problems int
}

func (l Limits) withDefaults() Limits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&l.Bytes, 1<<20)
	set(&l.Depth, 64)
	set(&l.Subschemas, 10_000)
	set(&l.Steps, 1<<26)
	set(&l.Problems, 20)
	l.Depth = min(l.Depth, jsonscan.DefaultDepth)
	return l
}

// Option changes how [Compile] reads a schema.
type Option func(*settings)

type settings struct {
	limits    Limits
	sentences map[string]string
}

// WithLimits replaces the default limits.
func WithLimits(limits Limits) Option {
	return func(s *settings) { s.limits = limits }
}

// WithSentence replaces everything that would be said about one argument by a
// sentence of the tool's own. The path is written as in [Problem].Path, with
// [] in the place of every index: "ticket_id", "items[].amount". In the
// sentence {value} stands for the value as it was sent; see [Sentence].
//
// Compile fails when the schema has no such property.
func WithSentence(path, sentence string) Option {
	return func(s *settings) {
		if s.sentences == nil {
			s.sentences = map[string]string{}
		}
		s.sentences[path] = sentence
	}
}

// CheckOption changes one [Schema.Check].
type CheckOption func(*checkSettings)

type checkSettings struct {
	strict bool
}

// StrictTypes makes [Schema.Check] report values of the wrong JSON type
// instead of converting them.
func StrictTypes() CheckOption {
	return func(c *checkSettings) { c.strict = true }
}
