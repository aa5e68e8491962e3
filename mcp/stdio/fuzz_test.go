package stdio_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"helpdesk/jsonscan"
	"helpdesk/mcp/jsonrpc"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

// pieces hands out a text in pieces whose lengths follow cuts.
type pieces struct{ text, cuts []byte }

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := len(p.text)
	if len(p.cuts) > 0 {
		n, p.cuts = int(p.cuts[0])+1, p.cuts[1:]
	}
	n = copy(b, p.text[:min(n, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

// fuzzMaxLine is small, so that the fuzzer reaches it.
const fuzzMaxLine = 2000

// FuzzConn sends any bytes, cut at any places, to a server with brief tools
// only. The connection ends well, every line is a line a server may write, no
// id is answered more often than it was asked, and where the stream is cut
// makes no difference.
func FuzzConn(f *testing.F) {
	w := newWorkshop(f, server.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	// These answers depend on the bytes alone, so every cut must give the same.
	plain := strings.Join([]string{
		ping, call(1, "at_once", `{}`), call("2", "big", `{"bytes":10}`), request(3, "tools/list", ""), request(4, "server/discover", ""),
		initialize, oldCall(5, "at_once"), "", "no json", "[]", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`, withProgress(8, "steps", `{}`),
		strings.Repeat("x", fuzzMaxLine+1), `{"jsonrpc":"2.0","id":9,"method":"` + strings.Repeat("x", fuzzMaxLine) + `"}`, ping,
	}, "\n")
	if mayDiffer([]byte(plain)) {
		f.Fatal("the plain text is not compared")
	}
	all := strings.Join([]string{plain, batch(oldCall(6, "at_once"), ping, `{"bad":1}`), cancelled(6)}, "\n")
	for _, text := range []string{plain, all} {
		f.Add([]byte(text), []byte{})
		f.Add([]byte(text+"\n"), []byte{0, 0, 0, 255, 1, 7})
		f.Add([]byte(strings.ReplaceAll(text, "\n", "\r\n")), bytes.Repeat([]byte{0}, 2*len(text)))
	}
	f.Fuzz(func(t *testing.T, text, cuts []byte) {
		if bytes.Contains(text, []byte("gate")) || bytes.Contains(text, []byte("stubborn")) || bytes.Contains(text, []byte("flood")) ||
			bytes.Contains(text, []byte("listen")) || bytes.Contains(text, []byte(`\u`)) || bytes.Contains(text, []byte("us")) || len(text) > 20_000 {
			return // Tools that wait, however they are spelled, make a fuzzer slow.
		}
		whole := talk(t, w.Server, &pieces{text: text})
		cut := talk(t, w.Server, &pieces{text: text, cuts: cuts})
		slices.Sort(whole)
		slices.Sort(cut)
		if !slices.Equal(whole, cut) && !mayDiffer(text) {
			t.Errorf("in one piece the answers are\n%s\nin pieces\n%s", strings.Join(whole, "\n"), strings.Join(cut, "\n"))
		}
		asked := map[string]int{}
		for _, line := range bytes.Split(text, []byte("\n")) {
			count(asked, line)
		}
		for id, answers := range byID(flat(whole)) {
			if id != "" && len(answers) > max(asked[id], bytes.Count(text, []byte(id))) {
				t.Errorf("%s was asked %d times and answered %d times", id, asked[id], len(answers))
			}
		}
	})
}

// talk plays a whole connection.
func talk(t *testing.T, s *server.Server, in io.Reader) (lines []string) {
	var out bytes.Buffer
	if err := stdio.ServeConn(t.Context(), s, in, &out, stdio.Options{MaxLine: fuzzMaxLine}); err != nil {
		t.Fatalf("the connection ended with %v", err)
	}
	readLines(t, &out, func(line string) { lines = append(lines, line) })
	return lines
}

// flat takes the answers out of batches.
func flat(lines []string) (answers []string) {
	for _, line := range lines {
		if !jsonrpc.IsBatch([]byte(line)) {
			answers = append(answers, line)
			continue
		}
		for it := jsonscan.Iterate([]byte(line)); it.Next(); {
			answers = append(answers, string(it.Value()))
		}
	}
	return answers
}

func count(asked map[string]int, line []byte) {
	if message, err := jsonrpc.Scan(line, 0); err == nil {
		asked[string(message.ID)]++
	}
}

// mayDiffer holds for what depends on time: batches run their calls at once,
// so an id used twice may or may not still be open, and a cancellation may or
// may not come in time.
func mayDiffer(text []byte) bool {
	return bytes.Contains(text, []byte("cancelled")) || bytes.Contains(text, []byte("[{"))
}
