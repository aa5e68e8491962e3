package server

import (
	"errors"
	"fmt"
	"slices"

	"helpdesk/jsonscan"
)

// registry is an immutable set of tools. Changing the set makes a new one, so
// a request sees one set from its beginning to its end and reads no lock.
type registry struct {
	order  []*entry
	byName map[string]*entry
	// scoped tells that the list depends on who asks.
	scoped bool
	lists  listCache
}

func newRegistry(order []*entry) *registry {
	r := &registry{order: order, byName: make(map[string]*entry, len(order))}
	for _, e := range order {
		r.byName[e.Definition.Name] = e
		r.scoped = r.scoped || e.Scope != ""
	}
	return r
}

// find returns the tool of a name as it stands in a request, nil for none.
// The name must be a JSON string. Names never need escapes, so most lookups
// unescape nothing.
func (r *registry) find(name []byte) *entry {
	if e := r.byName[string(name[1:len(name)-1])]; e != nil {
		return e
	}
	return r.byName[jsonscan.Unquote(name)]
}

// Add registers tools in the order given, which is the order they are listed
// in. A tool whose name breaks the naming rule, whose schema does not compile
// or whose example breaks its own schema is refused, and then none is added.
// Once the server has answered its first request, Add needs
// Options.ToolsChange, because the list was promised not to change.
func (s *Server) Add(tools ...Tool) error {
	added := make([]*entry, 0, len(tools))
	for _, tool := range tools {
		e, err := newEntry(tool)
		if err != nil {
			return fmt.Errorf("server: %w", err)
		}
		added = append(added, e)
	}
	return s.change(func(order []*entry) ([]*entry, error) {
		for _, e := range added {
			if slices.ContainsFunc(order, func(o *entry) bool { return o.Definition.Name == e.Definition.Name }) {
				return nil, fmt.Errorf("server: tool %q is registered already", e.Definition.Name)
			}
			order = append(order, e)
		}
		return order, nil
	})
}

// Remove takes tools out of the list. Calls that run already finish. Unknown
// names are an error, and then none is removed.
func (s *Server) Remove(names ...string) error {
	return s.change(func(order []*entry) ([]*entry, error) {
		for _, name := range names {
			i := slices.IndexFunc(order, func(o *entry) bool { return o.Definition.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("server: there is no tool %q to remove", name)
			}
			order = slices.Delete(order, i, i+1)
		}
		return order, nil
	})
}

// change replaces the registry and tells whoever listens.
func (s *Server) change(edit func([]*entry) ([]*entry, error)) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.started.Load() && !s.opts.ToolsChange {
		return errors.New("server: the tools cannot change after the first request; set Options.ToolsChange")
	}
	order, err := edit(slices.Clone(s.registry.Load().order))
	if err != nil {
		return err
	}
	s.registry.Store(newRegistry(order))
	s.discovered.clear()
	s.hub.publish(Change{Tools: true})
	return nil
}
