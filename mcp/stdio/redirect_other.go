//go:build unix && !linux

package stdio

import "golang.org/x/sys/unix"

// redirect makes the descriptor to mean what from means.
func redirect(from, to int) error { return unix.Dup2(from, to) }
