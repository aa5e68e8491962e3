// Package transcript is the wire record of a session between a client and a
// server: a file of JSON lines that holds, byte for byte, what each side sent
// and when. docs/transcript-format.md describes the file for other programs.
//
// The package knows lines, not meaning. It never parses, re-encodes or repairs
// what it records, because a record is taken when something is wrong and must
// not hide it. The one exception is asked for by name: a [Redactor] replaces
// the values of named JSON members, and every record it changed says so.
//
// A recorder gives each stream's bytes to a [Cutter], which cuts them into
// data records, and the records to a [Writer]. A reader takes the records
// from a [Reader] and, where it wants whole lines, gives them to a [Joiner].
package transcript
