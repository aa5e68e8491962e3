package jsonrpc_test

import (
	"errors"
	"fmt"
	"strings"

	"helpdesk/mcp/jsonrpc"
)

func ExampleScan() {
	message, err := jsonrpc.Scan([]byte(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`), 0)
	fmt.Println(string(message.Method), string(message.ID), err)

	_, err = jsonrpc.Scan([]byte(`{"jsonrpc":"1.0","id":4,"method":"ping"}`), 0)
	var refused *jsonrpc.ScanError
	if errors.As(err, &refused) {
		fmt.Println(string(jsonrpc.AppendError(nil, refused.ID, refused.Code, refused.Problem, nil)))
	}
	// Output:
	// ping 9007199254740993 <nil>
	// {"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"Invalid Request: \"jsonrpc\" must be \"2.0\""}}
}

func ExampleLineReader() {
	lines := jsonrpc.NewLineReader(strings.NewReader("{\"a\":1}\n"+strings.Repeat("x", 50)+"\n{\"b\":2}\n"), 20)
	for {
		line, err := lines.Next()
		var tooLong *jsonrpc.LineTooLongError
		switch {
		case errors.As(err, &tooLong):
			fmt.Println("skipped:", tooLong)
		case err != nil:
			fmt.Println("end:", err)
			return
		default:
			fmt.Println("line:", string(line))
		}
	}
	// Output:
	// line: {"a":1}
	// skipped: the message is longer than 20 bytes
	// line: {"b":2}
	// end: EOF
}
