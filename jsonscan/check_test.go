package jsonscan_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		problem    string // empty: accepted
	}{
		{"object", `{"a":[1,2.5e-3,true,false,null,"x"]}`, ""},
		{"white space around", " \t\r\n{} \n", ""},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9"`, ""},
		{"surrogate pair", `"\ud83d\ude00"`, ""},
		{"negative zero", `-0`, ""},
		{"nothing", ``, "ends where a value is expected"},
		{"two values", `{} {}`, "more text after the value"},
		{"trailing comma", `[1,]`, "no JSON value starts like this"},
		{"single quotes", `{'a':1}`, "needs a name in quotes"},
		{"leading zero", `01`, "more text after the value"},
		{"plus", `+1`, "no JSON value starts like this"},
		{"point without digit", `1.`, "digit after its point"},
		{"exponent without digit", `1e`, "digit in its exponent"},
		{"bare word", `nul`, "no JSON value starts like this"},
		{"duplicate name", `{"a":1,"a":2}`, "names a member twice"},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, "names a member twice"},
		{"names that differ in case", `{"a":1,"A":2}`, ""},
		{"control character", "\"a\x01\"", "control character"},
		{"raw line feed", "\"a\nb\"", "control character"},
		{"invalid UTF-8", "\"\xff\"", "invalid UTF-8"},
		{"overlong UTF-8", "\"\xc0\xaf\"", "invalid UTF-8"},
		{"UTF-8 surrogate", "\"\xed\xa0\x80\"", "invalid UTF-8"},
		{"high surrogate alone", `"\ud83d"`, "lone surrogate"},
		{"low surrogate alone", `"\ude00"`, "lone surrogate"},
		{"high surrogate twice", `"\ud83d\ud83d"`, "lone surrogate"},
		{"unknown escape", `"\x"`, "no such escape"},
		{"short unicode escape", `"\u12"`, "four hexadecimal digits"},
		{"open string", `"abc`, "ends inside a string"},
		{"open object", `{"a":1`, "ends inside an object"},
		{"byte order mark", "\ufeff{}", "no JSON value starts like this"},
		{"as deep as allowed", strings.Repeat("[", 128) + strings.Repeat("]", 128), ""},
		{"too deep", strings.Repeat("[", 129) + strings.Repeat("]", 129), "nest too deeply"},
		{"a hundred thousand brackets", strings.Repeat("[", 100_000), "nest too deeply"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := jsonscan.Check([]byte(test.text), 0)
			if test.problem == "" {
				if err != nil {
					t.Fatalf("Check(%.60q) = %v, want it accepted", test.text, err)
				}
				return
			}
			var syntax *jsonscan.SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Problem, test.problem) {
				t.Fatalf("Check(%.60q) = %v, want a SyntaxError about %q", test.text, err, test.problem)
			}
		})
	}
}

// A large object must find its duplicates as surely as a small one.
func TestDuplicateNamesInLargeObject(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteByte('{')
	for i := range 1000 {
		fmt.Fprintf(&b, `"name%d":%d,`, i, i)
	}
	unique := b.String() + `"last":0}`
	if err := jsonscan.Check([]byte(unique), 0); err != nil {
		t.Fatalf("unique names: %v", err)
	}
	for _, again := range []string{"name0", "name15", "name16", "name999"} {
		if err := jsonscan.Check([]byte(b.String()+`"`+again+`":0}`), 0); err == nil {
			t.Errorf("a second %q was accepted", again)
		}
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	members, ok, err := jsonscan.Members(nil, []byte(` {"a" : 1 , "b":{"a":2}, "c":[{"a":3}]} `), 0)
	if err != nil || !ok {
		t.Fatalf("Members = %v, %v", ok, err)
	}
	var got []string
	for _, m := range members {
		got = append(got, string(m.Name)+"="+string(m.Value))
	}
	if want := `a=1 b={"a":2} c=[{"a":3}]`; strings.Join(got, " ") != want {
		t.Errorf("members are %v, want %v", got, want)
	}
	if _, ok, err := jsonscan.Members(nil, []byte(`[1]`), 0); ok || err != nil {
		t.Errorf("an array gave ok=%v, err=%v", ok, err)
	}
	members, _, err = jsonscan.Members(nil, []byte(`{"id":7,"params":{"x":`), 0)
	if err == nil || len(members) != 1 || string(members[0].Value) != "7" {
		t.Errorf("a broken object gave %d members and %v, want the id and an error", len(members), err)
	}
}

func TestWalk(t *testing.T) {
	t.Parallel()
	object := []byte(`{"a":"x\ny", "b\u0062":[1, {"c":"]}"}], "d":null}`)
	if v, ok := jsonscan.Lookup(object, "bb"); !ok || string(v) != `[1, {"c":"]}"}]` {
		t.Errorf(`Lookup "bb" = %s, %v`, v, ok)
	}
	if _, ok := jsonscan.Lookup(object, "c"); ok {
		t.Error("Lookup found a member of an inner object")
	}
	if v, _ := jsonscan.Lookup(object, "a"); jsonscan.Unquote(v) != "x\ny" {
		t.Errorf("Unquote = %q", jsonscan.Unquote(v))
	}
	count := 0
	for it := jsonscan.Iterate([]byte(`[ 1 , "a,b" , [2,3] , {} ]`)); it.Next(); {
		count++
	}
	if count != 4 {
		t.Errorf("walked %d elements, want 4", count)
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	a := jsonscan.AppendCanonical(nil, []byte(`{"b": [1, {"z":1,"y":2}], "a":"\u0041"}`))
	b := jsonscan.AppendCanonical(nil, []byte(`{"a":"A","b":[1,{"y":2,"z":1}]}`))
	if !bytes.Equal(a, b) {
		t.Errorf("equal values have the canonical forms %s and %s", a, b)
	}
	if c := jsonscan.AppendCanonical(nil, []byte(`{"a":"A","b":[{"y":2,"z":1},1]}`)); bytes.Equal(a, c) {
		t.Error("the order of an array was lost")
	}
}

func TestAppendQuoted(t *testing.T) {
	t.Parallel()
	got := string(jsonscan.AppendQuoted(nil, "a\"b\\c\n<&>\u2028\x00\xffé😀"))
	if want := `"a\"b\\c\n<&>\u2028\u0000` + "\ufffdé😀\""; got != want {
		t.Errorf("AppendQuoted = %s, want %s", got, want)
	}
}

// FuzzCheck holds Check to a second opinion: it must accept exactly what the
// strict decoder of the experimental json package accepts, and the walkers
// must find their way through whatever it accepted.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`, `[1,"\ud83d\ude00",{"a":null}]`, `{"a":1,"\u0061":2}`, "\"\xff\"", `-0.5e+10`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := jsonscan.Check(data, 0)
		value := jsontext.Value(data)
		if value.IsValid() != (err == nil) {
			var syntax *jsonscan.SyntaxError
			if errors.As(err, &syntax) && strings.Contains(syntax.Problem, "too deeply") {
				return
			}
			t.Fatalf("Check says %v, but jsontext says valid=%v", err, value.IsValid())
		}
		if err != nil {
			for it := jsonscan.Iterate(data); it.Next(); {
			}
			return
		}
		walk(t, jsonscan.Trim(data))
		members, _, err := jsonscan.Tree(nil, data, 0, 3)
		if err != nil {
			t.Fatalf("Tree refuses what Check accepts: %v", err)
		}
		compareTree(t, jsonscan.Trim(data), members, 0)
		compact := jsonscan.AppendCompact(nil, data)
		if err := jsonscan.Check(compact, 0); err != nil {
			t.Fatalf("the compact form is invalid: %v", err)
		}
		canonical := jsonscan.AppendCanonical(nil, data)
		if again := jsonscan.AppendCanonical(nil, canonical); !bytes.Equal(canonical, again) {
			t.Fatalf("the canonical form of %s changes to %s", canonical, again)
		}
	})
}

