//! The shapes on the wire, as of revision 2026-07-28, and nothing that acts.
//!
//! Types are named as in the [schema](https://modelcontextprotocol.io/specification/2026-07-28/schema). Every
//! struct reads and writes itself with serde. Members a struct doesn't know are
//! dropped when it is read, save where its documentation says otherwise.
//!
//! Structs may gain members, so they are made with a constructor and chained
//! setters. Their members can be read and changed as they are.
//!
//! ```
//! use mcp_reprise::protocol::{CallToolResult, JsonRpcResultResponse};
//!
//! let response = JsonRpcResultResponse::new(1, CallToolResult::text("3"));
//! assert_eq!(
//!     serde_json::to_string(&response)?,
//!     r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"3"}]}}"#
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```

mod base;
mod block;
mod bytes;
mod capabilities;
mod choice;
mod completion;
mod content;
mod discover;
mod elicitation;
mod error;
pub mod error_codes;
mod field;
mod form;
mod id;
mod input;
mod jsonrpc;
mod logging;
mod meta;
mod meta_key;
pub mod method;
mod model;
mod multi;
mod number;
mod params;
mod progress;
mod prompt_calls;
mod prompts;
mod read;
mod resource_calls;
mod resources;
mod result;
mod roots;
mod sampling;
mod sampling_message;
mod single;
mod subscriptions;
mod tag;
mod tool_calls;
mod tools;
mod version;

pub use base::{Annotations, Icon, IconTheme, Implementation, JsonObject, Role};
pub use bytes::BadBase64;
pub use capabilities::{
    ClientCapabilities, ElicitationCapability, ListChangedCapability, ResourcesCapability,
    RootsCapability, SamplingCapability, ServerCapabilities,
};
pub use choice::EnumSchema;
pub use completion::{
    CompleteRequest, CompleteRequestParams, CompleteResult, CompleteResultResponse, Completion,
    CompletionArgument, CompletionContext, CompletionReference, MAX_COMPLETION_VALUES,
    PromptReference, ResourceTemplateReference,
};
pub use content::{
    AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceLink, TextContent,
};
pub use discover::{DiscoverRequest, DiscoverResult, DiscoverResultResponse};
pub use elicitation::{
    ElicitAction, ElicitRequest, ElicitRequestFormParams, ElicitRequestParams,
    ElicitRequestUrlParams, ElicitResult, ElicitValue, FormMode,
};
pub use error::{ErrorObject, MissingRequiredClientCapabilityData, UnsupportedProtocolVersionData};
pub use field::{BooleanSchema, NumberKind, NumberSchema, StringFormat, StringSchema};
pub use form::{FormProperties, PrimitiveSchemaDefinition, RequestedSchema};
pub use id::{MAX_SAFE_INTEGER, ProgressToken, RequestId, UnsafeInteger};
pub use input::{InputRequest, InputRequests, InputRequiredResult, InputResponse, InputResponses};
pub use jsonrpc::{
    JSONRPC_VERSION, JsonRpcErrorResponse, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse,
    JsonRpcResultResponse,
};
pub use logging::{LoggingLevel, LoggingMessageNotification, LoggingMessageNotificationParams};
pub use meta::{BadMeta, Meta};
pub use meta_key::{
    META_BAGGAGE, META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL, META_PROGRESS_TOKEN,
    META_PROTOCOL_VERSION, META_SERVER_INFO, META_SUBSCRIPTION_ID, META_TRACEPARENT,
    META_TRACESTATE,
};
pub use model::{IncludeContext, ModelHint, ModelPreferences, ToolChoice, ToolChoiceMode};
pub use multi::{
    TitledItems, TitledMultiSelectEnumSchema, UntitledItems, UntitledMultiSelectEnumSchema,
};
pub use number::JsonNumber;
pub use params::{Cursor, NotificationParams, PaginatedRequestParams, RequestParams};
pub use progress::{
    CancelledNotification, CancelledNotificationParams, ProgressNotification,
    ProgressNotificationParams,
};
pub use prompt_calls::{
    GetPromptRequest, GetPromptRequestParams, GetPromptResult, GetPromptResultResponse,
    PromptMessage,
};
pub use prompts::{
    ListPromptsRequest, ListPromptsResult, ListPromptsResultResponse, Prompt, PromptArgument,
    PromptListChangedNotification,
};
pub use resource_calls::{
    ListResourceTemplatesRequest, ListResourceTemplatesResult, ListResourceTemplatesResultResponse,
    ListResourcesRequest, ListResourcesResult, ListResourcesResultResponse, ReadResourceRequest,
    ReadResourceRequestParams, ReadResourceResult, ReadResourceResultResponse,
    ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParams,
};
pub use resources::{
    BlobResourceContents, Resource, ResourceContents, ResourceTemplate, TextResourceContents,
};
pub use result::{CacheScope, EmptyResult, MaybeInputRequired, ResultType};
pub use roots::{ListRootsRequest, ListRootsResult, Root};
pub use sampling::{
    CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult, StopReason,
};
pub use sampling_message::{
    SamplingContent, SamplingMessage, SamplingMessageContentBlock, ToolResultContent,
    ToolUseContent,
};
pub use single::{
    EnumOption, LegacyTitledEnumSchema, TitledSingleSelectEnumSchema,
    UntitledSingleSelectEnumSchema,
};
pub use subscriptions::{
    SubscriptionFilter, SubscriptionsAcknowledgedNotification,
    SubscriptionsAcknowledgedNotificationParams, SubscriptionsListenRequest,
    SubscriptionsListenRequestParams, SubscriptionsListenResult, SubscriptionsListenResultResponse,
};
pub use tool_calls::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CallToolResultResponse,
};
pub use tools::{
    ListToolsRequest, ListToolsResult, ListToolsResultResponse, Tool, ToolAnnotations,
    ToolListChangedNotification,
};
pub use version::{LEGACY_PROTOCOL_VERSIONS, PROTOCOL_VERSION};
