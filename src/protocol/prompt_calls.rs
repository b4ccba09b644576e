use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    ContentBlock, InputResponses, JsonRpcRequest, JsonRpcResultResponse, MaybeInputRequired, Meta,
    ResultType, Role,
};

/// Which prompt to fill, and with what.
///
/// Schema: [`GetPromptRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptrequestparams).
/// Spec: [Getting a prompt](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt).
///
/// ```
/// use mcp_reprise::protocol::GetPromptRequestParams;
///
/// assert_eq!(GetPromptRequestParams::new("review").arguments, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GetPromptRequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The prompt's name.
    pub name: String,
    /// What to fill it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, String>>,
    /// The client's answers to what an earlier round asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// What an earlier round gave the client to hand back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
}

impl GetPromptRequestParams {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            meta: None,
            name: name.into(),
            arguments: None,
            input_responses: None,
            request_state: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `arguments`.
    pub fn arguments(mut self, arguments: BTreeMap<String, String>) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Sets `inputResponses`.
    pub fn input_responses(mut self, input_responses: InputResponses) -> Self {
        self.input_responses = Some(input_responses);
        self
    }

    /// Sets `requestState`.
    pub fn request_state(mut self, request_state: impl Into<String>) -> Self {
        self.request_state = Some(request_state.into());
        self
    }
}

/// A request for a prompt.
///
/// Schema: [`GetPromptRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptrequest).
pub type GetPromptRequest = JsonRpcRequest<GetPromptRequestParams>;

/// One message of a prompt.
///
/// Schema: [`PromptMessage`](https://modelcontextprotocol.io/specification/2026-07-28/schema#promptmessage).
/// Spec: [PromptMessage](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#promptmessage).
///
/// ```
/// use mcp_reprise::protocol::{PromptMessage, Role};
///
/// let message = PromptMessage::user("Review this, please.");
/// assert_eq!(message.role, Role::User);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

impl PromptMessage {
    /// A message from either side.
    pub fn new(role: Role, content: impl Into<ContentBlock>) -> Self {
        Self {
            role,
            content: content.into(),
        }
    }

    /// A message from the user. Text will do for the content.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::User, content)
    }

    /// A message from the model. Text will do for the content.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::Assistant, content)
    }
}

/// A filled prompt.
///
/// Schema: [`GetPromptResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptresult).
/// Spec: [Getting a prompt](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt).
///
/// ```
/// use mcp_reprise::protocol::{GetPromptResult, PromptMessage};
///
/// let result = GetPromptResult::new([PromptMessage::user("hello")]).description("A greeting");
/// assert_eq!(result.messages.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GetPromptResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// What the prompt is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The messages, in order.
    pub messages: Vec<PromptMessage>,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl GetPromptResult {
    /// A prompt of these messages.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            description: None,
            messages: messages.into_iter().collect(),
            meta: None,
        }
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A response with a filled prompt, or with what the server must be told first.
///
/// Schema: [`GetPromptResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#getpromptresultresponse).
pub type GetPromptResultResponse = JsonRpcResultResponse<MaybeInputRequired<GetPromptResult>>;
