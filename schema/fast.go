package schema

import (
	"bytes"
	"math"
	"unicode/utf8"

	"helpdesk/jsonscan"
)

// walker checks one value against a tree of nodes. Without a place for its
// findings it stops at the first fault and needs no memory; with one it goes
// on and tells everything.
type walker struct {
	steps int
	found *findings
}

// spend takes steps and reports whether there were enough.
func (w *walker) spend(steps int) bool {
	w.steps -= steps
	return w.steps >= 0
}

// fail notes a problem and reports whether to go on looking for more.
func (w *walker) fail(n *node, keyword string, value []byte) bool {
	if w.found == nil {
		return false
	}
	w.found.add(n, keyword, value)
	return true
}

// accepts reports whether the set of types allows a value.
func (t types) accepts(value []byte, kind jsonscan.Kind) bool {
	if t == 0 || t.has(kind) {
		return true
	}
	if kind != jsonscan.Number || t&integerType == 0 {
		return false
	}
	var buf [roomForDigits]byte
	return readDecimal(value, buf[:]).isInteger()
}

// check reports whether a node allows a value. The order of the keywords, and
// that a wrong type or a value outside enum hides what else is wrong, follow
// what helps a reader: "must be an integer" says it all.
func (w *walker) check(n *node, value []byte) bool {
	if n == nil {
		return true
	}
	kind := jsonscan.KindOf(value)
	if !w.spend(8) {
		return false
	}
	switch {
	case n.never:
		w.fail(n, "false", value)
		return false
	case kind == jsonscan.Invalid || !n.types.accepts(value, kind):
		w.fail(n, "type", value)
		return false
	case n.konst != nil || n.enum != nil:
		if keyword := w.choice(n, value, kind); keyword != "" {
			w.fail(n, keyword, value)
			return false
		}
	}
	switch kind {
	case jsonscan.String:
		return w.checkString(n, value)
	case jsonscan.Number:
		return w.checkNumber(n, value)
	case jsonscan.Array:
		return w.checkArray(n, value)
	case jsonscan.Object:
		return w.checkObject(n, value)
	default:
		return true
	}
}

// choice checks const and enum and names the one that refuses the value.
func (w *walker) choice(n *node, value []byte, kind jsonscan.Kind) string {
	if n.konst != nil && (!w.spend(len(value)) || !n.konst.equals(value, kind)) {
		return "const"
	}
	if n.enum == nil {
		return ""
	}
	if !w.spend(len(value) + len(n.enum)) {
		return "enum"
	}
	var buf [64]byte
	text := value
	switch kind {
	case jsonscan.String:
		text = characters(value, buf[:])
	case jsonscan.Number:
		return w.numberChoice(n, value)
	case jsonscan.Array, jsonscan.Object:
		text = appendComparable(nil, value, equalityDepth)
	}
	for i := range n.enum {
		if n.enum[i].kind == kind && bytes.Equal(n.enum[i].text, text) {
			return ""
		}
	}
	return "enum"
}

func (w *walker) numberChoice(n *node, value []byte) string {
	var buf [roomForDigits]byte
	number := readDecimal(value, buf[:])
	for i := range n.enum {
		if n.enum[i].kind == jsonscan.Number && n.enum[i].number.compare(number) == 0 {
			return ""
		}
	}
	return "enum"
}

func (w *walker) checkString(n *node, value []byte) bool {
	if n.pattern == nil && n.minLength == 0 && n.maxLength == math.MaxInt {
		return true
	}
	if !w.spend(len(value)) {
		return false
	}
	ok := true
	var buf [64]byte
	text := characters(value, buf[:])
	if n.minLength > 0 || n.maxLength < math.MaxInt {
		length := utf8.RuneCount(text)
		if length < n.minLength {
			if ok = false; !w.fail(n, "minLength", value) {
				return false
			}
		}
		if length > n.maxLength {
			// A text that is too long anyway is not worth matching.
			w.fail(n, "maxLength", value)
			return false
		}
	}
	if n.pattern == nil {
		return ok
	}
	matches := false
	switch {
	case !w.spend(n.pattern.steps(len(value))):
	case n.pattern.row != nil:
		matches = n.pattern.matchesRow(text)
	default:
		// The engine would move the buffer to the heap for every value, so
		// it is not given any of it.
		matches = n.pattern.expr.Match(characters(value, nil))
	}
	if !matches {
		w.fail(n, "pattern", value)
		return false
	}
	return ok
}

