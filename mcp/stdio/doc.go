// Package stdio carries MCP over a pipe: one JSON-RPC message a line on stdin
// and stdout (basic/transports/stdio), both eras on the same pipe.
//
// # Life of a connection
//
// [Serve] takes over the process's standard streams: what any code prints to
// stdout from then on goes to stderr, so that stdout carries protocol lines
// only. End of input and SIGTERM or SIGINT end the connection the same way:
// nothing more is read, what runs may finish for a bounded time, every request
// is answered, and Serve returns nil.
//
// # Who reads
//
// Waking another goroutine costs more than answering most calls. So the
// goroutine that reads the pipe also runs the calls, one after the other, and
// holds back its answers while more input waits. A call that does not return
// within about a millisecond loses nothing: the reading is taken over by
// another goroutine, the call goes on where it is, and later calls of the same
// tool start on goroutines of their own until they are brief again. See seat.
package stdio
