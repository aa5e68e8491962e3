package transcript_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"helpdesk/transcript"
)

// describe spells a data record in one line.
func describe(r *transcript.Record) string {
	s := fmt.Sprintf("%q", r.Data)
	if r.Part > 0 {
		s += fmt.Sprintf(" part %d", r.Part)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{r.Final, " final"}, {r.Torn, " torn"}, {r.Redacted, " redacted"}} {
		if flag.set {
			s += flag.name
		}
	}
	if r.Withheld > 0 {
		s += fmt.Sprintf(" withheld %d", r.Withheld)
	}
	return s
}

// TestCutter gives a stream in pieces and shows the records. "GAP" stands for
// missing bytes, "PAUSE" for a silence; every stream is ended.
func TestCutter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		redact string
		pieces []string
		want   []string
	}{
		{name: "lines in one piece", pieces: []string{"a\nb\n"}, want: []string{`"a\n"`, `"b\n"`}},
		{name: "a line in pieces", pieces: []string{"a", "b", "\n"}, want: []string{`"ab\n"`}},
		{name: "blank lines", pieces: []string{"\n\r\n"}, want: []string{`"\n"`, `"\r\n"`}},
		{name: "no line end", pieces: []string{"a\nb"}, want: []string{`"a\n"`, `"b"`}},
		{name: "exactly the limit", pieces: []string{"1234567\n"}, want: []string{`"1234567\n"`}},
		{name: "one more", pieces: []string{"12345678\n"}, want: []string{`"12345678" part 1`, `"\n" part 2 final`}},
		{name: "long", pieces: []string{"1234567890", "1234567\n"}, want: []string{`"12345678" part 1`, `"90123456" part 2`, `"7\n" part 3 final`}},
		{name: "long without a line end", pieces: []string{"1234567890"}, want: []string{`"12345678" part 1`, `"90" part 2 final`}},
		{name: "exactly a part without a line end", pieces: []string{"12345678"}, want: []string{`"12345678"`}},
		{name: "characters stay whole", pieces: []string{"123456€€\n"}, want: []string{`"123456" part 1`, `"€€\n" part 2 final`}},
		{name: "pause", pieces: []string{"ab", "PAUSE", "c\n"}, want: []string{`"ab" part 1`, `"c\n" part 2 final`}},
		{name: "pause before the end", pieces: []string{"ab", "PAUSE"}, want: []string{`"ab" part 1`, `"" part 2 final`}},
		{name: "gap between lines", pieces: []string{"a\n", "GAP", "b\nc\n"}, want: []string{`"a\n"`, `"b\n" torn`, `"c\n"`}},
		{name: "gap in a line", pieces: []string{"a", "GAP", "b\nc\n"}, want: []string{`"a" part 1`, `"b\n" torn`, `"c\n"`}},
		{name: "redact", redact: "k", pieces: []string{`{"k"`, ":1}\n"}, want: []string{`"{\"k\":\"[redacted]\"}\n" redacted`}},
		{name: "redact nothing", redact: "k", pieces: []string{"{}\n"}, want: []string{`"{}\n"`}},
		{name: "redact prose", redact: "k", pieces: []string{"k=1\r\n"}, want: []string{`"\n" redacted withheld 4`}},
		{name: "redact a long line", redact: "k", pieces: []string{`{"a":"123`, `4567","k":1}`, "\n{}\n"}, want: []string{`"\n" redacted withheld 21`, `"{}\n"`}},
		{name: "redact a long line in one piece", redact: "k", pieces: []string{`{"a":"1234567"}` + "\n"}, want: []string{`"\n" redacted withheld 15`}},
		{name: "redact without a line end", redact: "k", pieces: []string{`{"k":1}`}, want: []string{`"{\"k\":\"[redacted]\"}" redacted`}},
		{name: "redact half a line", redact: "k", pieces: []string{`{"k":1`}, want: []string{`"" redacted withheld 6`}},
		{name: "redact holds through a pause", redact: "k", pieces: []string{`{"k":`, "PAUSE", "1}\n"}, want: []string{`"{\"k\":\"[redacted]\"}\n" redacted`}},
		{name: "redact around a gap", redact: "k", pieces: []string{`{"k"`, "GAP", "{}\n", "{}\n"}, want: []string{`"" part 1 redacted withheld 4`, `"\n" torn redacted withheld 2`, `"{}\n"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			c := transcript.NewCutter(transcript.Stdout, 8, transcript.NewRedactor(tt.redact), func(r *transcript.Record) {
				got = append(got, describe(r))
			})
			for i, piece := range tt.pieces {
				switch piece {
				case "GAP":
					c.Gap(at(1))
				case "PAUSE":
					c.Pause(at(1))
				default:
					c.Add(at(1), []byte(tt.pieces[i]))
				}
			}
			c.End(at(1))
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestJoiner puts together what records hold, and says where it is not whole.
func TestJoiner(t *testing.T) {
	t.Parallel()
	data := func(stream transcript.Stream, text string, part int, final bool) *transcript.Record {
		return stamped(1, transcript.Record{Kind: transcript.KindData, Stream: stream, Data: []byte(text), Part: part, Final: final})
	}
	const out, errs = transcript.Stdout, transcript.Stderr
	for _, tt := range []struct {
		name    string
		records []*transcript.Record
		want    string
	}{
		{"whole", []*transcript.Record{data(out, "a\n", 0, false)}, `stdout "a\n"`},
		{"interleaved", []*transcript.Record{data(out, "a", 1, false), data(errs, "x\n", 0, false), data(out, "b\n", 2, true)}, `stderr "x\n"; stdout "ab\n"`},
		{"dropped", []*transcript.Record{data(out, "a", 1, false), {Kind: transcript.KindDropped, Stream: out}}, `stdout "a" torn`},
		{"ended without the final part", []*transcript.Record{data(out, "a", 1, false), {Kind: transcript.KindEOF, Stream: out}}, `stdout "a" torn`},
		{"another stream ended", []*transcript.Record{data(out, "a", 1, false), {Kind: transcript.KindEOF, Stream: errs}, data(out, "\n", 2, true)}, `stdout "a\n"`},
		{"killed", []*transcript.Record{data(out, "a", 1, false)}, `stdout "a" torn`},
		{"new session", []*transcript.Record{data(out, "a", 1, false), {Kind: transcript.KindHeader}, data(out, "b\n", 0, false)}, `stdout "a" torn; stdout "b\n"`},
		{"part missing", []*transcript.Record{data(out, "a", 1, false), data(out, "c", 3, false), data(out, "\n", 4, true)}, `stdout "a" torn; stdout "c\n" torn`},
		{"begins in the middle", []*transcript.Record{data(out, "c\n", 3, true)}, `stdout "c\n" torn`},
		{"over the limit", []*transcript.Record{data(out, "123456", 1, false), data(out, "7890\n", 2, true)}, `stdout "12345678" omitted 3`},
		{"over the limit whole", []*transcript.Record{data(out, "1234567890\n", 0, false)}, `stdout "12345678" omitted 3`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			keep := func(lines []transcript.Line) {
				for _, line := range lines {
					s := fmt.Sprintf("%s %q", line.Stream, line.Data)
					if line.Torn {
						s += " torn"
					}
					if line.Omitted > 0 {
						s += fmt.Sprintf(" omitted %d", line.Omitted)
					}
					got = append(got, s)
				}
			}
			j := transcript.NewJoiner(8)
			for _, rec := range tt.records {
				keep(j.Add(rec))
			}
			keep(j.Rest())
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
}

// TestJoinerManyStreams shows that a file cannot open lines without bound.
func TestJoinerManyStreams(t *testing.T) {
	t.Parallel()
	j := transcript.NewJoiner(0)
	given := 0
	for i := range 1000 {
		stream := transcript.Stream(fmt.Sprint("s", i))
		given += len(j.Add(stamped(1, transcript.Record{Kind: transcript.KindData, Stream: stream, Data: []byte("x"), Part: 1})))
	}
	if open := len(j.Rest()); open > 100 || given+open != 1000 {
		t.Errorf("%d lines were given up and %d are open", given, open)
	}
}

// TestLines takes a long line through the whole package and back.
func TestLines(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("0123456789abcdé"), 10_000)
	var file bytes.Buffer
	w := transcript.NewWriter(&file, header())
	c := transcript.NewCutter(transcript.Stdout, 1000, nil, func(r *transcript.Record) {
		if err := w.Write(r); err != nil {
			t.Error(err)
		}
	})
	c.Add(at(1), long)
	c.Add(at(2), []byte("\nlast"))
	c.End(at(3))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.WriteString("damage\n")
	var lines []transcript.Line
	problems := 0
	for line, err := range transcript.Lines(transcript.NewReader(&file, 0), 0) {
		if err != nil {
			problems++
			continue
		}
		lines = append(lines, line)
	}
	if len(lines) != 2 || problems != 1 {
		t.Fatalf("got %d lines and %d problems", len(lines), problems)
	}
	if got := lines[0]; !bytes.Equal(got.Data, append(long, '\n')) || got.Torn || got.First != 1 || got.Last <= 100 || got.At != at(2) {
		t.Errorf("the long line came back as %d bytes, torn %v, records %d to %d", len(got.Data), got.Torn, got.First, got.Last)
	}
	if got := lines[1]; string(got.Data) != "last" || got.Torn {
		t.Errorf("the last line came back as %q, torn %v", got.Data, got.Torn)
	}
}
