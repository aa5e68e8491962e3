package stdio_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// patience is how long a broken server is waited for. It measures nothing: a
// test that passes never comes near it.
const patience = 30 * time.Second

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}%s}`
	initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`
	ping       = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
)

// request is a modern request; more are members of params, with a comma behind.
func request(id any, method, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%#v,"method":%q,"params":{%s`+modernMeta+`}}`, id, method, more, "")
}

func call(id any, tool, arguments string) string {
	return request(id, "tools/call", fmt.Sprintf(`"name":%q,"arguments":%s,`, tool, arguments))
}

func listen(id any) string {
	return request(id, "subscriptions/listen", `"notifications":{},`)
}

func cancelled(id any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%#v}}`, id)
}

// withProgress asks for progress under the request's own id.
func withProgress(id any, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%#v,"method":"tools/call","params":{"name":%q,"arguments":%s,`+modernMeta+`}}`,
		id, tool, arguments, fmt.Sprintf(`,"progressToken":%#v`, id))
}

// workshop is a server whose tools wait for the test instead of for time.
type workshop struct {
	*server.Server
	// gate lets every call of "gate" and "stubborn" return once it is closed.
	gate chan struct{}
	// began counts the handlers that were entered.
	began atomic.Int64
	// brief is what the last call of "gate" or "at_once" found in Call.Brief.
	brief atomic.Bool
}

type (
	none  struct{}
	sized struct {
		Bytes int `json:"bytes" doc:"How long the answer is, e.g. 10" min:"0" max:"4000000" example:"10"`
	}
	timed struct {
		US int `json:"us" doc:"How long to take in microseconds, e.g. 10" min:"0" max:"1000000" example:"10"`
	}
)

func newWorkshop(t testing.TB, options server.Options) *workshop {
	t.Helper()
	s, err := server.New(mcp.Implementation{Name: "workshop", Version: "1.0.0"}, options)
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{Server: s, gate: make(chan struct{})}
	addTool(t, w, "at_once", func(_ context.Context, call *server.Call, _ none) (server.Text, error) {
		w.brief.Store(call.Brief())
		return "done", nil
	})
	addTool(t, w, "gate", func(ctx context.Context, call *server.Call, _ none) (server.Text, error) {
		w.brief.Store(call.Brief())
		select {
		case <-w.gate:
			return "open", nil
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	})
	// stubborn does not look at its context.
	addTool(t, w, "stubborn", func(context.Context, *server.Call, none) (server.Text, error) {
		<-w.gate
		return "at last", nil
	})
	addTool(t, w, "big", func(_ context.Context, _ *server.Call, in sized) (server.Text, error) {
		return server.Text(strings.Repeat("x", in.Bytes)), nil
	})
	addTool(t, w, "big_behind_gate", func(_ context.Context, _ *server.Call, in sized) (server.Text, error) {
		<-w.gate
		return server.Text(strings.Repeat("x", in.Bytes)), nil
	})
	for _, name := range []string{"nap", "doze", "rest"} {
		addTool(t, w, name, func(ctx context.Context, _ *server.Call, in timed) (server.Text, error) {
			if in.US == 0 {
				return "rested", nil
			}
			select {
			case <-time.After(time.Duration(in.US) * time.Microsecond):
				return "rested", nil
			case <-ctx.Done():
				return "", context.Cause(ctx)
			}
		})
	}
	addTool(t, w, "steps", func(ctx context.Context, call *server.Call, _ none) (server.Text, error) {
		for i := range 3 {
			if err := call.Progress(ctx, float64(i+1), 3, ""); err != nil {
				return "", err
			}
		}
		return "climbed", nil
	})
	// flood sends progress until somebody stops it.
	addTool(t, w, "flood", func(ctx context.Context, call *server.Call, _ none) (server.Text, error) {
		text := strings.Repeat("x", 10_000)
		for i := 1; ctx.Err() == nil; i++ {
			if err := call.Progress(ctx, float64(i), 0, text); err != nil {
				return "", err
			}
		}
		return "", context.Cause(ctx)
	})
	return w
}

func addTool[In any](t testing.TB, w *workshop, name string, handle func(context.Context, *server.Call, In) (server.Text, error)) {
	t.Helper()
	tool, err := server.NewTool(mcp.Tool{Name: name, Description: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}},
		func(ctx context.Context, call *server.Call, in In) (server.Text, error) {
			w.began.Add(1)
			return handle(ctx, call, in)
		})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(tool); err != nil {
		t.Fatal(err)
	}
}

