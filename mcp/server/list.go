package server

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"strconv"
	"sync"

	"helpdesk/jsonscan"
	"helpdesk/mcp"
)

// listKey names one page of tools/list: what it depends on and nothing else.
type listKey struct {
	version mcp.Version
	scopes  string
	first   int
}

// maxCachedPages bounds the memory that callers with odd scope sets can cost.
const maxCachedPages = 1024

// listCache keeps the encoded pages of one registry, so that a list costs the
// copying of its bytes and is the same bytes every time.
type listCache struct {
	mu    sync.RWMutex
	pages map[listKey]members
}

func (c *listCache) get(key listKey, make func() members) members {
	c.mu.RLock()
	page, ok := c.pages[key]
	c.mu.RUnlock()
	if ok {
		return page
	}
	page = make()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pages == nil || len(c.pages) >= maxCachedPages {
		c.pages = map[listKey]members{}
	}
	c.pages[key] = page
	return page
}

// listTools is tools/list. The list depends on the caller's scopes and on
// nothing else: not on the connection and not on earlier requests.
func (s *Server) listTools(call *Call) (Result, error) {
	tools := s.tools()
	scopes := ""
	if tools.scoped {
		scopes = call.Principal.key()
	}
	first := 0
	if cursor := call.params.cursor; cursor != nil && jsonscan.KindOf(cursor) != jsonscan.Null {
		var ok bool
		if first, ok = s.readCursor(tools, scopes, cursor); !ok {
			return nil, mcp.InvalidParams("Invalid cursor: use the nextCursor of the page before, unchanged, or none to start again")
		}
	}
	key := listKey{version: call.Version, scopes: scopes, first: first}
	return tools.lists.get(key, func() members { return s.encodeTools(tools, call, key) }), nil
}

// encodeTools writes one page.
func (s *Server) encodeTools(tools *registry, call *Call, key listKey) members {
	visible := tools.visible(call.Principal)
	visible = visible[min(key.first, len(visible)):]
	next := 0
	if size := s.opts.PageSize; size > 0 && len(visible) > size {
		visible = visible[:size]
		next = key.first + size
	}
	out := []byte(`"tools":[`)
	for i, e := range visible {
		if i > 0 {
			out = append(out, ',')
		}
		definition := toolFor(key.version, &e.Definition)
		out = mcp.AppendTool(out, &definition)
	}
	out = append(out, ']')
	if next > 0 {
		out = append(out, `,"nextCursor":`...)
		out = jsonscan.AppendQuoted(out, makeCursor(tools, key.scopes, next))
	}
	if key.version.Modern() {
		scope := mcp.CacheScopePublic
		if tools.scoped && !call.Principal.unrestricted() {
			// The list depends on who asks, so nobody else may be given it.
			scope = mcp.CacheScopePrivate
		}
		out = s.appendCaching(append(out, ','), scope)
	}
	return out
}

func (r *registry) visible(p *Principal) []*entry {
	if !r.scoped {
		return r.order
	}
	var visible []*entry
	for _, e := range r.order {
		if p.Allows(e.Scope) {
			visible = append(visible, e)
		}
	}
	return visible
}

// toolFor leaves out of a definition what a revision does not have yet:
// annotations came with 2025-03-26, title and outputSchema with 2025-06-18,
// icons with 2025-11-25. An output schema that is no object came with
// 2026-07-28.
func toolFor(version mcp.Version, t *mcp.Tool) mcp.Tool {
	shown := *t
	if version < mcp.Version20251125 {
		shown.Icons = nil
	}
	if version < mcp.Version20250618 {
		shown.Title, shown.OutputSchema, shown.Meta = "", nil, nil
	}
	if version < mcp.Version20250326 {
		shown.Annotations = nil
	}
	if !version.Modern() && shown.OutputSchema != nil {
		if kind, _ := jsonscan.Lookup(shown.OutputSchema, "type"); string(kind) != `"object"` {
			shown.OutputSchema = nil
		}
	}
	return shown
}

func (s *Server) appendCaching(dst []byte, scope mcp.CacheScope) []byte {
	dst = append(dst, `"ttlMs":`...)
	dst = strconv.AppendInt(dst, s.opts.ListTTL.Milliseconds(), 10)
	dst = append(dst, `,"cacheScope":"`...)
	return append(append(dst, scope...), '"')
}

// A cursor is base64url of a position and a checksum of the list it belongs
// to. It is no secret and grants nothing; the checksum only keeps a page of
// one list from being continued in another.
func makeCursor(tools *registry, scopes string, position int) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(position))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(b, tools.checksum(scopes)))
}

func (s *Server) readCursor(tools *registry, scopes string, raw []byte) (position int, ok bool) {
	if jsonscan.KindOf(raw) != jsonscan.String || s.opts.PageSize == 0 {
		return 0, false
	}
	b, err := decodeStrictly(jsonscan.Unquote(raw))
	if err != nil || len(b) != 12 || binary.BigEndian.Uint64(b[4:]) != tools.checksum(scopes) {
		return 0, false
	}
	position = int(binary.BigEndian.Uint32(b))
	return position, position > 0 && position < len(tools.order) && position%s.opts.PageSize == 0
}

// checksum names the list that callers with these scopes see.
func (r *registry) checksum(scopes string) uint64 {
	h := fnv.New64a()
	for _, e := range r.order {
		h.Write([]byte(e.Definition.Name))
		h.Write([]byte{0})
	}
	h.Write([]byte(scopes))
	return h.Sum64()
}
