//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"helpdesk/transcript"
)

// tapped is a tap that runs as a process of its own, as a client starts it.
type tapped struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	pipe io.Closer
	file string
}

func startTap(t *testing.T, flags []string, steps ...string) *tapped {
	t.Helper()
	p := &tapped{file: filepath.Join(t.TempDir(), "session.jsonl")}
	args := append([]string{"tap"}, flags...)
	args = append(append(args, p.file, "--", "server"), steps...)
	p.cmd = exec.Command("mcpkit", args...)
	p.cmd.Env = append(os.Environ(), "GORACE="+quickExit)
	// The tap leads a group, so that the tests can signal the group.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.pipe, p.out = in, out, bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

// line reads a line from the server.
func (p *tapped) line(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("got %q and then %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

// pid reads a line with the server's process id.
func (p *tapped) pid(t *testing.T) int {
	t.Helper()
	pid, err := strconv.Atoi(p.line(t))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// end waits for the tap and returns how it ended, such as "exit status 3".
func (p *tapped) end() string {
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.String()
}

// TestSignalOnce sends signals to the tap's process, as Claude Code does, and
// to its group, as Codex and terminals do. The server gets each one once.
func TestSignalOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		target func(pid int) int
	}{
		{"process", func(pid int) int { return pid }},
		{"group", func(pid int) int { return -pid }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := startTap(t, nil, "catch", "pid", "report", "exit", "4")
			p.pid(t)
			for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1} {
				if err := syscall.Kill(tt.target(p.cmd.Process.Pid), sig); err != nil {
					t.Fatal(err)
				}
				// A second delivery would show in place of the next signal.
				if got := p.line(t); got != sig.String() {
					t.Errorf("got %q, want %q", got, sig)
				}
			}
			if got := p.end(); got != "exit status 4" {
				t.Errorf("the tap ended with %s", got)
			}
		})
	}
}

// TestSignalEnds ends a server that does nothing about signals; the client
// sees the same as without the tap, though its end of the input is open.
func TestSignalEnds(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := startTap(t, nil, "pid", "sleep")
			pid := p.pid(t)
			if err := syscall.Kill(p.cmd.Process.Pid, sig); err != nil {
				t.Fatal(err)
			}
			if got := p.end(); got != "signal: "+sig.String() {
				t.Errorf("the tap ended with %s", got)
			}
			gone(t, pid)
		})
	}
}

// TestClientStopsReading hands the failure to the server, as a pipe does.
func TestClientStopsReading(t *testing.T) {
	t.Parallel()
	p := startTap(t, nil, "flood")
	if _, err := p.out.Peek(1); err != nil {
		t.Fatal(err)
	}
	p.pipe.Close()
	// SIGPIPE ends the server, or its write fails and it exits with 99.
	broken := fmt.Sprintf("exit status %d", 128+int(syscall.SIGPIPE))
	if got := p.end(); got != broken && got != "exit status 99" {
		t.Errorf("the tap ended with %s", got)
	}
}

// TestInputEnds ends the server's input at once when the client ends its own.
func TestInputEnds(t *testing.T) {
	t.Parallel()
	p := startTap(t, nil, "echo", "print", "the end\\n", "exit", "5")
	if _, err := io.WriteString(p.in, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if got := p.line(t); got != "hello" {
		t.Errorf("got %q", got)
	}
	p.in.Close()
	if got := p.line(t); got != "the end" {
		t.Errorf("got %q", got)
	}
	if got := p.end(); got != "exit status 5" {
		t.Errorf("the tap ended with %s", got)
	}
}

// TestRecordIsCurrent finds what has passed in the file while the session
// goes on, so that a tap that is killed has lost little.
func TestRecordIsCurrent(t *testing.T) {
	t.Parallel()
	p := startTap(t, nil, "echo")
	for i := range 20 {
		if _, err := fmt.Fprintf(p.in, "message %d\n", i); err != nil {
			t.Fatal(err)
		}
		p.line(t)
		want := []byte(fmt.Sprintf(`"stdout","text":"message %d\n"`, i))
		eventually(t, "the record has the message", func() bool {
			text, err := os.ReadFile(p.file)
			return err == nil && bytes.Contains(text, want)
		})
	}
}

// TestLongLine passes a line of 100 MiB (less under the race detector) both ways and records all of it, in
// little memory.
func TestLongLine(t *testing.T) {
	t.Parallel()
	const size = longLine
	p := startTap(t, []string{"--exact"}, "echo")
	go func() {
		piece := bytes.Repeat([]byte("0123456789abcdef"), 4096)
		for range size / len(piece) {
			if _, err := p.in.Write(piece); err != nil {
				return
			}
		}
		_, _ = p.in.Write([]byte("\n"))
	}()
	n := 0
	for {
		piece, err := p.out.ReadSlice('\n')
		n += len(piece)
		if err == nil {
			break
		}
		if err != bufio.ErrBufferFull {
			t.Fatal(err)
		}
	}
	if n != size+1 {
		t.Errorf("%d bytes came back", n)
	}
	checkMemory(t, p.cmd.Process.Pid)
	p.in.Close()
	if got := p.end(); got != "exit status 0" {
		t.Errorf("the tap ended with %s", got)
	}
	f, err := os.Open(p.file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recorded := map[transcript.Stream]int{}
	for rec, err := range transcript.NewReader(f, 0).All() {
		if err != nil {
			t.Fatal(err)
		}
		recorded[rec.Stream] += len(rec.Data)
	}
	if recorded[transcript.Stdin] != size+1 || recorded[transcript.Stdout] != size+1 {
		t.Errorf("the record holds %v", recorded)
	}
}

// gone waits until a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	eventually(t, fmt.Sprintf("process %d has ended", pid), func() bool {
		return syscall.Kill(pid, 0) != nil || zombie(pid)
	})
}

// eventually waits for something that must become true.
func eventually(t *testing.T, what string, true func() bool) {
	t.Helper()
	for range 2000 {
		if true() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("it never came true that %s", what)
}
