package helpdesk_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which of the module's packages a package may import, beside what
// its own allowed imports may. Imports point down only (docs/architecture.md);
// a package that is not here may not exist.
var arrows = map[string][]string{
	"jsonscan":                    {},
	"schema":                      {"jsonscan"},
	"mcp":                         {"schema"},
	"mcp/jsonrpc":                 {"jsonscan"},
	"mcp/server":                  {"mcp", "mcp/jsonrpc"},
	"mcp/legacy":                  {"mcp/server"},
	"mcp/stdio":                   {"mcp/legacy"},
	"transcript":                  {"jsonscan"},
	"tap":                         {"transcript"},
	"desk":                        {},
	"desk/memory":                 {"desk"},
	"desk/tools":                  {"desk", "mcp/server"},
	"cmd/internal/cli":            {},
	"cmd/helpdesk":                {"cmd/internal/cli", "desk/memory", "desk/tools", "mcp/stdio", "tap"},
	"cmd/mcpkit":                  {"cmd/internal/cli", "tap"},
	"transcripts":                 {},
	"transcripts/probe":           {"transcripts/probe/misbehave", "mcp/stdio"},
	"transcripts/probe/misbehave": {"mcp/server"},
}

// TestImportArrows holds every file of the module to the arrows. Tests may
// reach up, programs of the nested bench module are not part of this one.
func TestImportArrows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "bench" || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && file != "."):
			return filepath.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		seen[pkg] = true
		may, known := reach(pkg)
		if !known {
			t.Errorf("%s: package %s has no place in the architecture", file, pkg)
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			ours, internal := strings.CutPrefix(imported, "helpdesk/")
			if internal && !slices.Contains(may, ours) {
				t.Errorf("%s imports %s, against the arrows", file, ours)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range arrows {
		if !seen[pkg] {
			t.Errorf("the architecture knows package %s, which does not exist", pkg)
		}
	}
}

// reach is everything a package may import, directly or through what it may.
func reach(pkg string) (may []string, known bool) {
	direct, known := arrows[pkg]
	for _, next := range direct {
		deeper, _ := reach(next)
		may = append(append(may, next), deeper...)
	}
	return may, known
}
