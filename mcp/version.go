package mcp

// Version is a revision of the protocol, named by its date. Revisions compare
// as strings: v < Version20250618 means "older than 2025-06-18". That holds for
// known revisions only, since a peer may send any text.
type Version string

// The revisions this module speaks.
const (
	Version20241105 Version = "2024-11-05"
	Version20250326 Version = "2025-03-26"
	Version20250618 Version = "2025-06-18"
	Version20251125 Version = "2025-11-25"
	Version20260728 Version = "2026-07-28"
)

const (
	// Latest is the newest revision.
	Latest = Version20260728
	// LatestLegacy is the newest revision that begins with initialize. It
	// answers an initialize request for a revision we do not speak
	// (2025-11-25, basic/lifecycle#version-negotiation).
	LatestLegacy = Version20251125
)

// Versions lists the known revisions, oldest first. The slice is the caller's.
func Versions() []Version {
	return append(LegacyVersions(), ModernVersions()...)
}

// LegacyVersions lists the revisions that begin with initialize, oldest first.
// The slice is the caller's.
func LegacyVersions() []Version {
	return []Version{Version20241105, Version20250326, Version20250618, Version20251125}
}

// ModernVersions lists the revisions in which every request says in its _meta
// what it needs, oldest first. These are what server/discover reports. The
// slice is the caller's.
func ModernVersions() []Version {
	return []Version{Version20260728}
}

// Known reports whether this module speaks the revision.
func (v Version) Known() bool {
	switch v {
	case Version20241105, Version20250326, Version20250618, Version20251125, Version20260728:
		return true
	default:
		return false
	}
}

// Modern reports whether the revision is known and needs no initialize.
func (v Version) Modern() bool { return v == Version20260728 }

// Era tells which of the protocol's two ways of opening a conversation the
// revision has. An unknown revision counts as legacy: without knowing more,
// initialize is the one place where it may be named and still be answered.
func (v Version) Era() Era {
	if v.Modern() {
		return EraModern
	}
	return EraLegacy
}

// Era is one of the protocol's two ways of opening a conversation.
type Era uint8

const (
	// EraLegacy begins with initialize, which sets facts for a session.
	EraLegacy Era = iota
	// EraModern has no session: each request carries its facts in _meta.
	EraModern
)

// String is "modern" or "legacy".
func (e Era) String() string {
	if e == EraModern {
		return "modern"
	}
	return "legacy"
}
