//go:build unix && !solaris && !aix

package transcript

import "golang.org/x/sys/unix"

func flock(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) }
