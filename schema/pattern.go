package schema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// PatternError tells that a regular expression of a schema cannot be used.
type PatternError struct {
	// Pattern is the expression as the schema has it.
	Pattern string
	// At is where in the schema it stands, as a JSON Pointer.
	At string
	// Err is the reason.
	Err error
}

// Error implements the error interface.
func (e *PatternError) Error() string {
	return fmt.Sprintf("pattern %q at %q cannot be used: %v", e.Pattern, e.At, e.Err)
}

// Unwrap returns the reason.
func (e *PatternError) Unwrap() error { return e.Err }

// pattern is one compiled regular expression. An expression that is a plain
// row of character classes between ^ and $, as identifiers usually are, is
// matched without the regexp engine.
type pattern struct {
	source string
	expr   *regexp.Regexp
	// row is the same expression as classes; nil when it is not that simple.
	row []class
	// size is about how many instructions the engine steps through for each
	// byte of text.
	size int
}

// class is a set of ASCII characters that stands min to max times in a row.
// A max of -1 means without end.
type class struct {
	set      [2]uint64
	min, max int
}

func (c *class) has(b byte) bool {
	return b < 0x80 && c.set[b>>6]&(1<<(b&63)) != 0
}

// patternSize bounds the instructions of one regular expression, because a
// few characters such as ((a{99}){99}){99} can ask for millions.
const patternSize = 20_000

// newPattern compiles source as RE2 syntax.
func newPattern(source string) (*pattern, error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, explainSyntax(err)
	}
	size := instructions(tree)
	if size > patternSize {
		return nil, fmt.Errorf("it is too large: about %d instructions where %d are allowed", size, patternSize)
	}
	expr, err := regexp.Compile(source)
	if err != nil {
		return nil, explainSyntax(err)
	}
	return &pattern{source: source, expr: expr, row: classRow(tree), size: size}, nil
}

func explainSyntax(err error) error {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Code == syntax.ErrInvalidRepeatSize {
		return fmt.Errorf("%q repeats too often: 1000 times are allowed, nested repetitions multiplied", bad.Expr)
	}
	if strings.HasPrefix(bad.Expr, "(?") {
		return fmt.Errorf("%q is not RE2 syntax; look-ahead and look-behind such as (?=…) or (?!…) are not supported", bad.Expr)
	}
	return fmt.Errorf("%q is not RE2 syntax: %s; look-ahead, look-behind and back-references are not supported", bad.Expr, bad.Code)
}

// instructions estimates the size of the compiled expression before it is
// compiled. Parsing does not expand repetitions, compiling does.
func instructions(re *syntax.Regexp) int {
	n := 2
	if re.Op == syntax.OpLiteral {
		n += len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, 1<<30)
}

// classRow reads ^…$ around single characters, classes and repetitions of
// them, of which only the last may vary in length, so that matching never has
// to go back. Anything else is nil.
func classRow(tree *syntax.Regexp) []class {
	if tree.Op != syntax.OpConcat || len(tree.Sub) < 3 ||
		tree.Sub[0].Op != syntax.OpBeginText || tree.Sub[len(tree.Sub)-1].Op != syntax.OpEndText {
		return nil
	}
	var row []class
	for _, sub := range tree.Sub[1 : len(tree.Sub)-1] {
		if sub.Op == syntax.OpLiteral && sub.Flags&syntax.FoldCase == 0 {
			for _, r := range sub.Rune {
				c := class{min: 1, max: 1}
				if !c.add(r, r) {
					return nil
				}
				row = append(row, c)
			}
			continue
		}
		c, ok := repeatedClass(sub)
		if !ok {
			return nil
		}
		row = append(row, c)
	}
	for _, c := range row[:len(row)-1] {
		if c.min != c.max {
			return nil
		}
	}
	return row
}

func repeatedClass(re *syntax.Regexp) (class, bool) {
	c := class{min: 1, max: 1}
	switch re.Op {
	case syntax.OpPlus:
		c.max = -1
		re = re.Sub[0]
	case syntax.OpStar:
		c.min, c.max = 0, -1
		re = re.Sub[0]
	case syntax.OpQuest:
		c.min = 0
		re = re.Sub[0]
	case syntax.OpRepeat:
		c.min, c.max = re.Min, re.Max
		re = re.Sub[0]
	}
	switch {
	case re.Op == syntax.OpCharClass && len(re.Rune) > 0:
		for i := 0; i < len(re.Rune); i += 2 {
			if !c.add(re.Rune[i], re.Rune[i+1]) {
				return class{}, false
			}
		}
		return c, true
	case re.Op == syntax.OpLiteral && len(re.Rune) == 1 && re.Flags&syntax.FoldCase == 0:
		return c, c.add(re.Rune[0], re.Rune[0])
	default:
		return class{}, false
	}
}

