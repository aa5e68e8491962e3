//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passedSignals are the signals that are passed on to the server. One that was
// ignored when the tap began (nohup) stays ignored, for the server too.
func passedSignals() []os.Signal {
	var list []os.Signal
	for _, sig := range []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2} {
		if !signal.Ignored(sig) {
			list = append(list, sig)
		}
	}
	return list
}

// holdBrokenPipe keeps a write to a closed standard output from ending the
// program, so that the tap can hand the failure to the server. Ignoring the
// signal would be handed down to the server, which catching it is not.
func holdBrokenPipe() (restore func()) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, unix.SIGPIPE)
	return func() { signal.Stop(caught) }
}

// dieBy ends the program by the signal that ended the server, so that the
// client sees what it would have seen without the tap. It returns for signals
// at which Go programs print their stacks or do nothing.
func dieBy(sig os.Signal) {
	switch sig {
	case unix.SIGHUP, unix.SIGINT, unix.SIGTERM, unix.SIGKILL:
	default:
		return
	}
	s := sig.(syscall.Signal)
	signal.Reset(s)
	if unix.Kill(os.Getpid(), s) == nil {
		// The signal may reach another thread a moment later.
		time.Sleep(time.Second)
	}
}
