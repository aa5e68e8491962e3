package transcripts_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Ten thousand lines of noise and ten thousand recorded lines with a few bytes
// changed: the process lives, its memory does not grow, and a good request is
// answered afterwards.
func TestNoise(t *testing.T) {
	t.Parallel()
	recorded := recordedLines(t)
	for _, program := range []string{"helpdesk", "probe"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(2318, 1))
			p := start(t, program, nil)
			p.read()
			round := func(lines int) {
				t.Helper()
				for range lines / 500 {
					var text strings.Builder
					for range 500 {
						text.WriteString(noise(random) + "\n" + mutated(random, recorded[random.IntN(len(recorded))]) + "\n")
					}
					// The client reads all the while.
					sent := make(chan struct{})
					go func() { defer close(sent); p.send(text.String()) }()
					<-sent
					p.probe(t)
				}
			}
			round(4000)
			before := p.memory()
			round(10_000)
			if after := p.memory(); after > before+32<<20 {
				t.Errorf("the memory grew from %d to %d bytes", before, after)
			}
			p.in.Close()
			p.end()
		})
	}
}

// probe wants a good request answered, whatever was sent before it.
func (p *process) probe(t *testing.T) {
	t.Helper()
	const id = 987654321
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`+"\n", id, meta))
	p.until(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","tools":[`, id))
}

// recordedLines are what clients send in the sessions. The probe's largest
// answer and its longest waits are left out: they prove nothing here.
func recordedLines(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, path := range sessions(t) {
		for _, st := range readSession(t, path).steps {
			if text, ok := st.input(); ok && !strings.Contains(text, `"huge"`) && !strings.Contains(text, `"slow"`) && len(text) < 10_000 {
				lines = append(lines, strings.ReplaceAll(text, "\n", ""))
			}
		}
	}
	return lines
}

// noise is any bytes but a line end.
func noise(random *rand.Rand) string {
	line := make([]byte, random.IntN(300))
	for i := range line {
		line[i] = byte(random.Uint32())
		if line[i] == '\n' {
			line[i] = '{'
		}
	}
	return string(line)
}

// mutated changes a line in one to four places.
func mutated(random *rand.Rand, line string) string {
	b := []byte(line)
	for range 1 + random.IntN(4) {
		if len(b) < 2 {
			break
		}
		i, j := random.IntN(len(b)), random.IntN(len(b))
		switch random.IntN(5) {
		case 0:
			b[i] ^= 1 << random.IntN(8)
		case 1:
			b = append(b[:i], b[i+1:]...)
		case 2:
			b = append(b[:i], append([]byte{byte(random.Uint32())}, b[i:]...)...)
		case 3:
			b[i], b[j] = b[j], b[i]
		default:
			b = b[:i]
		}
	}
	return strings.ReplaceAll(string(b), "\n", " ")
}
