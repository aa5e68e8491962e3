package measure

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"helpdesk/bench/proc"
	"helpdesk/bench/stats"
	"helpdesk/bench/wire"
)

const (
	coldStarts  = 30
	memoryCalls = 10_000
)

// start starts a server ready to be sent good calls.
func (r *Run) start(s *Server, command proc.Command, inFlight int) (*load, error) {
	process, err := proc.Start(command, r.ServerCore, r.LoadCore)
	if err != nil {
		return nil, err
	}
	return newLoad(process, wire.CallTicket("2318"), inFlight, s.check(wire.Ticket("2318"))), nil
}

// coldStart times from before the process is made to the first right answer.
// The request is already in the pipe when the server looks. The servers take
// turns; all starts count as one round.
func (r *Run) coldStart() error {
	took := map[*Server][]float64{}
	for i := range coldStarts {
		if i%10 == 0 {
			r.logf("cold: start %d of %d", i+1, coldStarts)
		}
		for _, s := range r.Servers {
			before := time.Now()
			l, err := r.start(s, s.Command(), 1)
			if err != nil {
				return err
			}
			err = l.drive(1)
			after := time.Now()
			l.process.Close()
			if err := errors.Join(err, l.verify()); err != nil {
				return fmt.Errorf("%s: cold start: %w", s.Name, err)
			}
			took[s] = append(took[s], float64(after.Sub(before).Nanoseconds()))
		}
	}
	for _, s := range r.Servers {
		r.record("cold_start", s, []float64{stats.Median(took[s])})
	}
	return nil
}

// memory reads what a fresh server holds after its first calls.
func (r *Run) memory() error {
	for _, s := range r.Servers {
		var resident, peak []float64
		for range r.Rounds {
			m, err := r.memoryOnce(s)
			if err != nil {
				return fmt.Errorf("%s: memory: %w", s.Name, err)
			}
			resident, peak = append(resident, float64(m.Resident)), append(peak, float64(m.Peak))
		}
		r.logf("rss: %s done", s.Name)
		r.record("rss", s, resident)
		r.record("hwm", s, peak)
	}
	return nil
}

func (r *Run) memoryOnce(s *Server) (proc.Memory, error) {
	l, err := r.start(s, s.Command(), window)
	if err != nil {
		return proc.Memory{}, err
	}
	defer l.process.Close()
	if err := errors.Join(l.drive(memoryCalls), l.verify()); err != nil {
		return proc.Memory{}, err
	}
	return l.process.Memory()
}

// instructions counts under valgrind's callgrind. It is the figure that other
// load on the machine hardly moves, so it is taken once.
func (r *Run) instructions() error {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		r.Notes = append(r.Notes, "Instructions were not counted: valgrind is not installed.")
		return nil
	}
	for _, s := range r.Servers {
		n := r.InstructionCalls
		once, err := r.count(valgrind, s, n)
		var twice uint64
		if err == nil {
			twice, err = r.count(valgrind, s, 2*n)
		}
		if err == nil && twice <= once {
			err = fmt.Errorf("%d calls took %d instructions and %d calls %d", n, once, 2*n, twice)
		}
		if err != nil {
			// Valgrind does not run everything (a JIT, for example). That is
			// no reason to lose the other figures.
			r.logf("instructions: %s: %v", s.Name, err)
			r.Notes = append(r.Notes, fmt.Sprintf("Instructions of %s were not counted: it did not run under valgrind.", s.Name))
			continue
		}
		r.logf("instructions: %s done", s.Name)
		r.record("instructions", s, []float64{float64(twice-once) / float64(n)})
	}
	return nil
}

// count returns the user-space instructions of a whole run with so many calls.
func (r *Run) count(valgrind string, s *Server, calls int) (uint64, error) {
	var log bytes.Buffer
	command := s.Command()
	command.Args = append([]string{
		"--tool=callgrind", "--callgrind-out-file=" + filepath.Join(r.Temp, "callgrind.out"), command.Path,
	}, command.Args...)
	command.Path, command.Stderr = valgrind, &log
	// The Go runtime interrupts its own threads by signals, on which callgrind
	// stumbles. Without them a goroutine is interrupted at function calls.
	command.Env = []string{"GODEBUG=asyncpreemptoff=1"}
	l, err := r.start(s, command, window)
	if err != nil {
		return 0, err
	}
	err = errors.Join(l.drive(calls), l.verify())
	l.process.Close()
	if err != nil {
		return 0, fmt.Errorf("%w; its log: %s", err, shortLog(log.Bytes()))
	}
	return proc.ParseCollected(log.Bytes())
}

// shortLog keeps the start of a log, where valgrind names what went wrong.
func shortLog(log []byte) []byte { return log[:min(len(log), 2<<10)] }