func (w *walker) checkNumber(n *node, value []byte) bool {
	if n.minimum == nil && n.maximum == nil && n.above == nil && n.below == nil && n.multipleOf == nil {
		return true
	}
	if !w.spend(len(value)) {
		return false
	}
	var buf [roomForDigits]byte
	number := readDecimal(value, buf[:])
	ok := true
	if n.minimum != nil && number.compare(*n.minimum) < 0 {
		if ok = false; !w.fail(n, "minimum", value) {
			return false
		}
	}
	if n.maximum != nil && number.compare(*n.maximum) > 0 {
		if ok = false; !w.fail(n, "maximum", value) {
			return false
		}
	}
	if n.above != nil && number.compare(*n.above) <= 0 {
		if ok = false; !w.fail(n, "exclusiveMinimum", value) {
			return false
		}
	}
	if n.below != nil && number.compare(*n.below) >= 0 {
		if ok = false; !w.fail(n, "exclusiveMaximum", value) {
			return false
		}
	}
	if n.multipleOf != nil {
		if !w.spend(len(value) * (1 + len(n.multipleOf.digits)/shortDivisor)) {
			return false
		}
		if !number.isMultipleOf(*n.multipleOf) {
			w.fail(n, "multipleOf", value)
			return false
		}
	}
	return ok
}

func (w *walker) checkArray(n *node, value []byte) bool {
	if !w.spend(len(value)) {
		return false
	}
	ok := true
	length := 0
	if n.unique {
		if !w.spend(8 * len(value)) {
			return false
		}
		if _, _, repeats := firstRepeat(value); repeats {
			if ok = false; !w.fail(n, "uniqueItems", value) {
				return false
			}
		}
	}
	items := n.items
	if n.partial {
		// Which elements items speaks of depends on prefixItems.
		items = nil
	}
	for it := jsonscan.Iterate(value); it.Next(); length++ {
		if items == nil {
			continue
		}
		if w.found != nil {
			w.found.enterIndex(length)
		}
		good := w.check(items, it.Value())
		if w.found != nil {
			w.found.leave()
		}
		if !good {
			if ok = false; w.found == nil || w.steps < 0 {
				return false
			}
		}
	}
	if length < n.minItems {
		if ok = false; !w.fail(n, "minItems", value) {
			return false
		}
	}
	if length > n.maxItems {
		w.fail(n, "maxItems", value)
		return false
	}
	return ok
}

func (w *walker) checkObject(n *node, value []byte) bool {
	if !w.spend(len(value)) {
		return false
	}
	ok := true
	length, missing := 0, n.required
	var seen [manyProperties / 64]uint64
	for it := jsonscan.Iterate(value); it.Next(); length++ {
		name := it.Name()
		if bytes.IndexByte(name, '\\') >= 0 {
			name = []byte(jsonscan.UnescapeName(name))
		}
		i := n.find(name)
		child, declared := n.others, false
		if i >= 0 {
			p := &n.properties[i]
			if declared = p.declared; declared {
				child = p.node
			}
			if bit := uint64(1) << (i & 63); i < manyProperties && seen[i>>6]&bit == 0 {
				seen[i>>6] |= bit
				if p.required {
					missing--
				}
			}
		}
		if child == nil || !declared && n.partial {
			// Which members are additional depends on patternProperties.
			continue
		}
		if w.found != nil {
			w.found.enterName(name)
		}
		good := true
		if !declared && child.never {
			good = false
			w.fail(n, "additionalProperties", it.Value())
		} else {
			good = w.check(child, it.Value())
		}
		if w.found != nil {
			w.found.leave()
		}
		if !good {
			if ok = false; w.found == nil || w.steps < 0 {
				return false
			}
		}
	}
	if missing > 0 && len(n.properties) <= manyProperties {
		if ok = false; w.found == nil {
			return false
		}
		w.missing(n, seen[:])
	}
	if length < n.minProperties {
		if ok = false; !w.fail(n, "minProperties", value) {
			return false
		}
	}
	if length > n.maxProperties {
		w.fail(n, "maxProperties", value)
		return false
	}
	return ok
}

// missing reports every required member that was not seen.
func (w *walker) missing(n *node, seen []uint64) {
	for i := range n.properties {
		if p := &n.properties[i]; p.required && seen[i>>6]&(1<<(i&63)) == 0 {
			w.found.enterName([]byte(p.name))
			w.found.add(p.node, "required", nil)
			w.found.leave()
		}
	}
}
