//go:build !unix

package main

import "os"

// passedSignals are the signals that end the session. Systems without signals
// know only the interrupt of a console, which the server gets by itself.
func passedSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// holdBrokenPipe does nothing where a broken pipe is only an error.
func holdBrokenPipe() (restore func()) { return func() {} }

// dieBy does nothing where no signal can have ended the server.
func dieBy(os.Signal) {}
