package server

import "slices"

// Principal is who makes a call and what they may do. A transport sets it:
// stdio from the process's owner, HTTP from a verified token.
type Principal struct {
	// Name identifies the caller in logs and audit records.
	Name string
	// Scopes are the permissions granted, for example "tickets:read".
	Scopes []string
	// Unrestricted grants every scope. The local user of a stdio server is
	// unrestricted, because whoever starts the process already holds its data.
	Unrestricted bool
}

// Local is the principal of a pipe: whoever started this process.
func Local() *Principal { return &Principal{Name: "local", Unrestricted: true} }

// Allows reports whether the principal holds a scope. Everyone holds "".
func (p *Principal) Allows(scope string) bool {
	return scope == "" || p != nil && (p.Unrestricted || slices.Contains(p.Scopes, scope))
}

// key names the set of scopes, for caching what depends on it. No two sets
// have the same name: lengths stand before the scopes, whatever is in them.
func (p *Principal) key() string {
	switch {
	case p == nil:
		return ""
	case p.Unrestricted:
		return "*"
	default:
		sorted := slices.Sorted(slices.Values(p.Scopes))
		var key []byte
		for _, scope := range slices.Compact(sorted) {
			key = appendField(key, []byte(scope))
		}
		return string(key)
	}
}

func (p *Principal) unrestricted() bool { return p != nil && p.Unrestricted }

func (p *Principal) name() string {
	if p == nil {
		return ""
	}
	return p.Name
}
