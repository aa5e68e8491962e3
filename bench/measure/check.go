package measure

import (
	"fmt"

	"helpdesk/bench/proc"
	"helpdesk/bench/wire"
)

// checkCalls is how many requests the correctness pass sends to each server.
const checkCalls = 3000

// window is how many requests are in flight where nothing else is said.
const window = 64

// Correct runs the pass that is not timed: good and bad calls mixed, 64 in
// flight, every id answered exactly once and every answer checked against the
// request it belongs to. The floor, which knows no ids, must only answer as
// often as it was asked.
func (r *Run) Correct(s *Server) error {
	var log proc.Tail
	command := s.Command()
	command.Stderr = &log
	process, err := proc.Start(command, r.ServerCore, r.LoadCore)
	if err != nil {
		return err
	}
	err = correct(process, s)
	process.Close()
	if err != nil {
		return fmt.Errorf("%s: %w; its log ends: %s", s.Name, err, log.String())
	}
	return nil
}

// kind is one of the requests the correctness pass mixes.
type kind struct {
	line  []byte
	check wire.Check
}

func kinds(s *Server) []kind {
	bad := func(number string, exact bool) kind {
		return kind{wire.CallTicket(number), s.check(wire.BadArgument(number, exact))}
	}
	// A server may say more of a well-formed number that nobody has.
	list := []kind{bad("#2318", s.exact), bad("9999", false)}
	for _, number := range []string{"2318", "2319", "2320"} {
		list = append(list, kind{wire.CallTicket(number), s.check(wire.Ticket(number))})
	}
	return list
}

func correct(process *proc.Process, s *Server) error {
	mix := kinds(s)
	sent := 0
	send := func(n int) error {
		var lines []byte
		for range n {
			line := mix[sent%len(mix)].line
			wire.Number(line, wire.FirstID+uint64(sent))
			lines = append(lines, line...)
			sent++
		}
		return process.Send(lines)
	}
	if err := send(window); err != nil {
		return err
	}
	seen := make([]bool, checkCalls)
	for answered := 0; answered < checkCalls; {
		lines, err := process.Receive()
		if err != nil {
			return fmt.Errorf("after %d of %d answers: %w", answered, checkCalls, err)
		}
		before := answered
		for line, ok := lines.Next(); ok; line, ok = lines.Next() {
			if err := checkAnswer(line, s, mix, seen[:sent]); err != nil {
				return err
			}
			answered++
		}
		if next := min(answered-before, checkCalls-sent); next > 0 {
			if err := send(next); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAnswer finds the request an answer belongs to by its id. seen covers
// the ids sent so far.
func checkAnswer(line []byte, s *Server, mix []kind, seen []bool) error {
	if s.fixed {
		return mix[0].check(line)
	}
	answer, err := wire.ReadAnswer(line)
	if err != nil {
		return err
	}
	at := answer.ID - wire.FirstID
	if answer.ID < wire.FirstID || at >= uint64(len(seen)) {
		return fmt.Errorf("answer to id %d, which was not asked", answer.ID)
	}
	if seen[at] {
		return fmt.Errorf("second answer to id %d", answer.ID)
	}
	seen[at] = true
	return mix[at%uint64(len(mix))].check(line)
}
