// Package proc runs a server under test: pinned to its core, behind two plain
// pipes, with its CPU time and memory read from the kernel.
package proc

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Cores returns the cores this process may use, in ascending order. Call it
// before PinSelf, which leaves only one.
func Cores() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("list the usable cores: %w", err)
	}
	var cores []int
	for core := 0; len(cores) < set.Count(); core++ {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	return cores, nil
}

// PinSelf moves every thread of this process to one core. Threads started
// later inherit it from the thread that starts them.
func PinSelf(core int) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("list own threads: %w", err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return fmt.Errorf("list own threads: %w", err)
		}
		// A thread that ended since the listing needs no core.
		if err := pin(id, core); err != nil && !errors.Is(err, unix.ESRCH) {
			return err
		}
	}
	return nil
}

// pin moves one thread; 0 is the calling one.
func pin(thread, core int) error {
	var set unix.CPUSet
	set.Set(core)
	if err := unix.SchedSetaffinity(thread, &set); err != nil {
		return fmt.Errorf("pin to core %d: %w", core, err)
	}
	return nil
}
