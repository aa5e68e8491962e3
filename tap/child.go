package tap

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// child is the server's process.
type child struct {
	cmd    *exec.Cmd
	pid    int
	exited chan struct{}
}

// startChild starts the server on the given streams.
func startChild(cfg Config, in, out, errOut *os.File) (*child, error) {
	if cfg.Dir != "" {
		// Otherwise a missing folder would look like a missing program.
		if _, err := os.Stat(cfg.Dir); err != nil {
			return nil, &fs.PathError{Op: "chdir", Path: cfg.Dir, Err: errors.Unwrap(err)}
		}
	}
	cmd := exec.Command(cfg.Command[0], cfg.Command[1:]...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errOut
	cmd.SysProcAttr = childAttributes()
	c := &child{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux sends the parent-death signal when the thread that started the
		// child ends, not the process. The thread stays as long as the child.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		// The error repeats what the process state says.
		_ = cmd.Wait()
		close(c.exited)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	c.pid = cmd.Process.Pid
	return c, nil
}

// signal sends a signal to the server's process. A process that has just ended
// needs none.
func (c *child) signal(sig os.Signal) { _ = c.cmd.Process.Signal(sig) }

// result says how the process ended; call it when it has.
func (c *child) result() Result {
	return Result{PID: c.pid, Status: c.cmd.ProcessState.ExitCode(), Signal: endingSignal(c.cmd.ProcessState)}
}

// quoteCommand shows a program's name in an error, on one line.
func quoteCommand(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) || r == '"' }) || name == "" {
		return strconv.Quote(name)
	}
	return name
}
