package schema

import (
	"bytes"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helpdesk/jsonscan"
)

// evaluation and level are the steps one evaluation takes, and those it takes
// more for each level of nesting, because the library remembers the path.
const evaluation, level = 200, 8

// counter spends steps on a value the way the library would.
type counter struct {
	graph *graph
	steps int64
	// levels are tables to reuse, for each depth its own.
	levels []tables
}

// tables count how often subschemas are evaluated: on the value itself, and on
// the member that is looked at.
type tables struct{ active, next map[int]int64 }

// afford returns the steps that are left after checking value against a
// schema of the graph; negative when they do not suffice.
func (g *graph) afford(s *jsonschema.Schema, value []byte, steps int) int {
	c := counter{graph: g, steps: int64(steps)}
	if !c.count(value, map[int]int64{g.index[s]: 1}, 0) {
		return -1
	}
	return int(c.steps)
}

// pay takes an amount a number of times.
func (c *counter) pay(amount, times int64) bool {
	if times >= manyTimes || amount > 0 && times > c.steps/amount {
		c.steps = -1
		return false
	}
	c.steps -= amount * times
	return c.steps >= 0
}

func (c *counter) count(value []byte, entering map[int]int64, depth int) bool {
	if depth == len(c.levels) {
		c.levels = append(c.levels, tables{map[int]int64{}, map[int]int64{}})
	}
	active, next := c.levels[depth].active, c.levels[depth].next
	clear(active)
	for i, times := range entering {
		for _, w := range c.graph.vertices[i].closure {
			if w.times > manyTimes/times {
				return false
			}
			addTimes(active, w.vertex, times*w.times)
		}
	}
	kind := jsonscan.KindOf(value)
	for i, times := range active {
		v := c.graph.vertices[i]
		amount := evaluation + level*int64(depth) + v.cost
		switch kind {
		case jsonscan.String, jsonscan.Array:
			amount += v.perByte * int64(len(value))
		case jsonscan.Number:
			amount += numberCost(value)
		}
		if !c.pay(amount, times) {
			return false
		}
	}
	n := 0
	for it := jsonscan.Iterate(value); it.Next(); n++ {
		clear(next)
		name := ""
		if kind == jsonscan.Object {
			name = jsonscan.UnescapeName(it.Name())
		}
		for i, times := range active {
			v := c.graph.vertices[i]
			if kind == jsonscan.Array {
				v.element(next, n, times)
				continue
			}
			if !c.pay(v.perMember*int64(1+len(name)/4), times) {
				return false
			}
			v.member(next, name, times)
			if v.memberNames != none && !c.count(jsonscan.AppendQuoted(nil, name), map[int]int64{v.memberNames: times}, depth+1) {
				return false
			}
		}
		if !c.pay(10, 1) || len(next) > 0 && !c.count(it.Value(), next, depth+1) {
			return false
		}
	}
	return true
}

// numberCost is the work with one number: the library makes a fraction of it
// that is as long as its exponent is large.
func numberCost(number []byte) int64 {
	cost := 4 * int64(len(number))
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		cost += 2 * max(readExponent(number[i+1:]), -readExponent(number[i+1:]))
	}
	return cost
}

func (v *vertex) member(next map[int]int64, name string, times int64) {
	if i, ok := v.properties[name]; ok {
		addTimes(next, i, times)
	} else {
		for _, i := range v.otherMember {
			addTimes(next, i, times)
		}
	}
	for _, i := range v.everyMember {
		addTimes(next, i, times)
	}
}

func (v *vertex) element(next map[int]int64, n int, times int64) {
	switch {
	case n < len(v.prefix):
		addTimes(next, v.prefix[n], times)
	case v.rest != none:
		addTimes(next, v.rest, times)
	case v.unevaluated != none:
		addTimes(next, v.unevaluated, times)
	}
	for _, i := range v.everyElement {
		addTimes(next, i, times)
	}
}

func addTimes(table map[int]int64, vertex int, times int64) {
	table[vertex] = min(table[vertex]+times, manyTimes)
}
