//go:build unix

package transcript

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// dontWait makes opening a named pipe fail at once when nobody reads it.
const dontWait = unix.O_NONBLOCK

// lock claims the file for this recorder. A file system without locks is no
// reason to refuse to record.
func lock(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	if err := raw.Control(func(fd uintptr) {
		locked = flock(int(fd))
	}); err != nil {
		return err
	}
	if errors.Is(locked, unix.EWOULDBLOCK) {
		return ErrInUse
	}
	return nil
}
