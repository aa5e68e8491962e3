package transcripts_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"helpdesk/desk"
	"helpdesk/desk/memory"
	"helpdesk/desk/tools"
	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
	"helpdesk/transcripts/probe/misbehave"
)

var update = flag.Bool("update", false, "write the servers' answers into the sessions")

// patience is how long a server may take for one line. It is a bound for
// broken servers, not a measurement.
const patience = 20 * time.Second

// programs are the built servers, by the name sessions use.
var programs = map[string]string{}

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "transcripts")
	if err != nil {
		panic(err)
	}
	for name, pkg := range map[string]string{"helpdesk": "helpdesk/cmd/helpdesk", "probe": "helpdesk/transcripts/probe"} {
		programs[name] = filepath.Join(dir, name)
		if out, err := exec.Command("go", "build", "-o", programs[name], pkg).CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// TestSessions plays every session inside this process and against the built
// program. Only the first may update the files.
func TestSessions(t *testing.T) {
	for _, path := range sessions(t) {
		name := strings.TrimSuffix(path, ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Run("in process", func(t *testing.T) { play(t, readSession(t, path), inProcess, *update) })
			t.Run("built program", func(t *testing.T) { play(t, readSession(t, path), builtProgram, false) })
		})
	}
}

// pipe is a running server seen from its client.
type pipe struct {
	in    io.WriteCloser
	lines <-chan string
	// ended receives how the server ended.
	ended <-chan error
}

// play runs a session against a server and compares.
func play(t *testing.T, s *session, open func(*testing.T, string) *pipe, update bool) {
	p := open(t, s.server)
	var seen []step
	var answers []string
	input := true
	for i := 0; i < len(s.steps); i++ {
		st := s.steps[i]
		if text, ok := st.input(); ok {
			if _, err := io.WriteString(p.in, text); err != nil {
				t.Fatalf("step %d: send: %v", i+1, err)
			}
			seen = append(seen, st)
			continue
		}
		switch st.kind {
		case "<":
			got := p.next(t, st.text)
			answers = append(answers, got)
			seen = append(seen, step{"<", got})
			if got != st.text && !update {
				t.Errorf("step %d: the server says\n%s, want\n%s", i+1, got, st.text)
			}
		case "<~":
			end := i
			for end < len(s.steps) && s.steps[end].kind == "<~" {
				end++
			}
			var want, got []string
			for _, st := range s.steps[i:end] {
				want = append(want, st.text)
				got = append(got, p.next(t, st.text))
			}
			slices.Sort(want)
			slices.Sort(got)
			for _, line := range got {
				seen = append(seen, step{"<~", line})
			}
			answers = append(answers, got...)
			if !slices.Equal(got, want) && !update {
				t.Errorf("steps %d to %d: the server says, in any order,\n%s\nwant\n%s", i+1, end, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			i = end - 1
		case "end":
			p.in.Close()
			input = false
			seen = append(seen, st)
		default:
			seen = append(seen, st)
		}
	}
	if input {
		p.in.Close()
	}
	for line := range p.lines {
		if !update {
			t.Errorf("the server also says\n%s", line)
		}
		seen = append(seen, step{"<", mask(line)})
	}
	if err := <-p.ended; err != nil {
		t.Errorf("the server ended with %v, want a clean end", err)
	}
	checkSeed(t, s.seed, answers)
	if update && !t.Failed() {
		s.write(t, seen)
	}
}

// next waits for the server's next line.
func (p *pipe) next(t *testing.T, want string) string {
	t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			t.Fatalf("the server ended, want\n%s", want)
		}
		return mask(line)
	case <-time.After(patience):
		t.Fatalf("the server is silent, want\n%s", want)
		return ""
	}
}

var reference = regexp.MustCompile(`(Reference: |reference )[0-9a-f]{8}`)
var requestState = regexp.MustCompile(`"requestState":"[A-Za-z0-9_-]+"`)

// mask hides what differs from run to run.
func mask(line string) string {
	line = reference.ReplaceAllString(line, "${1}########")
	return requestState.ReplaceAllString(line, `"requestState":"########"`)
}

// collect passes the server's lines on, after checking that each is a line
// that a server may write.
func collect(t *testing.T, r io.Reader) <-chan string {
	lines := make(chan string, 1024)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, 32<<20)
		for scanner.Scan() {
			if err := jsonscan.Check(scanner.Bytes(), 0); err != nil {
				t.Errorf("the server wrote a line that is no JSON: %v: %.200q", err, scanner.Text())
			}
			if bytes.ContainsAny(scanner.Bytes(), "\r\u2028\u2029") {
				t.Errorf("the server wrote a line separator inside a line: %.200q", scanner.Text())
			}
			lines <- scanner.Text()
		}
		if err := scanner.Err(); err != nil {
			t.Errorf("read the server's lines: %v", err)
		}
	}()
	return lines
}

func builtProgram(t *testing.T, name string) *pipe {
	args := map[string][]string{"helpdesk": {"serve", "--demo", "--stdio"}, "probe": nil}[name]
	cmd := exec.Command(programs[name], args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = writer, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // It has ended already unless the test failed.
		if t.Failed() {
			t.Logf("stderr of the server:\n%s", stderr.String())
		}
	})
	return &pipe{in: in, lines: collect(t, out), ended: ended}
}

func inProcess(t *testing.T, name string) *pipe {
	options := stdio.Options{}
	var s *server.Server
	var err error
	switch name {
	case "helpdesk":
		s, err = demoServer()
	case "probe":
		s, err = misbehave.NewServer(slog.New(slog.DiscardHandler))
		options.MaxLine = misbehave.MaxLine
	default:
		t.Fatalf("there is no server %q", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	stdin, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- stdio.ServeConn(context.Background(), s, stdin, stdout, options)
		stdout.Close()
	}()
	return &pipe{in: in, lines: collect(t, out), ended: ended}
}

// demoServer is what `helpdesk serve --demo` serves.
func demoServer() (*server.Server, error) {
	store, err := memory.New(desk.DemoTickets())
	if err != nil {
		return nil, err
	}
	all, err := tools.All(desk.NewService(store))
	if err != nil {
		return nil, err
	}
	s, err := server.New(mcp.Implementation{Name: "helpdesk", Title: "Helpdesk", Version: "0.1.0"}, server.Options{Instructions: tools.Instructions})
	if err != nil {
		return nil, err
	}
	return s, s.Add(all...)
}
