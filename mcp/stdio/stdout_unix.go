//go:build unix

package stdio

import (
	"os"

	"golang.org/x/sys/unix"
)

// takeStdout moves the real standard output aside and points file descriptor 1
// to stderr, so that not even C code or a child process can write between the
// protocol's lines. The returned file is not passed on to children.
func takeStdout() (*os.File, error) {
	aside, err := unix.FcntlInt(uintptr(unix.Stdout), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := redirect(unix.Stderr, unix.Stdout); err != nil {
		unix.Close(aside)
		return nil, err
	}
	return os.NewFile(uintptr(aside), "stdout"), nil
}
