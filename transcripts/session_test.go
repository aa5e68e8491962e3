package transcripts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// step is one line of a session.
type step struct {
	kind string // ">", ">q", "<", "<~", "quiet", "end", "#"
	text string
}

// session is one recorded session.
type session struct {
	path    string
	archive *txtar.Archive
	server  string
	steps   []step
	seed    []string
}

func readSession(t *testing.T, path string) *session {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{path: path, archive: archive, server: "helpdesk"}
	for _, file := range archive.Files {
		text := strings.TrimRight(string(file.Data), "\n")
		switch file.Name {
		case "server":
			s.server = strings.TrimSpace(text)
		case "session":
			s.steps = parseSteps(t, text)
		case "seed":
			s.seed = strings.Split(text, "\n")
		default:
			t.Fatalf("%s: there is no section %q", path, file.Name)
		}
	}
	if len(s.steps) == 0 {
		t.Fatalf("%s: the session is empty", path)
	}
	return s
}

func parseSteps(t *testing.T, text string) []step {
	t.Helper()
	var steps []step
	for i, line := range strings.Split(text, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case ">", "<", "<~", "#", "quiet", "end":
		case ">q":
			raw, err := strconv.Unquote(rest)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			rest = raw
		default:
			t.Fatalf("line %d of the session begins with %q", i+1, kind)
		}
		steps = append(steps, step{kind, rest})
	}
	return steps
}

// input is what the client sends for a step.
func (s step) input() (text string, ok bool) {
	switch s.kind {
	case ">":
		return s.text + "\n", true
	case ">q":
		return s.text, true
	default:
		return "", false
	}
}

func (s step) String() string {
	switch {
	case s.kind == ">q":
		return s.kind + " " + strconv.Quote(s.text)
	case s.text == "":
		return s.kind
	default:
		return s.kind + " " + s.text
	}
}

// write puts the steps back into the file.
func (s *session) write(t *testing.T, steps []step) {
	t.Helper()
	var b strings.Builder
	for _, step := range steps {
		fmt.Fprintln(&b, step)
	}
	for i := range s.archive.Files {
		if s.archive.Files[i].Name == "session" {
			s.archive.Files[i].Data = []byte(b.String())
		}
	}
	if err := os.WriteFile(s.path, txtar.Format(s.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

func sessions(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sessions found: %v", err)
	}
	return paths
}
