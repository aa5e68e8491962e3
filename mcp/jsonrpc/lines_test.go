package jsonrpc_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"helpdesk/mcp/jsonrpc"
)

// readLines reads everything and shows a line that was too long as "!".
func readLines(t *testing.T, r *jsonrpc.LineReader) []string {
	t.Helper()
	var lines []string
	for {
		line, err := r.Next()
		var tooLong *jsonrpc.LineTooLongError
		switch {
		case errors.Is(err, io.EOF):
			return lines
		case errors.As(err, &tooLong):
			lines = append(lines, "!"+string(tooLong.Prefix))
		case err != nil:
			t.Fatal(err)
		default:
			lines = append(lines, string(line))
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, input string
		want        []string
	}{
		{"two lines", "a\nb\n", []string{"a", "b"}},
		{"the last line lacks its end", "a\nb", []string{"a", "b"}},
		{"blank lines are lines", "\n\na\n", []string{"", "", "a"}},
		{"exactly the limit", long[:10] + "\n", []string{long[:10]}},
		{"one more than the limit", long[:11] + "\nok\n", []string{"!" + long[:10], "ok"}},
		{"far more than the limit", long + "\nok\n", []string{"!" + long[:10], "ok"}},
		{"too long and never ended", long, []string{"!" + long[:10]}},
		{"nothing", "", nil},
	}
	for _, test := range tests {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"whole":      func(r io.Reader) io.Reader { return r },
			"byte wise":  iotest.OneByteReader,
			"with error": iotest.DataErrReader,
		} {
			t.Run(test.name+" "+name, func(t *testing.T) {
				t.Parallel()
				r := jsonrpc.NewLineReader(wrap(strings.NewReader(test.input)), 10)
				if got := readLines(t, r); !slices.Equal(got, test.want) {
					t.Errorf("lines are %q, want %q", got, test.want)
				}
			})
		}
	}
}

// A line far beyond the read size is put together, and its memory given back.
func TestLongLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 3<<20)
	r := jsonrpc.NewLineReader(strings.NewReader(long+"\nshort\n"), 4<<20)
	if got := readLines(t, r); len(got) != 2 || got[0] != long || got[1] != "short" {
		t.Errorf("read %d lines, want the long and the short one", len(got))
	}
}

// Detach lets one goroutine keep its line while another reads on.
func TestDetach(t *testing.T) {
	t.Parallel()
	r := jsonrpc.NewLineReader(strings.NewReader("first\nsecond\nthird"), 0)
	first, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	next := r.Detach()
	if !next.Waiting() {
		t.Error("the new reader does not see the second line waiting")
	}
	if got := readLines(t, next); !slices.Equal(got, []string{"second", "third"}) {
		t.Errorf("the new reader gave %q", got)
	}
	if string(first) != "first" {
		t.Errorf("the first line became %q", first)
	}
	if _, err := r.Next(); err == nil {
		t.Error("the old reader still reads")
	}
}

// FuzzLines splits any bytes at any places and compares with bytes.Split.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), uint8(1))
	f.Add([]byte(strings.Repeat("z", 40)+"\nq\n"), uint8(7))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		const limit = 20
		r := jsonrpc.NewLineReader(&steps{data: data, step: int(step)%9 + 1}, limit)
		var want []string
		lines := bytes.Split(data, []byte("\n"))
		for i, line := range lines {
			switch {
			case i == len(lines)-1 && len(line) == 0:
			case len(line) > limit:
				want = append(want, "!"+string(line[:limit]))
			default:
				want = append(want, string(line))
			}
		}
		if got := readLines(t, r); !slices.Equal(got, want) {
			t.Fatalf("lines of %q are %q, want %q", data, got, want)
		}
	})
}

// steps gives a few bytes at a time.
type steps struct {
	data []byte
	step int
}

func (s *steps) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.data[:min(s.step, len(s.data))])
	s.data = s.data[n:]
	return n, nil
}
