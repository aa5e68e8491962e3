package transcripts_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Many hosts never read a server's standard error. When that pipe is full, log
// lines are lost and nothing else: every call is answered and the end is clean.
func TestStandardErrorThatNobodyReads(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := start(t, "helpdesk", func(cmd *exec.Cmd) { cmd.Stderr = w })
	w.Close()
	lines := collect(t, p.out)
	// An integer for a string of digits is converted, and that is logged.
	const calls = 5000
	go func() {
		for i := range calls {
			if _, err := io.WriteString(p.in, toolCall(i, "get_ticket", `{"ticket_id":2318}`)); err != nil {
				return
			}
		}
	}()
	for i := range calls {
		select {
		case line := <-lines:
			if !strings.Contains(line, "Charged twice for October") {
				t.Fatalf("answer %d is %s", i, line)
			}
		case <-time.After(patience):
			t.Fatalf("the server is silent after %d answers", i)
		}
	}
	p.in.Close()
	endsWell(t, p)
}

// A client that does not read and wants the server to end, by closing its input
// or by a signal, gets that, whatever is stuck in the pipe.
func TestEndWithAnswersThatNobodyReads(t *testing.T) {
	t.Parallel()
	longID := `"` + strings.Repeat("x", 200_000) + `"`
	listen := `{"jsonrpc":"2.0","id":` + longID + `,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + "}}\n"
	for name, end := range map[string]func(*process){
		"end of input": func(p *process) { p.in.Close() },
		"SIGTERM":      func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		for program, text := range map[string]string{
			"helpdesk": listen,
			"probe":    listen + fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{"ms":60000},%s}}`+"\n", meta),
		} {
			t.Run(program+" "+name, func(t *testing.T) {
				t.Parallel()
				p := start(t, program, nil)
				if _, err := io.WriteString(p.in, text); err != nil {
					t.Fatal(err)
				}
				time.Sleep(100 * time.Millisecond) // Until the pipe is full; too short only makes the test easier.
				end(p)
				endsWell(t, p)
			})
		}
	}
}

func endsWell(t *testing.T, p *process) {
	t.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("the server does not end")
	}
}
