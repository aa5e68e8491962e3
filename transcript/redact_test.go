package transcript_test

import (
	"strings"
	"testing"

	"helpdesk/transcript"
)

// TestRedactor shows lines before and after. An empty want means unchanged,
// "-" that the line must not be kept at all.
func TestRedactor(t *testing.T) {
	t.Parallel()
	r := transcript.NewRedactor("authorization", "api_key", "ключ")
	for _, tt := range []struct{ name, line, want string }{
		{"nothing to redact", `{"id":1,"params":{"a":["b"]}}` + "\n", ""},
		{"a string", `{"api_key":"s3cret","id":1}`, `{"api_key":"[redacted]","id":1}`},
		{"any depth", `{"a":[{"b":{"api_key":"s3cret"}}]}`, `{"a":[{"b":{"api_key":"[redacted]"}}]}`},
		{"any value", `{"a":{"api_key":{"s3cret":["}"]}},"b":{"api_key":[1,[2]]},"c":{"api_key":-1.5e3},"d":{"api_key":null}}`,
			`{"a":{"api_key":"[redacted]"},"b":{"api_key":"[redacted]"},"c":{"api_key":"[redacted]"},"d":{"api_key":"[redacted]"}}`},
		{"last number", `{"api_key":17}`, `{"api_key":"[redacted]"}`},
		{"white space stays", " { \"api_key\" :\t\"s3cret\" , \"id\" : 1 }\r\n", " { \"api_key\" :\t\"[redacted]\" , \"id\" : 1 }\r\n"},
		{"case", `{"Authorization":"Bearer s3cret","API_KEY":"s3cret","Ключ":"s3cret"}`, `{"Authorization":"[redacted]","API_KEY":"[redacted]","Ключ":"[redacted]"}`},
		{"escaped name", `{"api\u005fkey":"s3cret"}`, `{"api\u005fkey":"[redacted]"}`},
		{"a name is not a value", `{"a":"api_key","b":["api_key","x"]}`, ""},
		{"a longer name", `{"my_api_key":"x","api_key_id":"x"}`, ""},
		{"escapes in values", `{"a":"\"api_key\\","api_key":"\\\"s3cret\\","b":1}`, `{"a":"\"api_key\\","api_key":"[redacted]","b":1}`},
		{"batch", `[{"api_key":"s3cret"},{"id":2}]`, `[{"api_key":"[redacted]"},{"id":2}]`},
		{"the same JSON as text", `{"content":[{"text":"{\"api_key\":\"s3cret\",\"n\":1.50}"}],"structuredContent":{"api_key":"s3cret"}}`,
			`{"content":[{"text":"{\"api_key\":\"[redacted]\",\"n\":1.50}"}],"structuredContent":{"api_key":"[redacted]"}}`},
		{"text in text", `{"t":"{\"u\":\"{\\\"api_key\\\":\\\"s3cret\\\"}\"}"}`, `{"t":"{\"u\":\"{\\\"api_key\\\":\\\"[redacted]\\\"}\"}"}`},
		{"text in a string in text", `{"t":"\"{\\\"k\\\\u0065y\\\":1,\\\"api_key\\\":2}\""}`, `{"t":"\"{\\\"k\\\\u0065y\\\":1,\\\"api_key\\\":\\\"[redacted]\\\"}\""}`},
		{"JSON in prose", `{"t":"Here it is: {\"api_key\": \"s3cret\"}"}`, `{"t":"[redacted]"}`},
		{"JSON cut short", `{"t":"{\"api_key\":\"s3cr"}`, `{"t":"[redacted]"}`},
		{"JSON in prose in text", `{"t":"x {\"u\":\"{\\\"api_key\\\" : 1}\"}"}`, `{"t":"[redacted]"}`},
		{"prose", `{"t":"Send the header Authorization: yes, or \"authorization\", no colon"}`, ""},
		{"no JSON", "api_key=s3cret\n", "-"},
		{"half a message", `{"api_key":"s3cret"`, "-"},
		{"a scalar may be a value of a document over several lines", `"s3cret"`, "-"},
		{"so may an array", `["s3cret"]`, "-"},
		{"duplicate names", `{"a":1,"a":2}`, "-"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "-"},
		{"too deep", strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200), "-"},
		{"blank", "\n", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, changed, ok := r.Line([]byte(tt.line))
			want := tt.want
			if want == "" {
				want = tt.line
			}
			switch {
			case ok == (tt.want == "-"):
				t.Errorf("ok is %v", ok)
			case ok && string(got) != want:
				t.Errorf("got  %s\nwant %s", got, want)
			case ok && changed != (tt.want != ""):
				t.Errorf("changed is %v", changed)
			}
		})
	}
}

// TestRedactorWithoutKeys is no redactor at all.
func TestRedactorWithoutKeys(t *testing.T) {
	t.Parallel()
	if r := transcript.NewRedactor(""); r != nil || r.Keys() != nil {
		t.Errorf("got %v", r)
	}
}
