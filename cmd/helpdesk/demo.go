package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"helpdesk/cmd/internal/cli"
	"helpdesk/tap"
	"helpdesk/transcript"
)

// demoTimeout is far more than the demo needs. It only keeps a broken machine
// from leaving somebody in front of a silent terminal.
const demoTimeout = 20 * time.Second

func newDemo(std cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Play one session with the server and explain each message",
		Long: `Start this program as a server behind a tap, as an AI host would, send it the
messages of one short session and print every line that crosses the pipe with a
sentence about it. It needs no account and no network.`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("demo: find this program: %w", err)
			}
			return runDemo(cmd.Context(), std.Out, []string{self, "serve", "--demo", "--stdio"})
		},
	}
}

// demoMeta is what every request of revision 2026-07-28 carries.
const demoMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"terminal","version":"0.1.0"},"io.modelcontextprotocol/clientCapabilities":{}}`

// demoStep is one request, and what to say about it and its answer.
type demoStep struct {
	request, asks, answers string
}

func demoSteps() []demoStep {
	return []demoStep{
		{
			request: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + demoMeta + `}}`,
			asks:    "The host asks which tools there are.",
			answers: "One tool. Its name, description and input schema are all that the model will ever know about it.",
		},
		{
			request: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_ticket","arguments":{"ticket_id":"#2318"},` + demoMeta + `}}`,
			asks:    "The model writes the number as people do in chat, with a #.",
			answers: "A tool error: a normal result with isError true, which the host gives to the model. It names the value, the format and an example.",
		},
		{
			request: `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_ticket","arguments":{"ticket_id":"2318"},` + demoMeta + `}}`,
			asks:    "The model has read the error and calls again.",
			answers: "The ticket, twice: as text and as structuredContent, because hosts show the model one of the two and nobody knows which.",
		},
	}
}

// runDemo plays the session against a real server process.
func runDemo(ctx context.Context, out io.Writer, command []string) error {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()

	toServer, input := io.Pipe()
	screen := &demoScreen{out: out, steps: demoSteps(), next: input}
	fmt.Fprint(out, "A host and the helpdesk, line by line as the tap between them saw it.\n→ is the host's line, ← the server's.\n")
	screen.ask()
	result, err := tap.Run(ctx, tap.Config{
		Command: command,
		Stdin:   toServer,
		Record:  screen.record,
		Exact:   true,
	})
	switch {
	case err != nil:
		return fmt.Errorf("demo: %w", err)
	case screen.failed() != nil:
		return fmt.Errorf("demo: %w", screen.failed())
	case result.ExitCode() != 0:
		return fmt.Errorf("demo: the server ended with status %d", result.ExitCode())
	}
	_, err = fmt.Fprint(out, "\nThe host closed the pipe and the server ended with status 0. To use it from a host:\n\n    claude mcp add helpdesk -- helpdesk serve --demo --stdio\n")
	return err
}

// demoScreen prints the record and sends the next request after each answer.
type demoScreen struct {
	out   io.Writer
	next  *io.PipeWriter
	steps []demoStep

	mu       sync.Mutex
	asked    int
	answered int
}

// ask sends the next request, or ends the session when there is none.
func (d *demoScreen) ask() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asked == len(d.steps) {
		d.next.Close()
		return
	}
	line := d.steps[d.asked].request + "\n"
	d.asked++
	go func() {
		// A server that is gone ends the session, and Run says so.
		_, _ = io.WriteString(d.next, line)
	}()
}

// record is called with everything that crosses the pipe, in order.
func (d *demoScreen) record(r transcript.Record) {
	if r.Kind != transcript.KindData {
		return
	}
	step := min(d.answered, len(d.steps)-1)
	switch r.Stream {
	case transcript.Stdin:
		d.show("→", d.steps[step].asks, r.Data)
	case transcript.Stdout:
		d.show("←", d.steps[step].answers, r.Data)
		d.mu.Lock()
		d.answered++
		d.mu.Unlock()
		d.ask()
	}
}

func (d *demoScreen) show(arrow, sentence string, line []byte) {
	fmt.Fprintf(d.out, "\n%s %s\n%s %s\n", arrow, sentence, arrow, bytes.TrimRight(line, "\n"))
}

func (d *demoScreen) failed() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.answered < len(d.steps) {
		return errors.New("the server ended before it had answered everything")
	}
	return nil
}
