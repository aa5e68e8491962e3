// Package cli is what the commands of this module have in common: their
// streams, their exit codes and how they report what went wrong.
package cli

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

// The exit codes of every verb of every command (design, section 8).
const (
	ExitOK          = 0
	ExitFailure     = 1
	ExitUsage       = 2
	ExitAuth        = 3
	ExitUnreachable = 4
	ExitToolError   = 5
)

// Streams are the standard streams, given explicitly so that no verb reaches
// for the process's own.
type Streams struct {
	In  *os.File
	Out *os.File
	Err io.Writer
	// ErrFile is where a child's standard error goes, byte for byte.
	ErrFile *os.File
}

// System returns the process's own streams.
func System() Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, ErrFile: os.Stderr}
}

// ExitError carries the status to exit with. A nil Err means that everything
// was said already.
type ExitError struct {
	Code int
	Err  error
}

// Error implements the error interface.
func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap returns what went wrong.
func (e *ExitError) Unwrap() error { return e.Err }

// Usagef says that the command line is not one that the program has.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}

// NewRoot makes a root command with a verb for each of the given commands. The
// program reports its errors by itself, see [Run].
func NewRoot(std Streams, name, short string, verbs ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:           name,
		Short:         short,
		Version:       Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate(name + " {{.Version}}\n")
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return Usagef("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.AddCommand(verbs...)
	root.AddCommand(newVersion(std, name))
	return root
}

// Run carries out one command line and returns the status to exit with. An
// error is one line on standard error.
func Run(ctx context.Context, std Streams, root *cobra.Command, args []string) int {
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitOK
	}
	code := ExitFailure
	var exit *ExitError
	if errors.As(err, &exit) {
		if exit.Err == nil {
			return exit.Code
		}
		code = exit.Code
	}
	fmt.Fprintf(std.Err, "%s: %s\n", root.Name(), OneLine(err.Error()))
	return code
}

// OneLine keeps an error on one line, whatever its parts hold.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// NoArgs refuses arguments as a mistake in usage.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no arguments, here is %q", cmd.Name(), args[0])
	}
	return nil
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
	return Usagef("there is no verb %q; the verbs are %s", args[0], strings.Join(verbs, ", "))
}

func newVersion(std Streams, name string) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(std.Out, "%s %s\n", name, Version())
			return err
		},
	}
}

// ReleaseVersion is the version of everything in this module; CHANGELOG.md says
// what is in it.
const ReleaseVersion = "0.1.0"

// Version is the release, and the revision it was built from where the Go tool
// has recorded one.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ReleaseVersion
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return ReleaseVersion + " (" + setting.Value[:12] + ")"
		}
	}
	return ReleaseVersion
}
