//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// quickExit keeps programs built with the race detector from waiting a second
// each time they end.
const quickExit = "atexit_sleep_ms=0"

// TestMain makes the test program act as mcpkit, and as the small programs
// that the scripts put behind and around it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcpkit": main,
		"server": func() { serve(os.Args[1:]) },
		"status": func() { status(os.Args[1:]) },
		"mode":   func() { mode(os.Args[1:]) },
	})
}

// TestScripts runs the scripts of testdata/script, which read like sessions in
// a terminal.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", quickExit)
			return nil
		},
	})
}

// serve is the server behind the tap. Each argument is a step.
func serve(steps []string) {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	signals := make(chan os.Signal, 100)
	for i := 0; i < len(steps); i++ {
		argument := func() string {
			i++
			return steps[i]
		}
		switch steps[i] {
		case "echo": // until the input ends
			if _, err := io.Copy(os.Stdout, in); err != nil {
				os.Exit(97)
			}
		case "print": // text as in a Go string
			fmt.Print(unquote(argument()))
		case "complain":
			fmt.Fprint(os.Stderr, unquote(argument()))
		case "exit":
			code, _ := strconv.Atoi(argument())
			os.Exit(code)
		case "die":
			n, _ := strconv.Atoi(argument())
			_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
			time.Sleep(time.Minute)
		case "pid":
			fmt.Println(os.Getpid())
		case "catch":
			signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1)
		case "report": // each signal up to SIGUSR1
			for sig := range signals {
				fmt.Println(sig)
				if sig == syscall.SIGUSR1 {
					break
				}
			}
		case "flood": // write until nobody reads
			for {
				if _, err := os.Stdout.Write(make([]byte, 4096)); err != nil {
					os.Exit(99)
				}
			}
		case "sleep":
			time.Sleep(time.Minute)
		}
	}
	os.Exit(0)
}

func unquote(s string) string {
	text, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(96)
	}
	return text
}

// status runs a command and says on standard output how it ended.
func status(args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run()
	fmt.Println(cmd.ProcessState)
	os.Exit(0)
}

// mode prints the permissions of files.
func mode(names []string) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s %o\n", name, info.Mode().Perm())
	}
	os.Exit(0)
}
