package mcp_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"helpdesk/mcp"
)

func ExampleAppendTool() {
	tool := mcp.Tool{
		Name:        "get_ticket",
		Description: "Looks up one support ticket by its number.",
		InputSchema: []byte(`{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"]}`),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()},
	}
	fmt.Println(string(mcp.AppendTool(nil, &tool)))
	// Output:
	// {"name":"get_ticket","description":"Looks up one support ticket by its number.","inputSchema":{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"]},"annotations":{"readOnlyHint":true}}
}

func ExampleValidateToolName() {
	fmt.Println(mcp.ValidateToolName("get_ticket"))
	fmt.Println(mcp.ValidateToolName("get ticket"))
	// Output:
	// <nil>
	// tool name "get ticket" has ' ' at byte 3: use only the letters A-Z and a-z, digits, and _ . -
}

func ExampleAppendContent() {
	fmt.Println(string(mcp.AppendContent(nil, &mcp.TextContent{Text: `No ticket "#2318".`})))
	// Output: {"type":"text","text":"No ticket \"#2318\"."}
}

func ExampleDecodeContent() {
	content, err := mcp.DecodeContent([]byte(`{"type":"resource_link","uri":"helpdesk://tickets/2318","name":"2318"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch c := content.(type) {
	case *mcp.TextContent:
		fmt.Println("text:", c.Text)
	case *mcp.ResourceLink:
		fmt.Println("link:", c.URI)
	default:
		fmt.Println("something else:", c.Type())
	}
	// Output: link: helpdesk://tickets/2318
}

func ExampleCallToolResult() {
	var result mcp.CallToolResult
	err := json.Unmarshal([]byte(`{"content":[{"type":"text","text":"open"},{"type":"hologram","depth":3}],"isError":false}`), &result)
	fmt.Println(err, result.IsError, len(result.Content))
	encoded, err := json.Marshal(result)
	fmt.Println(string(encoded), err)
	// Output:
	// <nil> false 2
	// {"content":[{"type":"text","text":"open"},{"type":"hologram","depth":3}]} <nil>
}

func ExampleText() {
	fmt.Println(string(mcp.Text("done").AppendTo(nil)))
	// Output: [{"type":"text","text":"done"}]
}

func ExampleMeta_With() {
	meta := mcp.Meta(`{"claudecode/toolUseId":"toolu_1"}`)
	fmt.Println(string(meta.WithString(mcp.MetaIdempotencyKey, "refund-17")))
	// Output: {"claudecode/toolUseId":"toolu_1","dev.helpdesk/idempotencyKey":"refund-17"}
}

func ExampleMeta_GetString() {
	meta := mcp.Meta(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":7}`)
	fmt.Println(meta.GetString(mcp.MetaProtocolVersion))
	fmt.Println(meta.GetString(mcp.MetaProgressToken))
	// Output:
	// 2026-07-28 true
	//  false
}

func ExampleValidateMetaKey() {
	fmt.Println(mcp.ValidateMetaKey("com.example/trace-id"))
	fmt.Println(mcp.ValidateMetaKey("com.example/-"))
	// Output:
	// <nil>
	// _meta key "com.example/-": its name must begin and end with a letter or digit
}

func ExampleReservedMetaKey() {
	fmt.Println(mcp.ReservedMetaKey("dev.mcp/x"), mcp.ReservedMetaKey("com.example.mcp/x"))
	// Output: true false
}

func ExampleElicitationCapability_Form() {
	var c mcp.ClientCapabilities
	err := json.Unmarshal([]byte(`{"elicitation":{}}`), &c)
	fmt.Println(err, c.Elicitation.Form(), c.Elicitation.URL())
	// Output: <nil> true false
}

func ExampleClientCapabilities_Missing() {
	var client mcp.ClientCapabilities
	var questions mcp.InputRequests
	questions.Add("confirm", &mcp.ElicitFormParams{Message: "Refund 20.00 EUR?"})
	if missing, any := client.Missing(questions.Required()); any {
		err := mcp.MissingCapability(missing)
		fmt.Println(err)
		fmt.Println(string(err.Data))
	}
	// Output:
	// Server requires the elicitation.form capability for this request (JSON-RPC error -32021)
	// {"requiredCapabilities":{"elicitation":{"form":{}}}}
}

func ExampleSettings_Set() {
	c := mcp.ServerCapabilities{Tools: &mcp.ListChangedCapability{}}
	c.Extensions.Set("com.example/audit", nil)
	encoded, err := json.Marshal(c)
	fmt.Println(string(encoded), err)
	// Output: {"tools":{},"extensions":{"com.example/audit":{}}} <nil>
}

func ExampleInputRequests_AppendTo() {
	var questions mcp.InputRequests
	questions.Add("pay", &mcp.ElicitURLParams{Message: "Please pay.", URL: "https://example.com/pay/1"})
	questions.Add("where", &mcp.ListRootsParams{})
	fmt.Println(string(questions.AppendTo(nil)))
	// Output: {"pay":{"method":"elicitation/create","params":{"mode":"url","message":"Please pay.","url":"https://example.com/pay/1"}},"where":{"method":"roots/list"}}
}

func ExampleDecodeInputRequest() {
	request, err := mcp.DecodeInputRequest(mcp.MethodElicitationCreate, []byte(`{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if form, ok := request.(*mcp.ElicitFormParams); ok {
		fmt.Println("form:", form.Message)
	}
	_, ok := request.ParamsFor(mcp.Version20250326)
	fmt.Println("2025-03-26 has it:", ok)
	// Output:
	// form: Sure?
	// 2025-03-26 has it: false
}

func ExampleInputResponses_Get() {
	var answers mcp.InputResponses
	if err := json.Unmarshal([]byte(`{"confirm":{"action":"accept","content":{"ok":true}}}`), &answers); err != nil {
		fmt.Println(err)
		return
	}
	raw, _ := answers.Get("confirm")
	var answer mcp.ElicitResult
	if err := json.Unmarshal(raw, &answer); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Action == mcp.ElicitAccept, string(answer.Content))
	// Output: true {"ok":true}
}

func ExampleToolErrorf() {
	var err error = mcp.ToolErrorf("No ticket %q. Ticket numbers are digits only, for example 2318.", "#2318").
		WithCause(errors.New("no row"))
	var shown *mcp.ToolError
	if errors.As(err, &shown) {
		fmt.Println("for the model:", shown)
		fmt.Println("for the log:", errors.Unwrap(shown))
	}
	// Output:
	// for the model: No ticket "#2318". Ticket numbers are digits only, for example 2318.
	// for the log: no row
}

func ExampleUnknownTool() {
	err := mcp.UnknownTool("get_tickets")
	fmt.Println(err.Code, err.Message)
	// Output: -32602 Unknown tool: get_tickets
}

func ExampleUnsupportedVersion() {
	fmt.Println(string(mcp.UnsupportedVersion("1900-01-01", mcp.ModernVersions()).Data))
	// Output: {"supported":["2026-07-28"],"requested":"1900-01-01"}
}

func ExampleError_For() {
	err := mcp.ResourceNotFound("helpdesk://tickets/1")
	fmt.Println(err.For(mcp.Version20260728).Code, err.For(mcp.Version20251125).Code)
	// Output: -32602 -32002
}

func ExampleParseLogLevel() {
	level, err := mcp.ParseLogLevel("warning")
	fmt.Println(level, err, level.AtLeast(mcp.LogInfo))
	_, err = mcp.ParseLogLevel("warn")
	fmt.Println(err)
	// Output:
	// warning <nil> true
	// "warn" is no log level: use debug, info, notice, warning, error, critical, alert or emergency
}

func ExampleVersion() {
	asked := mcp.Version("2025-06-18")
	fmt.Println(asked.Known(), asked.Modern(), asked.Era(), asked < mcp.Version20251125)
	// Output: true false legacy true
}

func ExampleVersion_Defines() {
	fmt.Println(mcp.Version20251125.Defines(mcp.MethodPing), mcp.Version20260728.Defines(mcp.MethodPing))
	// Output: true false
}

func ExampleCaching_TTL() {
	var list mcp.ListToolsResult
	err := json.Unmarshal([]byte(`{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}`), &list)
	fmt.Println(err, list.Caching.TTL() == time.Minute)
	// Output: <nil> true
}
