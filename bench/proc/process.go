package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"helpdesk/bench/wire"
)

const (
	// stallLimit is how long a server may be silent while answers are due.
	// It is far beyond any honest pause, valgrind's start included.
	stallLimit = 2 * time.Minute
	// exitLimit is how long a server may take to end after its stdin ended.
	exitLimit = 10 * time.Second
)

// Command is how to start a server.
type Command struct {
	Path string
	Args []string
	// Env is added to the environment of the benchmark.
	Env []string
	// Stderr receives what the server logs. Nil throws it away, which is
	// what timed runs do.
	Stderr io.Writer
}

// Process is a running server with its two pipes. It belongs to one goroutine.
type Process struct {
	cmd     *exec.Cmd
	in, out int // our ends: the server's stdin and stdout
	lines   wire.Lines
	ended   chan error
	stop    chan struct{}
	// reads counts what arrived, for the watchdog.
	reads  atomic.Uint64
	closed bool
}

// Start starts a server on a core. The pipes are plain blocking ones, outside
// the Go runtime's poller, because that is the least the load generator can
// cost.
func Start(command Command, core, ownCore int) (*Process, error) {
	var stdin, stdout [2]int
	if err := unix.Pipe2(stdin[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	if err := unix.Pipe2(stdout[:], unix.O_CLOEXEC); err != nil {
		closeAll(stdin[:]...)
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	childIn, childOut := os.NewFile(uintptr(stdin[0]), "stdin"), os.NewFile(uintptr(stdout[1]), "stdout")
	cmd := exec.Command(command.Path, command.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, command.Stderr
	cmd.Env = append(os.Environ(), command.Env...)
	err := startOn(cmd, core, ownCore)
	_ = childIn.Close()
	_ = childOut.Close()
	if err != nil {
		closeAll(stdin[1], stdout[0])
		return nil, fmt.Errorf("start %s: %w", command.Path, err)
	}
	p := &Process{cmd: cmd, in: stdin[1], out: stdout[0], ended: make(chan error, 1), stop: make(chan struct{})}
	go func() { p.ended <- cmd.Wait() }()
	go p.watch()
	return p, nil
}

// startOn starts cmd from a thread that is on the server's core for a moment:
// a child inherits the affinity of the thread that forks it, so the server is
// on its core from its first instruction on.
func startOn(cmd *exec.Cmd, core, ownCore int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := pin(0, core); err != nil {
		return err
	}
	return errors.Join(cmd.Start(), pin(0, ownCore))
}

func closeAll(files ...int) {
	for _, fd := range files {
		_ = unix.Close(fd)
	}
}

// watch kills a server that stopped answering, which ends the blocked read.
func (p *Process) watch() {
	tick := time.NewTicker(stallLimit)
	defer tick.Stop()
	before := ^uint64(0)
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			now := p.reads.Load()
			if now == before {
				_ = p.cmd.Process.Kill()
				return
			}
			before = now
		}
	}
}

// Send writes whole request lines.
func (p *Process) Send(lines []byte) error {
	for len(lines) > 0 {
		n, err := unix.Write(p.in, lines)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("write to the server: %w", err)
		}
		lines = lines[n:]
	}
	return nil
}

// Receive blocks until the server wrote something and returns where to take
// the complete lines from.
func (p *Process) Receive() (*wire.Lines, error) {
	for {
		n, err := unix.Read(p.out, p.lines.Space())
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read from the server: %w", err)
		}
		if n == 0 {
			return nil, errors.New("the server closed its stdout while answers were due (it ended, or was silent for too long)")
		}
		p.reads.Add(1)
		p.lines.Filled(n)
		return &p.lines, nil
	}
}

// Close ends the server by closing its stdin and waits for it. A server that
// does not end by itself is killed, which is no error: the benchmark does not
// judge how servers exit. It may be called twice.
func (p *Process) Close() {
	if p.closed {
		return
	}
	p.closed = true
	close(p.stop)
	_ = unix.Close(p.in)
	// A server may still be writing; nobody reads it any more.
	_ = unix.Close(p.out)
	select {
	case <-p.ended:
	case <-time.After(exitLimit):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// Tail is a writer that keeps the last bytes of a log.
type Tail struct{ kept []byte }

// tailSize is enough for the message that explains a failure.
const tailSize = 4 << 10

// Write keeps the end of what was written so far.
func (t *Tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b[max(0, len(b)-tailSize):]...)
	if extra := len(t.kept) - tailSize; extra > 0 {
		t.kept = bytes.Clone(t.kept[extra:])
	}
	return len(b), nil
}

// String returns what was kept. Call it after the process was closed.
func (t *Tail) String() string { return string(t.kept) }
