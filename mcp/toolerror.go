package mcp

import "fmt"

// ToolError is a failure of a tool that the model shall read: the call was
// understood, and the text says what went wrong and what to do about it. It
// becomes a result with isError, never a JSON-RPC error, because hosts show
// those to nobody (server/tools#error-handling). Find it with errors.As.
type ToolError struct {
	text  string
	cause error
}

// NewToolError makes an error with this text for the model.
func NewToolError(text string) *ToolError { return &ToolError{text: text} }

// ToolErrorf is [NewToolError] with a format. An error among the arguments
// becomes part of the text; to keep one for the log, use
// [ToolError.WithCause].
func ToolErrorf(format string, args ...any) *ToolError {
	return &ToolError{text: fmt.Sprintf(format, args...)}
}

// WithCause returns the same error with a cause that goes to the log and is
// never sent.
func (e *ToolError) WithCause(cause error) *ToolError {
	return &ToolError{text: e.text, cause: cause}
}

// Error is the text for the model. It says nothing of the cause.
func (e *ToolError) Error() string { return e.text }

// Unwrap is the cause, nil for none.
func (e *ToolError) Unwrap() error { return e.cause }
