package transcript_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"helpdesk/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// began is when the sessions of these tests began.
var began = time.Date(2026, 12, 1, 9, 30, 0, 5_000_000, time.UTC)

// at is a moment of such a session.
func at(mono time.Duration) transcript.Stamp {
	return transcript.Stamp{Time: began.Add(mono), Mono: mono}
}

// stamped makes a record of that moment.
func stamped(mono time.Duration, rec transcript.Record) *transcript.Record {
	rec.Time, rec.Mono = at(mono).Time, mono
	if rec.Stream != "" {
		rec.Direction = rec.Stream.Direction()
	}
	return &rec
}

// sample has a record of every kind and every member that can stand in one.
func sample() []*transcript.Record {
	return []*transcript.Record{
		stamped(1_200_000, transcript.Record{Kind: transcript.KindStart, PID: 4711}),
		stamped(1_900_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdin, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")}),
		stamped(2_400_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stderr, Data: []byte("caf\xe9\n")}),
		stamped(2_500_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdout, Data: []byte(`{"jsonrpc":"2.0",`), Part: 1}),
		stamped(2_600_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdout, Data: []byte(`"id":1,"result":{}}` + "\r\n"), Part: 2, Final: true}),
		stamped(3_000_000, transcript.Record{Kind: transcript.KindDropped, Stream: transcript.Stdin, Lines: 2, Bytes: 4096}),
		stamped(3_100_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdin, Data: []byte("}\n"), Torn: true}),
		stamped(3_200_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdout, Data: []byte(`{"api_key":"[redacted]"}` + "\n"), Redacted: true}),
		stamped(3_300_000, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stderr, Data: []byte("\n"), Redacted: true, Withheld: 57}),
		stamped(3_400_000, transcript.Record{Kind: transcript.KindEOF, Stream: transcript.Stdin}),
		stamped(3_500_000, transcript.Record{Kind: transcript.KindEOF, Stream: transcript.Stdout, Error: "the receiver stopped reading"}),
		stamped(3_600_000, transcript.Record{Kind: transcript.KindExit, Signal: "SIGTERM"}),
		stamped(3_700_000, transcript.Record{Kind: transcript.KindExit, Status: 3}),
		stamped(3_800_000, transcript.Record{Kind: transcript.KindExit, Error: "cannot start helpdesk"}),
	}
}

func header() transcript.Header {
	return transcript.Header{
		Started: began,
		Tool:    "mcpkit v1.0.0",
		Command: []string{"helpdesk", "serve", "--stdio"},
		Redact:  []string{"api_key"},
	}
}

