//go:build unix && !linux

package main

import "testing"

func zombie(int) bool { return false }

// checkMemory knows no way to look at another process here.
func checkMemory(*testing.T, int) {}

// TestKilled kills the tap outright. The server sees the end of its input.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := startTap(t, nil, "catch", "pid", "echo")
	pid := p.pid(t)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.end()
	gone(t, pid)
}
