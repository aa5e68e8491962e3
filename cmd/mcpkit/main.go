// Mcpkit is a workbench for servers of the Model Context Protocol.
package main

import (
	"context"
	"os"

	"helpdesk/cmd/internal/cli"
)

func main() { os.Exit(run(cli.System(), os.Args[1:])) }

// run carries out one command line and returns the status to exit with.
func run(std cli.Streams, args []string) int {
	root := cli.NewRoot(std, "mcpkit", "Look into, test and record servers of the Model Context Protocol", newTapCommand(std))
	return cli.Run(context.Background(), std, root, args)
}
