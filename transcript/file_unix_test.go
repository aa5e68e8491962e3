//go:build unix

package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"helpdesk/transcript"
)

// TestOpenFilePrivate keeps records from other users.
func TestOpenFilePrivate(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "session.jsonl")
	check := func(mode transcript.FileMode) {
		t.Helper()
		f, err := transcript.OpenFile(name, mode)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file has mode %v (%v)", info.Mode(), err)
		}
	}
	check(transcript.NewFile)
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	check(transcript.ReplaceFile)
}

// TestOpenFileInUse keeps two recorders apart, whatever the second was told.
func TestOpenFileInUse(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "session.jsonl")
	first, err := transcript.OpenFile(name, transcript.NewFile)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := first.WriteString(headerLine); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []transcript.FileMode{transcript.NewFile, transcript.ReplaceFile, transcript.AppendFile} {
		if _, err := transcript.OpenFile(name, mode); !errors.Is(err, transcript.ErrInUse) {
			t.Errorf("mode %d: got error %v", mode, err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != headerLine {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}

// TestOpenFilePipe does not wait for somebody to read a named pipe.
func TestOpenFilePipe(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := transcript.OpenFile(name, transcript.NewFile); !errors.Is(err, unix.ENXIO) {
		t.Errorf("got error %v", err)
	}
}
