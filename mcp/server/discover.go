package server

import (
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

// memo keeps one encoded result until it is cleared.
type memo struct{ value atomic.Pointer[members] }

func (m *memo) clear() { m.value.Store(nil) }

func (m *memo) get(make func() (members, error)) (members, error) {
	if have := m.value.Load(); have != nil {
		return *have, nil
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	m.value.Store(&made)
	return made, nil
}

// discover is server/discover. It lists only versions that a request may name
// in its _meta; the initialize-era revisions are reached by initialize.
func (s *Server) discover(*Call) (Result, error) {
	return s.discovered.get(func() (members, error) {
		capabilities, err := json.Marshal(s.capabilities(), outputOptions)
		if err != nil {
			return nil, err
		}
		out := append([]byte(`"supportedVersions":["`), mcp.Version20260728...)
		out = append(append(out, `"],"capabilities":`...), capabilities...)
		if s.opts.Instructions != "" {
			out = jsonscan.AppendQuoted(append(out, `,"instructions":`...), s.opts.Instructions)
		}
		return s.appendCaching(append(out, ','), mcp.CacheScopePublic), nil
	})
}
