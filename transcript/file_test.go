package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"helpdesk/transcript"
)

// TestOpenFile shows what each mode does with what is there. A missing want
// error means that the file is opened and ends as written by session.
func TestOpenFile(t *testing.T) {
	t.Parallel()
	const session = headerLine + dataLine
	for _, tt := range []struct {
		name   string
		exists bool
		before string
		mode   transcript.FileMode
		want   string
		err    error
	}{
		{"new", false, "", transcript.NewFile, session, nil},
		{"new to replace", false, "", transcript.ReplaceFile, session, nil},
		{"new to append to", false, "", transcript.AppendFile, session, nil},
		{"empty", true, "", transcript.NewFile, session, nil},
		{"not empty", true, session, transcript.NewFile, session, transcript.ErrExists},
		{"replace", true, "old", transcript.ReplaceFile, session, nil},
		{"append", true, session, transcript.AppendFile, session + session, nil},
		{"append after a crash", true, session + `{"rec`, transcript.AppendFile, session + `{"rec` + "\n" + session, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "session.jsonl")
			if tt.exists {
				if err := os.WriteFile(name, []byte(tt.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			f, err := transcript.OpenFile(name, tt.mode)
			if !errors.Is(err, tt.err) {
				t.Fatalf("got error %v, want %v", err, tt.err)
			}
			if err == nil {
				if _, err := f.WriteString(session); err != nil {
					t.Fatal(err)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(name)
			if err != nil || string(got) != tt.want {
				t.Errorf("the file holds %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

// TestOpenFileMissingFolder says which file could not be opened.
func TestOpenFileMissingFolder(t *testing.T) {
	t.Parallel()
	if _, err := transcript.OpenFile(filepath.Join(t.TempDir(), "none", "s.jsonl"), transcript.NewFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
