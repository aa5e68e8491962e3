package mcp_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/go-json-experiment/json"

	"helpdesk/mcp"
)

func TestErrorsOnTheWire(t *testing.T) {
	t.Parallel()
	url := mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{URLMode: &mcp.EmptyCapability{}}}
	two := mcp.ClientCapabilities{Roots: &mcp.ListChangedCapability{}, Sampling: &mcp.SamplingCapability{}}
	broken := mcp.ClientCapabilities{Extensions: mcp.Settings{{Name: "a", Value: []byte("{")}}}
	tests := []struct {
		err      *mcp.Error
		typeName string // in the schema of 2026-07-28
		want     string
	}{
		{mcp.ParseError("Parse error: %v", "byte 3"), "ParseError", `{"code":-32700,"message":"Parse error: byte 3"}`},
		{mcp.InvalidRequest("no method"), "InvalidRequestError", `{"code":-32600,"message":"no method"}`},
		{mcp.MethodNotFound("tools/delete"), "MethodNotFoundError", `{"code":-32601,"message":"Method not found: tools/delete"}`},
		{mcp.InvalidParams("params.%s is missing", "name"), "InvalidParamsError", `{"code":-32602,"message":"params.name is missing"}`},
		{mcp.InternalError("Internal error, reference %s", "1a"), "InternalError", `{"code":-32603,"message":"Internal error, reference 1a"}`},
		{mcp.UnknownTool("get_tickets"), "InvalidParamsError", `{"code":-32602,"message":"Unknown tool: get_tickets"}`},
		{mcp.UnknownPrompt("x"), "InvalidParamsError", `{"code":-32602,"message":"Unknown prompt: x"}`},
		{mcp.ResourceNotFound("a:<\"b>"), "InvalidParamsError", `{"code":-32602,"message":"Resource not found","data":{"uri":"a:<\"b>"}}`},
		{mcp.HeaderMismatch("%s is missing", "Mcp-Method"), "HeaderMismatchError/properties/error", `{"code":-32020,"message":"Header mismatch: Mcp-Method is missing"}`},
		{mcp.UnsupportedVersion("1900-01-01", mcp.Versions()[3:]), "UnsupportedProtocolVersionError/properties/error",
			`{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2025-11-25","2026-07-28"],"requested":"1900-01-01"}}`},
		{mcp.UnsupportedVersion("", nil), "UnsupportedProtocolVersionError/properties/error",
			`{"code":-32022,"message":"Unsupported protocol version","data":{"supported":[],"requested":""}}`},
		{mcp.MissingCapability(url), "MissingRequiredClientCapabilityError/properties/error",
			`{"code":-32021,"message":"Server requires the elicitation.url capability for this request","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}`},
		{mcp.MissingCapability(two), "MissingRequiredClientCapabilityError/properties/error",
			`{"code":-32021,"message":"Server requires the capabilities roots and sampling for this request","data":{"requiredCapabilities":{"roots":{},"sampling":{}}}}`},
		{mcp.MissingCapability(broken), "MissingRequiredClientCapabilityError/properties/error",
			`{"code":-32021,"message":"Server requires a client capability that was not declared for this request","data":{"requiredCapabilities":{}}}`},
	}
	for _, test := range tests {
		got, err := json.Marshal(test.err)
		if err != nil || string(got) != test.want {
			t.Errorf("got  %s (%v)\nwant %s", got, err, test.want)
			continue
		}
		checkOfficial(t, mcp.Latest, test.typeName, got)
	}
}

func TestErrorForARevision(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.Versions() {
		want := mcp.CodeLegacyResourceNotFound
		if version.Modern() {
			want = mcp.CodeInvalidParams
		}
		missing := mcp.ResourceNotFound("a:b")
		if got := missing.For(version); got.Code != want || got.Message != missing.Message || string(got.Data) != `{"uri":"a:b"}` {
			t.Errorf("%s: %v", version, got)
		}
		if missing.Code != mcp.CodeInvalidParams {
			t.Error("For changed the error it was asked of")
		}
		if got := mcp.UnknownTool("x").For(version); got.Code != mcp.CodeInvalidParams {
			t.Errorf("%s: %v", version, got)
		}
	}
}

// errors.As is the contract: handlers may wrap what they return.
func TestErrorsAreFoundWhenWrapped(t *testing.T) {
	t.Parallel()
	cause := io.ErrUnexpectedEOF
	err := fmt.Errorf("get_ticket: %w", mcp.ToolErrorf("No ticket %q.", "#2318").WithCause(cause))
	var shown *mcp.ToolError
	if !errors.As(err, &shown) || shown.Error() != `No ticket "#2318".` {
		t.Errorf("found %v in %v", shown, err)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if errors.Unwrap(mcp.NewToolError("a")) != nil {
		t.Error("an error without cause has one")
	}
	var wire *mcp.Error
	if errors.As(err, &wire) {
		t.Errorf("a tool error became the wire error %v", wire)
	}
	err = fmt.Errorf("call: %w", mcp.UnknownTool("x"))
	if !errors.As(err, &wire) || wire.Error() != "Unknown tool: x (JSON-RPC error -32602)" {
		t.Errorf("found %v in %v", wire, err)
	}
}
