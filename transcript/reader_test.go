package transcript_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"helpdesk/transcript"
)

const (
	headerLine = `{"record":"header","format":"mcp-transcript","version":1,"started":"2026-12-01T09:30:00.000000000Z","tool":"test"}` + "\n"
	stamps     = `"time":"2026-12-01T09:30:00.000000001Z","mono":1`
	in         = stamps + `,"direction":"client-to-server","stream":"stdin"`
	dataLine   = `{"record":"data","seq":1,` + in + `,"text":"a\n"}` + "\n"
)

// TestReaderDamage says what is wrong with damaged files and still delivers
// all that is whole.
func TestReaderDamage(t *testing.T) {
	t.Parallel()
	data := func(members string) string { return `{"record":"data","seq":2,` + members + "}\n" }
	for _, tt := range []struct {
		name, text string
		whole      int
		want       string
	}{
		{"nothing", "", 0, "line 1: this is not a transcript: the first line is not a header with the format mcp-transcript (the file is empty)"},
		{"another file", "hello\n", 0, "not a transcript"},
		{"another format", `{"record":"header","format":"har","version":1}` + "\n", 0, `the format is "har"`},
		{"no header", dataLine, 0, `not a transcript: the first line is not a header with the format mcp-transcript (a record of kind "data")`},
		{"unknown kind first", `{"record":"comment"}` + "\n" + headerLine, 0, "not a transcript"},
		{"later version", strings.Replace(headerLine, `"version":1`, `"version":2`, 1) + dataLine, 0, "line 1: the record has version 2 of the format; this program reads version 1"},
		{"later version appended", headerLine + dataLine + strings.Replace(headerLine, `"version":1`, `"version":2`, 1) + dataLine, 2, "line 3: the record has version 2"},
		{"header cut off", headerLine[:30], 0, "not a transcript"},
		{"last line cut off", headerLine + dataLine + dataLine[:40], 2, "line 3: the last line is cut off"},
		{"line in the middle cut off", headerLine + dataLine[:40] + "\n" + dataLine, 2, "line 2: invalid JSON"},
		{"blank line", headerLine + "\n" + dataLine, 2, "line 2: invalid JSON"},
		{"not an object", headerLine + "[1]\n" + dataLine, 2, "line 2: the line is not a JSON object"},
		{"no kind", headerLine + "{}\n", 1, `the member "record" is missing`},
		{"member twice", headerLine + `{"record":"data","record":"eof"}` + "\n", 1, "names a member twice"},
		{"number repeated", headerLine + dataLine + dataLine, 2, "line 3: record 1 follows record 1"},
		{"number zero", headerLine + strings.Replace(dataLine, `"seq":1`, `"seq":0`, 1), 1, "record 0 follows record 0"},
		{"number not an integer", headerLine + strings.Replace(dataLine, `"seq":1`, `"seq":1.0`, 1), 1, `the member "seq" is not an integer`},
		{"number negative", headerLine + strings.Replace(dataLine, `"mono":1`, `"mono":-1`, 1), 1, `the member "mono" is not an integer from 0 to`},
		{"time", headerLine + strings.Replace(dataLine, `2026-12-01T`, `2026-13-01T`, 1), 1, `the member "time" is not an RFC 3339 time`},
		{"no bytes", headerLine + data(in), 1, `neither "text" nor "base64"`},
		{"bytes twice", headerLine + data(in+`,"text":"","base64":""`), 1, `both "text" and "base64"`},
		{"text no string", headerLine + data(in+`,"text":1`), 1, `the member "text" is not a string`},
		{"base64 with stray bits", headerLine + data(in+`,"base64":"eHh="`), 1, `the member "base64" is not base64`},
		{"final without part", headerLine + data(in+`,"text":"","final":true`), 1, `"final" stands without "part"`},
		{"flag no boolean", headerLine + data(in+`,"text":"","torn":1`), 1, `the member "torn" is not a boolean`},
		{"no stream", headerLine + data(stamps+`,"direction":"client-to-server","text":""`), 1, `the member "stream" is missing`},
		{"exit without a status", headerLine + `{"record":"exit","seq":1,` + stamps + "}\n", 1, `the member "status" is missing`},
		{"too long", headerLine + `{"record":"data","text":"` + strings.Repeat("x", 5000) + "\"}\n" + dataLine, 2, "line 2: the line is longer than 4096 bytes"},
		{"too long at the start", strings.Repeat("x", 5000), 0, "not a transcript"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			records, err := transcript.ReadAll(strings.NewReader(tt.text), 4096)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
			var line *transcript.LineError
			if !errors.As(err, &line) {
				t.Errorf("the error names no line: %v", err)
			}
			if len(records) != tt.whole {
				t.Errorf("got %d records, want %d", len(records), tt.whole)
			}
		})
	}
}

// TestReaderGrows reads a file of a later program: what is unknown is passed
// over, what is known is delivered.
func TestReaderGrows(t *testing.T) {
	t.Parallel()
	text := strings.Replace(headerLine, "}\n", `,"host":{"name":"x"}}`+"\n", 1) +
		`{"record":"frame","seq":1,"anything":[[1]]}` + "\n" +
		`{"flags":["x"],"record":"data","seq":2,` + in + `,"text":"a","comment":null}` + "\n" +
		`{"record":"data","seq":3,` + stamps + `,"direction":"server-to-client","stream":"http","text":"b"}` + "\n"
	records, err := transcript.ReadAll(strings.NewReader(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 3 || string(records[1].Data) != "a" || records[2].Stream != "http" {
		t.Errorf("got %+v", records)
	}
}

// TestReaderSessions reads a file to which a second session was appended: the
// numbers start again with its header.
func TestReaderSessions(t *testing.T) {
	t.Parallel()
	records, err := transcript.ReadAll(strings.NewReader(headerLine+dataLine+headerLine+dataLine), 0)
	if err != nil || len(records) != 4 || records[2].Kind != transcript.KindHeader {
		t.Errorf("got %d records and error %v", len(records), err)
	}
}

// TestReaderWithoutLastLineEnd takes a last record that is whole but for its
// line end.
func TestReaderWithoutLastLineEnd(t *testing.T) {
	t.Parallel()
	records, err := transcript.ReadAll(strings.NewReader(headerLine+strings.TrimSuffix(dataLine, "\n")), 0)
	if err != nil || len(records) != 2 {
		t.Errorf("got %d records and error %v", len(records), err)
	}
}

// TestReaderChunks reads the same whatever pieces the file comes in.
func TestReaderChunks(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile(filepath.Join("testdata", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	records, err := transcript.ReadAll(iotest.OneByteReader(strings.NewReader(string(golden))), 0)
	if err != nil || len(records) != 1+len(sample()) {
		t.Errorf("got %d records and error %v", len(records), err)
	}
}

// TestReaderSourceError gives the source's error after the whole records.
func TestReaderSourceError(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	src := io.MultiReader(strings.NewReader(headerLine+dataLine+"{"), iotest.ErrReader(broken))
	records, err := transcript.ReadAll(src, 0)
	if !errors.Is(err, broken) || len(records) != 2 {
		t.Errorf("got %d records and error %v", len(records), err)
	}
}
