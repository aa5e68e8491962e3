package transcript

import "time"

// Format is the name every header carries, by which a file is known.
const Format = "mcp-transcript"

// Version is the version of the format that this package writes and reads.
// New members and new kinds of records do not change it: readers ignore what
// they do not know. It grows when something known changes its meaning.
const Version = 1

// Kind says what a record tells.
type Kind string

// The kinds of records. A [Reader] leaves out records of any other kind.
const (
	// KindHeader begins a session. It is the first line of a file; where
	// sessions were appended to one file, each begins with its own.
	KindHeader Kind = "header"
	// KindData holds bytes that were sent.
	KindData Kind = "data"
	// KindStart says that the server was started.
	KindStart Kind = "start"
	// KindExit says how the server ended, or why it could not be started.
	KindExit Kind = "exit"
	// KindEOF says that no more bytes come on a stream.
	KindEOF Kind = "eof"
	// KindDropped says that bytes of a stream were sent but not recorded.
	KindDropped Kind = "dropped"
)

// Direction says who sent the bytes.
type Direction string

// The directions. The server's standard error goes to the client as well.
const (
	ClientToServer Direction = "client-to-server"
	ServerToClient Direction = "server-to-client"
)

// Stream names the channel that carried the bytes. Later versions may record
// other channels, so readers keep names they do not know.
type Stream string

// The streams of a server that is a child process.
const (
	Stdin  Stream = "stdin"
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

// Direction is who sends on the stream: the client on stdin, the server on
// the others.
func (s Stream) Direction() Direction {
	if s == Stdin {
		return ClientToServer
	}
	return ServerToClient
}

// Header describes a session. It is the first record of it.
type Header struct {
	// Version of the format. A [Writer] always writes [Version].
	Version int
	// Started is when the record began; Mono of the records counts from here.
	Started time.Time
	// Tool is the name and version of the program that made the record.
	Tool string
	// Command is the server's command line, or nil. It is not recorded unless
	// someone asked for it, since arguments may hold secrets.
	Command []string
	// Redact lists the member names whose values were replaced, or is nil.
	Redact []string
}

// Record is one line of the file. Which fields mean something depends on
// Kind; the others are zero.
type Record struct {
	Kind Kind
	// Seq numbers the records of a session from 1 in the order they were
	// written. It is given by the [Writer]. A header has none.
	Seq uint64
	// Time is the wall clock in UTC, in nanoseconds, when the recorder had
	// read the last of the record's bytes or had seen the event.
	Time time.Time
	// Mono is the same moment as time since the header's Started by a clock
	// that is never set back. Use it to measure; use Time to compare with logs.
	Mono time.Duration

	// Direction and Stream belong to data, eof and dropped records.
	Direction Direction
	Stream    Stream

	// Data is what was sent, exactly, the line's end included. When it does
	// not end in a line feed and the record is whole or final, the stream
	// ended without one.
	Data []byte
	// Part is 0 when Data is a whole line. A line that was too long or came
	// too slowly for one record has parts 1, 2, 3 …, to be put together.
	Part int
	// Final marks the last part.
	Final bool
	// Torn says that bytes before Data are missing: the line lacks its
	// beginning.
	Torn bool
	// Redacted says that Data is not what was sent: values were replaced, or
	// the content was withheld.
	Redacted bool
	// Withheld is how many bytes were left out because they could not be
	// redacted safely. Data then holds the line's end alone, or nothing.
	Withheld int64

	// PID is the server's process id, in start records.
	PID int
	// Status is the server's exit status, in exit records without a Signal
	// or an Error.
	Status int
	// Signal names the signal that ended the server, such as "SIGTERM".
	Signal string
	// Error says in exit records why the server could not be started, in eof
	// records why the stream ended otherwise than by its sender's close.
	Error string

	// Lines and Bytes are what is missing, in dropped records: how many line
	// feeds, and how many bytes with them.
	Lines int64
	Bytes int64

	// Header is set in header records.
	Header *Header
}
