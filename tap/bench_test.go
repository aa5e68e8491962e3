//go:build unix

package tap_test

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"helpdesk/tap"
	"helpdesk/transcript"
)

// direct runs a server on plain pipes, as the measure for the tap.
func direct(b *testing.B, steps ...string) (io.WriteCloser, io.Reader) {
	cfg := server(b, tap.Config{}, steps...)
	cmd := exec.Command(cfg.Command[0], cfg.Command[1:]...)
	cmd.Env = cfg.Env
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	return in, out
}

// tapped runs the same server with a process of the test program between,
// which records into a file.
func tapped(b *testing.B, steps ...string) (io.WriteCloser, io.Reader) {
	return direct(b, append([]string{"tap", filepath.Join(b.TempDir(), "session.jsonl")}, steps...)...)
}

func BenchmarkRoundTrip(b *testing.B) {
	for _, way := range []struct {
		name string
		open func(*testing.B, ...string) (io.WriteCloser, io.Reader)
	}{{"direct", direct}, {"tapped", tapped}} {
		b.Run(way.name, func(b *testing.B) {
			in, out := way.open(b, "echo")
			message := append(bytes.Repeat([]byte(`{"a":1},`), 32), '\n')
			answer := make([]byte, len(message))
			for b.Loop() {
				if _, err := in.Write(message); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(out, answer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkThroughput(b *testing.B) {
	const size = 256 << 20
	for _, way := range []struct {
		name string
		open func(*testing.B, ...string) (io.WriteCloser, io.Reader)
	}{{"direct", direct}, {"tapped", tapped}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				_, out := way.open(b, "many", "268435456")
				if n, err := io.Copy(io.Discard, out); err != nil || n != size {
					b.Fatal(n, err)
				}
			}
		})
	}
}

// BenchmarkRecord measures how fast bytes become records, which is how fast
// traffic may come for long without being left out.
func BenchmarkRecord(b *testing.B) {
	line := append(bytes.Repeat([]byte(`{"name":"value","n":123},`), 400), '\n')
	w := transcript.NewWriter(io.Discard, transcript.Header{})
	c := transcript.NewCutter(transcript.Stdout, 0, nil, func(r *transcript.Record) {
		if err := w.Write(r); err != nil {
			b.Fatal(err)
		}
	})
	b.SetBytes(int64(len(line)))
	at := transcript.Stamp{Time: time.Now().UTC()}
	for b.Loop() {
		c.Add(at, line)
	}
}