// compareTree holds the members at a level to what walking finds, and returns
// those behind them.
func compareTree(t *testing.T, value []byte, members []jsonscan.Member, level int) []jsonscan.Member {
	t.Helper()
	if jsonscan.KindOf(value) != jsonscan.Object || level == 3 {
		return members
	}
	for it := jsonscan.Iterate(value); it.Next(); {
		if len(members) == 0 || members[0].Level != level || !bytes.Equal(members[0].Name, it.Name()) || !bytes.Equal(members[0].Value, it.Value()) {
			t.Fatalf("the tree misses member %s at level %d", it.Name(), level)
		}
		members = compareTree(t, it.Value(), members[1:], level+1)
	}
	return members
}

// walk visits every value and checks the spans.
func walk(t *testing.T, value []byte) {
	t.Helper()
	if err := jsonscan.Check(value, 0); err != nil {
		t.Fatalf("a walked span is invalid: %v", err)
	}
	if jsonscan.KindOf(value) == jsonscan.String {
		s := jsonscan.Unquote(value)
		if again := jsonscan.Unquote(jsonscan.AppendQuoted(nil, s)); again != s {
			t.Fatalf("quoting %q gives %q", s, again)
		}
	}
	for it := jsonscan.Iterate(value); it.Next(); {
		walk(t, it.Value())
	}
}

// The fast way through strings must stop at exactly the bytes that need
// thought, at every offset within its eight-byte steps.
func TestEveryByteAtEveryOffset(t *testing.T) {
	t.Parallel()
	for b := range 256 {
		for at := range 20 {
			inner := []byte(strings.Repeat("x", 20))
			inner[at] = byte(b)
			text := append(append([]byte{'"'}, inner...), '"')
			want := b >= 0x20 && b < 0x80 && b != '"' && b != '\\'
			if got := jsonscan.Check(text, 0) == nil; got != want {
				t.Fatalf("byte %#x at %d: accepted=%v, want %v", b, at, got, want)
			}
			quoted := jsonscan.AppendQuoted(nil, inner)
			if err := jsonscan.Check(quoted, 0); err != nil {
				t.Fatalf("byte %#x at %d is quoted as %s: %v", b, at, quoted, err)
			}
			if b < 0x80 && jsonscan.Unquote(quoted) != string(inner) {
				t.Fatalf("byte %#x at %d does not survive quoting: %s", b, at, quoted)
			}
		}
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	members, ok, err := jsonscan.Tree(nil, []byte(`{"a":{"b":{"c":{"d":1}},"e":[{"f":2}]},"g":3}`), 0, 3)
	if err != nil || !ok {
		t.Fatalf("Tree = %v, %v", ok, err)
	}
	var got []string
	for _, m := range members {
		got = append(got, fmt.Sprintf("%d %s=%s", m.Level, m.Name, m.Value))
	}
	want := []string{
		`0 a={"b":{"c":{"d":1}},"e":[{"f":2}]}`,
		`1 b={"c":{"d":1}}`,
		`2 c={"d":1}`,
		`1 e=[{"f":2}]`,
		`0 g=3`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the tree is\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
