package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"helpdesk/bench/measure"
	"helpdesk/bench/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is a run with made-up numbers: the product lacks the list figure, for
// which the library server stands in, and nobody measured memory.
func sample() *report.Report {
	value := func(figure, server, unit string, median float64) measure.Value {
		return measure.Value{Figure: figure, Server: server, Unit: unit, Rounds: []float64{median}, Median: median}
	}
	return &report.Report{
		Environment: report.Environment{CPU: "Test CPU", Cores: 2, OS: "linux/amd64", Go: "go1.26", Node: "v20.0.0"},
		Settings:    report.Settings{Rounds: 5, Slices: 3, Calls: 1000, SliceSeconds: 0.5, ServerCore: 1},
		Servers: []report.Server{
			{Name: "tightfloor", About: "least", Form: "modern"},
			{Name: "helpdesk", About: "product", Form: "modern"},
			{Name: "ours", About: "library", Form: "modern"},
			{Name: "gosdk", About: "peer", Version: "v1.8.0", Form: "modern"},
		},
		Values: []measure.Value{
			value("cpu", "tightfloor", measure.Nanoseconds, 2000),
			value("cpu", "helpdesk", measure.Nanoseconds, 5000),
			value("cpu", "gosdk", measure.Nanoseconds, 178_000),
			value("throughput", "tightfloor", measure.PerSecond, 400_000),
			value("throughput", "gosdk", measure.PerSecond, 5000),
			value("list_1_cpu", "tightfloor", measure.Nanoseconds, 1000),
			value("list_1_cpu", "ours", measure.Nanoseconds, 2500),
			value("list_1_cpu", "gosdk", measure.Nanoseconds, 2_500_000),
		},
		Notes: []string{"A note."},
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "sample.md")
	got := sample().Markdown()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the tables changed; got:\n%s", got)
	}
}

func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.json")
	want := sample()
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := report.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

// Tables replace what stands between the markers and nothing else.
func TestWriteMarkdown(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "README.md")
	before := "# Title\n\n" + report.Begin + "\nold\n" + report.End + "\n\nAfter.\n"
	if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // A second time changes nothing more.
		if err := sample().WriteMarkdown(path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := "# Title\n\n" + report.Begin + "\n" + sample().Markdown() + report.End + "\n\nAfter.\n"
		if string(text) != want {
			t.Fatalf("the file is now:\n%s", text)
		}
	}
	for _, broken := range []string{"no markers", report.End + report.Begin} {
		if _, err := report.Splice(broken, "tables"); err == nil {
			t.Errorf("Splice(%q) is no error", broken)
		}
	}
}

func TestCPUModel(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		"processor\t: 0\nmodel\t\t: 17\nmodel name\t: Some CPU\n": "Some CPU",
		"Features: fp\n": "unknown CPU",
		"":               "unknown CPU",
	} {
		if got := report.CPUModel([]byte(info)); got != want {
			t.Errorf("CPUModel(%q) = %q, want %q", info, got, want)
		}
	}
	if strings.Contains(sample().Markdown(), "NaN") {
		t.Error("a table holds NaN")
	}
}
