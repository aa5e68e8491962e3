package transcripts_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"helpdesk/jsonscan"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func toolCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`+"\n", id, tool, arguments, meta)
}

const pingLine = `{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n"

// process is a built program and its streams, to be mistreated.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    *os.File
	out   *os.File
	lines <-chan string
	ended chan error
}

func arguments(name string) []string {
	if name == "helpdesk" {
		return []string{"serve", "--demo", "--stdio"}
	}
	return nil
}

// start runs a program. What prepare leaves unset of its streams becomes a
// pipe, for stderr nothing.
func start(t *testing.T, name string, prepare func(*exec.Cmd)) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(programs[name], arguments(name)...), ended: make(chan error, 1)}
	if prepare != nil {
		prepare(p.cmd)
	}
	var theirs []*os.File
	if p.cmd.Stdin == nil {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		p.cmd.Stdin, p.in, theirs = r, w, append(theirs, r)
	}
	if p.cmd.Stdout == nil {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		p.cmd.Stdout, p.out, theirs = w, r, append(theirs, w)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range theirs {
		f.Close()
	}
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // It has ended already unless the test failed.
		for _, f := range []*os.File{p.in, p.out} {
			if f != nil {
				f.Close()
			}
		}
	})
	return p
}

func (p *process) read() { p.lines = collect(p.t, p.out) }

func (p *process) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatalf("send: %v", err)
	}
}

// line is the next line with a prefix; others before it are returned too.
func (p *process) until(prefix string) (seen []string) {
	p.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the server ended before it wrote %s", prefix)
			}
			seen = append(seen, line)
			if strings.HasPrefix(line, prefix) {
				return seen
			}
		case <-limit:
			p.t.Fatalf("the server does not write %s", prefix)
		}
	}
}

// settle proves that everything sent before was taken up.
func (p *process) settle() []string {
	p.t.Helper()
	p.send(pingLine)
	return p.until(`{"jsonrpc":"2.0","id":"ping"`)
}

// end waits for exit status 0 and returns what was still written.
func (p *process) end() (rest []string) {
	p.t.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Errorf("the process ended with %v, want exit status 0", err)
		}
	case <-time.After(patience):
		p.t.Fatal("the process does not end")
	}
	if p.lines != nil {
		for line := range p.lines {
			rest = append(rest, line)
		}
	}
	return rest
}

var ways = map[string]func(*process){
	"end of input": func(p *process) { p.in.Close() },
	"SIGTERM":      func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGTERM) },
	"SIGINT":       func(p *process) { _ = p.cmd.Process.Signal(os.Interrupt) },
}

