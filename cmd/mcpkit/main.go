// Mcpkit is a workbench for servers of the Model Context Protocol.
package main

import "os"

func main() {
	os.Exit(run(systemStreams(), os.Args[1:]))
}
