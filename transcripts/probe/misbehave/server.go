// Package misbehave makes the probe server: one tool for every way in which a
// tool can go wrong, and a few that are merely slow or curious.
package misbehave

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"

	"helpdesk/mcp"
	"helpdesk/mcp/server"
)

// MaxLine is the probe's limit for one message: 1 MiB, so that tests can reach
// it cheaply.
const MaxLine = 1 << 20

type none struct{}

type slowIn struct {
	MS int `json:"ms" doc:"How long to take, in milliseconds, e.g. 50" min:"0" max:"60000" example:"50"`
}

type slowOut struct {
	Slept int `json:"slept"`
}

// NewServer makes the probe server.
func NewServer(log *slog.Logger) (*server.Server, error) {
	s, err := server.New(mcp.Implementation{Name: "probe", Version: "1.0.0"}, server.Options{
		ToolsChange: true,
		Logging:     true,
		Log:         log,
	})
	if err != nil {
		return nil, err
	}
	p := &probe{server: s}
	for _, make := range []func() (server.Tool, error){
		p.fast, p.slow, p.panics, p.hang, p.print, p.badOutput, p.huge, p.lines, p.fails, p.progress, p.logs, p.ask, p.grow, p.desert,
	} {
		tool, err := make()
		if err != nil {
			return nil, err
		}
		if err := s.Add(tool); err != nil {
			return nil, err
		}
	}
	return s, nil
}

type probe struct{ server *server.Server }

func readOnly(name, description string) mcp.Tool {
	return mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: mcp.True()}}
}

func (p *probe) fast() (server.Tool, error) {
	return server.NewTool(readOnly("fast", "Answer at once."), func(context.Context, *server.Call, none) (server.Text, error) {
		return "done", nil
	})
}

func (p *probe) slow() (server.Tool, error) {
	return server.NewTool(readOnly("slow", "Answer after a while."), func(ctx context.Context, _ *server.Call, in slowIn) (slowOut, error) {
		select {
		case <-time.After(time.Duration(in.MS) * time.Millisecond):
			return slowOut{Slept: in.MS}, nil
		case <-ctx.Done():
			return slowOut{}, context.Cause(ctx)
		}
	})
}

func (p *probe) panics() (server.Tool, error) {
	return server.NewTool(readOnly("panic", "Panic."), func(context.Context, *server.Call, none) (server.Text, error) {
		panic("secret detail in /etc/passwd")
	})
}

// hang does not even look at its context.
func (p *probe) hang() (server.Tool, error) {
	tool, err := server.NewTool(mcp.Tool{Name: "hang", Description: "Never answer."}, func(context.Context, *server.Call, none) (server.Text, error) {
		select {}
	})
	tool.Timeout = 100 * time.Millisecond
	return tool, err
}

// print writes to stdout the way careless libraries do, and around os.Stdout.
func (p *probe) print() (server.Tool, error) {
	return server.NewTool(readOnly("print", "Print to standard output."), func(context.Context, *server.Call, none) (server.Text, error) {
		fmt.Println("printed by a dependency")
		if f, err := os.OpenFile("/dev/fd/1", os.O_WRONLY, 0); err == nil {
			fmt.Fprintln(f, "printed to descriptor 1")
			f.Close()
		}
		return "printed", nil
	})
}

func (p *probe) badOutput() (server.Tool, error) {
	definition := readOnly("bad_output", "Return what the output schema forbids.")
	definition.OutputSchema = []byte(`{"type":"object","properties":{"slept":{"type":"integer","maximum":3}},"required":["slept"]}`)
	return server.NewTool(definition, func(context.Context, *server.Call, none) (slowOut, error) {
		return slowOut{Slept: 4}, nil
	})
}

func (p *probe) huge() (server.Tool, error) {
	return server.NewTool(readOnly("huge", "Return 64 MiB."), func(context.Context, *server.Call, none) (server.Text, error) {
		return server.Text(strings.Repeat("x", 64<<20)), nil
	})
}

// lines returns every character that some reader takes for the end of a line.
func (p *probe) lines() (server.Tool, error) {
	return server.NewTool(readOnly("lines", "Return line separators."), func(context.Context, *server.Call, none) (server.Text, error) {
		return "a\nb\rc\u2028d\u2029e\u0085f\x00g", nil
	})
}

func (p *probe) fails() (server.Tool, error) {
	return server.NewTool(mcp.Tool{Name: "fail", Description: "Fail inside."}, func(context.Context, *server.Call, none) (server.Text, error) {
		return "", errors.New("open /var/lib/secret.db: permission denied")
	})
}

func (p *probe) progress() (server.Tool, error) {
	return server.NewTool(readOnly("progress", "Report progress."), func(ctx context.Context, call *server.Call, _ none) (server.Text, error) {
		// The second value does not grow and must not be sent.
		for _, progress := range []float64{1, 1, 2.5} {
			if err := call.Progress(ctx, progress, 4, "working"); err != nil {
				return "", err
			}
		}
		return "done", nil
	})
}

func (p *probe) logs() (server.Tool, error) {
	return server.NewTool(readOnly("log", "Send log messages."), func(ctx context.Context, call *server.Call, _ none) (server.Text, error) {
		for _, level := range []mcp.LogLevel{mcp.LogDebug, mcp.LogInfo, mcp.LogError} {
			if err := call.Log(ctx, level, "probe", map[string]string{"level": string(level)}); err != nil {
				return "", err
			}
		}
		return "logged", nil
	})
}

// ask needs a person's yes before it does anything.
func (p *probe) ask() (server.Tool, error) {
	return server.NewTool(mcp.Tool{Name: "ask", Description: "Ask a person first."}, func(_ context.Context, call *server.Call, _ none) (server.Text, error) {
		answer, ok := call.Answer("confirm")
		if !ok {
			return "", &server.InputRequired{
				Requests: mcp.InputRequests{{Key: "confirm", Request: &mcp.ElicitFormParams{
					Message:         "Go on?",
					RequestedSchema: []byte(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`),
				}}},
				State: []byte("round 1"),
			}
		}
		return server.Text(fmt.Sprintf("the answer was %s in %s", answer, call.State())), nil
	})
}

// desert ends the goroutine it runs on, as some test code does.
func (p *probe) desert() (server.Tool, error) {
	return server.NewTool(readOnly("desert", "End the goroutine."), func(context.Context, *server.Call, none) (server.Text, error) {
		runtime.Goexit()
		return "", nil
	})
}

// grow adds a tool, so that the list changes.
func (p *probe) grow() (server.Tool, error) {
	return server.NewTool(mcp.Tool{Name: "grow", Description: "Add a tool."}, func(context.Context, *server.Call, none) (server.Text, error) {
		added, err := server.NewTool(readOnly("added", "Was added."), func(context.Context, *server.Call, none) (server.Text, error) {
			return "here", nil
		})
		if err != nil {
			return "", err
		}
		if err := p.server.Add(added); err != nil {
			return "", mcp.NewToolError("added is there already")
		}
		return "added", nil
	})
}
