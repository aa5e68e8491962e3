package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"helpdesk/bench/fixture"
	"helpdesk/bench/wire"
)

// Every request line is one line of valid JSON, and a block numbers its lines
// in sequence whatever sizes are asked for.
func TestBlock(t *testing.T) {
	t.Parallel()
	for name, line := range map[string][]byte{
		"call": wire.CallTicket("2318"), "bad": wire.CallTicket("#2318"), "big": wire.CallBig(), "list": wire.List(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			block := wire.NewBlock(line, 8)
			want := uint64(wire.FirstID)
			for _, n := range []int{8, 1, 3, 20} {
				got := bytes.SplitAfter(block.Next(n), []byte("\n"))
				got = got[:len(got)-1]
				if len(got) != min(n, 8) {
					t.Fatalf("Next(%d) holds %d lines", n, len(got))
				}
				for _, line := range got {
					var message struct {
						ID     uint64
						Method string
					}
					if err := json.Unmarshal(line, &message); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
					if message.ID != want || !strings.HasPrefix(message.Method, "tools/") {
						t.Fatalf("line %s, want id %d", line, want)
					}
					want++
				}
			}
		})
	}
}

// Lines come out whole, however the bytes were cut into reads.
func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	want := []string{"one", "", "two", long, "three", long + "y", "end"}
	text := strings.Join(want, "\n") + "\n"
	for _, size := range []int{1 << 10, 4093, 64 << 10, 3 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			var lines wire.Lines
			var got []string
			for rest := text; rest != ""; {
				n := copy(lines.Space(), rest[:min(size, len(rest))])
				lines.Filled(n)
				rest = rest[n:]
				for line, ok := lines.Next(); ok; line, ok = lines.Next() {
					got = append(got, string(line))
				}
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got %d lines that differ from the %d written", len(got), len(want))
			}
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbc\n\nd"), 2)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		size = max(size&0xff, 1)
		var lines wire.Lines
		var got []byte
		for rest := text; len(rest) > 0; {
			n := copy(lines.Space(), rest[:min(size, len(rest))])
			lines.Filled(n)
			rest = rest[n:]
			for line, ok := lines.Next(); ok; line, ok = lines.Next() {
				got = append(append(got, line...), '\n')
			}
		}
		if want := text[:bytes.LastIndexByte(text, '\n')+1]; !bytes.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// The checks accept what the peers send and nothing that is merely similar.
func TestChecks(t *testing.T) {
	t.Parallel()
	const (
		good     = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"ticket_id\":\"2318\",\"subject\":\"Charged twice for October\",\"status\":\"open\",\"customer_id\":\"cus_1042\"}"}],"structuredContent":{"ticket_id":"2318","subject":"Charged twice for October","status":"open","customer_id":"cus_1042"},"isError":false}}`
		sentence = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"No ticket \"#2318\". Ticket numbers are digits only, for example 2318."}],"isError":true}}`
		other    = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"\"#2318\" does not match"}],"isError":true}}`
		one      = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"get_ticket","inputSchema":{"type":"object"}}]}}`
		refused  = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}`
	)
	text, err := json.Marshal(fixture.BigText())
	if err != nil {
		t.Fatal(err)
	}
	big := `{"id":1,"result":{"resultType":"complete","content":[{"type":"text","text":` + string(text) + `}]}}`
	for _, c := range []struct {
		name   string
		check  wire.Check
		answer string
		ok     bool
	}{
		{"ticket", wire.Ticket("2318"), good, true},
		{"ticket without isError", wire.Ticket("2318"), strings.Replace(good, `,"isError":false`, "", 1), true},
		{"another ticket", wire.Ticket("2319"), good, false},
		{"wrong text", wire.Ticket("2318"), strings.Replace(good, "October", "November", 1), false},
		{"wrong structure", wire.Ticket("2318"), strings.Replace(good, `"status":"open"`, `"status":"closed"`, 1), false},
		{"an error where a ticket belongs", wire.Ticket("2318"), sentence, false},
		{"isError true on a ticket", wire.Ticket("2318"), strings.Replace(good, "false", "true", 1), false},
		{"protocol error", wire.Ticket("2318"), refused, false},
		{"legacy result", wire.Ticket("2318"), strings.Replace(good, `"resultType":"complete",`, "", 1), false},
		{"not JSON", wire.Ticket("2318"), good[1:], false},
		{"the sentence", wire.BadArgument("#2318", true), sentence, true},
		{"another sentence, exact", wire.BadArgument("#2318", true), other, false},
		{"another sentence", wire.BadArgument("#2318", false), other, true},
		{"a ticket where an error belongs", wire.BadArgument("#2318", false), good, false},
		{"protocol error for a bad argument", wire.BadArgument("#2318", false), refused, false},
		{"list", wire.ToolList(1), one, true},
		{"list too short", wire.ToolList(2), one, false},
		{"list without schema", wire.ToolList(1), strings.Replace(one, `{"type":"object"}`, `{}`, 1), false},
		{"big", wire.Big(), big, true},
		{"big cut short", wire.Big(), strings.Replace(big, "..", ".", 1), false},
		{"floor", wire.NonEmpty, "x", true},
		{"floor, nothing", wire.NonEmpty, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := c.check([]byte(c.answer)); (err == nil) != c.ok {
				t.Errorf("error is %v, want one: %v", err, !c.ok)
			}
		})
	}
}

func TestBigTextHasItsSize(t *testing.T) {
	t.Parallel()
	if got := len(fixture.BigText()); got != fixture.BigSize {
		t.Errorf("BigText has %d bytes, want %d", got, fixture.BigSize)
	}
}
