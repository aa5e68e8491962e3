package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"helpdesk/bench/fixture"
)

// A Check says whether an answer line is right. Answers come from the servers
// under test, so they are compared by meaning: peers order members differently
// and some leave out "isError":false.
type Check func(answer []byte) error

// Answer is what a check needs to know of an answer line.
type Answer struct {
	ID     uint64          `json:"id"`
	Error  json.RawMessage `json:"error"`
	Result struct {
		ResultType string `json:"resultType"`
		Content    []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Structured map[string]string `json:"structuredContent"`
		Tools      []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
		IsError bool `json:"isError"`
	} `json:"result"`
}

// ReadAnswer decodes an answer line and refuses one that is a JSON-RPC error
// or no complete result.
func ReadAnswer(line []byte) (*Answer, error) {
	a := new(Answer)
	if err := json.Unmarshal(line, a); err != nil {
		return nil, fmt.Errorf("answer %s: %w", shorten(line), err)
	}
	if a.Error != nil {
		return nil, fmt.Errorf("answer is an error: %s", shorten(line))
	}
	if a.Result.ResultType != "complete" {
		return nil, fmt.Errorf("answer has the resultType %q: %s", a.Result.ResultType, shorten(line))
	}
	return a, nil
}

func (a *Answer) text() (string, error) {
	if len(a.Result.Content) != 1 || a.Result.Content[0].Type != "text" {
		return "", errors.New("answer does not hold exactly one text block")
	}
	return a.Result.Content[0].Text, nil
}

// Ticket checks the answer to CallTicket with a number that exists: both
// halves hold that ticket and isError is not set.
func Ticket(number string) Check {
	want := fixture.Tickets()[number]
	members := map[string]string{
		"ticket_id": want.TicketID, "subject": want.Subject, "status": want.Status, "customer_id": want.CustomerID,
	}
	return func(line []byte) error {
		a, err := ReadAnswer(line)
		if err != nil {
			return err
		}
		text, err := a.text()
		if err != nil {
			return err
		}
		var inText map[string]string
		if err := json.Unmarshal([]byte(text), &inText); err != nil {
			return fmt.Errorf("the text block is no ticket: %w", err)
		}
		if a.Result.IsError || !maps.Equal(inText, members) || !maps.Equal(a.Result.Structured, members) {
			return fmt.Errorf("answer is not ticket %s: %s", number, shorten(line))
		}
		return nil
	}
}

// BadArgument checks the answer to CallTicket with "#2318": a tool error that
// names the value. With exact, it must be the lesson's own sentence.
func BadArgument(number string, exact bool) Check {
	return func(line []byte) error {
		a, err := ReadAnswer(line)
		if err != nil {
			return err
		}
		text, err := a.text()
		if err != nil {
			return err
		}
		if !a.Result.IsError || a.Result.Structured != nil {
			return fmt.Errorf("answer is no tool error: %s", shorten(line))
		}
		if exact && text != fixture.Missing(number) {
			return fmt.Errorf("the tool error says %q, want %q", text, fixture.Missing(number))
		}
		if !bytes.Contains([]byte(text), []byte(number)) {
			return fmt.Errorf("the tool error does not name %q: %q", number, text)
		}
		return nil
	}
}

// ToolList checks the answer to List: so many tools, each with a schema.
func ToolList(count int) Check {
	return func(line []byte) error {
		a, err := ReadAnswer(line)
		if err != nil {
			return err
		}
		if len(a.Result.Tools) != count {
			return fmt.Errorf("answer lists %d tools, want %d", len(a.Result.Tools), count)
		}
		for _, tool := range a.Result.Tools {
			if tool.Name == "" || len(tool.InputSchema) < len(`{"type":"object"}`) {
				return fmt.Errorf("tool %q is listed without its schema", tool.Name)
			}
		}
		return nil
	}
}

// Big checks the answer to CallBig.
func Big() Check {
	want := fixture.BigText()
	return func(line []byte) error {
		a, err := ReadAnswer(line)
		if err != nil {
			return err
		}
		text, err := a.text()
		if err != nil {
			return err
		}
		if a.Result.IsError || text != want {
			return fmt.Errorf("answer of %d bytes does not hold the expected text", len(line))
		}
		return nil
	}
}

// NonEmpty checks the answer of the floor, which is the same for everything.
func NonEmpty(line []byte) error {
	if len(line) == 0 {
		return errors.New("answer is empty")
	}
	return nil
}

func shorten(line []byte) []byte { return line[:min(len(line), 300)] }