// Twenty calls in flight, two more that outlast the drain time, and a
// subscription: however the end comes, each has its one answer and the exit
// status is 0.
func TestEndWithCallsInFlight(t *testing.T) {
	t.Parallel()
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "probe", nil)
			p.read()
			for i := range 20 {
				p.send(toolCall(i, "slow", `{"ms":400}`))
			}
			p.send(toolCall(20, "slow", `{"ms":60000}`) + toolCall(21, "slow", `{"ms":60000}`))
			p.send(`{"jsonrpc":"2.0","id":22,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + "}}\n")
			lines := p.settle()
			end(p)
			lines = append(lines, p.end()...)
			answers := map[string][]string{}
			notices := 0
			for _, line := range lines {
				if strings.Contains(line, `"method":"notifications/cancelled"`) {
					notices++
				} else if !strings.Contains(line, `"method"`) {
					id, _ := jsonscan.Lookup([]byte(line), "id")
					answers[string(id)] = append(answers[string(id)], line)
				}
			}
			for i := range 23 {
				want := `{"slept":400}`
				if i == 20 || i == 21 {
					want = "was cut short because the server is stopping. Nothing was changed"
				} else if i == 22 {
					want = `"resultType":"complete"`
				}
				if got := answers[fmt.Sprint(i)]; len(got) != 1 || !strings.Contains(got[0], want) {
					t.Errorf("call %d: answers %q, want one with %s", i, got, want)
				}
			}
			if notices != 1 {
				t.Errorf("%d notices that the subscription ends, want one", notices)
			}
		})
	}
}

// An idle server ends on a signal although its stdin stays open.
func TestSignalWhenIdle(t *testing.T) {
	t.Parallel()
	for name, end := range ways {
		for _, program := range []string{"helpdesk", "probe"} {
			t.Run(program+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := start(t, program, nil)
				p.read()
				p.settle()
				end(p)
				if rest := p.end(); len(rest) > 0 {
					t.Errorf("the server also says %q", rest)
				}
			})
		}
	}
}

// Streams as hosts and shells leave them. The server answers where it can and
// ends by itself with status 0.
func TestOddStreams(t *testing.T) {
	t.Parallel()
	file := func(t *testing.T, name string, flag int) *os.File {
		t.Helper()
		f, err := os.OpenFile(name, flag, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	requests := func(t *testing.T) *os.File {
		t.Helper()
		name := t.TempDir() + "/requests"
		if err := os.WriteFile(name, []byte(pingLine), 0o600); err != nil {
			t.Fatal(err)
		}
		return file(t, name, os.O_RDONLY)
	}
	for _, program := range []string{"helpdesk", "probe"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			t.Run("stdin is empty", func(t *testing.T) {
				p := start(t, program, func(cmd *exec.Cmd) { cmd.Stdin = file(t, os.DevNull, os.O_RDONLY) })
				p.read()
				if rest := p.end(); len(rest) > 0 {
					t.Errorf("the server says %q", rest)
				}
			})
			t.Run("stdin and stdout are files", func(t *testing.T) {
				answers := t.TempDir() + "/answers"
				start(t, program, func(cmd *exec.Cmd) {
					cmd.Stdin, cmd.Stdout = requests(t), file(t, answers, os.O_CREATE|os.O_WRONLY)
				}).end()
				if got, err := os.ReadFile(answers); err != nil || string(got) != `{"jsonrpc":"2.0","id":"ping","result":{}}`+"\n" {
					t.Errorf("the answers are %q, %v", got, err)
				}
			})
			t.Run("stdout takes nothing", func(t *testing.T) {
				p := start(t, program, func(cmd *exec.Cmd) { cmd.Stdout = file(t, "/dev/full", os.O_WRONLY) })
				p.send(pingLine)
				p.end()
			})
			t.Run("stdout is closed by the client", func(t *testing.T) {
				p := start(t, program, nil)
				p.out.Close()
				p.send(pingLine)
				p.end()
			})
			t.Run("the client is gone", func(t *testing.T) {
				p := start(t, program, nil)
				p.send(pingLine + toolCall(1, "slow", `{"ms":100}`))
				p.out.Close()
				p.in.Close()
				p.end()
			})
			t.Run("nobody reads stderr", func(t *testing.T) {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				r.Close()
				p := start(t, program, func(cmd *exec.Cmd) { cmd.Stderr = w })
				w.Close()
				p.read()
				p.send(toolCall(1, "panic", `{}`) + toolCall(2, "fail", `{}`))
				p.settle()
				p.in.Close()
				p.end()
			})
			t.Run("stderr and environment are missing", func(t *testing.T) {
				p := start(t, program, func(cmd *exec.Cmd) {
					cmd.Args = append([]string{"sh", "-c", `exec "$0" "$@" 2>&-`, cmd.Path}, cmd.Args[1:]...)
					cmd.Path, cmd.Env = "/bin/sh", []string{}
				})
				p.read()
				p.send(toolCall(1, "panic", `{}`))
				p.settle()
				p.in.Close()
				p.end()
			})
		})
	}
}

// Hosts start the same server twice; neither minds the other.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	one, two := start(t, "helpdesk", nil), start(t, "helpdesk", nil)
	for _, p := range []*process{one, two} {
		p.read()
		p.send(toolCall(1, "get_ticket", `{"ticket_id":"2318"}`))
		p.until(`{"jsonrpc":"2.0","id":1,"result"`)
	}
	one.in.Close()
	one.end()
	two.settle()
	two.in.Close()
	two.end()
}

// An argument of 5 MB is below the default limit of a message, and what is
// wrong with it is said briefly.
func TestLargeArgument(t *testing.T) {
	t.Parallel()
	p := start(t, "helpdesk", nil)
	p.read()
	p.send(toolCall(1, "get_ticket", `{"ticket_id":"`+strings.Repeat("7", 5_000_000)+`"}`))
	lines := p.until(`{"jsonrpc":"2.0","id":1,`)
	if line := lines[0]; len(lines) != 1 || !strings.Contains(line, `"isError":true`) || len(line) > 1000 {
		t.Errorf("the answer is %.300s", line)
	}
	p.in.Close()
	p.end()
}

// A line without end is skipped while it comes, in constant memory, and
// answered with its id when that stood in front.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"probe", "helpdesk"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			p := start(t, program, nil)
			p.read()
			chunk := strings.Repeat("x", 1<<20)
			long := func(id, megabytes int) {
				t.Helper()
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"`, id))
				for range megabytes {
					p.send(chunk)
				}
				p.send("\"}}\n")
				lines := p.until(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32600,"message":"Invalid Request: the message is longer than`, id))
				if len(lines) != 1 {
					t.Errorf("the server also says %q", lines)
				}
			}
			long(1, 10)
			before := p.memory()
			long(2, 100)
			if after := p.memory(); after > before+32<<20 {
				t.Errorf("a line of 100 MiB made the memory grow from %d to %d bytes", before, after)
			}
			p.settle()
			p.in.Close()
			p.end()
		})
	}
}

// memory is the process's peak of resident memory in bytes.
func (p *process) memory() (bytes int) {
	p.t.Helper()
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	defer status.Close()
	scanner := bufio.NewScanner(status)
	for scanner.Scan() {
		if n, _ := fmt.Sscanf(scanner.Text(), "VmHWM: %d kB", &bytes); n == 1 {
			return bytes << 10
		}
	}
	p.t.Fatal("no VmHWM in /proc")
	return 0
}
