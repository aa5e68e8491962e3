// Package tap stands between a client and a server that talk over standard
// streams, passes every byte on as it came, and records what it passed.
//
// # What the tap promises
//
//   - Traffic first. The only thing that happens to bytes on their way is a
//     copy in memory. A full disk, a slow log or a slow callback leaves records
//     out and says so; it never changes, stops or ends the session. When 8 MiB
//     wait to be recorded and the log is well, a piece of traffic waits up to
//     20 ms for room, so that a burst is recorded whole. Such waits take half
//     a second in all, and a tenth of the time beyond that; while the recorder
//     does not move at all, only one piece ever waits.
//   - The record is in causal order. Bytes take their place in it before they
//     are passed on, so an answer never stands before its request. Bytes that
//     the receiver did not take any more are therefore in the record too: it
//     holds what was sent, not what was read.
//   - Memory is bounded, whatever passes. No line is held in the data path.
//   - A pipe's manners. The end of the client's input ends the server's at
//     once. When a side stops reading, the other side's writes fail as they
//     would without the tap.
//
// # Processes and signals
//
// On Unix the server leads a process group of its own. A signal meant for the
// tap's process (Claude Code interrupts the process) and a signal meant for
// its group (Codex terminates the group) both reach the tap, and it passes
// them to the server's process once. Without its own group the server would
// get the second kind twice.
//
// When the server has ended and processes of its group are left, they are
// sent the signal that the tap was sent, if any; when its output has ended too,
// or two seconds later, what is still left is terminated, then killed. A
// daemon that is meant to stay makes a session of its own (setsid), which
// takes it out of the group.
//
// When the tap is killed outright, Linux kills the server with it, as if the
// client had killed the server; on other systems the server sees the end of
// its input.
package tap
