// Helpdesk is a support desk as a server of the Model Context Protocol, and
// the commands to operate it.
package main

import (
	"context"
	"os"

	"helpdesk/cmd/internal/cli"
)

func main() { os.Exit(run(cli.System(), os.Args[1:])) }

// run carries out one command line and returns the status to exit with.
func run(std cli.Streams, args []string) int {
	root := cli.NewRoot(std, "helpdesk", "A support desk that AI hosts can work, over the Model Context Protocol",
		newServe(std), newDemo(std))
	return cli.Run(context.Background(), std, root, args)
}
