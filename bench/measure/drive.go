package measure

import (
	"bytes"
	"fmt"
	"time"

	"helpdesk/bench/proc"
	"helpdesk/bench/wire"
)

const (
	// sampleEvery is how many answers pass between two that are kept to be
	// checked. It is a prime, so that it does not follow the window.
	sampleEvery = 1021
	// sampleLimit bounds the answers kept from one slice.
	sampleLimit = 32
)

// load is one kind of request sent to one server.
type load struct {
	process *proc.Process
	block   *wire.Block
	check   wire.Check
	window  int
	samples [][]byte
}

func newLoad(process *proc.Process, line []byte, window int, check wire.Check) *load {
	return &load{process: process, block: wire.NewBlock(line, window), check: check, window: window}
}

// drive sends calls requests, keeping window of them unanswered, and returns
// when all are answered. As many requests as answers came are sent as one
// write. It looks at nothing but line feeds; a few answers are copied and
// checked by verify once the clock stands still.
func (l *load) drive(calls int) error {
	sent := min(l.window, calls)
	if err := l.process.Send(l.block.Next(sent)); err != nil {
		return err
	}
	for answered := 0; answered < calls; {
		lines, err := l.process.Receive()
		if err != nil {
			return fmt.Errorf("after %d of %d answers: %w", answered, calls, err)
		}
		before := answered
		for line, ok := lines.Next(); ok; line, ok = lines.Next() {
			answered++
			if (answered%sampleEvery == 0 || answered == calls) && len(l.samples) < sampleLimit {
				l.samples = append(l.samples, bytes.Clone(line))
			}
		}
		if next := min(answered-before, calls-sent); next > 0 {
			if err := l.process.Send(l.block.Next(next)); err != nil {
				return err
			}
			sent += next
		}
	}
	return nil
}

// verify checks the answers kept since the last time.
func (l *load) verify() error {
	for _, answer := range l.samples {
		if err := l.check(answer); err != nil {
			return err
		}
	}
	l.samples = l.samples[:0]
	return nil
}

// usage is what calls cost.
type usage struct {
	cpu  time.Duration
	wall time.Duration
}

// measured drives and tells the server's CPU time and the wall time of it.
func (l *load) measured(calls int) (usage, error) {
	before, err := l.process.CPU()
	if err != nil {
		return usage{}, err
	}
	start := time.Now()
	if err := l.drive(calls); err != nil {
		return usage{}, err
	}
	wall := time.Since(start)
	after, err := l.process.CPU()
	if err != nil {
		return usage{}, err
	}
	return usage{cpu: after - before, wall: wall}, l.verify()
}

// warm drives for at least the time given and returns how many calls the
// server answered per second meanwhile, its first and slowest ones left out.
func (l *load) warm(atLeast time.Duration) (perSecond float64, err error) {
	if err := l.drive(l.window); err != nil {
		return 0, err
	}
	start, calls := time.Now(), 0
	for time.Since(start) < atLeast {
		if err := l.drive(4 * l.window); err != nil {
			return 0, err
		}
		calls += 4 * l.window
	}
	return float64(calls) / time.Since(start).Seconds(), l.verify()
}
