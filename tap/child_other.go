//go:build !unix

package tap

import (
	"os"
	"syscall"
)

// terminate ends a process. Systems without signals know no gentler way
// beside the end of its input.
var terminate = os.Kill

func childAttributes() *syscall.SysProcAttr { return nil }

func endingSignal(*os.ProcessState) os.Signal { return nil }

func asksToEnd(os.Signal) bool { return true }

func signalNumber(os.Signal) int { return 0 }

func signalName(sig os.Signal) string { return sig.String() }

// signalGroup does nothing where there are no process groups.
func (c *child) signalGroup(os.Signal) bool { return false }

func (c *child) killGroup() { _ = c.cmd.Process.Kill() }

func (c *child) endGroup() {}
