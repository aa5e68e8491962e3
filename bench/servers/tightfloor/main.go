// Command tightfloor is the least a program can do and still give the right
// answer to a well-formed request: it finds the id, the method, the tool's
// name and the ticket number by byte search, checks nothing else, and copies
// an answer rendered at start. It is no MCP server: a request with other
// spacing or a "name" in the wrong place gets a wrong answer.
//
// By default it reads through a buffer and flushes when that buffer is empty.
// With -perline it writes every answer on its own, as most servers do.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"helpdesk/bench/fixture"
)

const bufferSize = 64 << 10

// answers are the results by what asks for them, each without the id.
type answers struct {
	tickets map[string][]byte
	list    []byte
	big     []byte
}

func main() {
	tools := flag.Int("tools", 1, "how many `tools` to list")
	big := flag.Bool("big", false, "offer the tool with the 1 MiB result")
	perLine := flag.Bool("perline", false, "write every answer on its own")
	flag.Parse()
	a, err := render(*tools, *big)
	if err == nil {
		err = serve(os.Stdin, os.Stdout, a, *perLine)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tightfloor:", err)
		os.Exit(1)
	}
}

type tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
}

func render(tools int, big bool) (*answers, error) {
	a := &answers{tickets: map[string][]byte{}}
	for number, ticket := range fixture.Tickets() {
		text, err := json.Marshal(ticket)
		if err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(string(text))
		if err != nil {
			return nil, err
		}
		a.tickets[number] = fmt.Appendf(nil, `,"result":{"resultType":"complete","content":[{"type":"text","text":%s}],"structuredContent":%s,"isError":false}}`+"\n", quoted, text)
	}
	list := []tool{{
		Name: fixture.ToolName, Title: fixture.ToolTitle, Description: fixture.Description,
		InputSchema: json.RawMessage(fixture.InputSchema), OutputSchema: json.RawMessage(fixture.OutputSchema),
		Annotations: json.RawMessage(`{"readOnlyHint":true,"openWorldHint":false}`),
	}}
	for i := 1; i < tools; i++ {
		name, description := fixture.Filler(i)
		list = append(list, tool{Name: name, Description: description, InputSchema: json.RawMessage(fixture.FillerSchema)})
	}
	if big {
		list = append(list, tool{Name: fixture.BigName, Description: fixture.BigDescription, InputSchema: json.RawMessage(fixture.BigSchema)})
		text, err := json.Marshal(fixture.BigText())
		if err != nil {
			return nil, err
		}
		a.big = fmt.Appendf(nil, `,"result":{"resultType":"complete","content":[{"type":"text","text":%s}],"isError":false}}`+"\n", text)
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	a.list = fmt.Appendf(nil, `,"result":{"resultType":"complete","tools":%s,"ttlMs":300000,"cacheScope":"public"}}`+"\n", encoded)
	return a, nil
}

func serve(in io.Reader, out io.Writer, a *answers, perLine bool) error {
	r, w := bufio.NewReaderSize(in, bufferSize), bufio.NewWriterSize(out, bufferSize)
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		// The writer keeps the first error and returns it from Flush.
		a.answer(w, line)
		if perLine || r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// answer writes the answer to one line. Errors stay in the writer.
func (a *answers) answer(w *bufio.Writer, line []byte) {
	id := after(line, `"id":`)
	if end := bytes.IndexByte(id, ','); end >= 0 {
		id = id[:end]
	}
	_, _ = w.WriteString(`{"jsonrpc":"2.0","id":`)
	_, _ = w.Write(id)
	if string(quoted(line, `"method":"`)) == "tools/list" {
		_, _ = w.Write(a.list)
		return
	}
	if name := quoted(line, `"name":"`); string(name) == fixture.BigName && a.big != nil {
		_, _ = w.Write(a.big)
		return
	}
	number := quoted(line, `"ticket_id":"`)
	if ready, ok := a.tickets[string(number)]; ok {
		_, _ = w.Write(ready)
		return
	}
	_, _ = w.WriteString(`,"result":{"resultType":"complete","content":[{"type":"text","text":"No ticket \"`)
	_, _ = w.Write(number)
	_, _ = w.WriteString(`\". Ticket numbers are digits only, for example 2318."}],"isError":true}}` + "\n")
}

// after returns what follows the first occurrence of key, or nothing.
func after(line []byte, key string) []byte {
	at := bytes.Index(line, []byte(key))
	if at < 0 {
		return nil
	}
	return line[at+len(key):]
}

// quoted returns the string, still escaped, whose opening quote ends key.
func quoted(line []byte, key string) []byte {
	rest := after(line, key)
	if end := bytes.IndexByte(rest, '"'); end >= 0 {
		return rest[:end]
	}
	return nil
}