// client is the other end of a connection that runs in this process.
type client struct {
	t     testing.TB
	in    *os.File
	out   *os.File
	lines chan string
	ended chan error
	stop  context.CancelFunc
}

// connect opens a connection whose answers wait in the pipe until read is
// called.
func connect(t testing.TB, s *server.Server, options stdio.Options) *client {
	t.Helper()
	stdin, in := osPipe(t)
	out, stdout := osPipe(t)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	c := &client{t: t, in: in, out: out, lines: make(chan string, 1<<16), ended: make(chan error, 1), stop: stop}
	go func() {
		err := stdio.ServeConn(ctx, s, stdin, stdout, options)
		stdout.Close()
		stdin.Close()
		c.ended <- err
	}()
	return c
}

func osPipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// open connects and reads.
func open(t testing.TB, s *server.Server, options stdio.Options) *client {
	t.Helper()
	c := connect(t, s, options)
	c.read()
	return c
}

// read starts to take what the server writes.
func (c *client) read() {
	go func() {
		defer close(c.lines)
		readLines(c.t, c.out, func(line string) { c.lines <- line })
	}()
}

// readLines hands on each line after checking that it is one a server may
// write.
func readLines(t testing.TB, r io.Reader, each func(line string)) {
	reader := bufio.NewReader(r)
	for {
		line, err := reader.ReadString('\n')
		if line != "" {
			if !strings.HasSuffix(line, "\n") {
				t.Errorf("the last line has no end: %.200q", line)
			}
			line = strings.TrimSuffix(line, "\n")
			if err := jsonscan.Check([]byte(line), 0); err != nil {
				t.Errorf("the server wrote what is no JSON: %v: %.200q", err, line)
			}
			each(line)
		}
		if err != nil {
			return
		}
	}
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// next is the server's next line.
func (c *client) next() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatal("the server ended instead of answering")
		}
		return line
	case <-time.After(patience):
		c.t.Fatal("the server is silent")
		return ""
	}
}

// expect takes the next line and looks for parts in it.
func (c *client) expect(parts ...string) string {
	c.t.Helper()
	line := c.next()
	contains(c.t, line, parts...)
	return line
}

func contains(t testing.TB, line string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(line, part) {
			t.Fatalf("the server wrote %.400s\nwant %s in it", line, part)
		}
	}
}

// settle makes sure that everything sent before was taken up: lines are taken
// in order, so an answer to a later one proves it. What else arrives meanwhile
// is returned.
func (c *client) settle() (others []string) {
	c.t.Helper()
	c.send(ping)
	for {
		line := c.next()
		if strings.HasPrefix(line, `{"jsonrpc":"2.0","id":"ping",`) {
			return others
		}
		others = append(others, line)
	}
}

// end waits for an orderly end and returns the lines that were still to come.
func (c *client) end() (rest []string) {
	c.t.Helper()
	select {
	case err := <-c.ended:
		if err != nil {
			c.t.Errorf("the connection ended with %v, want nil", err)
		}
	case <-time.After(patience):
		c.t.Fatal("the connection does not end")
	}
	for line := range c.lines {
		rest = append(rest, line)
	}
	return rest
}

// finish closes the input and waits for the end.
func (c *client) finish() []string {
	c.t.Helper()
	c.in.Close()
	return c.end()
}

// byID sorts responses by the text of their id; other messages are left out.
func byID(lines []string) map[string][]string {
	answers := map[string][]string{}
	for _, line := range lines {
		if _, isRequest := jsonscan.Lookup([]byte(line), "method"); isRequest {
			continue
		}
		id, _ := jsonscan.Lookup([]byte(line), "id")
		answers[string(id)] = append(answers[string(id)], line)
	}
	return answers
}

// until waits for what has no event of its own.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain waited until %s", what)
		}
	}
}

// addDeaf adds a tool that neither looks at its context nor at the gate.
func addDeaf(t testing.TB, w *workshop, end <-chan struct{}) {
	t.Helper()
	addTool(t, w, "deaf", func(context.Context, *server.Call, none) (server.Text, error) {
		<-end
		return "nobody hears this", nil
	})
}
