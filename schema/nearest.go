package schema

import "strings"

const (
	// comparedNames is how many candidates are tried, comparedBytes how long
	// a name may be: beyond that nobody is helped by a guess.
	comparedNames = 256
	comparedBytes = 64
)

// nearest returns the candidate that looks most like name, or an empty string
// when none is close enough to be what was meant.
func nearest(name string, candidates []string) string {
	if name == "" || len(name) > comparedBytes || len(candidates) > comparedNames {
		return ""
	}
	plain := plainName(name)
	best, bestDistance := "", 1<<30
	for _, c := range candidates {
		if c == "" || len(c) > comparedBytes {
			continue
		}
		d := 0
		if other := plainName(c); other != plain {
			d = editDistance([]rune(plain), []rune(other))
		}
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if bestDistance > len(plain)/3 {
		return ""
	}
	return best
}

// plainName drops what spellings of one name differ in: ticketId, ticket_id
// and ticket-id are the same.
func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours that turn a into b.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
