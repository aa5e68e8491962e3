package mcp

import "github.com/go-json-experiment/json/jsontext"

// ProgressParams tells how far a request is (notifications/progress).
type ProgressParams struct {
	// ProgressToken is the raw token of the request: a string or a number.
	ProgressToken jsontext.Value `json:"progressToken"`
	// Progress must grow with every notification of a request.
	Progress float64 `json:"progress"`
	// Total is what Progress will reach, nil when unknown.
	Total *float64 `json:"total,omitzero"`
	// Message is for people. It came with revision 2025-03-26.
	Message string `json:"message,omitzero"`
	Meta    Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// LoggingMessageParams is a log message (notifications/message).
type LoggingMessageParams struct {
	// Level may be any text when it comes from a peer; see [LogLevel.Known].
	Level LogLevel `json:"level"`
	// Logger names the part of the server that speaks.
	Logger string `json:"logger,omitzero"`
	// Data is any JSON.
	Data jsontext.Value `json:"data"`
	Meta Meta           `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// CancelledParams says that a request's answer is no longer wanted
// (notifications/cancelled).
type CancelledParams struct {
	// RequestID is the raw id of the request: a string or an integer. Only
	// revision 2025-11-25, for tasks, lets it be absent.
	RequestID jsontext.Value `json:"requestId,omitzero"`
	// Reason is for logs and people.
	Reason string `json:"reason,omitzero"`
	Meta   Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ResourceUpdatedParams says that a resource changed
// (notifications/resources/updated).
type ResourceUpdatedParams struct {
	URI  string `json:"uri"`
	Meta Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// NotificationParams is the params of notifications that say all by their
// method, such as notifications/tools/list_changed.
type NotificationParams struct {
	Meta Meta `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// SubscriptionFilter says which notifications a subscription carries. A server
// sends no others on it (patterns/subscriptions).
type SubscriptionFilter struct {
	ToolsListChanged     bool `json:"toolsListChanged,omitzero"`
	PromptsListChanged   bool `json:"promptsListChanged,omitzero"`
	ResourcesListChanged bool `json:"resourcesListChanged,omitzero"`
	// ResourceSubscriptions are the URIs of single resources.
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// SubscriptionsListenParams opens a subscription (subscriptions/listen, since
// revision 2026-07-28).
type SubscriptionsListenParams struct {
	// Notifications is what the client wants.
	Notifications SubscriptionFilter `json:"notifications"`
	Meta          Meta               `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// SubscriptionsAcknowledgedParams is the first notification of a subscription
// (notifications/subscriptions/acknowledged).
type SubscriptionsAcknowledgedParams struct {
	// Notifications is the part of what was wanted that will be sent.
	Notifications SubscriptionFilter `json:"notifications"`
	// Meta holds [MetaSubscriptionID].
	Meta Meta `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// ElicitationCompleteParams says that the person has done what a link asked
// for (notifications/elicitation/complete, revision 2025-11-25 alone).
type ElicitationCompleteParams struct {
	ElicitationID string `json:"elicitationId"`
	Meta          Meta   `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}
