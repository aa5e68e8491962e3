package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the time, user and system together, that all threads of the
// server have used, ended ones included. It reads the process's own CPU clock
// (clock_getcpuclockid(3)), which counts nanoseconds; /proc/PID/stat counts
// hundredths of a second.
func (p *Process) CPU() (time.Duration, error) {
	return cpuTime(p.cmd.Process.Pid)
}

func cpuTime(pid int) (time.Duration, error) {
	// How Linux names the CPU clock of another process: the complement of
	// the pid, shifted by three, and 2 for the scheduler's own count.
	const schedulerClock = 2
	clock := int32(^pid)<<3 | schedulerClock
	var at unix.Timespec
	if err := unix.ClockGettime(clock, &at); err != nil {
		return 0, fmt.Errorf("read the CPU clock of the server: %w", err)
	}
	return time.Duration(at.Nano()), nil
}

// Memory is what /proc/PID/status says of a process, in bytes.
type Memory struct {
	Resident uint64 // VmRSS, now
	Peak     uint64 // VmHWM, the most it ever was
	Threads  uint64
}

// Memory reads the server's memory.
func (p *Process) Memory() (Memory, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	if err != nil {
		return Memory{}, fmt.Errorf("read the server's memory: %w", err)
	}
	return ParseStatus(text)
}

// ParseStatus reads the text of /proc/PID/status.
func ParseStatus(text []byte) (Memory, error) {
	var m Memory
	var problems []error
	read := func(dst *uint64, key, unit string, factor uint64) {
		for line := range bytes.Lines(text) {
			value, found := bytes.CutPrefix(line, []byte(key+":"))
			if !found {
				continue
			}
			value, found = bytes.CutSuffix(bytes.TrimSpace(value), []byte(unit))
			n, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 64)
			if err != nil || !found {
				problems = append(problems, fmt.Errorf("status line %q is not understood", bytes.TrimSpace(line)))
			}
			*dst = n * factor
			return
		}
		problems = append(problems, fmt.Errorf("status has no line %s", key))
	}
	read(&m.Resident, "VmRSS", "kB", 1024)
	read(&m.Peak, "VmHWM", "kB", 1024)
	read(&m.Threads, "Threads", "", 1)
	return m, errors.Join(problems...)
}

// ParseCollected reads the number of instructions from what callgrind writes
// to stderr at its end: a line such as "==12== Collected : 123456".
func ParseCollected(log []byte) (uint64, error) {
	for line := range bytes.Lines(log) {
		if _, rest, found := bytes.Cut(line, []byte("Collected :")); found {
			n, err := strconv.ParseUint(string(bytes.TrimSpace(rest)), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("callgrind's total is not understood: %w", err)
			}
			return n, nil
		}
	}
	return 0, errors.New("callgrind wrote no total")
}
