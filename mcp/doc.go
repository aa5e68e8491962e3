// Package mcp is the vocabulary of the Model Context Protocol: its messages'
// types, constants and errors, and how they are written as JSON. It covers
// protocol revision 2026-07-28 and the four revisions of the initialize era.
// It does no input or output and dispatches nothing.
//
// # Encoding
//
// Values are read and written with github.com/go-json-experiment/json. Names
// of members are case-sensitive, a member named twice is refused, and nothing
// is escaped for HTML. Members are written in the order the types declare
// them; members of a later revision or of an extension are kept in a field
// named Unknown and written after the known ones. In results, definitions and
// blocks of content _meta comes after all of them.
//
// Reading checks the JSON type of every known member but not that required
// members are present: an absent one is the zero value, and so is null. Text
// from a peer must have passed the envelope's limits on size and depth first
// (package mcp/jsonrpc); this package sets none of its own.
//
// The codec rewrites raw JSON that is embedded in a value: it removes white
// space and chooses its own way of escaping. Where bytes must be kept, as in a
// tool's schemas, use the functions whose names begin with Append. They write
// raw JSON as it stands, except that text with line breaks is compacted,
// because a message is one line on stdio.
package mcp
