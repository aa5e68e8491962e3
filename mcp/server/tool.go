package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
	"helpdesk/schema"
)

// Tool is one tool as one value: what the model reads, what programs read, who
// may call it and what it does. Nothing about a tool lives anywhere else.
type Tool struct {
	// Definition is what tools/list shows. Its input schema is sent byte for
	// byte as it was written (line breaks between tokens apart, which stdio
	// cannot carry).
	Definition mcp.Tool
	// Scope is the permission a caller needs; empty means none. A caller
	// without it does not see the tool.
	Scope string
	// Sentences replace the general error text for a property. The text may
	// hold {value}, which becomes the value as it was sent.
	Sentences map[string]string
	// Timeout replaces Options.CallTimeout for this tool.
	Timeout time.Duration
	// Handle runs a call whose arguments were checked against the schema.
	Handle ToolHandler
}

// ToolHandler runs one call. It returns a result, an *[InputRequired] as the
// error when it needs to know more, an *mcp.ToolError for what the model
// should read, an *mcp.Error for a broken request, or any other error for a
// fault of the server.
type ToolHandler func(ctx context.Context, call *Call) (*mcp.CallToolResult, error)

// Text is the output type of a typed tool that answers in words only.
type Text string

// outputOptions encode what tools return: deterministic, and with the two line
// separators of JavaScript escaped, because some line readers split at them.
var outputOptions = json.JoinOptions(json.Deterministic(true), jsontext.EscapeForJS(true))

// NewTool makes a tool from a typed function. The input schema is derived from
// In unless the definition has one, the output schema from Out likewise; see
// package schema for the struct tags. When Out is [Text] the tool has no
// output schema and its result is one text block.
//
// What NewTool does not do: it does not let the handler choose content blocks.
// Write a [Tool] with a Handle of its own for that.
func NewTool[In, Out any](definition mcp.Tool, handle func(ctx context.Context, call *Call, in In) (Out, error)) (Tool, error) {
	fail := func(err error) (Tool, error) {
		return Tool{}, fmt.Errorf("tool %q: %w", definition.Name, err)
	}
	_, textOnly := any(*new(Out)).(Text)
	if definition.InputSchema == nil {
		derived, err := schema.For[In]()
		if err != nil {
			return fail(err)
		}
		definition.InputSchema = derived
	}
	if definition.OutputSchema == nil && !textOnly {
		derived, err := schema.For[Out](schema.Open())
		if err != nil {
			return fail(err)
		}
		definition.OutputSchema = derived
	}
	if handle == nil {
		return fail(errors.New("has no handler"))
	}
	return Tool{
		Definition: definition,
		Handle: func(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
			var in In
			if err := json.Unmarshal(call.Arguments(), &in); err != nil {
				// The schema lets through what Go reads only in another
				// spelling, and what the type cannot hold, such as an integer
				// beyond int64. The model can mend only the second.
				in = *new(In)
				if err := json.Unmarshal(respellIntegers(nil, call.Arguments()), &in); err != nil {
					return nil, misfit(err)
				}
			}
			out, err := handle(ctx, call, in)
			if err != nil {
				return nil, err
			}
			if textOnly {
				text, _ := any(out).(Text)
				return &mcp.CallToolResult{Content: mcp.ContentList{&mcp.TextContent{Text: string(text)}}}, nil
			}
			encoded, err := json.Marshal(out, outputOptions)
			if err != nil {
				return nil, fmt.Errorf("encode the result: %w", err)
			}
			return &mcp.CallToolResult{StructuredContent: encoded}, nil
		},
	}, nil
}

// misfit says which argument the tool's own type could not hold. The decoder's
// words are about Go and go to the log.
func misfit(err error) error {
	where := "a value"
	var semantic *json.SemanticError
	if errors.As(err, &semantic) && semantic.JSONPointer != "" {
		where = fmt.Sprintf("the value at %q", strings.TrimPrefix(string(semantic.JSONPointer), "/"))
	}
	return mcp.ToolErrorf("The arguments do not fit: %s is too large, too precise or of the wrong form. Nothing was changed.", where).WithCause(err)
}

// entry is a tool ready to serve.
type entry struct {
	Tool
	input  *schema.Schema
	output *schema.Schema
	// slow is a hint for transports: the last call took long.
	slow atomic.Bool
}

