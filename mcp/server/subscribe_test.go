package server_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

func listen(filter string) string {
	return request("subscriptions/listen", `"notifications":`+filter)
}

// follow makes the peer pass on what it is sent.
func (p *peer) follow() <-chan string {
	sent := make(chan string, 100)
	p.notify = func(_ context.Context, message string) error {
		sent <- message
		return nil
	}
	return sent
}

func TestFiltersThatAreRefused(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{ToolsChange: true}))
	tests := []struct{ members, want string }{
		{``, "params.notifications must be an object"},
		{`"notifications":null`, "params.notifications must be an object"},
		{`"notifications":[]`, "params.notifications must be an object"},
		{`"notifications":"toolsListChanged"`, "params.notifications must be an object"},
		{`"notifications":{"toolsListChanged":1}`, "params.notifications.toolsListChanged must be true or false"},
		{`"notifications":{"toolsListChanged":null}`, "params.notifications.toolsListChanged must be true or false"},
	}
	for _, test := range tests {
		got := d.ask(t, request("subscriptions/listen", test.members))
		if got.code() != mcp.CodeInvalidParams || !strings.HasPrefix(got.Error.Message, test.want) {
			t.Errorf("%s is answered %s", test.members, got.raw)
		}
	}
	if sent := d.peer.sent(); len(sent) != 0 {
		t.Errorf("a refused subscription was sent %q", sent)
	}
}

// The acknowledgment names what will be sent: what was asked for and the
// server has. A static server has no changes to tell of.
func TestAcknowledgment(t *testing.T) {
	t.Parallel()
	tests := []struct {
		filter  string
		changes bool
		want    string
	}{
		{`{"toolsListChanged":true}`, true, `{"toolsListChanged":true}`},
		{`{"toolsListChanged":true}`, false, `{}`},
		{`{"toolsListChanged":false}`, true, `{}`},
		{`{}`, true, `{}`},
		{`{"promptsListChanged":true,"resourceSubscriptions":["a:b"],"later":{}}`, true, `{}`},
	}
	for _, test := range tests {
		d := newDoor(newServer(t, server.Options{ToolsChange: test.changes}))
		sent := d.peer.follow()
		c, answer := d.run(t, strings.Replace(listen(test.filter), `"id":1`, `"id":"s\/1"`, 1))
		want := `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s\/1"},"notifications":` + test.want + `}}`
		if got := <-sent; got != want {
			t.Errorf("%s is acknowledged\n%s, want\n%s", test.filter, got, want)
		}
		c.Cancel(errors.New("no longer wanted"))
		if got := <-answer; got != "" {
			t.Errorf("a cancelled subscription is answered %s", got)
		}
	}
}

// A principal may hold 64 subscriptions, no more; one that ends makes room,
// and others are not touched.
func TestSubscriptionsOfOnePrincipal(t *testing.T) {
	t.Parallel()
	d := newDoor(newServer(t, server.Options{ToolsChange: true}))
	sent := d.peer.follow()
	var calls []*server.Call
	var answers []<-chan string
	for i := range 64 {
		c, answer := d.run(t, strings.Replace(listen(`{}`), `"id":1`, fmt.Sprintf(`"id":%d`, i), 1))
		calls, answers = append(calls, c), append(answers, answer)
		<-sent
	}
	if got := d.ask(t, listen(`{}`)); got.code() != mcp.CodeInternalError || got.Error.Message != "Too many open subscriptions: close one before you open another" {
		t.Errorf("the 65th is answered %s", got.raw)
	}
	other, otherAnswer := d.as(&server.Principal{Name: "other"}).run(t, listen(`{}`))
	<-sent
	other.Cancel(errors.New("enough"))
	<-otherAnswer
	calls[10].Cancel(errors.New("enough"))
	<-answers[10]
	again, againAnswer := d.run(t, listen(`{}`))
	<-sent
	calls[10], answers[10] = again, againAnswer
	for i := range calls {
		calls[i].Cancel(errors.New("enough"))
		<-answers[i]
	}
}

// Changes that come while a listener is busy become one, and neither the
// change nor other listeners wait for it.
func TestSlowListener(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{ToolsChange: true})
	slow, quick := newDoor(s), newDoor(s)
	stuck, release := make(chan struct{}, 100), make(chan struct{})
	count := make(chan string, 100)
	slow.peer.notify = func(ctx context.Context, message string) error {
		count <- message
		if strings.Contains(message, "list_changed") {
			stuck <- struct{}{}
			<-release
		}
		return nil
	}
	quickSent := quick.peer.follow()
	slowCall, slowAnswer := slow.run(t, listen(`{"toolsListChanged":true}`))
	quickCall, quickAnswer := quick.run(t, listen(`{"toolsListChanged":true}`))
	<-count
	<-quickSent
	change := func(name string) {
		if err := s.Add(fast(name)); err != nil {
			t.Error(err)
		}
	}
	change("first")
	<-stuck
	<-quickSent
	for i := range 20 {
		change(fmt.Sprintf("more_%d", i)) // Returns although the slow one reads nothing.
		if i == 0 {
			if got := <-quickSent; !strings.Contains(got, "list_changed") {
				t.Errorf("the quick listener is sent %s", got)
			}
		}
	}
	close(release)
	<-stuck // One message for all twenty.
	slowCall.Stop()
	got := readReply(t, <-slowAnswer)
	if got.Result == nil || !strings.HasPrefix(got.raw, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1,`) {
		t.Errorf("a stopped subscription is answered %s", got.raw)
	}
	close(count)
	var methods []string
	for message := range count {
		methods = append(methods, strings.SplitN(message, `"`, 9)[7])
	}
	want := []string{"notifications/tools/list_changed", "notifications/tools/list_changed", "notifications/cancelled"}
	if !slices.Equal(methods, want) {
		t.Errorf("the slow listener was sent %q, want %q", methods, want)
	}
	quickCall.Cancel(errors.New("enough"))
	<-quickAnswer
}

// Subscribe is the same for transports: changes wait to be taken, once, and
// only for those who asked.
func TestSubscribe(t *testing.T) {
	t.Parallel()
	s := newServer(t, server.Options{ToolsChange: true})
	wants, err := s.Subscribe(nil, server.Filter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	deaf, err := s.Subscribe(nil, server.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := s.Add(fast(name)); err != nil {
			t.Fatal(err)
		}
	}
	<-wants.Changed()
	if !wants.Take().Tools || wants.Take().Tools {
		t.Error("the change is not there exactly once")
	}
	if err := s.Remove("absent"); err == nil {
		t.Error("an absent tool was removed")
	}
	wants.Close()
	wants.Close()
	if err := s.Add(fast("c")); err != nil {
		t.Fatal(err)
	}
	for name, changed := range map[string]<-chan struct{}{"closed": wants.Changed(), "deaf": deaf.Changed()} {
		select {
		case <-changed:
			t.Errorf("the %s subscription hears of a change", name)
		default:
		}
	}
	for range 63 { // Closing twice counts once: with deaf these are 64.
		if _, err := s.Subscribe(nil, server.Filter{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Subscribe(nil, server.Filter{}); err == nil {
		t.Error("the 65th subscription was opened")
	}
}

// Only a subscription can be stopped.
func TestStopTouchesNoOtherCall(t *testing.T) {
	t.Parallel()
	g := newGate()
	d := newDoor(newServer(t, server.Options{}, g.tool("gate")))
	c, answer := d.run(t, call("gate", "{}"))
	<-g.entered
	c.Stop()
	g.leave <- struct{}{}
	if got := readReply(t, <-answer).text(t); got != "out" {
		t.Errorf("the call says %q", got)
	}
}
