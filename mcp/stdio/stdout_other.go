//go:build !unix

package stdio

import "os"

// takeStdout keeps the real standard output and points os.Stdout to stderr.
// On these systems that holds for Go code only.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}