// newEntry checks everything that can be wrong with a tool before it serves,
// so that no call ever meets a broken one.
func newEntry(tool Tool) (*entry, error) {
	name := tool.Definition.Name
	if err := mcp.ValidateToolName(name); err != nil {
		return nil, err
	}
	fail := func(err error) (*entry, error) { return nil, fmt.Errorf("tool %q: %w", name, err) }
	if tool.Handle == nil {
		return fail(errors.New("has no handler"))
	}
	e := &entry{Tool: tool}
	var err error
	if e.Definition.InputSchema, err = oneLine(tool.Definition.InputSchema); err != nil {
		return fail(fmt.Errorf("input schema: %w", err))
	}
	var options []schema.Option
	for property, sentence := range tool.Sentences {
		options = append(options, schema.WithSentence(property, sentence))
	}
	if e.input, err = schema.Compile(e.Definition.InputSchema, options...); err != nil {
		return fail(fmt.Errorf("input schema: %w", err))
	}
	if !e.input.RootIsObject() {
		return fail(errors.New(`input schema: its root must say "type":"object"`))
	}
	if err := e.input.CheckExamples(); err != nil {
		return fail(fmt.Errorf("input schema: %w", err))
	}
	if tool.Definition.OutputSchema == nil {
		return e, e.checkDefinition()
	}
	if e.Definition.OutputSchema, err = oneLine(tool.Definition.OutputSchema); err != nil {
		return fail(fmt.Errorf("output schema: %w", err))
	}
	if e.output, err = schema.Compile(e.Definition.OutputSchema); err != nil {
		return fail(fmt.Errorf("output schema: %w", err))
	}
	if err := e.output.CheckExamples(); err != nil {
		return fail(fmt.Errorf("output schema: %w", err))
	}
	return e, e.checkDefinition()
}

// checkDefinition makes sure that the parts of a definition that are raw JSON
// cannot break a list.
func (e *entry) checkDefinition() error {
	if err := jsonscan.Check(mcp.AppendTool(nil, &e.Definition), 0); err != nil {
		return fmt.Errorf("tool %q: its definition is no JSON object: %w", e.Definition.Name, err)
	}
	return nil
}

// oneLine returns schema text as it was written, compacted only when it holds
// line breaks, which a line-framed transport cannot carry, and with JavaScript's
// two line separators escaped.
func oneLine(text []byte) ([]byte, error) {
	if text == nil {
		return nil, errors.New("is missing")
	}
	if err := jsonscan.Check(text, 0); err != nil {
		return nil, err
	}
	text = jsonscan.Trim(text)
	if bytes.ContainsAny(text, "\n\r") {
		text = jsonscan.AppendCompact(nil, text)
	}
	// Inside strings only, where some line readers would split.
	text = bytes.ReplaceAll(text, []byte("\u2028"), []byte(`\u2028`))
	return bytes.ReplaceAll(text, []byte("\u2029"), []byte(`\u2029`)), nil
}

func (c *Call) timeout() time.Duration {
	e := c.entry.Load()
	if e == nil {
		// The clock starts before the tool is looked up.
		e = c.hinted()
	}
	if e != nil && e.Timeout > 0 {
		return e.Timeout
	}
	return c.server.opts.CallTimeout
}

// Brief reports whether the call will probably return at once, judging by the
// last call of the same tool. It is a hint for transports that lend their
// reading goroutine to calls; being wrong costs time and nothing else.
func (c *Call) Brief() bool {
	e := c.hinted()
	return e == nil || !e.slow.Load()
}

// MarkSlow notes that the call kept its transport waiting.
func (c *Call) MarkSlow() {
	if e := c.hinted(); e != nil {
		e.slow.Store(true)
	}
}

// MarkBrief notes that the call returned at once.
func (c *Call) MarkBrief() {
	if e := c.hinted(); e != nil && e.slow.Load() {
		e.slow.Store(false)
	}
}

func (c *Call) hinted() *entry {
	if c.Method != mcp.MethodToolsCall || jsonscan.KindOf(c.params.name) != jsonscan.String {
		return nil
	}
	return c.server.tools().find(c.params.name)
}
