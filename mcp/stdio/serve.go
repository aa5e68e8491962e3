package stdio

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"helpdesk/mcp/server"
)

// Serve serves one client on this process's stdin and stdout. It returns nil
// after the end of input, after SIGTERM or SIGINT, and when the client went
// away; the process should then exit with status 0.
//
// While it runs, and from then on, whatever else in the process prints to
// stdout goes to stderr, because one stray line would break the protocol.
func Serve(ctx context.Context, s *server.Server, options Options) error {
	out, err := takeStdout()
	if err != nil {
		return fmt.Errorf("stdio: set stdout aside: %w", err)
	}
	defer out.Close()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
	defer stop()
	// With nobody at the other end of stderr, a log line must not end us, not
	// even one that is written after Serve has returned.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ServeConn(ctx, s, os.Stdin, out, options)
}
