package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"helpdesk/cmd/internal/cli"
	"helpdesk/desk"
	"helpdesk/desk/memory"
	"helpdesk/desk/tools"
	"helpdesk/mcp"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// serveOptions is the command line of the serve verb.
type serveOptions struct {
	streams cli.Streams
	demo    bool
	stdio   bool
	strict  bool
	drain   time.Duration
	maxLine int
	verbose bool
}

const serveHelp = `Serve a desk to an AI host over standard input and output.

The server speaks protocol revision 2026-07-28 and, after initialize, every
revision from 2024-11-05 to 2025-11-25. Standard output carries the protocol
and nothing else; the log goes to standard error.

It ends at the end of its input and on SIGTERM or SIGINT, after it has answered
what it was asked, with status 0.`

func newServe(std cli.Streams) *cobra.Command {
	opts := &serveOptions{streams: std}
	cmd := &cobra.Command{
		Use:   "serve --demo --stdio",
		Short: "Serve a desk to an AI host",
		Long:  serveHelp,
		Example: `  claude mcp add helpdesk -- helpdesk serve --demo --stdio
  codex mcp add helpdesk -- helpdesk serve --demo --stdio`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !opts.stdio {
				return cli.Usagef("serve: say how to serve: --stdio for a host that starts this command")
			}
			if opts.maxLine <= 0 || opts.drain <= 0 {
				return cli.Usagef("serve: --max-message and --drain must be more than nothing, for example 8388608 and 2s")
			}
			if !opts.demo {
				return cli.Usagef("serve: say which desk to serve: --demo for the demo company, which needs no file")
			}
			return runServe(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.demo, "demo", false, "serve the demo company (tickets 2318, 2319 and 2320), held in memory")
	flags.BoolVar(&opts.stdio, "stdio", false, "speak over standard input and output")
	flags.BoolVar(&opts.strict, "strict-types", false, "refuse arguments of the wrong JSON type even when they can be converted exactly")
	flags.DurationVar(&opts.drain, "drain", stdio.DefaultDrain, "how long calls may finish after the end of input or a signal")
	flags.IntVar(&opts.maxLine, "max-message", 8<<20, "the longest message that is read, in `BYTES`")
	flags.BoolVar(&opts.verbose, "verbose", false, "log every call")
	return cmd
}

// collectAt is how much garbage, in percent of what is live, may gather before
// it is collected. Hosts start a server for every window, so memory counts for
// more than the little time that collecting a small heap takes.
const collectAt = 50

// lastLogLines is how long the log may take to be written at the end.
const lastLogLines = 200 * time.Millisecond

func runServe(ctx context.Context, opts *serveOptions) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	// A host that does not read standard error must not stop the server.
	stderr := cli.NewLossy(opts.streams.Err)
	defer stderr.Flush(lastLogLines)
	log := newLog(opts.streams.ErrFile, stderr, opts.verbose)
	s, err := newDemoServer(log, server.Options{StrictTypes: opts.strict})
	if err != nil {
		return err
	}
	return stdio.Serve(ctx, s, stdio.Options{
		MaxLine: opts.maxLine,
		Drain:   opts.drain,
		Log:     log,
		FirstMessage: func(line []byte) {
			fmt.Fprintf(stderr, "helpdesk: first message from the client: %s\n", excerpt(line))
		},
	})
}

// newDemoServer makes the server of the demo company.
func newDemoServer(log *slog.Logger, options server.Options) (*server.Server, error) {
	store, err := memory.New(desk.DemoTickets())
	if err != nil {
		return nil, err
	}
	all, err := tools.All(desk.NewService(store))
	if err != nil {
		return nil, err
	}
	options.Instructions = tools.Instructions
	options.Log = log
	options.Middleware = append(options.Middleware, logCalls(log))
	s, err := server.New(mcp.Implementation{Name: "helpdesk", Title: "Helpdesk", Version: cli.ReleaseVersion}, options)
	if err != nil {
		return nil, err
	}
	if err := s.Add(all...); err != nil {
		return nil, err
	}
	return s, nil
}

// logCalls logs every call at debug level: who called what and how long it
// took, never what was in it.
func logCalls(log *slog.Logger) server.Middleware {
	return func(next server.Handler) server.Handler {
		if !log.Enabled(context.Background(), slog.LevelDebug) {
			return next
		}
		return func(ctx context.Context, call *server.Call) (server.Result, error) {
			began := time.Now()
			result, err := next(ctx, call)
			log.Debug("call", "id", fmt.Sprintf("%.40s", call.ID), "method", fmt.Sprintf("%.80s", call.Method), "tool", call.Tool(), "principal", call.Principal.Name,
				"client", fmt.Sprintf("%.80s", call.Client.Info.Name), "version", call.Version, "duration", time.Since(began), "failed", err != nil)
			return result, err
		}
	}
}

// newLog logs as text to a terminal and as JSON to anything else.
func newLog(file *os.File, w io.Writer, verbose bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if verbose {
		options.Level = slog.LevelDebug
	}
	if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// maxExcerpt is how much of a first message is worth reading.
const maxExcerpt = 4096

// excerpt makes a line fit for the log: bounded, and without characters that
// a terminal would obey.
func excerpt(line []byte) string {
	cut := ""
	if len(line) > maxExcerpt {
		line, cut = line[:maxExcerpt], "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\u00b7'
		}
		return r
	}, strings.ToValidUTF8(string(line), "\ufffd")) + cut
}
