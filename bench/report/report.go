// Package report writes what was measured as JSON, and as tables of ratios for
// a reader.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"helpdesk/bench/measure"
)

// Report is one run, as the JSON file holds it.
type Report struct {
	Environment Environment     `json:"environment"`
	Settings    Settings        `json:"settings"`
	Servers     []Server        `json:"servers"`
	Values      []measure.Value `json:"values"`
	Notes       []string        `json:"notes,omitempty"`
}

// Environment is the machine, without its name.
type Environment struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Go    string `json:"go"`
	Node  string `json:"node,omitempty"`
}

// Settings are the sizes of the run.
type Settings struct {
	Rounds           int     `json:"rounds"`
	Slices           int     `json:"slices"`
	Calls            int     `json:"calls"`
	SliceSeconds     float64 `json:"slice_seconds"`
	InstructionCalls int     `json:"instruction_calls"`
	LoadCore         int     `json:"load_core"`
	ServerCore       int     `json:"server_core"`
}

// Server is one program that took part.
type Server struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Version string `json:"version,omitempty"`
	Form    string `json:"form"`
}

// New collects a finished run.
func New(run *measure.Run) (*Report, error) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return nil, fmt.Errorf("name the CPU: %w", err)
	}
	r := &Report{
		Environment: Environment{CPU: CPUModel(info), Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()},
		Settings: Settings{
			Rounds: run.Rounds, Slices: run.Slices, Calls: run.Calls, SliceSeconds: run.SliceTime.Seconds(),
			InstructionCalls: run.InstructionCalls, LoadCore: run.LoadCore, ServerCore: run.ServerCore,
		},
		Values: run.Values(), Notes: run.Notes,
	}
	for _, s := range run.Servers {
		r.Servers = append(r.Servers, Server{s.Name, s.About, s.Version, s.Form})
		if s.Name == "node" {
			r.Environment.Node = s.Version
		}
	}
	return r, nil
}

// CPUModel reads the model name from the text of /proc/cpuinfo. Where there
// is none it says so.
func CPUModel(info []byte) string {
	for line := range bytes.Lines(info) {
		if key, value, found := bytes.Cut(line, []byte(":")); found && string(bytes.TrimSpace(key)) == "model name" {
			return string(bytes.TrimSpace(value))
		}
	}
	return "unknown CPU"
}

// Read reads a file that Write made.
func Read(path string) (*Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Write writes the report as indented JSON.
func (r *Report) Write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// The lines between which Splice puts the tables.
const (
	Begin = "<!-- results:begin -->"
	End   = "<!-- results:end -->"
)

// Splice returns document with what stands between the two markers replaced
// by the tables. A document without both markers, in order, is an error.
func Splice(document, tables string) (string, error) {
	head, rest, found := strings.Cut(document, Begin)
	if !found {
		return "", fmt.Errorf("the document has no line %s", Begin)
	}
	_, tail, found := strings.Cut(rest, End)
	if !found {
		return "", fmt.Errorf("the document has no line %s after %s", End, Begin)
	}
	return head + Begin + "\n" + tables + End + tail, nil
}

// WriteMarkdown puts the tables between the markers of the file at path, or
// makes a file of nothing but them where there is none.
func (r *Report) WriteMarkdown(path string) error {
	document, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		document = []byte(Begin + "\n" + End + "\n")
	} else if err != nil {
		return err
	}
	text, err := Splice(string(document), r.Markdown())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
