//go:build unix

package tap_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"helpdesk/tap"
	"helpdesk/transcript"
)

// A server runs behind a tap within the program, which sees each message.
func ExampleRun() {
	messages := transcript.NewJoiner(0)
	res, err := tap.Run(context.Background(), tap.Config{
		Command: []string{"tr", "a-z", "A-Z"},
		Stdin:   strings.NewReader("hello\n"),
		Stderr:  os.Stderr,
		Record: func(rec transcript.Record) {
			for _, line := range messages.Add(&rec) {
				fmt.Printf("%s: %q\n", line.Direction, line.Data)
			}
		},
	})
	fmt.Println(res.ExitCode(), err)
	// Output:
	// client-to-server: "hello\n"
	// server-to-client: "HELLO\n"
	// 0 <nil>
}
