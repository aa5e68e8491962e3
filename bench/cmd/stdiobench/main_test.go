package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helpdesk/bench/measure"
	"helpdesk/bench/report"
)

func TestFlagErrors(t *testing.T) {
	t.Parallel()
	for args, problem := range map[string]string{
		"-rounds 0":              "positive",
		"-calls -1":              "positive",
		"-only speed":            `no "speed"`,
		"-servers node,rust":     `no "rust"`,
		"results.json":           "unexpected argument",
		"-from does-not-exist":   "does-not-exist",
		"-soak 5 -servers fast":  `no "fast"`,
		"-soak -5":               "positive",
		"-slice-time 0s -only x": "positive",
	} {
		if err := run(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("stdiobench %s: the error is %v, want one with %q", args, err, problem)
		}
	}
}

// A result kept as JSON can be put into a document without measuring again.
func TestFrom(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	kept, document := filepath.Join(folder, "kept.json"), filepath.Join(folder, "README.md")
	r := &report.Report{
		Servers: []report.Server{{Name: measure.BaseFloor}, {Name: "node"}},
		Values: []measure.Value{
			{Figure: "cpu", Server: measure.BaseFloor, Unit: measure.Nanoseconds, Median: 1000},
			{Figure: "cpu", Server: "node", Unit: measure.Nanoseconds, Median: 3500},
		},
	}
	if err := r.Write(kept); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(document, []byte("Before.\n"+report.Begin+"\n"+report.End+"\nAfter.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-from", kept, "-markdown", document}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if want := "| CPU per call, 64 in flight | 1.00 | 3.50 |"; !strings.Contains(string(text), want) {
		t.Errorf("no row %q in:\n%s", want, text)
	}
}
