package measure_test

import (
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"helpdesk/bench/measure"
	"helpdesk/bench/proc"
)

// smallRun compares the two floors, which build in a moment, with sizes that
// make no meaningful figures but go through every step.
func smallRun(t *testing.T) *measure.Run {
	t.Helper()
	cores, err := proc.Cores()
	if err != nil {
		t.Fatal(err)
	}
	r := &measure.Run{
		Rounds: 2, Slices: 2, Calls: 500, SliceTime: 10 * time.Millisecond, WarmTime: time.Millisecond, InstructionCalls: 1,
		LoadCore: cores[0], ServerCore: cores[len(cores)-1], Temp: t.TempDir(), Progress: io.Discard,
	}
	for _, s := range measure.Servers() {
		if s.Name != "floor" && s.Name != measure.BaseFloor {
			continue
		}
		if err := s.Build(measure.Sources{Bench: "..", Out: r.Temp}); err != nil {
			t.Fatal(err)
		}
		r.Servers = append(r.Servers, s)
	}
	return r
}

// Every figure of every group is recorded for every server that takes part,
// with one value for each round.
func TestMeasure(t *testing.T) {
	t.Parallel()
	r := smallRun(t)
	for _, s := range r.Servers {
		if err := r.Correct(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, group := range []string{"latency", "load", "bad", "list", "big", "rss"} {
		if err := r.Measure(group); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, v := range r.Values() {
		if len(v.Rounds) != r.Rounds || v.Median <= 0 {
			t.Errorf("%s of %s is %v from the rounds %v", v.Figure, v.Server, v.Median, v.Rounds)
		}
		got = append(got, v.Server+" "+v.Figure)
	}
	var want []string
	for _, f := range measure.Figures() {
		switch f.Group {
		case "latency", "load", "rss":
			want = append(want, "floor "+f.ID, "tightfloor "+f.ID)
		case "bad", "list", "big": // The floor cannot tell these apart.
			want = append(want, "tightfloor "+f.ID)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("measured\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if err := r.Measure("speed"); err == nil {
		t.Error("an unknown group is no error")
	}
}

func TestSoakPrintsALineForEachStep(t *testing.T) {
	t.Parallel()
	r := smallRun(t)
	var out strings.Builder
	if err := r.Soak(2000, &out); err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Servers {
		if !strings.Contains(out.String(), s.Name+"\n") {
			t.Errorf("no part for %s in:\n%s", s.Name, out.String())
		}
	}
	if got := strings.Count(out.String(), "\n"); got != 3*len(r.Servers) {
		t.Errorf("%d lines:\n%s", got, out.String())
	}
	if err := r.Soak(0, &out); err == nil {
		t.Error("a soak of no calls is no error")
	}
}

// A program that does not give the right answers does not get past the
// correctness pass, nor does one that stops or cannot be started.
func TestCorrectFindsCheats(t *testing.T) {
	t.Parallel()
	r := smallRun(t)
	floor := r.Servers[0]
	echo, err := exec.LookPath("cat")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		cheat   *measure.Server
		problem string
	}{
		{"echoes its input", &measure.Server{Name: "echo", Path: echo}, "resultType"},
		{"answers with one id", &measure.Server{Name: "constant", Path: floor.Path}, "1000000000"},
		{"ends at once", &measure.Server{Name: "gone", Path: echo, Args: []string{"--version"}}, ""},
		{"does not exist", &measure.Server{Name: "missing", Path: echo + "-missing"}, "start"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := r.Correct(c.cheat)
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("the error is %v, want one with %q", err, c.problem)
			}
		})
	}
}

func TestGroupsCoverTheFigures(t *testing.T) {
	t.Parallel()
	groups, ids := measure.Groups(), map[string]bool{}
	for _, f := range measure.Figures() {
		if ids[f.ID] || !slices.Contains(groups, f.Group) {
			t.Errorf("figure %q appears twice or its group %q is unknown", f.ID, f.Group)
		}
		ids[f.ID] = true
	}
	if slices.Sort(groups); len(slices.Compact(groups)) != len(measure.Groups()) {
		t.Errorf("a group appears twice in %q", measure.Groups())
	}
}
