package tap

import "syscall"

// childAttributes gives the server its own process group, and has the kernel
// kill it when the tap is killed: a client that kills the tap means the
// server, which it cannot see.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
