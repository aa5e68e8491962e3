package transcript_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"helpdesk/transcript"
)

var exampleStart = time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)

func ExampleWriter() {
	w := transcript.NewWriter(os.Stdout, transcript.Header{Started: exampleStart, Tool: "example"})
	err := w.Write(&transcript.Record{
		Kind: transcript.KindData, Time: exampleStart.Add(time.Millisecond), Mono: time.Millisecond,
		Direction: transcript.ClientToServer, Stream: transcript.Stdin, Data: []byte("hello\n"),
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"record":"header","format":"mcp-transcript","version":1,"started":"2026-12-01T09:30:00.000000000Z","tool":"example"}
	// {"record":"data","seq":1,"time":"2026-12-01T09:30:00.001000000Z","mono":1000000,"direction":"client-to-server","stream":"stdin","text":"hello\n"}
}

const recorded = `{"record":"header","format":"mcp-transcript","version":1,"started":"2026-12-01T09:30:00.000000000Z","tool":"example"}
{"record":"start","seq":1,"time":"2026-12-01T09:30:00.001000000Z","mono":1000000,"pid":4711}
{"record":"data","seq":2,"time":"2026-12-01T09:30:00.002000000Z","mono":2000000,"direction":"server-to-client","stream":"stdout","part":1,"text":"hel"}
{"record":"data","seq":3,"time":"2026-12-01T09:30:00.003000000Z","mono":3000000,"direction":"server-to-client","stream":"stdout","part":2,"final":true,"text":"lo\n"}
{"record":"exit","seq":4,"time":"2026-12-01T09:30:00.004000000Z","mono":4000000,"sta`

func ExampleReader() {
	for rec, err := range transcript.NewReader(strings.NewReader(recorded), 0).All() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s %s %q\n", rec.Kind, rec.Stream, rec.Data)
	}
	// Output:
	// header  ""
	// start  ""
	// data stdout "hel"
	// data stdout "lo\n"
	// line 5: the last line is cut off
}

func ExampleLines() {
	for line, err := range transcript.Lines(transcript.NewReader(strings.NewReader(recorded), 0), 0) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%v %s %q\n", line.At.Mono, line.Direction, line.Data)
	}
	// Output:
	// 3ms server-to-client "hello\n"
	// line 5: the last line is cut off
}

func ExampleCutter() {
	c := transcript.NewCutter(transcript.Stdout, 0, nil, func(r *transcript.Record) {
		fmt.Printf("%q\n", r.Data)
	})
	c.Add(transcript.Stamp{}, []byte("one\ntw"))
	c.Add(transcript.Stamp{}, []byte("o\nend"))
	c.End(transcript.Stamp{})
	// Output:
	// "one\n"
	// "two\n"
	// "end"
}

func ExampleRedactor() {
	r := transcript.NewRedactor("api_key")
	line, changed, ok := r.Line([]byte(`{"params":{"api_key":"s3cret","n":1}}`))
	fmt.Println(string(line), changed, ok)
	_, _, ok = r.Line([]byte("using api_key s3cret\n"))
	fmt.Println(ok)
	// Output:
	// {"params":{"api_key":"[redacted]","n":1}} true true
	// false
}
