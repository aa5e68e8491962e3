package mcp

// Methods of requests that clients send.
const (
	MethodServerDiscover         = "server/discover"
	MethodToolsList              = "tools/list"
	MethodToolsCall              = "tools/call"
	MethodResourcesList          = "resources/list"
	MethodResourcesTemplatesList = "resources/templates/list"
	MethodResourcesRead          = "resources/read"
	MethodPromptsList            = "prompts/list"
	MethodPromptsGet             = "prompts/get"
	MethodCompletionComplete     = "completion/complete"
	MethodSubscriptionsListen    = "subscriptions/listen"

	// The following are of the initialize era alone.

	MethodInitialize           = "initialize"
	MethodPing                 = "ping" // either side sends it
	MethodLoggingSetLevel      = "logging/setLevel"
	MethodResourcesSubscribe   = "resources/subscribe"
	MethodResourcesUnsubscribe = "resources/unsubscribe"

	// Tasks were part of revision 2025-11-25 and became an extension.

	MethodTasksGet    = "tasks/get"
	MethodTasksResult = "tasks/result"
	MethodTasksList   = "tasks/list"
	MethodTasksCancel = "tasks/cancel"
)

// Methods of what a server asks its client: an [InputRequest] since revision
// 2026-07-28, a request on the wire before.
const (
	MethodElicitationCreate     = "elicitation/create"
	MethodSamplingCreateMessage = "sampling/createMessage"
	MethodRootsList             = "roots/list"
)

// Methods of notifications.
const (
	NotificationCancelled                 = "notifications/cancelled"
	NotificationProgress                  = "notifications/progress"
	NotificationMessage                   = "notifications/message"
	NotificationToolsListChanged          = "notifications/tools/list_changed"
	NotificationPromptsListChanged        = "notifications/prompts/list_changed"
	NotificationResourcesListChanged      = "notifications/resources/list_changed"
	NotificationResourcesUpdated          = "notifications/resources/updated"
	NotificationSubscriptionsAcknowledged = "notifications/subscriptions/acknowledged"

	// The following are of the initialize era alone.

	NotificationInitialized         = "notifications/initialized"
	NotificationRootsListChanged    = "notifications/roots/list_changed"
	NotificationElicitationComplete = "notifications/elicitation/complete"
	NotificationTasksStatus         = "notifications/tasks/status"
)

// Defines reports whether the revision defines a request or notification of
// this method, whichever side sends it. It is false for an unknown revision.
// In the modern era elicitation/create, sampling/createMessage and roots/list
// are defined as parts of an input_required result and not as messages.
func (v Version) Defines(method string) bool {
	switch method {
	case MethodToolsList, MethodToolsCall,
		MethodResourcesList, MethodResourcesTemplatesList, MethodResourcesRead,
		MethodPromptsList, MethodPromptsGet, MethodCompletionComplete,
		MethodSamplingCreateMessage, MethodRootsList,
		NotificationCancelled, NotificationProgress, NotificationMessage,
		NotificationToolsListChanged, NotificationPromptsListChanged,
		NotificationResourcesListChanged, NotificationResourcesUpdated:
		return v.Known()
	case MethodElicitationCreate:
		return v.Known() && v >= Version20250618
	case MethodServerDiscover, MethodSubscriptionsListen, NotificationSubscriptionsAcknowledged:
		return v.Modern()
	case MethodInitialize, MethodPing, MethodLoggingSetLevel, MethodResourcesSubscribe, MethodResourcesUnsubscribe,
		NotificationInitialized, NotificationRootsListChanged:
		return v.Known() && !v.Modern()
	case MethodTasksGet, MethodTasksResult, MethodTasksList, MethodTasksCancel,
		NotificationElicitationComplete, NotificationTasksStatus:
		return v == Version20251125
	default:
		return false
	}
}
