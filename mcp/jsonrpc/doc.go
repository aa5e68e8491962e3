// Package jsonrpc is one JSON-RPC 2.0 message as MCP uses it: a strict
// single-pass scanner that does not allocate, an append-style writer, ids
// that stay the raw bytes they came in, and framing by lines.
//
// It knows nothing about methods. What a message means is decided above, in
// the server and client packages; what the bytes are is decided here, so that
// no two readers of one line can disagree.
package jsonrpc
