package mcp

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ResultType is the first member of every result since revision 2026-07-28.
// An absent one means complete; any value a client does not know makes the
// result invalid (basic/index#resulttype).
type ResultType string

const (
	// ResultComplete marks a final result.
	ResultComplete ResultType = "complete"
	// ResultInputRequired marks an [InputRequiredResult].
	ResultInputRequired ResultType = "input_required"
)

// Complete reports whether the result is final. An absent type counts.
func (t ResultType) Complete() bool { return t == "" || t == ResultComplete }

// EmptyResult is a result that says no more than that all went well.
type EmptyResult struct {
	ResultType ResultType `json:"resultType,omitzero"`
	Meta       Meta       `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, _meta last.
func (r *EmptyResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain EmptyResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}

// CacheScope says who may share a cached result (utilities/caching).
type CacheScope string

const (
	// CacheScopePublic: the result holds nothing of one user, and anybody may
	// be given it.
	CacheScopePublic CacheScope = "public"
	// CacheScopePrivate: the result is for the same authorization only.
	CacheScopePrivate CacheScope = "private"
)

// Caching says how long and by whom a result may be kept. Since revision
// 2026-07-28 it is part of the results of server/discover, the four lists and
// resources/read; before, results have none.
type Caching struct {
	// TTLMs is for how many milliseconds the result is fresh. Zero is stale
	// at once.
	TTLMs      int64      `json:"ttlMs"`
	CacheScope CacheScope `json:"cacheScope"`
}

// TTL is for how long the result is fresh, zero when the server sent a
// negative time, as the specification asks of clients.
func (c *Caching) TTL() time.Duration {
	if c == nil || c.TTLMs <= 0 {
		return 0
	}
	const most = int64((1<<63 - 1) / time.Millisecond)
	return time.Duration(min(c.TTLMs, most)) * time.Millisecond
}

// ListParams is the params of tools/list, prompts/list, resources/list and
// resources/templates/list.
type ListParams struct {
	// Cursor is the NextCursor of the page before, unchanged; nil for the
	// first page. An empty string is a cursor like any other.
	Cursor *string `json:"cursor,omitzero"`
	Meta   Meta    `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}
