// Package jsonscan reads JSON text (RFC 8259) strictly, in one pass and
// without allocating. It is the floor of the house: the protocol reads
// envelopes with it, and the schema package walks arguments with it.
//
// Reading is done in two steps. [Check] or [Members] judge text from a peer:
// valid UTF-8, no duplicate names, no lone surrogates, bounded depth. What
// they accepted may then be walked with [Iterate], [Lookup] and [Unquote],
// which trust the text and therefore stay fast. Text that was never judged
// must not be walked: the walkers do not crash on it, but what they say about
// it means nothing.
//
// Go's encoding/json is not used on wire input because it matches names
// without regard to case, lets the last duplicate win and replaces invalid
// UTF-8, so two readers could see two different messages in one text.
package jsonscan
