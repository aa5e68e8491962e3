package measure

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// soakStep is how many calls pass between two lines of a soak run.
const soakStep = 1_000_000

// Soak sends calls to one process of each server over one connection, 64 in
// flight, and prints after every million what the last million cost and what
// the process holds. It judges nothing: a reader sees whether a column grows.
func (r *Run) Soak(calls int, out io.Writer) error {
	if calls <= 0 {
		return errors.New("soak: the number of calls must be positive")
	}
	for _, s := range r.Servers {
		if err := r.soak(s, calls, out); err != nil {
			return fmt.Errorf("%s: soak: %w", s.Name, err)
		}
	}
	return nil
}

func (r *Run) soak(s *Server, calls int, out io.Writer) error {
	l, err := r.start(s, s.Command(), window)
	if err != nil {
		return err
	}
	defer l.process.Close()
	if _, err := fmt.Fprintf(out, "%s\n%12s %12s %12s %12s %10s %10s %8s\n", s.Name,
		"calls", "cpu/call", "wall/call", "calls/s", "VmRSS MiB", "VmHWM MiB", "threads"); err != nil {
		return err
	}
	for done := 0; done < calls; {
		step := min(soakStep, calls-done)
		u, err := l.measured(step)
		if err != nil {
			return err
		}
		done += step
		m, err := l.process.Memory()
		if err != nil {
			return err
		}
		each := func(d time.Duration) time.Duration { return d / time.Duration(step) }
		if _, err := fmt.Fprintf(out, "%12d %12v %12v %12.0f %10.1f %10.1f %8d\n", done, each(u.cpu), each(u.wall),
			float64(step)/u.wall.Seconds(), float64(m.Resident)/(1<<20), float64(m.Peak)/(1<<20), m.Threads); err != nil {
			return err
		}
	}
	return nil
}