// TestGolden holds the bytes of the format. When it fails, files that exist
// have changed their meaning: think of Version.
func TestGolden(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	w := transcript.NewWriter(&buf, header())
	for _, rec := range sample() {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "session.jsonl")
	if *update {
		if err := os.WriteFile(golden, buf.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("the format changed; got\n%s\nwant\n%s", buf.Bytes(), want)
	}

	records, err := transcript.ReadAll(bytes.NewReader(want), 0)
	if err != nil {
		t.Fatal(err)
	}
	wantHeader := header()
	wantHeader.Version = transcript.Version
	if got := records[0].Header; !reflect.DeepEqual(*got, wantHeader) {
		t.Errorf("header: got %+v, want %+v", *got, wantHeader)
	}
	for i, rec := range sample() {
		rec.Seq = uint64(i + 1)
		if got := records[i+1]; !reflect.DeepEqual(got, *rec) {
			t.Errorf("record %d: got %+v, want %+v", i+1, got, *rec)
		}
	}
}

// TestDocumentedExamples reads the examples of the format's description.
func TestDocumentedExamples(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "docs", "transcript-format.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(doc), "```jsonl\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("the document has no examples")
	}
	for i, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		if !strings.HasPrefix(text, `{"record":"header"`) {
			// The later examples are pieces from within a session.
			text = headerLine + text
		}
		records, err := transcript.ReadAll(strings.NewReader(text), 0)
		if err != nil {
			t.Errorf("example %d: %v", i+1, err)
		}
		var again bytes.Buffer
		for _, rec := range records {
			again.Write(transcript.AppendRecord(nil, &rec))
		}
		if again.String() != text {
			t.Errorf("example %d is not what the writer writes; it writes\n%s", i+1, again.String())
		}
	}
}

// failing is a file that takes a limited number of bytes, like a full disk.
type failing struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left")

func (f *failing) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.Buffer.Write(p[:n])
	f.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestWriterResumes fills the disk at every byte of a record in turn. Once
// there is room again the file is as if it had never been full.
func TestWriterResumes(t *testing.T) {
	t.Parallel()
	var whole bytes.Buffer
	w := transcript.NewWriter(&whole, header())
	write(t, w, sample())
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for room := range whole.Len() {
		disk := &failing{room: room}
		w := transcript.NewWriter(disk, header())
		write(t, w, sample())
		if err := w.Flush(); !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: got error %v, want %v", room, err, errFull)
		}
		disk.room = whole.Len()
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(disk.Bytes(), whole.Bytes()) {
			t.Fatalf("room for %d bytes: the file differs:\n%s", room, disk.Bytes())
		}
	}
}

func write(t *testing.T, w *transcript.Writer, records []*transcript.Record) {
	t.Helper()
	for _, rec := range records {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWriterRefuses shows that memory is bounded while nothing can be written,
// and that a refused record takes no number.
func TestWriterRefuses(t *testing.T) {
	t.Parallel()
	disk := &failing{}
	w := transcript.NewWriter(disk, header())
	accepted := uint64(0)
	for range 10_000 {
		rec := stamped(1, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdin, Data: bytes.Repeat([]byte("x"), 1000)})
		if err := w.Write(rec); err != nil {
			if !errors.Is(err, errFull) || rec.Seq != 0 {
				t.Fatalf("refused with %v and number %d", err, rec.Seq)
			}
			continue
		}
		accepted++
	}
	if accepted == 0 || accepted > 1000 {
		t.Fatalf("%d records of 1 KB were taken into memory", accepted)
	}
	disk.room = 10 << 20
	last := stamped(2, transcript.Record{Kind: transcript.KindEOF, Stream: transcript.Stdin})
	if err := w.Write(last); err != nil {
		t.Fatal(err)
	}
	if last.Seq != accepted+1 {
		t.Errorf("after %d records the next has the number %d", accepted, last.Seq)
	}
	if err := w.Write(&transcript.Record{Kind: transcript.KindHeader, Header: &transcript.Header{}}); err == nil {
		t.Error("a second header was taken")
	}
}

// TestWriterConcurrent has several writers at once; every line stays whole.
func TestWriterConcurrent(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	w := transcript.NewWriter(&buf, header())
	done := make(chan error)
	const writers, each = 4, 250
	for range writers {
		go func() {
			var err error
			for range each {
				err = errors.Join(err, w.Write(stamped(1, transcript.Record{Kind: transcript.KindData, Stream: transcript.Stdout, Data: []byte("line\n")})), w.Flush())
			}
			done <- err
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	records, err := transcript.ReadAll(&buf, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := records[len(records)-1].Seq; got != writers*each {
		t.Errorf("the last number is %d, want %d", got, writers*each)
	}
}

// shortWriter breaks the contract of io.Writer; the Writer must not lose
// bytes over it.
type shortWriter struct{ bytes.Buffer }

func (s *shortWriter) Write(p []byte) (int, error) { return s.Buffer.Write(p[:1]) }

func TestWriterShortWrite(t *testing.T) {
	t.Parallel()
	var disk shortWriter
	w := transcript.NewWriter(&disk, header())
	for {
		err := w.Flush()
		if err == nil {
			break
		}
		if !errors.Is(err, io.ErrShortWrite) {
			t.Fatal(err)
		}
	}
	if _, err := transcript.ReadAll(&disk.Buffer, 0); err != nil {
		t.Error(err)
	}
}
