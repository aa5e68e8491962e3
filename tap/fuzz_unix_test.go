//go:build unix

package tap_test

import (
	"bytes"
	"io"
	"testing"

	"helpdesk/tap"
	"helpdesk/transcript"
)

// pieces gives its bytes in pieces of the given sizes, in turn.
type pieces struct {
	data  []byte
	sizes []byte
	turn  int
}

func (p *pieces) Read(buf []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	size := len(p.data)
	if len(p.sizes) > 0 {
		size = int(p.sizes[p.turn%len(p.sizes)]) + 1
		p.turn++
	}
	n := copy(buf, p.data[:min(size, len(p.data))])
	p.data = p.data[n:]
	return n, nil
}

// FuzzTap sends any bytes in any pieces through a tap. They come out as they
// went in, and the file that was written holds them.
func FuzzTap(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\"}\nhalf a line"), []byte{0, 9}, uint8(0))
	f.Add([]byte("\xff\x00\n\n\xe2\x82\xac\r\n"), []byte{1}, uint8(5))
	f.Add([]byte("0123456789"), []byte{}, uint8(4))
	f.Fuzz(func(t *testing.T, data, sizes []byte, limit uint8) {
		var out, file bytes.Buffer
		res := run(t, tap.Config{
			Command: []string{"cat"}, Stdin: &pieces{data: data, sizes: sizes}, Stdout: &out,
			Log: transcript.NewWriter(&file, transcript.Header{}), PartLimit: int(limit), Exact: true,
		})
		if !bytes.Equal(out.Bytes(), data) || res.Status != 0 || res.LostBytes != 0 || res.LogErr != nil {
			t.Fatalf("%q became %q, with %+v", data, out.Bytes(), res)
		}
		recorded := map[transcript.Stream][]byte{}
		for line, err := range transcript.Lines(transcript.NewReader(&file, 0), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if line.Torn {
				t.Fatalf("a line came back torn: %+v", line)
			}
			recorded[line.Stream] = append(recorded[line.Stream], line.Data...)
		}
		for _, stream := range []transcript.Stream{transcript.Stdin, transcript.Stdout} {
			if !bytes.Equal(recorded[stream], data) {
				t.Fatalf("%s was recorded as %q, sent was %q", stream, recorded[stream], data)
			}
		}
	})
}