func (c *class) add(from, to rune) bool {
	if from < 0 || to >= 0x80 {
		return false
	}
	for r := from; r <= to; r++ {
		c.set[r>>6] |= 1 << (r & 63)
	}
	return true
}

// matchesRow reports whether text is what the row describes.
func (p *pattern) matchesRow(text []byte) bool {
	i := 0
	for n := range p.row {
		c := &p.row[n]
		count := 0
		for i < len(text) && count != c.max && c.has(text[i]) {
			i++
			count++
		}
		if count < c.min {
			return false
		}
	}
	return i == len(text)
}

// steps is what matching text of this length costs at most.
func (p *pattern) steps(length int) int {
	if p.row != nil {
		return length
	}
	return 2 * length * p.size
}

// words says what the pattern asks for: in plain words where the expression
// is simple enough for these to be exactly true, otherwise by showing it.
func (p *pattern) words() string {
	if p.row == nil {
		return "a string matching " + flat(p.source)
	}
	last := p.row[len(p.row)-1]
	var literal []byte
	for _, c := range p.row[:len(p.row)-1] {
		b, ok := c.only()
		if !ok {
			return "a string matching " + flat(p.source)
		}
		literal = append(literal, bytes.Repeat([]byte{b}, c.min)...)
	}
	kind, ok := classNames[last.set]
	if !ok {
		return "a string matching " + flat(p.source)
	}
	var text string
	switch {
	case last.min == 1 && last.max < 0 && len(literal) == 0:
		return kind + " only"
	case last.min == 1 && last.max < 0:
		text = kind
	case last.min == 0 && last.max < 0:
		text = kind + " or nothing"
	case last.max < 0:
		text = fmt.Sprintf("at least %d %s", last.min, kind)
	case last.min == last.max && last.max != 1:
		text = fmt.Sprintf("%d %s", last.min, kind)
	case last.max > 1:
		text = fmt.Sprintf("%d to %d %s", last.min, last.max, kind)
	default:
		return "a string matching " + flat(p.source)
	}
	if len(literal) == 0 {
		return text
	}
	return fmt.Sprintf("%q followed by %s", literal, text)
}

// only returns the one character of a set that has only one.
func (c *class) only() (byte, bool) {
	found := -1
	for b := range 0x80 {
		if c.has(byte(b)) {
			if found >= 0 {
				return 0, false
			}
			found = b
		}
	}
	return byte(found), found >= 0 && c.min == c.max
}

// classNames are the sets that have a name everybody knows.
var classNames = func() map[[2]uint64]string {
	names := map[[2]uint64]string{}
	for expr, name := range map[string]string{
		"[0-9]": "digits", "[a-z]": "letters a-z", "[A-Z]": "capital letters A-Z", "[A-Za-z]": "letters A-Z and a-z",
		"[A-Za-z0-9]": "letters A-Z, a-z and digits", "[a-z0-9]": "letters a-z and digits",
		"[A-Z0-9]": "capital letters A-Z and digits", "[0-9a-f]": "hexadecimal digits 0-9 and a-f",
		"[0-9A-Fa-f]": "hexadecimal digits",
	} {
		var c class
		for i := 1; i+2 < len(expr); i += 3 {
			c.add(rune(expr[i]), rune(expr[i+2]))
		}
		names[c.set] = name
	}
	return names
}()

// patternsSize bounds the instructions of all different expressions of one
// schema together.
const patternsSize = 200_000

// patternSet compiles each different expression of a schema once.
type patternSet struct {
	bySource map[string]*pattern
	size     int
}

func (s *patternSet) get(source string) (*pattern, error) {
	if p := s.bySource[source]; p != nil {
		return p, nil
	}
	p, err := newPattern(source)
	if err != nil {
		return nil, err
	}
	if s.size += p.size; s.size > patternsSize {
		return nil, fmt.Errorf("the patterns of the schema are too large: more than %d instructions together", patternsSize)
	}
	s.bySource[source] = p
	return p, nil
}
