package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes of every verb. The tap is the exception: it ends as the
// server behind it ended.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// streams are the standard streams, given explicitly so that no verb reaches
// for the process's own.
type streams struct {
	in  *os.File
	out *os.File
	err io.Writer
	// errFile is where a server's standard error goes, byte for byte.
	errFile *os.File
}

func systemStreams() streams {
	return streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, errFile: os.Stderr}
}

// exitError carries the status to exit with. A nil err means that everything
// was said already.
type exitError struct {
	code int
	err  error
}

// Error implements the error interface.
func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

// Unwrap returns what went wrong.
func (e *exitError) Unwrap() error { return e.err }

// usageErrorf says that the command line is not one that the program has.
func usageErrorf(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// run carries out one command line and returns the status to exit with. An
// error is one line on standard error.
func run(std streams, args []string) int {
	root := newRootCommand(std)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return exitOK
	}
	code := exitFailure
	var exit *exitError
	if errors.As(err, &exit) {
		if exit.err == nil {
			return exit.code
		}
		code = exit.code
	}
	fmt.Fprintf(std.err, "mcpkit: %s\n", oneLine(err.Error()))
	return code
}

// oneLine keeps an error on one line, whatever its parts hold.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

func newRootCommand(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "mcpkit",
		Short:         "Look into, test and record servers of the Model Context Protocol",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noVerb,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetVersionTemplate("mcpkit {{.Version}}\n")
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageErrorf("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.AddCommand(newTapCommand(std), newVersionCommand(std))
	return root
}

// noVerb refuses a first argument that is no verb, with the verbs that exist.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, sub := range cmd.Commands() {
		verbs = append(verbs, sub.Name())
	}
	return usageErrorf("there is no verb %q; the verbs are %s", args[0], strings.Join(verbs, ", "))
}

func newVersionCommand(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("version takes no arguments")
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(std.out, "mcpkit %s\n", version())
			return err
		},
	}
}

// version is the module's version as the Go tool has recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
