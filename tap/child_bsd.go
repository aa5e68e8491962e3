//go:build unix && !linux

package tap

import "syscall"

// childAttributes gives the server its own process group. When the tap is
// killed, the server sees the end of its input.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
