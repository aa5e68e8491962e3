// Package wire is the benchmark's side of the protocol: request lines rendered
// once and numbered in place, answers split into lines without copying, and
// the check that an answer is the right one.
package wire

import (
	"bytes"
	"fmt"
)

// FirstID is the id of the first request of every connection. All ids have
// the same number of digits, so that a number can be replaced in place, and
// all are far below 2^53, where some peers begin to round.
const FirstID = 1_000_000_000

const (
	idDigits = 10
	idMember = `"id":`
)

// Meta is the _meta member every modern (2026-07-28) request carries.
const Meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"stdiobench","version":"0.1.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// CallTicket is the line that calls get_ticket for one number, which must not
// need escaping in JSON.
func CallTicket(number string) []byte {
	return request("tools/call", `"name":"get_ticket","arguments":{"ticket_id":"`+number+`"},`)
}

// CallBig is the line that calls the tool with the 1 MiB result.
func CallBig() []byte { return request("tools/call", `"name":"big_result","arguments":{},`) }

// List is the line that asks for the tools.
func List() []byte { return request("tools/list", "") }

func request(method, params string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0",%s%d,"method":%q,"params":{%s%s}}`+"\n", idMember, FirstID, method, params, Meta)
}

// Block is one request line written several times in a row, so that any number
// of requests up to its size is one write.
type Block struct {
	lines  []byte
	size   int // of one line, line feed included
	offset int // of the id in a line
	count  int
	next   uint64
}

// NewBlock repeats line count times. Line must come from this package.
func NewBlock(line []byte, count int) *Block {
	return &Block{
		lines:  bytes.Repeat(line, count),
		size:   len(line),
		offset: bytes.Index(line, []byte(idMember)) + len(idMember),
		count:  count,
		next:   FirstID,
	}
}

// Next returns n requests, at most the block's size, with the ids that come
// next. The bytes are valid until the next call.
func (b *Block) Next(n int) []byte {
	n = min(n, b.count)
	for i := range n {
		putID(b.lines[i*b.size+b.offset:], b.next)
		b.next++
	}
	return b.lines[:n*b.size]
}

// Number sets the id of a single line from this package.
func Number(line []byte, id uint64) {
	putID(line[bytes.Index(line, []byte(idMember))+len(idMember):], id)
}

func putID(dst []byte, id uint64) {
	for i := idDigits - 1; i >= 0; i-- {
		dst[i] = byte('0' + id%10)
		id /= 10
	}
}
