// Package transcripts holds recorded sessions and runs them as tests, each one
// inside the test process and once more against the built program over a real
// pipe.
//
// A session is a txtar file: prose first, then the section "session", whose
// lines are
//
//	> text     the client sends this line
//	>q "text"  the client sends these bytes, a Go string, without a line end
//	< text     the server's next line must be this one
//	<~ text    as above, but neighbouring <~ lines may come in any order
//	quiet      the server must have nothing more to say so far, which a later
//	           answered line proves
//	end        the client closes its end; the server must end by itself
//	# text     a remark
//
// After the last line the client closes its end, and a line of the server that
// nobody expected fails the test. The section "server" names the program:
// helpdesk (the default) or probe, see its own comment. The section "seed"
// holds answers of the document the product began with; each must be found in
// the server's answer with the same id, all members present, equal and in
// order, with nothing added but a _meta that follows.
//
// What differs from run to run is masked: references of logged faults.
// Run with -update to write the server's answers into the files, then review
// the difference by eye. The section "seed" is never written.
package transcripts
