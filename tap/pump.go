package tap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// chunk is how much is read at once: what a pipe holds on Linux.
const chunk = 64 << 10

// A pipe can hold up to 1 MiB where its owner made it larger. After the
// server's end at most this many reads take out what the server had written.
const lastReads = 1 + (1<<20)/chunk

// errSlowLog says that the end of the record was not written.
var errSlowLog = errors.New("the log did not take the end of the record in time")

// errHeldOpen ends the reading of a stream that outlives the server.
var errHeldOpen = errors.New("another process held the stream open after the server's end")

// errServerEnded ends the reading of the client's input.
var errServerEnded = errors.New("the server ended first")

// pump passes bytes until the source ends. It returns nil when the source's
// writer closed it, otherwise what ended the passing.
func (s *session) pump(stream int, dst io.Writer, src io.Reader) error {
	buf := make([]byte, chunk)
	left := -1 // how many reads are left, once the deadline has passed
	for left != 0 {
		if left > 0 {
			left--
			if err := s.fromServer[stream].SetReadDeadline(time.Now().Add(lastWait)); err != nil {
				return errHeldOpen
			}
		}
		n, err := src.Read(buf)
		if n > 0 {
			s.queue.push(stream, buf[:n])
			_, failed := dst.Write(buf[:n])
			s.queue.wake()
			if failed != nil {
				return fmt.Errorf("the receiver stopped reading: %w", failed)
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return fmt.Errorf("reading failed: %w", err)
		case stream == stdin:
			return errServerEnded
		case left < 0:
			// The grace is over. What is in the pipe now may still be the
			// server's own, kept there by a client that reads slowly.
			left = lastReads
		default:
			return errHeldOpen
		}
	}
	return errHeldOpen
}

// lastWait is how long each of the last reads may wait.
const lastWait = 10 * time.Millisecond
