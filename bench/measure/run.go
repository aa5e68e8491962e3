package measure

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"helpdesk/bench/proc"
	"helpdesk/bench/stats"
	"helpdesk/bench/wire"
)

// Run holds what all measurements share.
type Run struct {
	Servers []*Server
	// Rounds is how often everything is repeated with fresh processes, and
	// Slices how often the servers take turns within a round.
	Rounds, Slices int
	// Calls is the most calls of one slice. A slow server makes fewer, so
	// that no slice lasts much longer than SliceTime.
	Calls     int
	SliceTime time.Duration
	// WarmTime is how long every fresh process is driven before it counts.
	WarmTime time.Duration
	// InstructionCalls is the N of counting instructions for N and 2N calls.
	InstructionCalls     int
	LoadCore, ServerCore int
	Temp                 string    // an existing folder
	Progress             io.Writer // a line for every step
	// Notes collects what could not be measured, and why.
	Notes []string

	values []Value
}

// Values returns everything measured so far.
func (r *Run) Values() []Value { return r.values }

// record keeps the rounds of one figure of one server.
func (r *Run) record(figure string, s *Server, rounds []float64) {
	for _, f := range Figures() {
		if f.ID == figure && len(rounds) > 0 {
			r.values = append(r.values, Value{figure, s.Name, f.Unit, rounds, stats.Median(rounds)})
		}
	}
}

func (r *Run) logf(format string, args ...any) {
	// Progress is for people; where it cannot be written nothing is lost.
	_, _ = fmt.Fprintf(r.Progress, format+"\n", args...)
}

// Measure runs one group of figures.
func (r *Run) Measure(group string) error {
	bad := func(s *Server) wire.Check { return s.check(wire.BadArgument("#2318", s.exact)) }
	good := func(s *Server) wire.Check { return s.check(wire.Ticket("2318")) }
	call, wrong := wire.CallTicket("2318"), wire.CallTicket("#2318")
	switch group {
	case "latency":
		return r.interleave(scene{name: group, line: call, window: 1, check: good, take: latency})
	case "load":
		return r.interleave(scene{name: group, line: call, window: window, check: good, take: cost("cpu", "throughput")})
	case "bad":
		return r.interleave(scene{name: group, line: wrong, window: window, check: bad, take: cost("bad_cpu", ""), among: parses})
	case "list":
		for _, n := range []int{1, 100, 1000} {
			check := func(*Server) wire.Check { return wire.ToolList(n) }
			err := r.interleave(scene{
				name: fmt.Sprintf("list of %d", n), line: wire.List(), window: listWindow(n), check: check,
				extra: []string{"-tools", fmt.Sprint(n)}, among: hasExtras, take: cost(fmt.Sprintf("list_%d_cpu", n), ""),
			})
			if err != nil {
				return err
			}
		}
		return nil
	case "big":
		check := wire.Big()
		return r.interleave(scene{
			name: group, line: wire.CallBig(), window: largeWindow, check: func(*Server) wire.Check { return check },
			extra: []string{"-big"}, among: hasExtras, take: cost("big_cpu", ""),
		})
	case "instructions":
		return r.instructions()
	case "cold":
		return r.coldStart()
	case "rss":
		return r.memory()
	}
	return fmt.Errorf("no figures are called %q; there are %q", group, Groups())
}

// largeWindow is how many requests with large answers are in flight. 64 of a
// megabyte each would measure the memory of servers that hold them all.
const largeWindow = 8

func listWindow(tools int) int {
	if tools >= 1000 {
		return largeWindow
	}
	return window
}

func parses(s *Server) bool    { return !s.fixed }
func hasExtras(s *Server) bool { return s.extras }

// scene is one interleaved measurement.
type scene struct {
	name   string
	line   []byte
	window int
	check  func(*Server) wire.Check
	extra  []string
	among  func(*Server) bool
	// take measures one slice and returns figures by their id.
	take func(l *load, calls int) (map[string]float64, error)
}

