//go:build unix

package tap

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// terminate asks a process to end.
const terminate = unix.SIGTERM

// What is left of the server's group gets this long between being asked to
// end and being killed. Clients allow as little as 100 ms for the whole end.
const (
	groupWait = 200 * time.Millisecond
	groupPoll = 5 * time.Millisecond
)

// endingSignal is the signal that ended a process, or nil.
func endingSignal(state *os.ProcessState) os.Signal {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal()
	}
	return nil
}

// asksToEnd reports whether a signal is one by which processes are asked to
// end, as against one that tells them something.
func asksToEnd(sig os.Signal) bool {
	switch sig {
	case unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM:
		return true
	}
	return false
}

func signalNumber(sig os.Signal) int {
	if s, ok := sig.(syscall.Signal); ok {
		return int(s)
	}
	return 0
}

// signalName is the signal's name as in the system's headers.
func signalName(sig os.Signal) string {
	if s, ok := sig.(syscall.Signal); ok {
		if name := unix.SignalName(s); name != "" {
			return name
		}
	}
	return sig.String()
}

// signalGroup sends a signal to what is left of the server's group.
func (c *child) signalGroup(sig os.Signal) bool {
	s, ok := sig.(syscall.Signal)
	return ok && unix.Kill(-c.pid, s) == nil
}

// killGroup ends the server and all of its group at once.
func (c *child) killGroup() { c.signalGroup(unix.SIGKILL) }

// endGroup ends what the server left behind in its group: it asks, waits a
// moment, and kills. Call it when the server has ended.
func (c *child) endGroup() {
	if !c.signalGroup(unix.SIGTERM) {
		return
	}
	for end := time.Now().Add(groupWait); time.Now().Before(end); time.Sleep(groupPoll) {
		if !c.signalGroup(syscall.Signal(0)) {
			return
		}
	}
	c.killGroup()
}
