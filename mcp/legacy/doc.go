// Package legacy is the initialize era (protocol revisions 2024-11-05,
// 2025-03-26, 2025-06-18 and 2025-11-25) as an adapter in front of package
// server.
//
// A [Session] holds the facts that initialize established and completes every
// later request with them, so that the server sees one kind of call. What the
// era answers by itself (initialize, ping, logging/setLevel) is answered here,
// and what a server of that era asks its client is asked from here.
package legacy