// cost measures CPU per call and, when rate is not empty, calls per second.
func cost(cpu, rate string) func(*load, int) (map[string]float64, error) {
	return func(l *load, calls int) (map[string]float64, error) {
		u, err := l.measured(calls)
		figures := map[string]float64{cpu: float64(u.cpu.Nanoseconds()) / float64(calls)}
		if rate != "" {
			figures[rate] = float64(calls) / u.wall.Seconds()
		}
		return figures, err
	}
}

// latency times every call alone, from before its write to after its read.
func latency(l *load, calls int) (map[string]float64, error) {
	took := make([]float64, calls)
	for i := range took {
		start := time.Now()
		if err := l.drive(1); err != nil {
			return nil, err
		}
		took[i] = float64(time.Since(start).Nanoseconds())
	}
	return map[string]float64{"latency_p50": stats.Percentile(took, 50), "latency_p99": stats.Percentile(took, 99)}, l.verify()
}

// contender is one server taking part in a round.
type contender struct {
	*Server
	load   *load
	calls  int
	slices map[string][]float64
}

// interleave runs a scene: in every round all servers are started afresh and
// warmed up, then they take turns slice by slice in an order that rotates, so
// that a disturbance of the machine meets all of them alike. A round's value
// is the median of its slices.
func (r *Run) interleave(sc scene) error {
	rounds := map[*Server]map[string][]float64{}
	for round := range r.Rounds {
		r.logf("%s: round %d of %d", sc.name, round+1, r.Rounds)
		if err := proc.PinSelf(r.LoadCore); err != nil {
			return err
		}
		contenders, err := r.round(sc, round)
		if err != nil {
			return fmt.Errorf("%s: %w", sc.name, err)
		}
		for _, c := range contenders {
			if rounds[c.Server] == nil {
				rounds[c.Server] = map[string][]float64{}
			}
			for id, values := range c.slices {
				rounds[c.Server][id] = append(rounds[c.Server][id], stats.Median(values))
			}
		}
	}
	for _, s := range r.Servers {
		for _, id := range slices.Sorted(maps.Keys(rounds[s])) {
			r.record(id, s, rounds[s][id])
		}
	}
	return nil
}

func (r *Run) round(sc scene, round int) (contenders []*contender, err error) {
	defer func() {
		for _, c := range contenders {
			c.load.process.Close()
		}
	}()
	for _, s := range r.Servers {
		if sc.among != nil && !sc.among(s) {
			continue
		}
		process, err := proc.Start(s.Command(sc.extra...), r.ServerCore, r.LoadCore)
		if err != nil {
			return contenders, err
		}
		c := &contender{Server: s, load: newLoad(process, sc.line, sc.window, sc.check(s)), slices: map[string][]float64{}}
		contenders = append(contenders, c)
		rate, err := c.load.warm(r.WarmTime)
		if err != nil {
			return contenders, fmt.Errorf("%s: warm-up: %w", s.Name, err)
		}
		c.calls = sliceCalls(rate, r.SliceTime, r.Calls, sc.window)
	}
	if len(contenders) == 0 {
		return nil, errors.New("none of the chosen servers can take part")
	}
	for slice := range r.Slices {
		for i := range contenders {
			c := contenders[(i+slice+round)%len(contenders)]
			figures, err := sc.take(c.load, c.calls)
			if err != nil {
				return contenders, fmt.Errorf("%s: %w", c.Name, err)
			}
			for id, value := range figures {
				c.slices[id] = append(c.slices[id], value)
			}
		}
	}
	return contenders, nil
}

// sliceCalls is how many calls make a slice for a server of the given rate.
func sliceCalls(perSecond float64, lasts time.Duration, most, window int) int {
	fits := int(perSecond * lasts.Seconds())
	return max(min(fits, most), min(4*window, most))
}
