package schema

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The library cannot be stopped once it runs, and a schema of a few lines can
// make it evaluate for years: {"allOf":[A,A]} where A is {"allOf":[B,B]} and so
// on doubles with every line. So its work is counted beforehand. A graph of
// the compiled schema tells which subschemas are applied to the same value and
// which to its members; walking the value with it gives the number of
// evaluations if every branch is taken, which is never less than what happens.

// vertex is one compiled subschema.
type vertex struct {
	schema *jsonschema.Schema
	// same are the subschemas applied to the same value.
	same []int
	// oneOfEach are groups of such subschemas of which at most one is
	// applied: then or else, and the possible targets of a $dynamicRef.
	oneOfEach [][]int
	// closure counts how often each subschema is evaluated on a value that
	// this one is applied to once, itself included.
	closure []weight
	// cost is what one evaluation costs beside the steps every one costs.
	cost int64

	properties         map[string]int
	everyMember        []int
	otherMember        []int
	memberNames        int
	prefix             []int
	rest               int
	unevaluated        int
	everyElement       []int
	perByte, perMember int64
}

type weight struct {
	vertex int
	times  int64
}

type graph struct {
	vertices []*vertex
	index    map[*jsonschema.Schema]int
	patterns *patternSet
	// dynamic means that the schema has a $dynamicRef.
	dynamic bool
}

const (
	none = -1
	// chainLength is how many subschemas may follow each other on one value.
	// The library recurses for each, and again for each level of the value.
	chainLength = 200
	// closureSize bounds the sum of all closures.
	closureSize = 1 << 20
	// manyTimes is where counting stops to be exact; it is far beyond what
	// any limit allows.
	manyTimes = int64(1) << 40
)

// newGraph follows everything that can be reached from the roots. Extra roots
// are the targets a $dynamicRef may find that nothing else leads to.
func newGraph(roots []*jsonschema.Schema, patterns *patternSet) (*graph, error) {
	g := &graph{index: map[*jsonschema.Schema]int{}, patterns: patterns}
	for _, root := range roots {
		g.add(root)
	}
	anchors := map[string][]int{}
	for i := 0; i < len(g.vertices); i++ {
		g.connect(g.vertices[i])
	}
	for i, v := range g.vertices {
		if a := v.schema.DynamicAnchor; a != "" {
			anchors[a] = append(anchors[a], i)
		}
	}
	for _, v := range g.vertices {
		if d := v.schema.DynamicRef; d != nil {
			targets := []int{g.index[d.Ref]}
			if d.Anchor != "" && d.Ref.DynamicAnchor == d.Anchor {
				targets = append(targets, anchors[d.Anchor]...)
			}
			v.oneOfEach = append(v.oneOfEach, targets)
			g.dynamic = true
		}
	}
	return g, g.close()
}

// add returns the vertex of a schema, making it when it is new.
func (g *graph) add(s *jsonschema.Schema) int {
	if s == nil {
		return none
	}
	if i, ok := g.index[s]; ok {
		return i
	}
	// Both are annotations here: format always, and $recursiveRef since no
	// dialect we read has it.
	s.Format, s.RecursiveRef, s.RecursiveAnchor = nil, nil, false
	i := len(g.vertices)
	g.index[s] = i
	g.vertices = append(g.vertices, &vertex{schema: s, memberNames: none, rest: none, unevaluated: none})
	return i
}

