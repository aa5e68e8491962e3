package jsonrpc

import (
	"strconv"

	"helpdesk/jsonscan"
)

// The writers append one message, without a line end, to dst and return the
// extended slice. What they are given as raw JSON must be valid and free of
// line breaks; nothing is escaped for HTML.

// AppendResult appends a response that carries a result.
func AppendResult(dst []byte, id ID, result []byte) []byte {
	return append(append(OpenResult(dst, id), result...), '}')
}

// OpenResult appends the beginning of a result response up to where the
// result's own text goes. The caller appends that text and a closing brace;
// so a large result is written once, in place.
func OpenResult(dst []byte, id ID) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	return append(dst, `,"result":`...)
}

// AppendError appends an error response. A nil id is left out, as MCP asks
// when the id could not be read; nil data is left out too.
func AppendError(dst []byte, id ID, code int64, message string, data []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if id != nil {
		dst = append(dst, `,"id":`...)
		dst = append(dst, id...)
	}
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, code, 10)
	dst = append(dst, `,"message":`...)
	dst = jsonscan.AppendQuoted(dst, message)
	if data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, data...)
	}
	return append(dst, `}}`...)
}

// AppendRequest appends a request; nil params are left out.
func AppendRequest(dst []byte, id ID, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	return appendMethod(append(dst, ','), method, params)
}

// AppendNotification appends a notification; nil params are left out.
func AppendNotification(dst []byte, method string, params []byte) []byte {
	return appendMethod(append(dst, `{"jsonrpc":"2.0",`...), method, params)
}

func appendMethod(dst []byte, method string, params []byte) []byte {
	dst = append(dst, `"method":`...)
	dst = jsonscan.AppendQuoted(dst, method)
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, '}')
}
