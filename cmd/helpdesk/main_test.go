package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test program act as helpdesk in the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"helpdesk": main})
}

// TestScripts runs the scripts of testdata/script, which read like sessions in
// a terminal.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireUniqueNames: true})
}
