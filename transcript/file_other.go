//go:build !unix

package transcript

import "os"

// dontWait has no meaning where named pipes are no files.
const dontWait = 0

// lock does nothing: these systems keep files from being shared by themselves
// or not at all.
func lock(*os.File) error { return nil }
