package mcp_test

import (
	"slices"
	"testing"
	"time"

	"helpdesk/mcp"
)

func TestVersions(t *testing.T) {
	t.Parallel()
	all := mcp.Versions()
	if !slices.IsSorted(all) || len(all) != 5 || all[len(all)-1] != mcp.Latest {
		t.Errorf("versions are %v, want five, oldest first", all)
	}
	legacy := mcp.LegacyVersions()
	if legacy[len(legacy)-1] != mcp.LatestLegacy {
		t.Errorf("the newest of %v is not %s", legacy, mcp.LatestLegacy)
	}
	for _, version := range all {
		modern := slices.Contains(mcp.ModernVersions(), version)
		if !version.Known() || version.Modern() != modern || slices.Contains(legacy, version) == modern {
			t.Errorf("%s: known %v, modern %v", version, version.Known(), version.Modern())
		}
		if want := map[bool]string{true: "modern", false: "legacy"}[modern]; version.Era().String() != want {
			t.Errorf("%s is of the %s era, want %s", version, version.Era(), want)
		}
	}
	all[0] = "changed"
	if mcp.Versions()[0] != mcp.Version20241105 {
		t.Error("a caller changed the list for everybody")
	}
	for _, version := range []mcp.Version{"", "2026-07-29", "2025-06-18 ", "DRAFT-2026-v1", "1.0"} {
		if version.Known() || version.Modern() || version.Era() != mcp.EraLegacy {
			t.Errorf("%q is known or modern", version)
		}
	}
}

func TestLogLevels(t *testing.T) {
	t.Parallel()
	levels := mcp.LogLevels()
	if len(levels) != 8 {
		t.Fatalf("there are %d levels, want the eight of RFC 5424", len(levels))
	}
	for i, level := range levels {
		if parsed, err := mcp.ParseLogLevel(string(level)); err != nil || parsed != level {
			t.Errorf("%s is parsed as %s, %v", level, parsed, err)
		}
		for j, least := range levels {
			if got := level.AtLeast(least); got != (i >= j) {
				t.Errorf("%s at least %s: %v", level, least, got)
			}
		}
		if level.AtLeast("") || mcp.LogLevel("loud").AtLeast(level) {
			t.Errorf("%s is comparable to what is no level", level)
		}
	}
	for _, text := range []string{"", "INFO", "warn", "trace", "info "} {
		if level, err := mcp.ParseLogLevel(text); err == nil || level != "" {
			t.Errorf("%q is parsed as %q", text, level)
		}
	}
}

func TestCachingTTL(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		caching *mcp.Caching
		want    time.Duration
	}{
		{nil, 0},
		{&mcp.Caching{}, 0},
		{&mcp.Caching{TTLMs: -5}, 0},
		{&mcp.Caching{TTLMs: 1500}, 1500 * time.Millisecond},
		// More milliseconds than a Duration holds must not become the past.
		{&mcp.Caching{TTLMs: 1<<63 - 1}, time.Duration(9223372036854) * time.Millisecond},
	} {
		if got := test.caching.TTL(); got != test.want {
			t.Errorf("%+v is fresh for %v, want %v", test.caching, got, test.want)
		}
	}
}

func TestResultTypes(t *testing.T) {
	t.Parallel()
	for kind, want := range map[mcp.ResultType]bool{"": true, mcp.ResultComplete: true, mcp.ResultInputRequired: false, "task": false} {
		if kind.Complete() != want {
			t.Errorf("%q is complete: %v", kind, !want)
		}
	}
}
