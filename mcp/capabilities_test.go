package mcp_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"helpdesk/mcp"
)

// An empty elicitation capability means forms only (client/elicitation).
func TestElicitationModes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		capabilities string
		form, url    bool
	}{
		{`{}`, false, false},
		{`{"elicitation":null}`, false, false},
		{`{"elicitation":{}}`, true, false},
		{`{"elicitation":{"form":{}}}`, true, false},
		{`{"elicitation":{"url":{}}}`, false, true},
		{`{"elicitation":{"form":{},"url":{}}}`, true, true},
		{`{"elicitation":{"voice":{}}}`, true, false},
	}
	for _, test := range tests {
		var c mcp.ClientCapabilities
		if err := json.Unmarshal([]byte(test.capabilities), &c); err != nil {
			t.Fatal(err)
		}
		if form, url := c.Elicitation.Form(), c.Elicitation.URL(); form != test.form || url != test.url {
			t.Errorf("%s: form %v, url %v; want %v, %v", test.capabilities, form, url, test.form, test.url)
		}
	}
}

func TestMissingCapabilities(t *testing.T) {
	t.Parallel()
	tests := []struct {
		have, need string
		missing    string // empty: nothing
	}{
		{`{}`, `{}`, ``},
		{`{}`, `{"roots":{},"sampling":{},"elicitation":{}}`, `{"roots":{},"sampling":{},"elicitation":{"form":{}}}`},
		{`{"roots":{"listChanged":true}}`, `{"roots":{}}`, ``},
		{`{"elicitation":{}}`, `{"elicitation":{"form":{}}}`, ``},
		{`{"elicitation":{"url":{}}}`, `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`},
		{`{"elicitation":{}}`, `{"elicitation":{"form":{},"url":{}}}`, `{"elicitation":{"url":{}}}`},
		{`{"elicitation":{"form":{},"url":{}}}`, `{"elicitation":{"form":{},"url":{}}}`, ``},
		{`{"sampling":{}}`, `{"sampling":{}}`, ``},
		{`{"sampling":{}}`, `{"sampling":{"tools":{},"context":{}}}`, `{"sampling":{"context":{},"tools":{}}}`},
		{`{"sampling":{"tools":{}}}`, `{"sampling":{"tools":{}}}`, ``},
		{`{}`, `{"sampling":{"tools":{}}}`, `{"sampling":{"tools":{}}}`},
		{`{"extensions":{"a.b/c":{"v":2}}}`, `{"extensions":{"a.b/d":{"v":1},"a.b/c":{}}}`, `{"extensions":{"a.b/d":{"v":1}}}`},
		{`{"experimental":{"x":{}}}`, `{"experimental":{"x":{},"y":{}}}`, `{"experimental":{"y":{}}}`},
	}
	for _, test := range tests {
		var have, need mcp.ClientCapabilities
		if err := json.Unmarshal([]byte(test.have), &have); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(test.need), &need); err != nil {
			t.Fatal(err)
		}
		missing, any := have.Missing(need)
		if any != (test.missing != "") {
			t.Errorf("have %s, need %s: something is missing: %v", test.have, test.need, any)
		}
		if test.missing == "" {
			test.missing = `{}`
		}
		if got, err := json.Marshal(missing); err != nil || string(got) != test.missing {
			t.Errorf("have %s, need %s: %s (%v) is missing, want %s", test.have, test.need, got, err, test.missing)
		}
	}
}

func TestSettingsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var s mcp.Settings
	s.Set("z.z/last", nil)
	s.Set("a.a/first", []byte(`{"v": 1}`))
	s.Set("z.z/last", []byte(`{"v":2}`))
	s.Set("m.m/on", nil)
	got, err := json.Marshal(s)
	if want := `{"z.z/last":{"v":2},"a.a/first":{"v":1},"m.m/on":{}}`; err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	if value, ok := s.Get("a.a/first"); !ok || string(value) != `{"v": 1}` {
		t.Errorf("Get = %s, %v", value, ok)
	}
	if _, ok := s.Get("absent"); ok {
		t.Error("Get found an absent name")
	}
	s.Set("bad", []byte(`{`))
	if got, err := json.Marshal(s); err == nil {
		t.Errorf("broken JSON was written: %s", got)
	}
}
