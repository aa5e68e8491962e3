package stdio_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"helpdesk/jsonscan"
	"helpdesk/mcp/server"
	"helpdesk/mcp/stdio"
)

func oldCall(id any, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%#v,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, tool)
}

// openOld opens a connection of revision 2025-03-26, the one with batches.
func openOld(t *testing.T, w *workshop, options stdio.Options) *client {
	t.Helper()
	c := open(t, w.Server, options)
	c.send(initialize)
	c.expect(`"protocolVersion":"2025-03-26"`)
	return c
}

func batch(messages ...string) string { return "[" + strings.Join(messages, ",") + "]" }

// ids are the ids of a batch's answers, in their order.
func ids(t *testing.T, line string) string {
	t.Helper()
	if jsonscan.KindOf([]byte(line)) != jsonscan.Array {
		t.Fatalf("the answer is no batch: %.300s", line)
	}
	var found []string
	for it := jsonscan.Iterate([]byte(line)); it.Next(); {
		id, _ := jsonscan.Lookup(it.Value(), "id")
		found = append(found, string(id))
	}
	return strings.Join(found, " ")
}

// A batch waits for its slowest call and for nothing that will not be
// answered; the answers keep the requests' order.
func TestBatchOfSlowCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		messages []string
		then     []string
		want     string
		says     string
	}{
		"slow first":                          {[]string{oldCall(1, "gate"), oldCall(2, "at_once")}, nil, "1 2", `"open"`},
		"cancelled":                           {[]string{oldCall(1, "gate"), oldCall(2, "at_once")}, []string{cancelled(1)}, "2", `"done"`},
		"cancelled, but it does not listen":   {[]string{oldCall(1, "deaf"), oldCall(2, "at_once")}, []string{cancelled(1)}, "2", `"done"`},
		"cancelled from inside the batch":     {[]string{oldCall(1, "deaf"), oldCall(2, "at_once"), cancelled(1)}, nil, "2", `"done"`},
		"does not end in time":                {[]string{oldCall(2, "at_once"), oldCall(1, "deaf")}, nil, "2 1", "did not finish within 300ms and was stopped"},
		"the same id twice":                   {[]string{oldCall(1, "gate"), oldCall(1, "gate")}, nil, "1 1", "a request with this id is still running"},
		"notifications and responses between": {[]string{`{"jsonrpc":"2.0","method":"x"}`, oldCall(1, "gate"), `{"jsonrpc":"2.0","id":5,"result":{}}`, ping}, nil, `1 "ping"`, `"open"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, server.Options{CallTimeout: 300 * time.Millisecond})
			never := make(chan struct{})
			t.Cleanup(func() { close(never) })
			addDeaf(t, w, never)
			c := openOld(t, w, stdio.Options{})
			c.send(append([]string{batch(test.messages...)}, test.then...)...)
			if others := c.settle(); len(others) == 0 {
				close(w.gate)
				line := c.next()
				contains(t, line, test.says)
				if got := ids(t, line); got != test.want {
					t.Errorf("answers to %s, want %s", got, test.want)
				}
			} else if got := ids(t, others[0]); got != test.want {
				t.Errorf("answers to %s, want %s", got, test.want)
			}
			if rest := c.finish(); len(rest) > 0 {
				t.Errorf("the server also says %q", rest)
			}
		})
	}
}

// All calls of a batch cancelled: nothing is left to answer.
func TestBatchCancelledAltogether(t *testing.T) {
	t.Parallel()
	c := openOld(t, newWorkshop(t, server.Options{}), stdio.Options{})
	c.send(batch(oldCall(1, "gate"), oldCall(2, "gate")), cancelled(2), cancelled(1))
	if rest := append(c.settle(), c.finish()...); len(rest) > 0 {
		t.Errorf("the server says %q", rest)
	}
}

// The end cuts a batch short as it does single calls.
func TestEndInABatch(t *testing.T) {
	t.Parallel()
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, server.Options{})
			defer close(w.gate)
			c := openOld(t, w, stdio.Options{Drain: 200 * time.Millisecond})
			c.send(batch(oldCall(1, "stubborn"), oldCall(2, "at_once"), oldCall(3, "stubborn")), cancelled(3))
			c.settle()
			end(c)
			rest := c.end()
			if len(rest) != 1 {
				t.Fatalf("the batch is answered with %q", rest)
			}
			contains(t, rest[0], "was cut short because the server is stopping")
			if got := ids(t, rest[0]); got != "1 2" {
				t.Errorf("answers to %s, want 1 2", got)
			}
		})
	}
}

func TestBatchSize(t *testing.T) {
	t.Parallel()
	c := openOld(t, newWorkshop(t, server.Options{}), stdio.Options{})
	for size, ok := range map[int]bool{1: true, 256: true, 257: false} {
		var messages, want []string
		for i := range size {
			messages = append(messages, oldCall(i, "at_once"))
			want = append(want, fmt.Sprint(i))
		}
		c.send(batch(messages...))
		line := c.next()
		if !ok {
			contains(t, line, "a batch holds 1 to 256 messages", "-32600")
		} else if got := ids(t, line); got != strings.Join(want, " ") {
			t.Errorf("%d messages: answers to %s", size, got)
		}
	}
}
