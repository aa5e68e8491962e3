package transcripts_test

import (
	"bytes"
	"fmt"
	"testing"

	"helpdesk/jsonscan"
)

// checkSeed finds every answer of the seed in the server's answers.
func checkSeed(t *testing.T, seed, answers []string) {
	t.Helper()
	for _, want := range seed {
		id, ok := jsonscan.Lookup([]byte(want), "id")
		if !ok {
			t.Errorf("the seed's answer has no id: %s", want)
			continue
		}
		found := false
		for _, got := range answers {
			gotID, _ := jsonscan.Lookup([]byte(got), "id")
			if !bytes.Equal(id, gotID) {
				continue
			}
			found = true
			if err := covers([]byte(got), []byte(want)); err != nil {
				t.Errorf("the answer to %s is not the seed's: %v\n got %s\nseed %s", id, err, got, want)
			}
		}
		if !found {
			t.Errorf("there is no answer to %s, which the seed has", id)
		}
	}
}

// covers reports why got does not hold what the seed's value holds: every
// member, equal and in order. Only a _meta behind them may be added.
func covers(got, seed []byte) error {
	got, seed = jsonscan.Trim(got), jsonscan.Trim(seed)
	if a, b := jsonscan.KindOf(got), jsonscan.KindOf(seed); a != b {
		return fmt.Errorf("%s is a %v, not a %v", got, a, b)
	}
	switch jsonscan.KindOf(seed) {
	case jsonscan.Object, jsonscan.Array:
	default:
		if !bytes.Equal(got, seed) {
			return fmt.Errorf("%s is not %s", got, seed)
		}
		return nil
	}
	g, s := jsonscan.Iterate(got), jsonscan.Iterate(seed)
	for s.Next() {
		if !g.Next() {
			return fmt.Errorf("%s is missing", s.Value())
		}
		if !bytes.Equal(g.Name(), s.Name()) {
			return fmt.Errorf("member %s stands where the seed has %s", g.Name(), s.Name())
		}
		if err := covers(g.Value(), s.Value()); err != nil {
			return fmt.Errorf("%s: %w", s.Name(), err)
		}
	}
	for g.Next() {
		if string(g.Name()) != "_meta" {
			return fmt.Errorf("member %s is not the seed's", g.Name())
		}
	}
	return nil
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		got, seed string
		ok        bool
	}{
		{`{"a":1,"b":[1,2],"_meta":{}}`, `{"a":1,"b":[1,2]}`, true},
		{`{"b":[1,2],"a":1}`, `{"a":1,"b":[1,2]}`, false},
		{`{"a":1}`, `{"a":1,"b":[1,2]}`, false},
		{`{"a":1,"c":2}`, `{"a":1}`, false},
		{`{"a":"1"}`, `{"a":1}`, false},
		{`[1,2,3]`, `[1,2]`, false},
	} {
		if err := covers([]byte(test.got), []byte(test.seed)); (err == nil) != test.ok {
			t.Errorf("covers(%s, %s) = %v, want ok=%v", test.got, test.seed, err, test.ok)
		}
	}
}