func (g *graph) addAll(schemas ...*jsonschema.Schema) []int {
	var indexes []int
	for _, s := range schemas {
		if i := g.add(s); i != none {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// anySchema reads a field that may hold a schema or something else.
func anySchema(field any) *jsonschema.Schema {
	s, _ := field.(*jsonschema.Schema)
	return s
}

func (g *graph) connect(v *vertex) {
	s := v.schema
	v.same = append(v.same, g.addAll(s.Ref, s.Not, s.If)...)
	v.oneOfEach = append(v.oneOfEach, g.addAll(s.Then, s.Else))
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		v.same = append(v.same, g.addAll(list...)...)
	}
	for _, dependent := range s.DependentSchemas {
		v.same = append(v.same, g.add(dependent))
	}
	for _, dependency := range s.Dependencies {
		v.same = append(v.same, g.addAll(anySchema(dependency))...)
	}
	if s.DynamicRef != nil {
		g.add(s.DynamicRef.Ref)
	}

	v.properties = make(map[string]int, len(s.Properties))
	for name, member := range s.Properties {
		v.properties[name] = g.add(member)
	}
	for expr, member := range s.PatternProperties {
		v.everyMember = append(v.everyMember, g.add(member))
		v.perMember += g.patternCost(expr)
	}
	v.otherMember = g.addAll(anySchema(s.AdditionalProperties), s.UnevaluatedProperties)
	v.memberNames = g.add(s.PropertyNames)
	v.perMember += 10
	if s.UnevaluatedItems != nil || s.UnevaluatedProperties != nil {
		v.perMember += 60
	}

	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		v.rest = g.add(items)
	case []*jsonschema.Schema:
		v.prefix = g.addAll(items...)
		v.rest = g.add(anySchema(s.AdditionalItems))
	}
	if s.Items2020 != nil || s.PrefixItems != nil {
		v.prefix, v.rest = g.addAll(s.PrefixItems...), g.add(s.Items2020)
	}
	v.everyElement, v.unevaluated = g.addAll(s.Contains), g.add(s.UnevaluatedItems)

	if s.Pattern != nil {
		v.perByte += g.patternCost(s.Pattern)
	}
	if s.UniqueItems {
		v.perByte += 40
	}
	if s.Enum != nil {
		// Every number is read anew for each comparison.
		v.cost += 200 * int64(len(s.Enum.Values))
	}
	if s.Const != nil {
		v.cost += 200
	}
	v.cost += 20 * int64(len(s.Required)+len(s.PatternProperties)+len(s.DependentRequired))
}

// patternCost is the work one byte of text may cost a regular expression.
func (g *graph) patternCost(expr jsonschema.Regexp) int64 {
	if p := g.patterns.bySource[expr.String()]; p != nil {
		return 2 * int64(p.size)
	}
	return patternSize
}

// close computes the closures, deepest first. A subschema that comes back to
// itself on the same value would be evaluated without end.
func (g *graph) close() error {
	state := make([]int, len(g.vertices)) // 0 new, 1 open, 2 done
	heights := make([]int, len(g.vertices))
	total := 0
	var visit func(i int) error
	visit = func(i int) error {
		v := g.vertices[i]
		state[i] = 1
		sum := map[int]int64{i: 1}
		follow := func(next int) error {
			if state[next] == 1 {
				return errors.New("the schema refers to itself without going down into the value, which never ends: " +
					strconv.Quote(strings.TrimPrefix(g.vertices[next].schema.Location, location)))
			}
			if state[next] == 0 {
				if err := visit(next); err != nil {
					return err
				}
			}
			heights[i] = max(heights[i], heights[next]+1)
			if total += len(g.vertices[next].closure); total > closureSize {
				return errors.New("the schema combines too many subschemas with each other")
			}
			return nil
		}
		for _, next := range v.same {
			if err := follow(next); err != nil {
				return err
			}
			for _, w := range g.vertices[next].closure {
				addTimes(sum, w.vertex, w.times)
			}
		}
		for _, group := range v.oneOfEach {
			most := map[int]int64{}
			for _, next := range group {
				if err := follow(next); err != nil {
					return err
				}
				for _, w := range g.vertices[next].closure {
					most[w.vertex] = max(most[w.vertex], w.times)
				}
			}
			for vertex, times := range most {
				addTimes(sum, vertex, times)
			}
		}
		if heights[i] > chainLength {
			return fmt.Errorf("more than %d subschemas of the schema refer to each other in a row", chainLength)
		}
		for vertex, times := range sum {
			v.closure = append(v.closure, weight{vertex, times})
		}
		state[i] = 2
		return nil
	}
	for i := range g.vertices {
		if state[i] == 0 {
			if err := visit(i); err != nil {
				return err
			}
		}
	}
	return nil
}
