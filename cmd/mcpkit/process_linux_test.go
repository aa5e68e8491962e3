package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// zombie reports whether a process has ended and nobody has asked yet how.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndexByte(stat, ')')
	return err == nil && i >= 0 && bytes.HasPrefix(stat[i:], []byte(") Z"))
}

// checkMemory looks at the most memory that a process ever held.
func checkMemory(t *testing.T, pid int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		t.Fatalf("the status of process %d has no VmHWM", pid)
	}
	peak, err := strconv.Atoi(fields[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the tap held %d KiB at most", peak)
	if peak > memoryLimit>>10 {
		t.Errorf("the tap held %d KiB, more than %d", peak, memoryLimit>>10)
	}
}

// TestKilled kills the tap outright. The server dies with it, though it
// catches signals and does not read its input.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := startTap(t, nil, "catch", "pid", "sleep")
	pid := p.pid(t)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if got := p.end(); got != "signal: killed" {
		t.Errorf("the tap ended with %s", got)
	}
	gone(t, pid)
}
