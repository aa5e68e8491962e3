// Command stdiobench compares MCP servers over stdio, by ratio, in one
// interleaved run. It builds the servers itself, into a folder that it removes.
//
// Run it from the bench folder:
//
//	go run ./cmd/stdiobench -json FILE -markdown README.md
//	go run ./cmd/stdiobench -soak 10000000 -servers helpdesk
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"helpdesk/bench/measure"
	"helpdesk/bench/proc"
	"helpdesk/bench/report"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		fmt.Fprintln(os.Stderr, "stdiobench:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	rounds, slices, calls, instructionCalls, soak int
	sliceTime, warmTime                           time.Duration
	only, servers, helpdesk, node                 string
	jsonFile, markdown, from                      string
}

func parse(args []string) (*options, error) {
	o := new(options)
	flags := flag.NewFlagSet("stdiobench", flag.ContinueOnError)
	flags.IntVar(&o.rounds, "rounds", 5, "how many `rounds`, each with fresh processes")
	flags.IntVar(&o.slices, "slices", 5, "how many `turns` each server has in a round")
	flags.IntVar(&o.calls, "calls", 100_000, "the most `calls` of one turn")
	flags.DurationVar(&o.sliceTime, "slice-time", 500*time.Millisecond, "about how `long` a turn may last; a slow server makes fewer calls")
	flags.DurationVar(&o.warmTime, "warm-time", 500*time.Millisecond, "how `long` every fresh process is driven before it counts")
	flags.IntVar(&o.instructionCalls, "instruction-calls", 1000, "count instructions for this many `calls` and for twice as many")
	flags.StringVar(&o.only, "only", "", "the `groups` of figures to measure, with commas: "+strings.Join(measure.Groups(), ",")+" (default all)")
	flags.StringVar(&o.servers, "servers", "", "the `servers` to compare, with commas: "+strings.Join(names(measure.Servers()), ",")+" (default all that build)")
	flags.StringVar(&o.helpdesk, "helpdesk", "", "a ready helpdesk `binary` (default: build it from the parent module)")
	flags.StringVar(&o.node, "node", "node", "the Node `program`")
	flags.StringVar(&o.jsonFile, "json", "", "write the result to this `file`")
	flags.StringVar(&o.markdown, "markdown", "", "put the tables between the markers of this `file`")
	flags.StringVar(&o.from, "from", "", "measure nothing; take the result from this JSON `file`")
	flags.IntVar(&o.soak, "soak", 0, "instead of comparing, send this many `calls` to one process of each server and watch it")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.rounds < 1 || o.slices < 1 || o.calls < 1 || o.instructionCalls < 1 || o.sliceTime <= 0 || o.warmTime < 0 || o.soak < 0 {
		return nil, errors.New("numbers and durations must be positive")
	}
	return o, nil
}

func run(args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.from != "" {
		r, err := report.Read(o.from)
		if err != nil {
			return err
		}
		return publish(r, o)
	}
	temp, err := os.MkdirTemp("", "stdiobench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	r, err := prepare(o, temp)
	if err != nil {
		return err
	}
	// Collecting garbage in the middle of a turn would be charged to the
	// server that happens to have it. The load generator makes little.
	debug.SetGCPercent(800)
	if o.soak > 0 {
		return r.Soak(o.soak, os.Stdout)
	}
	for _, s := range r.Servers {
		if err := r.Correct(s); err != nil {
			return fmt.Errorf("correctness pass: %w", err)
		}
		fmt.Fprintf(r.Progress, "correct: %s\n", s.Name)
	}
	for _, group := range measure.Groups() {
		if !chosen(o.only, group) {
			continue
		}
		if err := r.Measure(group); err != nil {
			return err
		}
	}
	result, err := report.New(r)
	if err != nil {
		return err
	}
	return publish(result, o)
}

// prepare builds the servers and pins the load generator.
func prepare(o *options, temp string) (*measure.Run, error) {
	if err := known(o.only, measure.Groups()); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	all := measure.Servers()
	if err := known(o.servers, names(all)); err != nil {
		return nil, fmt.Errorf("-servers: %w", err)
	}
	bench, err := benchFolder()
	if err != nil {
		return nil, err
	}
	cores, err := proc.Cores()
	if err != nil {
		return nil, err
	}
	r := &measure.Run{
		Rounds: o.rounds, Slices: o.slices, Calls: o.calls, SliceTime: o.sliceTime, WarmTime: o.warmTime, InstructionCalls: o.instructionCalls,
		LoadCore: cores[0], ServerCore: cores[min(1, len(cores)-1)], Temp: temp, Progress: os.Stderr,
	}
	if len(cores) < 2 {
		r.Notes = append(r.Notes, "Load generator and servers shared one core, so only CPU and instructions per call mean something.")
	}
	for _, s := range all {
		if !chosen(o.servers, s.Name) {
			continue
		}
		err := s.Build(measure.Sources{Bench: bench, Helpdesk: o.helpdesk, Node: o.node, Out: temp})
		if err != nil {
			// Whoever names a server wants it; otherwise the rest goes on.
			if o.servers != "" {
				return nil, err
			}
			fmt.Fprintln(r.Progress, "left out:", err)
			r.Notes = append(r.Notes, fmt.Sprintf("%s was left out, because it did not build.", s.Name))
			continue
		}
		fmt.Fprintln(r.Progress, "built:", s.Name)
		r.Servers = append(r.Servers, s)
	}
	return r, proc.PinSelf(r.LoadCore)
}

// benchFolder finds the folder of this module, whose server programs are built.
func benchFolder() (string, error) {
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Path}}\n{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	path, folder, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	if path != "helpdesk/bench" {
		return "", fmt.Errorf("run it from the bench folder (here is module %s)", path)
	}
	return filepath.Clean(folder), nil
}

func publish(r *report.Report, o *options) error {
	if o.jsonFile != "" {
		if err := r.Write(o.jsonFile); err != nil {
			return err
		}
	}
	if o.markdown != "" {
		return r.WriteMarkdown(o.markdown)
	}
	fmt.Print(r.Markdown())
	return nil
}

func names(servers []*measure.Server) []string {
	var list []string
	for _, s := range servers {
		list = append(list, s.Name)
	}
	return list
}

// chosen says whether a comma-separated flag names one; an empty flag names all.
func chosen(flag, name string) bool {
	return flag == "" || slices.Contains(strings.Split(flag, ","), name)
}

// known refuses a flag that names what does not exist.
func known(flag string, names []string) error {
	if flag == "" {
		return nil
	}
	for _, name := range strings.Split(flag, ",") {
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}
