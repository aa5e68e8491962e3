package jsonrpc_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"helpdesk/jsonscan"
	"helpdesk/mcp/jsonrpc"
)

func TestScan(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		want       jsonrpc.Message
	}{
		{
			"request", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`3`), Method: []byte("tools/call"), Params: []byte(`{"name":"x"}`)},
		},
		{
			"members in any order, as Claude Code writes them", `{"method":"tools/list","params":{},"jsonrpc":"2.0","id":"a"}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`"a"`), Method: []byte("tools/list"), Params: []byte(`{}`)},
		},
		{
			"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			jsonrpc.Message{Kind: jsonrpc.Notification, Method: []byte("notifications/initialized")},
		},
		{
			"null params are absent params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`1`), Method: []byte("ping")},
		},
		{
			"an integer beyond 2^53 keeps its digits", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`9007199254740993`), Method: []byte("ping")},
		},
		{
			"the empty string is an id", `{"jsonrpc":"2.0","id":"","method":"ping"}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`""`), Method: []byte("ping")},
		},
		{
			"unknown members are let through", `{"jsonrpc":"2.0","id":-1,"method":"ping","extra":[1]}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`-1`), Method: []byte("ping")},
		},
		{
			"escapes in names and values", `{"jsonrpc":"2\u002e0","i\u0064":1,"method":"p\u0069ng"}`,
			jsonrpc.Message{Kind: jsonrpc.Request, ID: jsonrpc.ID(`1`), Method: []byte("ping")},
		},
		{
			"result", `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept"}}`,
			jsonrpc.Message{Kind: jsonrpc.ResultResponse, ID: jsonrpc.ID(`"ask-1"`), Result: []byte(`{"action":"accept"}`)},
		},
		{
			"error without an id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`,
			jsonrpc.Message{Kind: jsonrpc.ErrorResponse, Error: []byte(`{"code":-32700,"message":"no"}`)},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := jsonrpc.Scan([]byte(test.line), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind != test.want.Kind || !bytes.Equal(got.ID, test.want.ID) || !bytes.Equal(got.Method, test.want.Method) ||
				!bytes.Equal(got.Params, test.want.Params) || !bytes.Equal(got.Result, test.want.Result) || !bytes.Equal(got.Error, test.want.Error) {
				t.Errorf("Scan gives\n%+v, want\n%+v", got, test.want)
			}
		})
	}
}

func TestScanRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		code       int64
		id         string
	}{
		{"not JSON", `{bad`, -32700, ""},
		{"plain text", `hello`, -32700, ""},
		{"not JSON, though an id was there", `{"jsonrpc":"2.0","id":7,`, -32700, ""},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, ""},
		{"a name twice", `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, -32700, ""},
		{"lone surrogate", `{"jsonrpc":"2.0","id":1,"method":"\ud800"}`, -32700, ""},
		{"a hundred thousand brackets", strings.Repeat("[", 100_000), -32700, ""},
		{"an empty array", `[]`, -32600, ""},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, ""},
		{"a number", `42`, -32600, ""},
		{"an empty object", `{}`, -32600, ""},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "1"},
		{"no version", `{"id":"x","method":"ping"}`, -32600, `"x"`},
		{"a name in another case", `{"jsonrpc":"2.0","ID":1,"Method":"ping"}`, -32600, ""},
		{"a fraction as the id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, ""},
		{"an exponent in the id", `{"jsonrpc":"2.0","id":1e2,"method":"ping"}`, -32600, ""},
		{"null as the id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, ""},
		{"an object as the id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, ""},
		{"a number as the method", `{"jsonrpc":"2.0","id":1,"method":1}`, -32600, "1"},
		{"a string as the params", `{"jsonrpc":"2.0","id":1,"method":"x","params":"y"}`, -32600, "1"},
		{"a method and a result", `{"jsonrpc":"2.0","id":1,"method":"x","result":{}}`, -32600, "1"},
		{"a result and an error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, -32600, "1"},
		{"a result without an id", `{"jsonrpc":"2.0","result":{}}`, -32600, ""},
		{"only an id", `{"jsonrpc":"2.0","id":1}`, -32600, "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := jsonrpc.Scan([]byte(test.line), 0)
			var scan *jsonrpc.ScanError
			if !errors.As(err, &scan) {
				t.Fatalf("Scan = %v, want a ScanError", err)
			}
			if scan.Code != test.code || string(scan.ID) != test.id {
				t.Errorf("Scan gives code %d and id %q (%s), want %d and %q", scan.Code, scan.ID, scan.Problem, test.code, test.id)
			}
		})
	}
}

func TestIDKey(t *testing.T) {
	t.Parallel()
	if jsonrpc.ID(`"a"`).Key() != jsonrpc.ID(`"\u0061"`).Key() {
		t.Error("equal strings have different keys")
	}
	if jsonrpc.ID(`"7"`).Key() == jsonrpc.ID(`7`).Key() {
		t.Error(`"7" and 7 have the same key`)
	}
}

func TestScanPrefix(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prefix, id string
		response   bool
	}{
		{`{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"aaaa`, "7", false},
		{`{"jsonrpc":"2.0","id":"a","method":"x","params":{"a":"aaaa`, `"a"`, false},
		{`{"method":"x","params":{"id":9,"a":"aaaa`, "", false},
		{`{"method":"x","params":{},"id":123`, "", false}, // It may go on: 123456.
		{`{"jsonrpc":"2.0","id":"ask-1","result":{"a":"aaaa`, `"ask-1"`, true},
	} {
		if id, response := jsonrpc.ScanPrefix([]byte(test.prefix)); string(id) != test.id || response != test.response {
			t.Errorf("ScanPrefix(%s) = %q, %v, want %q, %v", test.prefix, id, response, test.id, test.response)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	id := jsonrpc.StringID(`a"b`)
	for got, want := range map[string]string{
		string(jsonrpc.AppendResult(nil, id, []byte(`{}`))):                            `{"jsonrpc":"2.0","id":"a\"b","result":{}}`,
		string(jsonrpc.AppendError(nil, nil, -32700, "bad <line>", nil)):               `{"jsonrpc":"2.0","error":{"code":-32700,"message":"bad <line>"}}`,
		string(jsonrpc.AppendError(nil, id, -32022, "no", []byte(`{"supported":[]}`))): `{"jsonrpc":"2.0","id":"a\"b","error":{"code":-32022,"message":"no","data":{"supported":[]}}}`,
		string(jsonrpc.AppendNotification(nil, "notifications/x", nil)):                `{"jsonrpc":"2.0","method":"notifications/x"}`,
		string(jsonrpc.AppendRequest(nil, id, "roots/list", []byte(`{}`))):             `{"jsonrpc":"2.0","id":"a\"b","method":"roots/list","params":{}}`,
	} {
		if got != want {
			t.Errorf("wrote %s, want %s", got, want)
		}
	}
}

// typicalCall is the call of the first seed, which the scanner must read
// without allocating.
const typicalCall = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_ticket","arguments":{"ticket_id":"2318"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"terminal","version":"0.1.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}`

func TestScanDoesNotAllocate(t *testing.T) {
	line := []byte(typicalCall)
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := jsonrpc.Scan(line, 0); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("scanning a typical call allocates %v times", allocs)
	}
}

func BenchmarkScan(b *testing.B) {
	line := []byte(typicalCall)
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := jsonrpc.Scan(line, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzScan feeds any bytes. Whatever is accepted must say the same when it is
// read again from its own parts.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{typicalCall, `{"jsonrpc":"2.0","id":1.5,"method":"x"}`, `[{"jsonrpc":"2.0"}]`, `{"jsonrpc":"2.0","id":null,"error":{}}`, `{"jsonrpc":"2.0","id":"\u0061","result":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := jsonrpc.Scan(line, 0)
		jsonrpc.ScanPrefix(line)
		if err != nil {
			var scan *jsonrpc.ScanError
			if !errors.As(err, &scan) || scan.ID != nil && !scan.ID.Valid() {
				t.Fatalf("Scan refuses with %#v", err)
			}
			answer := jsonrpc.AppendError(nil, scan.ID, scan.Code, scan.Problem, nil)
			if bytes.ContainsAny(answer, "\n\r") || jsonscan.Check(answer, 0) != nil {
				t.Fatalf("the answer is no JSON line: %q", answer)
			}
			return
		}
		var again []byte
		switch m.Kind {
		case jsonrpc.Request:
			again = jsonrpc.AppendRequest(nil, m.ID, string(m.Method), m.Params)
		case jsonrpc.Notification:
			again = jsonrpc.AppendNotification(nil, string(m.Method), m.Params)
		case jsonrpc.ResultResponse:
			again = jsonrpc.AppendResult(nil, m.ID, m.Result)
		default:
			return
		}
		n, err := jsonrpc.Scan(again, 0)
		if err != nil || n.Kind != m.Kind || n.ID.Key() != m.ID.Key() || !bytes.Equal(n.Method, m.Method) || !bytes.Equal(n.Params, m.Params) || !bytes.Equal(n.Result, m.Result) {
			t.Fatalf("%q was read as %+v, written as %q and read as %+v, %v", line, m, again, n, err)
		}
	})
}
