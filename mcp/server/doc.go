// Package server is the server side of the Model Context Protocol without a
// transport: a registry of tools, the dispatcher that gives every request its
// meaning, and the rules that keep one bad call from hurting another.
//
// A program makes a [Server] with [New], adds tools made by [NewTool] (typed)
// or written as a [Tool] value (raw), and hands the server to a transport such
// as mcp/stdio. A transport turns bytes into a [Call] and gives it to
// [Server.Dispatch]; it never looks inside.
//
// # What happens to a failure
//
// A wrong argument, and any *mcp.ToolError a handler returns, is a result with
// isError true, which hosts show to the model. An *mcp.Error is a JSON-RPC
// error. Any other error, a panic and a result that breaks the tool's output
// schema are faults of the server: they are logged with a reference, and the
// caller gets the reference, whether anything was changed and whether trying
// again is safe, but no inner detail.
//
// # Statelessness
//
// In the modern era (2026-07-28) everything a request needs is in the request.
// The dispatcher keeps nothing between calls except what is the same for all
// of them. The initialize era is completed by package legacy before it gets
// here, so below this line nobody asks which era a call came from, except the
// encoder of the answer.
package server
