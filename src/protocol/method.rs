//! The names of the methods.
//!
//! ```
//! use mcp_reprise::protocol::method;
//!
//! assert_eq!(method::TOOLS_CALL, "tools/call");
//! ```

/// What can the server do?
///
/// Schema: [`DiscoverRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverrequest).
pub const SERVER_DISCOVER: &str = "server/discover";
/// Which tools are there?
///
/// Schema: [`ListToolsRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsrequest).
pub const TOOLS_LIST: &str = "tools/list";
/// Run a tool.
///
/// Schema: [`CallToolRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolrequest).
pub const TOOLS_CALL: &str = "tools/call";
/// Which prompts are there?
///
/// Schema: [`ListPromptsRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listpromptsrequest).
pub const PROMPTS_LIST: &str = "prompts/list";
/// Fill in a prompt.
///
/// Schema: [`GetPromptRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptrequest).
pub const PROMPTS_GET: &str = "prompts/get";
/// Which resources are there?
///
/// Schema: [`ListResourcesRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcesrequest).
pub const RESOURCES_LIST: &str = "resources/list";
/// Which families of resources are there?
///
/// Schema: [`ListResourceTemplatesRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcetemplatesrequest).
pub const RESOURCES_TEMPLATES_LIST: &str = "resources/templates/list";
/// Read a resource.
///
/// Schema: [`ReadResourceRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourcerequest).
pub const RESOURCES_READ: &str = "resources/read";
/// Finish a half-typed argument.
///
/// Schema: [`CompleteRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequest).
pub const COMPLETION_COMPLETE: &str = "completion/complete";
/// Tell of changes until further notice.
///
/// Schema: [`SubscriptionsListenRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenrequest).
pub const SUBSCRIPTIONS_LISTEN: &str = "subscriptions/listen";
/// Ask the user.
///
/// Schema: [`ElicitRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequest).
pub const ELICITATION_CREATE: &str = "elicitation/create";
/// Ask the client's model.
///
/// Schema: [`CreateMessageRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessagerequest).
pub const SAMPLING_CREATE_MESSAGE: &str = "sampling/createMessage";
/// Which folders may the server work on?
///
/// Schema: [`ListRootsRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listrootsrequest).
pub const ROOTS_LIST: &str = "roots/list";
/// A request's answer is no longer wanted.
///
/// Schema: [`CancelledNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#cancellednotification).
pub const CANCELLED: &str = "notifications/cancelled";
/// How far a request has come.
///
/// Schema: [`ProgressNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#progressnotification).
pub const PROGRESS: &str = "notifications/progress";
/// A log message.
///
/// Schema: [`LoggingMessageNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#loggingmessagenotification).
pub const MESSAGE: &str = "notifications/message";
/// The tools changed.
///
/// Schema: [`ToolListChangedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#toollistchangednotification).
pub const TOOLS_LIST_CHANGED: &str = "notifications/tools/list_changed";
/// The prompts changed.
///
/// Schema: [`PromptListChangedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#promptlistchangednotification).
pub const PROMPTS_LIST_CHANGED: &str = "notifications/prompts/list_changed";
/// The resources changed.
///
/// Schema: [`ResourceListChangedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourcelistchangednotification).
pub const RESOURCES_LIST_CHANGED: &str = "notifications/resources/list_changed";
/// One resource changed.
///
/// Schema: [`ResourceUpdatedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotification).
pub const RESOURCES_UPDATED: &str = "notifications/resources/updated";
/// Which changes will be told of.
///
/// Schema: [`SubscriptionsAcknowledgedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionsacknowledgednotification).
pub const SUBSCRIPTIONS_ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
