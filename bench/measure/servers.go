// Package measure runs the servers against each other and reduces what it saw
// to figures.
package measure

import (
	"debug/buildinfo"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"helpdesk/bench/proc"
	"helpdesk/bench/wire"
)

// Server is one program under test.
type Server struct {
	Name  string // in tables and in the flag -servers
	About string // for the reader of the report
	// Version is the version of the library it is made of, as built.
	Version string
	// Form says which form of request it accepts and is sent.
	Form string
	// Path and Args start it.
	Path string
	Args []string

	pkg    string // what to build, below the bench folder or its parent
	module string // whose version to report
	fixed  bool   // answers everything with the same bytes
	exact  bool   // says a bad argument in the lesson's own words
	extras bool   // takes -tools N and -big
}

// The names the report compares with.
const (
	BaseFloor = "tightfloor"
	BaseOurs  = "helpdesk"
	// LibraryServer stands in for BaseOurs where the product cannot take part.
	LibraryServer = "ours"
)

const modernForm = "2026-07-28 with _meta, no handshake"

// Servers lists every program under test, in the order of the report.
func Servers() []*Server {
	return []*Server{
		{Name: "floor", About: "Go, answers every line with the same bytes; flushes when its input buffer is empty", Form: "any line", pkg: "./servers/floor", fixed: true},
		{Name: BaseFloor, About: "Go, byte search for id, method, name and number, ready-made answers; flushes when its input buffer is empty", Form: modernForm, pkg: "./servers/tightfloor", exact: true, extras: true},
		{Name: "tightfloor-perline", About: "the same, but one write per answer", Form: modernForm, pkg: "./servers/tightfloor", Args: []string{"-perline"}, exact: true, extras: true},
		{Name: BaseOurs, About: "`helpdesk serve --demo --stdio`, the product with all its tools", Form: modernForm, pkg: "./cmd/helpdesk", Args: []string{"serve", "--demo", "--stdio"}, exact: true},
		{Name: LibraryServer, About: "get_ticket alone, on the library `helpdesk/mcp/server`", Form: modernForm, pkg: "./servers/ours", exact: true, extras: true},
		{Name: "node", About: "plain Node by hand, no SDK and no schema validation", Form: modernForm, pkg: "servers/node/server.mjs", exact: true, extras: true},
		{Name: "mcpgo", About: "github.com/mark3labs/mcp-go, WithInputSchemaValidation", Form: modernForm, pkg: "./servers/mcpgo", module: "github.com/mark3labs/mcp-go", extras: true},
		{Name: "gosdk", About: "github.com/modelcontextprotocol/go-sdk, typed tool with its validation", Form: modernForm, pkg: "./servers/gosdk", module: "github.com/modelcontextprotocol/go-sdk", extras: true},
	}
}

// Sources says where programs come from.
type Sources struct {
	Bench    string // the folder of this module
	Helpdesk string // a ready helpdesk binary; empty means to build it
	Node     string // the node program
	Out      string // an existing folder for the binaries
}

// Build makes the server ready to start.
func (s *Server) Build(from Sources) error {
	if script, ok := strings.CutSuffix(s.pkg, ".mjs"); ok {
		node, err := exec.LookPath(from.Node)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		version, err := exec.Command(node, "--version").Output()
		if err != nil {
			return fmt.Errorf("%s: ask node for its version: %w", s.Name, err)
		}
		s.Version = strings.TrimSpace(string(version))
		s.Path = node
		s.Args = append([]string{filepath.Join(from.Bench, script+".mjs")}, s.Args...)
		return nil
	}
	folder := from.Bench
	if s.Name == BaseOurs {
		if from.Helpdesk != "" {
			var err error
			if s.Path, err = filepath.Abs(from.Helpdesk); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			return nil
		}
		folder = filepath.Dir(from.Bench)
	}
	s.Path = filepath.Join(from.Out, filepath.Base(s.pkg))
	build := exec.Command("go", "build", "-o", s.Path, s.pkg)
	build.Dir = folder
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: go build %s: %w\n%s", s.Name, s.pkg, err, output)
	}
	if s.module == "" {
		return nil
	}
	info, err := buildinfo.ReadFile(s.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	for _, module := range info.Deps {
		if module.Path == s.module {
			s.Version = module.Version
		}
	}
	return nil
}

// Command is how to start the server with arguments beyond its own.
func (s *Server) Command(extra ...string) proc.Command {
	return proc.Command{Path: s.Path, Args: append(append([]string(nil), s.Args...), extra...)}
}

// check returns what an answer of this server must pass.
func (s *Server) check(of wire.Check) wire.Check {
	if s.fixed {
		return wire.NonEmpty
	}
	return of
}
