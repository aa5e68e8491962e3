//go:build unix

package tap_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"helpdesk/tap"
	"helpdesk/transcript"
)

// helperVariable makes the test program act as a server; its arguments say
// which.
const helperVariable = "TAP_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		serve(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve is the server of these tests. Each argument is a step.
func serve(steps []string) {
	if len(steps) > 0 && steps[0] == "tap" {
		serveTapped(steps[1], steps[2:])
	}
	in := bufio.NewReader(os.Stdin)
	signals := make(chan os.Signal, 100)
	for i := 0; i < len(steps); i++ {
		argument := func() string {
			i++
			return steps[i]
		}
		switch steps[i] {
		case "echo": // until the input ends
			if _, err := io.Copy(os.Stdout, in); err != nil {
				os.Exit(97)
			}
		case "print":
			fmt.Print(argument())
		case "complain":
			fmt.Fprint(os.Stderr, argument())
		case "exit":
			code, _ := strconv.Atoi(argument())
			os.Exit(code)
		case "die":
			n, _ := strconv.Atoi(argument())
			_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
			time.Sleep(time.Minute)
		case "catch": // and keep the signals
			signal.Notify(signals, syscall.SIGUSR1, syscall.SIGTERM)
		case "report": // one signal
			fmt.Println(<-signals)
		case "line": // wait for one
			if _, err := in.ReadString('\n'); err != nil {
				os.Exit(98)
			}
		case "flood": // write until nobody reads
			for {
				if _, err := os.Stdout.Write(make([]byte, 4096)); err != nil {
					os.Exit(99)
				}
			}
		case "many": // write many bytes
			n, _ := strconv.Atoi(argument())
			_, _ = os.Stdout.Write(bytes.Repeat([]byte("0123456789abcde\n"), n/16))
		case "leave": // a child behind, which keeps the streams
			cmd := exec.Command(os.Args[0], "catch", "sleep")
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Start(); err != nil {
				os.Exit(96)
			}
			fmt.Println(cmd.Process.Pid)
		case "close":
			os.Stdout.Close()
		case "sleep":
			time.Sleep(time.Minute)
		}
	}
}

// serveTapped puts a tap before the rest of the steps, for the benchmarks.
func serveTapped(file string, steps []string) {
	f, err := transcript.OpenFile(file, transcript.ReplaceFile)
	if err != nil {
		os.Exit(94)
	}
	_, err = tap.Run(context.Background(), tap.Config{
		Command: append([]string{os.Args[0]}, steps...),
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Log: transcript.NewWriter(f, transcript.Header{}),
	})
	if err != nil {
		os.Exit(95)
	}
	os.Exit(0)
}

// server is the command line of a server that goes through the given steps.
func server(t testing.TB, cfg tap.Config, steps ...string) tap.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Command = append([]string{self}, steps...)
	// Programs with the race detector otherwise wait a second when they end.
	cfg.Env = append(os.Environ(), helperVariable+"=1", "GORACE=atexit_sleep_ms=0")
	return cfg
}

// recording keeps the records that a tap makes.
type recording struct {
	mu      sync.Mutex
	records []transcript.Record
}

func (r *recording) add(rec transcript.Record) {
	rec.Data = bytes.Clone(rec.Data)
	r.mu.Lock()
	r.records = append(r.records, rec)
	r.mu.Unlock()
}

func (r *recording) all() []transcript.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.records
}

// bytes is what is recorded of a stream, and how much was dropped of it.
func (r *recording) bytes(stream transcript.Stream) (data []byte, dropped int64) {
	for _, rec := range r.all() {
		if rec.Stream == stream {
			data = append(data, rec.Data...)
			dropped += rec.Bytes
		}
	}
	return data, dropped
}

// count counts the records of a kind.
func (r *recording) count(kind transcript.Kind) int {
	n := 0
	for _, rec := range r.all() {
		if rec.Kind == kind {
			n++
		}
	}
	return n
}

// run runs a tap that must come to its end.
func run(t testing.TB, cfg tap.Config) tap.Result {
	t.Helper()
	res, err := tap.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// gone waits until a process has ended. A zombie has ended; that nobody has
// asked for its status is not the tap's doing.
func gone(t testing.TB, pid int) {
	t.Helper()
	for range 1000 {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the process %d is still alive", pid)
}

// zombie reads the state that Linux shows; elsewhere it is false.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndexByte(stat, ')')
	return err == nil && i >= 0 && bytes.HasPrefix(stat[i:], []byte(") Z"))
}
