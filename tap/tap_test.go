//go:build unix

package tap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"helpdesk/tap"
	"helpdesk/transcript"
)

// TestPassThrough passes every byte in both directions and records it.
func TestPassThrough(t *testing.T) {
	t.Parallel()
	var every []byte
	for b := range 256 {
		every = append(every, byte(b))
	}
	for _, tt := range []struct{ name, input string }{
		{"a message", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"},
		{"nothing", ""},
		{"every byte", string(every)},
		{"no line end", "a\nb"},
		{"carriage returns", "a\r\n\rb\r\n"},
		{"a long line", strings.Repeat("0123456789", 500_000)},
		{"many lines", strings.Repeat("line\n", 50_000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			var rec recording
			res := run(t, server(t, tap.Config{
				Stdin: strings.NewReader(tt.input), Stdout: &out, Stderr: &errs, Record: rec.add, Exact: true,
			}, "echo", "complain", "done\n", "exit", "7"))
			if out.String() != tt.input || errs.String() != "done\n" {
				t.Errorf("%d bytes became %d bytes, on stderr %q", len(tt.input), out.Len(), errs.String())
			}
			if res.Status != 7 || res.Signal != nil || res.ExitCode() != 7 || res.LostBytes != 0 || res.LogErr != nil {
				t.Errorf("got %+v", res)
			}
			for stream, want := range map[transcript.Stream]string{
				transcript.Stdin: tt.input, transcript.Stdout: tt.input, transcript.Stderr: "done\n",
			} {
				if got, _ := rec.bytes(stream); string(got) != want {
					t.Errorf("%s: the record holds %d bytes, not %d", stream, len(got), len(want))
				}
			}
			if rec.count(transcript.KindStart) != 1 || rec.count(transcript.KindEOF) != 3 || rec.count(transcript.KindExit) != 1 {
				t.Errorf("the record has not all events: %+v", rec.all())
			}
			for i, r := range rec.all() {
				if r.Seq != uint64(i+1) || i > 0 && r.Mono < rec.all()[i-1].Mono {
					t.Fatalf("record %d has the number %d and the time %v", i+1, r.Seq, r.Mono)
				}
			}
		})
	}
}

// TestCausalOrder plays ping-pong: in the record no answer stands before its
// request.
func TestCausalOrder(t *testing.T) {
	t.Parallel()
	clientIn, out := io.Pipe()
	in, clientOut := io.Pipe()
	var rec recording
	done := make(chan tap.Result)
	go func() {
		done <- run(t, server(t, tap.Config{Stdin: in, Stdout: out, Record: rec.add, Exact: true}, "echo"))
	}()
	const rounds = 500
	answer := make([]byte, 100)
	for i := range rounds {
		fmt.Fprintf(clientOut, "%d\n", i)
		if n, err := clientIn.Read(answer); err != nil || string(answer[:n]) != strconv.Itoa(i)+"\n" {
			t.Fatalf("got %q, %v", answer[:n], err)
		}
	}
	clientOut.Close()
	<-done
	var lines []string
	for _, r := range rec.all() {
		if r.Kind == transcript.KindData {
			lines = append(lines, string(r.Stream)+" "+string(r.Data))
		}
	}
	if len(lines) != 2*rounds {
		t.Fatalf("got %d lines", len(lines))
	}
	for i := range rounds {
		if want := fmt.Sprintf("stdin %d\n stdout %d\n", i, i); lines[2*i]+" "+lines[2*i+1] != want {
			t.Fatalf("got %q, want %q", lines[2*i]+" "+lines[2*i+1], want)
		}
	}
}

// TestEnds shows how a server's end becomes the tap's.
func TestEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		steps  []string
		code   int
		record string
	}{
		{"ok", nil, 0, `"status":0`},
		{"status", []string{"exit", "250"}, 250, `"status":250`},
		{"signal", []string{"die", "15"}, 143, `"signal":"SIGTERM"`},
		{"kill", []string{"die", "9"}, 137, `"signal":"SIGKILL"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			// The client's input stays open: the tap must not wait for it.
			in, clientOut := io.Pipe()
			defer clientOut.Close()
			var rec recording
			res := run(t, server(t, tap.Config{Stdin: in, Record: rec.add}, tt.steps...))
			if res.ExitCode() != tt.code {
				t.Errorf("got %d (%+v), want %d", res.ExitCode(), res, tt.code)
			}
			var text []byte
			for _, r := range rec.all() {
				text = transcript.AppendRecord(text, &r)
			}
			if !bytes.Contains(text, []byte(tt.record)) {
				t.Errorf("the record has no %s:\n%s", tt.record, text)
			}
		})
	}
}

// TestCannotStart tells like a shell what is wrong with a command.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "data")
	if err := os.WriteFile(file, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		cfg  tap.Config
		code int
		want string
	}{
		{"no command", tap.Config{}, 126, `cannot start "": no command was given`},
		{"not in PATH", tap.Config{Command: []string{"no-such-program"}}, 127, "cannot start no-such-program: executable file not found"},
		{"no such file", tap.Config{Command: []string{folder + "/none"}}, 127, "no such file"},
		{"not executable", tap.Config{Command: []string{file}}, 126, "permission denied"},
		{"no such folder", tap.Config{Command: []string{os.Args[0]}, Dir: folder + "/none"}, 126, "chdir"},
		{"odd name", tap.Config{Command: []string{"a\nb"}}, 127, `cannot start "a\nb": `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var rec recording
			tt.cfg.Record = rec.add
			_, err := tap.Run(context.Background(), tt.cfg)
			var start *tap.StartError
			if !errors.As(err, &start) || start.ExitCode() != tt.code || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q and %d", err, tt.want, tt.code)
			}
			if tt.cfg.Command != nil && rec.count(transcript.KindExit) != 1 {
				t.Errorf("the record does not say it: %+v", rec.all())
			}
		})
	}
}

// TestSignals passes each signal on, once.
func TestSignals(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal)
	clientIn, out := io.Pipe()
	go func() {
		ready := make([]byte, len("ready\n"))
		_, _ = io.ReadFull(clientIn, ready)
		signals <- syscall.SIGUSR1
		_, _ = io.ReadFull(clientIn, make([]byte, len("user defined signal 1\n")))
		signals <- syscall.SIGTERM
		_, _ = io.Copy(io.Discard, clientIn)
	}()
	var rec recording
	run(t, server(t, tap.Config{Stdout: out, Signals: signals, Record: rec.add},
		"catch", "print", "ready\n", "report", "report"))
	got, _ := rec.bytes(transcript.Stdout)
	if want := "ready\nuser defined signal 1\nterminated\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// closing tells when it is closed.
type closing struct {
	io.Writer
	closed chan struct{}
}

func (c closing) Close() error {
	close(c.closed)
	return nil
}

// TestPipeEnds closes the client's output as soon as the server has closed
// its own, though the server goes on.
func TestPipeEnds(t *testing.T) {
	t.Parallel()
	in, clientOut := io.Pipe()
	out := closing{io.Discard, make(chan struct{})}
	done := make(chan tap.Result)
	go func() {
		done <- run(t, server(t, tap.Config{Stdin: in, Stdout: out, PipeEnds: true}, "close", "line"))
	}()
	<-out.closed
	fmt.Fprintln(clientOut, "go on")
	if res := <-done; res.Status != 0 {
		t.Errorf("got %+v", res)
	}
}

// TestReceiverGone lets the server's writes fail when the client does not read
// any more.
func TestReceiverGone(t *testing.T) {
	t.Parallel()
	clientIn, out := io.Pipe()
	go func() {
		_, _ = io.ReadFull(clientIn, make([]byte, 10_000))
		clientIn.Close()
	}()
	var rec recording
	res := run(t, server(t, tap.Config{Stdout: out, Record: rec.add}, "flood"))
	if res.Signal != syscall.SIGPIPE && res.Status != 99 {
		t.Errorf("got %+v", res)
	}
	for _, r := range rec.all() {
		if r.Kind == transcript.KindEOF && r.Stream == transcript.Stdout && r.Error == "" {
			t.Error("the record does not say why the stream ended")
		}
	}
}

// TestServerStopsReading closes the client's pipe when the server is gone.
func TestServerStopsReading(t *testing.T) {
	t.Parallel()
	in, clientOut := io.Pipe()
	failed := make(chan error)
	go func() {
		for {
			if _, err := clientOut.Write([]byte("more\n")); err != nil {
				failed <- err
				return
			}
		}
	}()
	run(t, server(t, tap.Config{Stdin: in, PipeEnds: true}, "line"))
	if err := <-failed; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

// TestLeftBehind ends when the server has ended, though a process that it left
// behind holds its streams, and ends that process.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	var rec recording
	run(t, server(t, tap.Config{Stdout: &out, Record: rec.add, Grace: 50 * time.Millisecond}, "leave"))
	pid, err := strconv.Atoi(strings.TrimSpace(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	gone(t, pid)
	errs := 0
	for _, r := range rec.all() {
		if r.Kind == transcript.KindEOF && strings.Contains(r.Error, "held the stream open") {
			errs++
		}
	}
	if errs != 2 {
		t.Errorf("the record does not say that two streams were held open: %+v", rec.all())
	}
}

// TestSlowClient gets all that the server wrote before it ended, though the
// client reads it later than the grace allows streams to stay open.
func TestSlowClient(t *testing.T) {
	t.Parallel()
	const size = 48 << 10 // less than a pipe holds, so that the server can end
	clientIn, out := io.Pipe()
	ended := make(chan struct{})
	got := make(chan int64)
	go func() {
		<-ended
		n, _ := io.Copy(io.Discard, clientIn)
		got <- n
	}()
	go func() {
		run(t, server(t, tap.Config{Stdout: out, Grace: time.Millisecond, PipeEnds: true, Record: func(r transcript.Record) {
			if r.Kind == transcript.KindExit {
				// Give the grace time to pass.
				time.Sleep(20 * time.Millisecond)
				close(ended)
			}
		}}, "many", strconv.Itoa(size)))
	}()
	if n := <-got; n != size {
		t.Errorf("got %d bytes of %d", n, size)
	}
}

// TestContext ends a session whose server does not want to.
func TestContext(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	clientIn, out := io.Pipe()
	go func() {
		_, _ = io.ReadFull(clientIn, make([]byte, len("ready\n")))
		cancel(enough)
		_, _ = io.Copy(io.Discard, clientIn)
	}()
	res, err := tap.Run(ctx, server(t, tap.Config{Stdout: out, Grace: 50 * time.Millisecond}, "catch", "print", "ready\n", "sleep"))
	if !errors.Is(err, enough) || res.Signal != syscall.SIGKILL {
		t.Errorf("got %+v and %v", res, err)
	}
}

// TestRedact changes the record and nothing else.
func TestRedact(t *testing.T) {
	t.Parallel()
	const input = `{"api_key":"s3cret"}` + "\nplain s3cret\n"
	var out bytes.Buffer
	var rec recording
	run(t, server(t, tap.Config{
		Stdin: strings.NewReader(input), Stdout: &out, Record: rec.add, Redact: transcript.NewRedactor("api_key"),
	}, "echo"))
	if out.String() != input {
		t.Errorf("the traffic became %q", out.String())
	}
	for _, stream := range []transcript.Stream{transcript.Stdin, transcript.Stdout} {
		if got, _ := rec.bytes(stream); string(got) != `{"api_key":"[redacted]"}`+"\n\n" {
			t.Errorf("the record of %s holds %q", stream, got)
		}
	}
}

// TestHalfLine shows a line in the record that lacks its end, while the
// session still waits for it.
func TestHalfLine(t *testing.T) {
	t.Parallel()
	in, clientOut := io.Pipe()
	seen := make(chan transcript.Record, 10)
	go func() {
		for r := range seen {
			if r.Stream == transcript.Stdout && r.Kind == transcript.KindData {
				fmt.Fprintln(clientOut, "go on")
				clientOut.Close()
			}
		}
	}()
	var rec recording
	run(t, server(t, tap.Config{Stdin: in, Record: func(r transcript.Record) {
		rec.add(r)
		if r.Part == 1 {
			seen <- r
		}
	}}, "print", `{"no":"line end"}`, "line", "print", "\n"))
	close(seen)
	if got, _ := rec.bytes(transcript.Stdout); string(got) != `{"no":"line end"}`+"\n" {
		t.Errorf("got %q", got)
	}
}
