// Package tools is the desk's face to the model: every tool as one value, its
// words and its schema beside what it does.
//
// The words are written for a model that knows nothing else. The order of the
// tools is fixed, because hosts put the list at the start of every prompt and
// caches break where it changes.
package tools

import (
	"helpdesk/desk"
	"helpdesk/mcp/server"
)

// Instructions tell the model what the server as a whole is for. Every host
// turn pays for them again.
const Instructions = "Support tickets by number, for example 2318."

// All returns the tools of a desk in their order.
func All(service *desk.Service) ([]server.Tool, error) {
	getTicket, err := GetTicket(service)
	if err != nil {
		return nil, err
	}
	return []server.Tool{getTicket}, nil
}
