package tap

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"helpdesk/transcript"
)

// The bounds that hold unless [Config] sets others.
const (
	// DefaultQueueBytes is how much waits in memory to be recorded: 8 MiB.
	DefaultQueueBytes = 8 << 20
	// DefaultQueueCount is how many pieces that may be. A piece is what one
	// read returned.
	DefaultQueueCount = 32 << 10
	// DefaultGrace is how long streams may stay open after the server's end.
	DefaultGrace = 2 * time.Second
)

// Config says what to run and where its streams lead.
type Config struct {
	// Command is the server's program and its arguments. A name without a
	// slash is looked up in PATH.
	Command []string
	// Dir is the server's working directory; empty means the tap's own.
	Dir string
	// Env is the server's environment; nil means the tap's own.
	Env []string

	// Stdin is what the client sends; nil means nothing. When the server ends,
	// Stdin is given a read deadline in the past if it can be given one, as
	// pipes can. Otherwise a Read that is under way is left behind.
	Stdin io.Reader
	// Stdout and Stderr take what the server sends; nil discards it. After an
	// error of theirs the server's writes fail like those into a closed pipe.
	// A Write that does not return is left behind when a signal or the context
	// ends the session after the server's own end.
	Stdout, Stderr io.Writer
	// PipeEnds says that Stdin and Stdout are the tap's to close: Stdin when
	// the server no longer reads, Stdout when the server has closed its own.
	PipeEnds bool
	// Signals are passed on to the server. Nil means none.
	Signals <-chan os.Signal

	// Log takes the record; nil writes none.
	Log *transcript.Writer
	// Record, when set, is called with each record, in order, by one
	// goroutine. The record's Data is valid until it returns. A record that
	// Log refused has no Seq.
	Record func(transcript.Record)
	// LogError, when set, is told once, when Log first fails. It must not
	// wait for the session.
	LogError func(error)
	// Redact changes what is recorded, never what is passed on.
	Redact *transcript.Redactor
	// Exact lets traffic wait while the queue is full for as long as it takes,
	// instead of leaving anything out of the record after a short wait, and
	// lets the end wait for the record, until a signal asks for the end again.
	// A Log that fails is still not waited for.
	Exact bool

	// PartLimit is the longest piece of a line in one record, in bytes; zero
	// means [transcript.DefaultPartLimit].
	PartLimit int
	// QueueBytes and QueueCount bound what waits to be recorded; zero means
	// [DefaultQueueBytes] and [DefaultQueueCount].
	QueueBytes, QueueCount int
	// Grace is how long to wait for streams that a descendant of the server
	// holds open after the server's end, for the record to be written unless
	// Exact, and for the server to end when the context is done; zero means
	// [DefaultGrace].
	Grace time.Duration
}

// Result says how a session ended.
type Result struct {
	// PID is the server's process id.
	PID int
	// Status is the server's exit status, or -1 when a signal ended it.
	Status int
	// Signal is the signal that ended the server, or nil.
	Signal os.Signal
	// LostLines and LostBytes are what was passed on but not recorded. Lines
	// counts line feeds.
	LostLines, LostBytes int64
	// LogErr is the first error of the log, or nil.
	LogErr error
}

// ExitCode is the status as a shell gives it: 128 and the number of the
// signal when a signal ended the server.
func (r Result) ExitCode() int {
	if r.Signal != nil {
		return 128 + signalNumber(r.Signal)
	}
	return r.Status
}

// StartError says that the server could not be started.
type StartError struct {
	// Command is the program's name as it was given.
	Command string
	// Err is the system's reason.
	Err error
}

// Error implements the error interface.
func (e *StartError) Error() string {
	reason := e.Err
	var lookup *exec.Error
	var path *fs.PathError
	switch {
	case errors.As(e.Err, &lookup):
		reason = lookup.Err
	case errors.As(e.Err, &path) && path.Op != "chdir":
		reason = path.Err
	}
	return "cannot start " + quoteCommand(e.Command) + ": " + reason.Error()
}

// Unwrap returns the system's reason.
func (e *StartError) Unwrap() error { return e.Err }

// ExitCode is the status a shell has for this error: 127 when there is no
// such program, 126 when it cannot be run.
func (e *StartError) ExitCode() int {
	var path *fs.PathError
	if errors.As(e.Err, &path) && path.Op == "chdir" {
		return 126
	}
	if errors.Is(e.Err, exec.ErrNotFound) || errors.Is(e.Err, fs.ErrNotExist) {
		return 127
	}
	return 126
}

// Run starts the server, passes its streams until it has ended, and returns
// how it ended. The error is a *[StartError] when it could not be started, or
// the context's cause when the context ended the session: the server's input
// is closed then and it is terminated, and killed after the grace.
//
// A failing log is no error of the session; see [Result].
func Run(ctx context.Context, cfg Config) (Result, error) {
	if len(cfg.Command) == 0 {
		return Result{}, &StartError{Err: errors.New("no command was given")}
	}
	s := newSession(cfg)
	return s.run(ctx)
}
