use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, present, text_member};
use super::tag::{ToolResultTag, ToolUseTag};
use super::{AudioContent, ContentBlock, ImageContent, JsonObject, Meta, Role, TextContent};

/// The model's wish to use a tool.
///
/// Schema: [`ToolUseContent`](https://modelcontextprotocol.io/specification/2026-07-28/schema#toolusecontent).
/// Spec: [Sampling with tools](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#sampling-with-tools).
///
/// ```
/// use mcp_reprise::protocol::{JsonObject, ToolUseContent};
///
/// let call = ToolUseContent::new("call-1", "add", JsonObject::new());
/// assert_eq!(call.name, "add");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolUseContent {
    #[serde(rename = "type")]
    kind: ToolUseTag,
    /// The id its result will name.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub input: JsonObject,
    /// Metadata about this tool use.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ToolUseContent {
    /// With only what is required; every optional member is absent.
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: JsonObject) -> Self {
        Self {
            kind: Default::default(),
            id: id.into(),
            name: name.into(),
            input,
            meta: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// What came of a tool the model used.
///
/// Schema: [`ToolResultContent`](https://modelcontextprotocol.io/specification/2026-07-28/schema#toolresultcontent).
/// Spec: [Tool result messages](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#tool-result-messages).
///
/// ```
/// use mcp_reprise::protocol::{ContentBlock, ToolResultContent};
///
/// let result = ToolResultContent::new("call-1", [ContentBlock::text("3")]);
/// assert_eq!(result.tool_use_id, "call-1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolResultContent {
    #[serde(rename = "type")]
    kind: ToolResultTag,
    /// The id of the tool use.
    pub tool_use_id: String,
    /// What the tool says, for the model.
    pub content: Vec<ContentBlock>,
    /// What it says, for programs. `Some(Value::Null)` is an explicit `null`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub structured_content: Option<Value>,
    /// Whether the tool failed. Absent means it didn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Metadata about this tool result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ToolResultContent {
    /// With only what is required; every optional member is absent.
    pub fn new(
        tool_use_id: impl Into<String>,
        content: impl IntoIterator<Item = impl Into<ContentBlock>>,
    ) -> Self {
        Self {
            kind: Default::default(),
            tool_use_id: tool_use_id.into(),
            content: content.into_iter().map(Into::into).collect(),
            structured_content: None,
            is_error: None,
            meta: None,
        }
    }

    /// Sets `structuredContent`.
    pub fn structured_content(mut self, structured_content: Value) -> Self {
        self.structured_content = Some(structured_content);
        self
    }

    /// Sets `isError`.
    pub fn is_error(mut self, is_error: bool) -> Self {
        self.is_error = Some(is_error);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// One piece of a message to or from a model.
///
/// Schema: [`SamplingMessageContentBlock`](https://modelcontextprotocol.io/specification/2026-07-28/schema#samplingmessagecontentblock).
///
/// ```
/// use mcp_reprise::protocol::SamplingMessageContentBlock;
///
/// let block: SamplingMessageContentBlock = "hello".into();
/// assert_eq!(block.as_text(), Some("hello"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum SamplingMessageContentBlock {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// A sound.
    Audio(AudioContent),
    /// The model's wish to use a tool.
    ToolUse(ToolUseContent),
    /// What came of a tool.
    ToolResult(ToolResultContent),
}

impl SamplingMessageContentBlock {
    /// The text, where the block is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(content) => Some(&content.text),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for SamplingMessageContentBlock {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        match text_member(&value, "type") {
            Some("text") => convert(value).map(Self::Text),
            Some("image") => convert(value).map(Self::Image),
            Some("audio") => convert(value).map(Self::Audio),
            Some("tool_use") => convert(value).map(Self::ToolUse),
            Some("tool_result") => convert(value).map(Self::ToolResult),
            _ => Err(D::Error::custom("content of an unknown type")),
        }
    }
}

impl From<TextContent> for SamplingMessageContentBlock {
    fn from(content: TextContent) -> Self {
        Self::Text(content)
    }
}

impl From<ImageContent> for SamplingMessageContentBlock {
    fn from(content: ImageContent) -> Self {
        Self::Image(content)
    }
}

impl From<AudioContent> for SamplingMessageContentBlock {
    fn from(content: AudioContent) -> Self {
        Self::Audio(content)
    }
}

impl From<ToolUseContent> for SamplingMessageContentBlock {
    fn from(content: ToolUseContent) -> Self {
        Self::ToolUse(content)
    }
}

impl From<ToolResultContent> for SamplingMessageContentBlock {
    fn from(content: ToolResultContent) -> Self {
        Self::ToolResult(content)
    }
}

impl From<&str> for SamplingMessageContentBlock {
    fn from(text: &str) -> Self {
        Self::Text(TextContent::new(text))
    }
}

impl From<String> for SamplingMessageContentBlock {
    fn from(text: String) -> Self {
        Self::Text(TextContent::new(text))
    }
}

/// What a message to or from a model says: one block, or a list. Both are
/// written as they were read.
///
/// Schema: [`SamplingMessage`](https://modelcontextprotocol.io/specification/2026-07-28/schema#samplingmessage).
///
/// ```
/// use mcp_reprise::protocol::SamplingContent;
///
/// let one: SamplingContent = "hello".into();
/// assert_eq!(one.blocks().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum SamplingContent {
    /// One block.
    Single(SamplingMessageContentBlock),
    /// A list of blocks.
    Many(Vec<SamplingMessageContentBlock>),
}

impl SamplingContent {
    /// The blocks, however many.
    pub fn blocks(&self) -> &[SamplingMessageContentBlock] {
        match self {
            Self::Single(block) => std::slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }
}

impl<'de> Deserialize<'de> for SamplingContent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if value.is_array() {
            convert(value).map(Self::Many)
        } else {
            convert(value).map(Self::Single)
        }
    }
}

impl<B: Into<SamplingMessageContentBlock>> From<B> for SamplingContent {
    fn from(block: B) -> Self {
        Self::Single(block.into())
    }
}

impl From<Vec<SamplingMessageContentBlock>> for SamplingContent {
    fn from(blocks: Vec<SamplingMessageContentBlock>) -> Self {
        Self::Many(blocks)
    }
}

/// A message to or from a model.
///
/// Schema: [`SamplingMessage`](https://modelcontextprotocol.io/specification/2026-07-28/schema#samplingmessage).
/// Spec: [Messages](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#messages).
///
/// ```
/// use mcp_reprise::protocol::{Role, SamplingMessage};
///
/// let message = SamplingMessage::user("What is the capital of France?");
/// assert_eq!(message.role, Role::User);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: SamplingContent,
    /// Metadata about this message.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SamplingMessage {
    /// A message from either side.
    pub fn new(role: Role, content: impl Into<SamplingContent>) -> Self {
        Self {
            role,
            content: content.into(),
            meta: None,
        }
    }

    /// A message from the user. Text will do for the content.
    pub fn user(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::User, content)
    }

    /// A message from the model. Text will do for the content.
    pub fn assistant(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::Assistant, content)
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}
