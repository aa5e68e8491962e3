package schema_test

import (
	"fmt"
	"strings"
)

// generator makes flat schemas and values out of bytes. The same few names,
// strings and numbers appear in both, so that schema and value often meet.
type generator struct {
	entropy []byte
	pos     int
}

func (g *generator) pick(n int) int {
	if g.pos >= len(g.entropy) {
		return 0
	}
	b := int(g.entropy[g.pos])
	g.pos++
	return b % n
}

// chance is true one time in n.
func (g *generator) chance(n int) bool { return g.pick(n) == n-1 }

func (g *generator) from(choices []string) string { return choices[g.pick(len(choices))] }

var (
	genNames   = []string{"a", "b", "ticket_id", "é", "a b", "c", "d", "e", "f", "g", "h"}
	genStrings = []string{`"a"`, `""`, `"\u0061"`, `"2318"`, `"#2318"`, `"ORD-12"`, `"é"`, `"e\u0301"`, `"\ud83d\ude00"`, `"aa\n"`, `"open"`, `"12"`, `"A"`, `"a\\\"b"`}
	genNumbers = []string{"0", "-0", "1", "1.0", "1e2", "100", "0.1", "0.3", "10E-1", "2318", "-3", "-3.5", "9007199254740993", "9007199254740992.0", "1e-7", "0.30", "5e1", "12345678901234567890123", "3e20", "1.5e300", "0e5", "123456789012345678901234567890e-29"}
	genCounts  = []string{"0", "1", "2", "3.0", "1e1"}
	genPattern = []string{`^[0-9]+$`, `^ORD-[0-9]+$`, `a`, `^$`, `^\\w{1,3}$`, `^.$`, `[^a]`, `^[a-z]?$`, `\\d+|a`, `^\\p{L}+$`, `^[A-Za-z]{2,}$`}
	genTypes   = []string{"string", "integer", "number", "boolean", "array", "object", "null"}
)

func (g *generator) schema(depth int) string {
	if depth > 0 && g.chance(10) {
		return g.from([]string{"true", "false"})
	}
	kind := g.pick(9)
	if depth == 0 && kind < 4 {
		kind = 5
	}
	var members []string
	add := func(format string, args ...any) { members = append(members, fmt.Sprintf(format, args...)) }
	maybe := func(keyword string, choices []string) {
		if g.chance(3) {
			add("%q:%s", keyword, g.from(choices))
		}
	}
	if g.chance(6) {
		add(`"x-mcp-header":"X","title":"t","default":{"$ref":1},"format":"date-time","deprecated":true`)
	}
	if kind < 7 && !g.chance(5) {
		add(`"type":%q`, genTypes[kind])
	} else if g.chance(2) {
		first := g.pick(7)
		add(`"type":[%q,%q]`, genTypes[first], genTypes[(first+1+g.pick(6))%7])
	}
	if g.chance(6) {
		add(`"enum":[%s,"only here"]`, g.instance(depth+2))
	}
	if g.chance(12) {
		add(`"const":%s`, g.instance(depth+2))
	}
	if kind == 0 || kind > 6 {
		maybe("minLength", genCounts)
		maybe("maxLength", genCounts)
		if g.chance(2) {
			add(`"pattern":"%s"`, g.from(genPattern))
		}
	}
	if kind == 1 || kind == 2 || kind > 6 {
		maybe("minimum", genNumbers)
		maybe("maximum", genNumbers)
		maybe("exclusiveMinimum", genNumbers)
		maybe("exclusiveMaximum", genNumbers)
		maybe("multipleOf", []string{"1", "0.1", "3", "0.01", "2.5", "1e-8", "1e2", "12345678901234567890", "0.30000000000000000000001"})
	}
	if depth < 4 && (kind == 4 || kind > 6) {
		if g.pick(3) > 0 {
			add(`"items":%s`, g.schema(depth+1))
		}
		maybe("minItems", genCounts)
		maybe("maxItems", genCounts)
		maybe("uniqueItems", []string{"true", "false"})
	}
	if depth < 4 && (kind == 5 || kind > 6) {
		g.objectKeywords(add, depth)
		maybe("minProperties", genCounts)
		maybe("maxProperties", genCounts)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (g *generator) objectKeywords(add func(string, ...any), depth int) {
	var properties, required []string
	for _, name := range genNames[:1+g.pick(len(genNames))] {
		if g.pick(3) > 0 {
			properties = append(properties, fmt.Sprintf("%q:%s", name, g.schema(depth+1)))
		}
		if g.chance(5) {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	if g.pick(6) > 0 {
		add(`"properties":{%s}`, strings.Join(properties, ","))
	}
	if g.pick(3) > 0 {
		add(`"required":[%s]`, strings.Join(required, ","))
	}
	switch g.pick(4) {
	case 1:
		add(`"additionalProperties":false`)
	case 2:
		add(`"additionalProperties":true`)
	case 3:
		add(`"additionalProperties":%s`, g.schema(depth+1))
	}
}

func (g *generator) instance(depth int) string {
	kind := g.pick(8)
	if depth == 0 && g.pick(3) > 0 {
		kind = 5
	}
	switch {
	case kind == 0 || kind == 7:
		return g.from(genStrings)
	case kind == 1 || kind == 2:
		return g.from(genNumbers)
	case kind == 3:
		return g.from([]string{"true", "false"})
	case kind == 4 && depth < 5:
		var elements []string
		for range g.pick(4) + 20*g.pick(8)/7 {
			elements = append(elements, g.instance(depth+1))
		}
		return "[ " + strings.Join(elements, " , ") + "]"
	case kind == 5 && depth < 5:
		var members []string
		for _, name := range genNames[:g.pick(len(genNames))] {
			if g.pick(4) == 0 {
				continue
			}
			if name == "a" && g.chance(3) {
				name = `\u0061`
			}
			members = append(members, `"`+name+`": `+g.instance(depth+1))
		}
		return "{" + strings.Join(members, ",\n") + " }"
	default:
		return "null"
	}
}
