package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// keeper is a tool that hands out a state and says what came back.
func keeper(name string) server.Tool {
	return raw(name, func(_ context.Context, call *server.Call) (*mcp.CallToolResult, error) {
		if call.State() == nil {
			return nil, &server.InputRequired{State: []byte("secret of " + name)}
		}
		return words(call.StateID() + " " + string(call.State())), nil
	})
}

func keepers(t *testing.T, secret string, now func() time.Time) *door {
	options := server.Options{StateTTL: time.Minute, Now: now}
	if secret != "" {
		options.StateSecret = []byte(strings.Repeat(secret, 32))
	}
	return newDoor(newServer(t, options, keeper("a"), keeper("b")))
}

// state gets a sealed state from a server.
func (d *door) state(t *testing.T, members string) string {
	t.Helper()
	got := d.ask(t, request("tools/call", members))
	if got.Result == nil || got.Result.RequestState == "" {
		t.Fatalf("no state was sealed: %s", got.raw)
	}
	return got.Result.RequestState
}

func bringBack(d *door, t *testing.T, members, state string) reply {
	t.Helper()
	return d.ask(t, request("tools/call", members+`,"requestState":"`+state+`"`))
}

const refusedState = "params.requestState was refused: it was changed, or belongs to another request, caller or server"

// No character of a sealed state can be changed, removed or added.
func TestEveryCharacterOfAState(t *testing.T) {
	t.Parallel()
	const members = `"name":"a","arguments":{"x":1}`
	d := keepers(t, "", nil)
	state := d.state(t, members)
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	var tries []string
	for i := range state {
		for _, other := range []byte{alphabet[(strings.IndexByte(alphabet, state[i])+1)%64], alphabet[(strings.IndexByte(alphabet, state[i])+32)%64]} {
			tries = append(tries, state[:i]+string(other)+state[i+1:])
		}
		tries = append(tries, state[:i], state[:i]+state[i+1:], state[:i]+`\n`+state[i:])
	}
	tries = append(tries, state+"A", state+"=", state+`\n`, state+state, "AQ")
	for _, changed := range tries {
		if got := bringBack(d, t, members, changed); got.code() != mcp.CodeInvalidParams || got.Error.Message != refusedState {
			t.Fatalf("%s, changed to %s, is answered %s", state, changed, got.raw)
		}
	}
	if got := bringBack(d, t, members, state).text(t); !strings.HasSuffix(got, " secret of a") {
		t.Errorf("the unchanged state gives %q", got)
	}
}

// A state is good for its own request and for nothing else.
func TestWhatAStateIsBoundTo(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	clock := func() time.Time { return now }
	d := keepers(t, "k", clock)
	const members = `"name":"a","arguments":{"x":1,"y":{"b":"é","a":[1,2]}}`
	state := d.state(t, members)
	later := func(after time.Duration) *door {
		return keepers(t, "k", func() time.Time { return now.Add(after) })
	}
	tests := []struct {
		name    string
		door    *door
		members string
		refusal string // empty when it is accepted
	}{
		{"itself", d, members, ""},
		{"itself again", d, members, ""},
		{"a replica with the secret", keepers(t, "k", clock), members, ""},
		{"members in another order", d, `"arguments":{"y":{"a":[1,2],"b":"é"},"x":1},"name":"a"`, ""},
		{"other white space", d, `"name":"a","arguments":{ "x" : 1,` + "\t" + `"y":{"b":"é","a":[1 , 2]} }`, ""},
		{"other escapes", d, `"name":"\u0061","arguments":{"\u0078":1,"y":{"b":"\u00e9","a":[1,2]}}`, ""},
		{"just before it ends", later(time.Minute - time.Second), members, ""},
		{"when it ends", later(time.Minute), members, "params.requestState was refused: it is too old; start again without it"},
		{"long after", later(1000 * time.Hour), members, "params.requestState was refused: it is too old; start again without it"},
		{"another tool", d, `"name":"b","arguments":{"x":1,"y":{"b":"é","a":[1,2]}}`, refusedState},
		{"another value", d, `"name":"a","arguments":{"x":2,"y":{"b":"é","a":[1,2]}}`, refusedState},
		{"another type", d, `"name":"a","arguments":{"x":"1","y":{"b":"é","a":[1,2]}}`, refusedState},
		{"another order of items", d, `"name":"a","arguments":{"x":1,"y":{"b":"é","a":[2,1]}}`, refusedState},
		{"one argument more", d, `"name":"a","arguments":{"x":1,"y":{"b":"é","a":[1,2]},"z":null}`, refusedState},
		{"no arguments", d, `"name":"a"`, refusedState},
		{"another caller", d.as(&server.Principal{Name: "eve", Unrestricted: true}), members, refusedState},
		{"no caller", d.as(nil), members, refusedState},
		{"another secret", keepers(t, "l", clock), members, refusedState},
		{"a secret of its own", keepers(t, "", clock), members, refusedState},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := bringBack(test.door, t, test.members, state)
			switch {
			case test.refusal == "":
				if text := got.text(t); !strings.HasSuffix(text, " secret of a") {
					t.Errorf("the answer is %q", text)
				}
			case got.code() != mcp.CodeInvalidParams || got.Error.Message != test.refusal:
				t.Errorf("the answer is %s, want %q", got.raw, test.refusal)
			}
		})
	}
}

// Arguments that are absent, null and empty are the same request.
func TestAbsentArgumentsAreEmpty(t *testing.T) {
	t.Parallel()
	d := keepers(t, "", nil)
	forms := []string{`"name":"a"`, `"name":"a","arguments":null`, `"name":"a","arguments":{}`}
	for _, sealed := range forms {
		state := d.state(t, sealed)
		for _, opened := range forms {
			if got := bringBack(d, t, opened, state); got.code() != 0 {
				t.Errorf("sealed for %s, brought back with %s: %s", sealed, opened, got.raw)
			}
		}
	}
}

// Every sealed state has a name of its own, the same each time it comes back,
// and nothing of what is inside can be read or compared.
func TestStateNames(t *testing.T) {
	t.Parallel()
	d := keepers(t, "", nil)
	names := map[string]bool{}
	for i := range 50 {
		state := d.state(t, `"name":"a"`)
		first := bringBack(d, t, `"name":"a"`, state).text(t)
		if again := bringBack(d, t, `"name":"a"`, state).text(t); again != first {
			t.Errorf("a state is called %q and then %q", first, again)
		}
		names[first] = true
		if len(names) != i+1 {
			t.Fatalf("two states are called %q", first)
		}
	}
}

// What is no string is refused before it is opened.
func TestStatesOfAnotherType(t *testing.T) {
	t.Parallel()
	d := keepers(t, "", nil)
	for _, value := range []string{`5`, `null`, `{}`, `["a"]`, `true`} {
		got := d.ask(t, request("tools/call", `"name":"a","requestState":`+value))
		if got.code() != mcp.CodeInvalidParams || got.Error.Message != "params.requestState must be the string that came with the result" {
			t.Errorf("%s is answered %s", value, got.raw)
		}
	}
	for _, value := range []string{`5`, `[]`, `{"k":null}`, `{"k":"x"}`, `""`} {
		got := d.ask(t, request("tools/call", fmt.Sprintf(`"name":"a","inputResponses":%s`, value)))
		if got.code() != mcp.CodeInvalidParams || !strings.HasPrefix(got.Error.Message, "params.inputResponses must be an object") {
			t.Errorf("%s is answered %s", value, got.raw)
		}
	}
}
