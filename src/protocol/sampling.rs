use serde::{Deserialize, Serialize};

use super::tag::CreateMessageTag;
use super::{
    IncludeContext, JsonNumber, JsonObject, Meta, ModelPreferences, Role, SamplingContent,
    SamplingMessage, Tool, ToolChoice,
};

/// What to ask the client's model.
///
/// Schema: [`CreateMessageRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessagerequestparams).
/// Spec: [Creating messages](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#creating-messages).
///
/// ```
/// use mcp_reprise::protocol::{CreateMessageRequestParams, SamplingMessage};
///
/// let params = CreateMessageRequestParams::new([SamplingMessage::user("hello")], 100)
///   .temperature(0.2);
/// assert_eq!(params.max_tokens, 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateMessageRequestParams {
    /// The conversation so far.
    pub messages: Vec<SamplingMessage>,
    /// Which model the server would like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// The system prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// Whose context to add. Absent means nobody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_context: Option<IncludeContext>,
    /// The temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<JsonNumber>,
    /// The most tokens the model may write.
    pub max_tokens: u64,
    /// Texts that make the model stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// Settings of the model's provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// Tools the model may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// How it may use them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
}

impl CreateMessageRequestParams {
    /// With only what is required; every optional member is absent.
    pub fn new(messages: impl IntoIterator<Item = SamplingMessage>, max_tokens: u64) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            model_preferences: None,
            system_prompt: None,
            include_context: None,
            temperature: None,
            max_tokens,
            stop_sequences: None,
            metadata: None,
            tools: None,
            tool_choice: None,
        }
    }

    /// Whether it asks for context from a server.
    pub fn wants_context(&self) -> bool {
        self.include_context
            .is_some_and(|include| include != IncludeContext::None)
    }

    /// Whether it lets the model use tools.
    pub fn wants_tools(&self) -> bool {
        self.tools.is_some() || self.tool_choice.is_some()
    }

    /// Sets `modelPreferences`.
    pub fn model_preferences(mut self, model_preferences: ModelPreferences) -> Self {
        self.model_preferences = Some(model_preferences);
        self
    }

    /// Sets `systemPrompt`.
    pub fn system_prompt(mut self, system_prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(system_prompt.into());
        self
    }

    /// Sets `includeContext`.
    pub fn include_context(mut self, include_context: IncludeContext) -> Self {
        self.include_context = Some(include_context);
        self
    }

    /// Sets `temperature`.
    pub fn temperature(mut self, temperature: impl Into<JsonNumber>) -> Self {
        self.temperature = Some(temperature.into());
        self
    }

    /// Sets `stopSequences`.
    pub fn stop_sequences(
        mut self,
        stop_sequences: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.stop_sequences = Some(stop_sequences.into_iter().map(Into::into).collect());
        self
    }

    /// Sets `metadata`.
    pub fn metadata(mut self, metadata: JsonObject) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Sets `tools`.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }

    /// Sets `toolChoice`.
    pub fn tool_choice(mut self, tool_choice: ToolChoice) -> Self {
        self.tool_choice = Some(tool_choice);
        self
    }
}

/// A question for the client's model.
///
/// Schema: [`CreateMessageRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessagerequest).
/// Spec: [Creating messages](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#creating-messages).
///
/// ```
/// use mcp_reprise::protocol::{CreateMessageRequest, CreateMessageRequestParams, SamplingMessage};
///
/// let messages = [SamplingMessage::user("hello")];
/// let request = CreateMessageRequest::new(CreateMessageRequestParams::new(messages, 100));
/// assert_eq!(request.params.messages.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateMessageRequest {
    method: CreateMessageTag,
    /// The question.
    pub params: CreateMessageRequestParams,
}

impl CreateMessageRequest {
    /// With only what is required; every optional member is absent.
    pub fn new(params: CreateMessageRequestParams) -> Self {
        Self {
            method: Default::default(),
            params,
        }
    }
}

/// Why the model stopped. An open set.
///
/// Spec: [Result fields](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#result-fields).
///
/// ```
/// use mcp_reprise::protocol::StopReason;
///
/// let reason: StopReason = serde_json::from_str("\"endTurn\"")?;
/// assert_eq!(reason, StopReason::EndTurn);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum StopReason {
    /// It had said everything.
    EndTurn,
    /// It wrote a stop sequence.
    StopSequence,
    /// It wrote as many tokens as it may.
    MaxTokens,
    /// It wants to use a tool.
    ToolUse,
    /// A provider's own reason.
    #[serde(untagged)]
    Other(String),
}

/// What the client's model said.
///
/// Schema: [`CreateMessageResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#createmessageresult).
/// Spec: [Result fields](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#result-fields).
///
/// ```
/// use mcp_reprise::protocol::{CreateMessageResult, Role};
///
/// let result = CreateMessageResult::new(Role::Assistant, "Paris", "some-model");
/// assert_eq!(result.content.blocks().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateMessageResult {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: SamplingContent,
    /// The model's name.
    pub model: String,
    /// Why it stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// Metadata about this message.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CreateMessageResult {
    /// With only what is required; every optional member is absent.
    pub fn new(role: Role, content: impl Into<SamplingContent>, model: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            model: model.into(),
            stop_reason: None,
            meta: None,
        }
    }

    /// Sets `stopReason`.
    pub fn stop_reason(mut self, stop_reason: impl Into<StopReason>) -> Self {
        self.stop_reason = Some(stop_reason.into());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_and_a_list_of_one_stay_apart() {
        for text in [
            r#"{"role":"user","content":{"type":"text","text":"t"}}"#,
            r#"{"role":"user","content":[{"type":"text","text":"t"}]}"#,
            r#"{"role":"user","content":[]}"#,
        ] {
            let message: SamplingMessage = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&message).unwrap(), text);
        }
    }

    #[test]
    fn a_model_cannot_say_a_resource() {
        let text = r#"{"role":"user","content":{"type":"resource_link","uri":"a:b","name":"n"}}"#;
        assert!(serde_json::from_str::<SamplingMessage>(text).is_err());
    }

    #[test]
    fn a_stop_reason_nobody_knows_is_kept() {
        let reason: StopReason = serde_json::from_str("\"tired\"").unwrap();
        assert_eq!(reason, StopReason::Other("tired".to_owned()));
        assert_eq!(serde_json::to_string(&reason).unwrap(), "\"tired\"");
    }
}
