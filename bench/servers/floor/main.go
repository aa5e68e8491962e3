// Command floor is the lowest possible line server: it reads lines and answers
// each with the same bytes, without looking at them. What is left is the price
// of two pipes and the scheduler, which no MCP server can go below.
//
// It reads through a buffer and flushes its answers when that buffer is empty,
// so a burst of requests costs one read and one write.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	bufferSize = 64 << 10
	reply      = `{"jsonrpc":"2.0","id":1000000000,"result":{"resultType":"complete","content":[{"type":"text","text":` +
		`"{\"ticket_id\":\"2318\",\"subject\":\"Charged twice for October\",\"status\":\"open\",\"customer_id\":\"cus_1042\"}"}],` +
		`"structuredContent":{"ticket_id":"2318","subject":"Charged twice for October","status":"open","customer_id":"cus_1042"},` +
		`"isError":false}}` + "\n"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, bufferSize), bufio.NewWriterSize(out, bufferSize)
	for {
		_, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue // The rest of the line follows.
		}
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		if _, err := w.WriteString(reply); err != nil {
			return err
		}
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}
