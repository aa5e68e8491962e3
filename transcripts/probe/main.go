// Probe is a server whose tools do what tools must not do, for the sessions of
// package transcripts and for tests that need a process to mistreat.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"helpdesk/mcp/stdio"
	"helpdesk/transcripts/probe/misbehave"
)

func main() {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	s, err := misbehave.NewServer(log)
	if err == nil {
		err = stdio.Serve(context.Background(), s, stdio.Options{Log: log, MaxLine: misbehave.MaxLine})
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "probe: %v\n", err)
		os.Exit(1)
	}
}
