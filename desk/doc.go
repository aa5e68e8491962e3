// Package desk is the domain of the helpdesk: tickets and the rules about
// them. It knows nothing of MCP, so the same rules hold whatever door a
// request came through.
package desk
