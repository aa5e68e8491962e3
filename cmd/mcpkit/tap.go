package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"helpdesk/cmd/internal/cli"
	"helpdesk/tap"
	"helpdesk/transcript"
)

// tapOptions is the command line of the tap verb.
type tapOptions struct {
	streams       cli.Streams
	file          string
	command       []string
	redact        []string
	force         bool
	appendTo      bool
	recordCommand bool
	exact         bool
}

const tapHelp = `Run a server and record every byte that passes between it and its client.

In a client's configuration the tap takes the server's place and starts the
server as its child:

  mcpkit tap session.jsonl -- helpdesk serve --demo --stdio

Nothing that passes is changed or held back, not even when the disk is full or
hangs: what could not be recorded is counted in the record. The format of FILE
is described in docs/transcript-format.md. FILE can be read by its owner alone.

Clients start servers more than once, and some start two at a time. Give each
its own file: {time} in FILE stands for the start in UTC, {pid} for the tap's
process id.

  mcpkit tap 'session-{time}-{pid}.jsonl' -- helpdesk serve --demo --stdio

Exit status: that of the server. When a signal ended the server, the tap ends
by the same signal (HUP, INT, TERM, KILL) or exits with 128 and its number (all
others). 127 when there is no such command, 126 when it cannot be run, 1 when
FILE cannot be opened, 2 when the command line is wrong.`

func newTapCommand(std cli.Streams) *cobra.Command {
	opts := &tapOptions{streams: std}
	cmd := &cobra.Command{
		Use:   "tap [flags] FILE -- COMMAND [ARGS...]",
		Short: "Run a server and record what passes between it and its client",
		Long:  tapHelp,
		Args: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			switch {
			case dash < 0:
				return cli.Usagef("tap: write -- before the server's command: mcpkit tap FILE -- COMMAND [ARGS...]")
			case dash != 1:
				return cli.Usagef("tap: one FILE stands before --, here are %d", dash)
			case len(args) == dash:
				return cli.Usagef("tap: the server's command is missing after --")
			case opts.force && opts.appendTo:
				return cli.Usagef("tap: --force and --append exclude each other")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.file, opts.command = args[0], args[1:]
			return runTap(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&opts.redact, "redact", nil, "replace the values of JSON members with the name `KEY` in the record (repeatable, or several with commas); lines that are no JSON objects are recorded by their length alone")
	flags.BoolVar(&opts.force, "force", false, "overwrite FILE")
	flags.BoolVar(&opts.appendTo, "append", false, "write behind what FILE holds")
	flags.BoolVar(&opts.recordCommand, "record-command", false, "record COMMAND and ARGS, which may hold secrets")
	flags.BoolVar(&opts.exact, "exact", false, "let traffic wait for a slow disk rather than leave anything out of the record")
	return cmd
}

// lastWords is how long the tap's own messages may take to be written.
const lastWords = 200 * time.Millisecond

// runTap runs the server and ends as it ended.
func runTap(ctx context.Context, opts *tapOptions) error {
	// Notifying comes before anything else: a signal that arrives while the
	// server is being started must still reach it.
	signals := make(chan os.Signal, 16)
	if list := passedSignals(); len(list) > 0 {
		signal.Notify(signals, list...)
	}
	defer holdBrokenPipe()()

	// The tap's own words must not hold up its end when nobody reads them.
	stderr := cli.NewLossy(opts.streams.Err)
	defer stderr.Flush(lastWords)

	now := time.Now()
	name := recordName(opts.file, now)
	file, err := transcript.OpenFile(name, opts.fileMode())
	switch {
	case errors.Is(err, transcript.ErrExists):
		return fmt.Errorf("tap: %w; give --append to write behind it, --force to overwrite it, or put {time} or {pid} in the name", err)
	case err != nil:
		return fmt.Errorf("tap: %w", err)
	}
	defer file.Close()

	header := transcript.Header{Started: now, Tool: "mcpkit " + cli.Version()}
	if opts.recordCommand {
		header.Command = opts.command
	}
	redactor := transcript.NewRedactor(opts.redact...)
	header.Redact = redactor.Keys()
	res, err := tap.Run(ctx, tap.Config{
		Command:  opts.command,
		Stdin:    opts.streams.In,
		Stdout:   opts.streams.Out,
		Stderr:   opts.streams.ErrFile,
		PipeEnds: true,
		Signals:  signals,
		Log:      transcript.NewWriter(file, header),
		LogError: func(err error) {
			fmt.Fprintf(stderr, "mcpkit: tap: the record is incomplete, the session goes on: %s\n", cli.OneLine(err.Error()))
		},
		Redact: redactor,
		Exact:  opts.exact,
	})
	// From here on a signal ends the tap itself.
	signal.Stop(signals)
	if res.LostBytes > 0 {
		fmt.Fprintf(stderr, "mcpkit: tap: %d lines (%d bytes) that passed are missing from %s\n", res.LostLines, res.LostBytes, name)
	}
	var start *tap.StartError
	switch {
	case errors.As(err, &start):
		return &cli.ExitError{Code: start.ExitCode(), Err: fmt.Errorf("tap: %w", start)}
	case err != nil:
		return fmt.Errorf("tap: %w", err)
	case res.Signal != nil:
		stderr.Flush(lastWords)
		dieBy(res.Signal)
	}
	if code := res.ExitCode(); code != cli.ExitOK {
		return &cli.ExitError{Code: code}
	}
	return nil
}

func (o *tapOptions) fileMode() transcript.FileMode {
	switch {
	case o.force:
		return transcript.ReplaceFile
	case o.appendTo:
		return transcript.AppendFile
	default:
		return transcript.NewFile
	}
}

// recordName fills in the placeholders of a file name.
func recordName(pattern string, now time.Time) string {
	return strings.NewReplacer(
		"{time}", now.UTC().Format("20060102T150405Z"),
		"{pid}", strconv.Itoa(os.Getpid()),
	).Replace(pattern)
}
