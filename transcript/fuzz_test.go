package transcript_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helpdesk/jsonscan"
	"helpdesk/transcript"
)

// FuzzReader reads any text. What it makes a record of means the same when it
// is written and read again.
func FuzzReader(f *testing.F) {
	golden, err := os.ReadFile(filepath.Join("testdata", "session.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	for line := range bytes.Lines(golden) {
		f.Add(append([]byte(headerLine), line...))
	}
	f.Add([]byte(headerLine + `{"record":"data","seq":1,` + in + `,"text":"\ud83d\ude00\u2028\u0000"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := transcript.NewReader(bytes.NewReader(text), 1<<16)
		for range len(text) + 2 {
			rec, err := r.Next()
			if err == io.EOF {
				return
			}
			var line *transcript.LineError
			if err != nil && !errors.As(err, &line) {
				t.Fatalf("an error without a line: %v", err)
			}
			if err != nil {
				if _, again := r.Next(); again == err {
					return
				}
				continue
			}
			spelled := transcript.AppendRecord(nil, &rec)
			if rec.Kind != transcript.KindHeader {
				spelled = append([]byte(headerLine), spelled...)
			}
			records, err := transcript.ReadAll(bytes.NewReader(spelled), 0)
			if err != nil {
				t.Fatalf("%s cannot be read again: %v", spelled, err)
			}
			last := records[len(records)-1]
			if !bytes.Equal(transcript.AppendRecord(nil, &last), transcript.AppendRecord(nil, &rec)) {
				t.Fatalf("%+v came back as %+v", rec, last)
			}
		}
		t.Fatal("the reader gives more than the text has bytes")
	})
}

// FuzzRoundTrip sends any bytes in any pieces through cutter, writer, reader
// and joiner, and gets the same bytes.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("{\"a\":1}\nb\r\n\xff\xfe\n\u2028\x00\x7f€\nlast"), uint8(3), uint8(8), uint16(0))
	f.Add([]byte("12345678"), uint8(8), uint8(4), uint16(0xffff))
	f.Add([]byte("\n\n\xe2\x82"), uint8(1), uint8(5), uint16(0x5555))
	f.Fuzz(func(t *testing.T, data []byte, piece, limit uint8, pauses uint16) {
		var file bytes.Buffer
		w := transcript.NewWriter(&file, header())
		c := transcript.NewCutter(transcript.Stdin, int(limit), nil, func(r *transcript.Record) {
			if limit >= 4 && len(r.Data) > int(limit) {
				t.Fatalf("a record holds %d bytes, the limit is %d", len(r.Data), limit)
			}
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		})
		size := max(int(piece), 1)
		for i := 0; i < len(data); i += size {
			c.Add(at(1), data[i:min(i+size, len(data))])
			if pauses>>(i/size%16)&1 == 1 {
				c.Pause(at(1))
			}
		}
		c.End(at(2))
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for line, err := range transcript.Lines(transcript.NewReader(&file, 0), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.IndexByte(line.Data, '\n'); n >= 0 && n != len(line.Data)-1 {
				t.Fatalf("a line holds several: %q", line.Data)
			}
			if line.Torn || line.Omitted > 0 {
				t.Fatalf("a whole line came back damaged: %+v", line)
			}
			got = append(got, line.Data...)
		}
		if !bytes.Equal(got, data) {
			t.Fatalf("%q came back as %q", data, got)
		}
	})
}

// FuzzRedactor redacts any line: the result is JSON of the same kind, holds no
// value of the key, and is not changed by redacting it again.
func FuzzRedactor(f *testing.F) {
	f.Add([]byte(`{"key":"s3cret","a":[{"KEY":[1,{"b":null}]},"{\"key\":1}","x \"key\": y"]}`))
	f.Add([]byte(`[{"k\u0065y":{}},{"a":-1}]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r := transcript.NewRedactor("key")
		before := string(line)
		got, changed, ok := r.Line(line)
		if string(line) != before {
			t.Fatal("the line itself was changed")
		}
		if !ok {
			return
		}
		if changed == bytes.Equal(got, line) {
			t.Fatalf("changed is %v for %q to %q", changed, line, got)
		}
		if err := jsonscan.Check(got, 0); err != nil {
			t.Fatalf("%q became %q: %v", line, got, err)
		}
		if leaks(jsonscan.Trim(got)) {
			t.Fatalf("%q became %q", line, got)
		}
		again, _, ok := r.Line(got)
		if !ok || !bytes.Equal(again, got) {
			t.Fatalf("%q became %q, and that %q", line, got, again)
		}
	})
}

// leaks walks JSON text another way than the Redactor does and looks for a
// value under the name "key".
func leaks(value []byte) bool {
	kind := jsonscan.KindOf(value)
	for it := jsonscan.Iterate(value); it.Next(); {
		if kind == jsonscan.Object && strings.EqualFold(jsonscan.UnescapeName(it.Name()), "key") {
			if string(it.Value()) != transcript.Redacted {
				return true
			}
		} else if leaks(it.Value()) {
			return true
		}
	}
	if kind == jsonscan.String {
		inner := []byte(jsonscan.Unquote(value))
		return jsonscan.Check(inner, 0) == nil && leaks(jsonscan.Trim(inner))
	}
	return false
}
