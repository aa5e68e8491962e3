// Package schema compiles JSON Schema for tools, checks JSON text against it,
// derives it from Go types, and teaches: what it says about a wrong argument is
// written for the language model that sent it.
//
// # Dialects
//
// A schema without `$schema` is read as 2020-12, which is the default of the
// Model Context Protocol; one that names draft-07 is read as draft-07. Any
// other dialect is refused with an error that names it. The schema itself is
// checked against its meta-schema. `format` is an annotation and never fails a
// value. Nothing is ever loaded: a `$ref` must lead inside the schema or to a
// meta-schema of JSON Schema, which are built in.
//
// # Two ways to check, one meaning
//
// A flat schema, as tools should have, is compiled into a small tree of our
// own that walks the bytes of a value without decoding it and without
// allocating. A schema with composition or references ($ref, allOf, anyOf,
// if, patternProperties and so on) is checked by the library
// github.com/santhosh-tekuri/jsonschema/v6. A fuzz test holds that both say
// the same of every schema both can read.
//
// Text given to [Schema.Check], [Schema.Valid] or [Schema.Problems] must have
// been accepted by jsonscan.Check before: what is said about other text means
// nothing, though no text makes these functions crash.
//
// # What is bounded
//
// [Compile] refuses a schema that is larger, deeper or richer in subschemas
// than [Limits] allows, one whose regular expressions are too large, and one
// that refers to itself without going down into the value, which would never
// end. Regular expressions are RE2 and take linear time.
//
// Checking a value never starts a goroutine and never waits. Its work is
// counted in steps; a step is about a nanosecond. On the fast path steps are
// spent while walking, and walking stops when they run out. For the library,
// which cannot be stopped, the number of evaluations it can possibly make on
// this value is counted before it starts, following every reference and every
// branch, and the value is refused when [Limits].Steps would not suffice. A
// refused value is reported as one problem with the keyword "steps". The
// guarantee is therefore one of counted work, not of a clock: with the default
// of 2^26 steps a check ends after some tenths of a second on current
// hardware, and its memory stays in proportion.
//
// Numbers are compared as exact decimals, never as floating point. Where the
// library does the checking, a number with more than 1000 digits or an
// exponent beyond 1000 is reported as a problem.
package schema
