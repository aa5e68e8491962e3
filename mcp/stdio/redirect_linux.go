package stdio

import "golang.org/x/sys/unix"

// redirect makes the descriptor to mean what from means. Linux has dup3 on
// every architecture, dup2 not on all.
func redirect(from, to int) error { return unix.Dup3(from, to, 0) }
