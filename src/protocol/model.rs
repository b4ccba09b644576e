use serde::{Deserialize, Serialize};

use super::JsonNumber;

/// A hint at which model to use.
///
/// Schema: [`ModelHint`](https://modelcontextprotocol.io/specification/2026-07-28/schema#modelhint).
/// Spec: [Model hints](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#model-hints).
///
/// ```
/// use mcp_reprise::protocol::ModelHint;
///
/// assert_eq!(ModelHint::new().name("sonnet").name.as_deref(), Some("sonnet"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelHint {
    /// A part of the model's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ModelHint {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `name`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// Which model the server would like. The client decides. Priorities go from 0
/// (no matter) to 1 (all that matters).
///
/// Schema: [`ModelPreferences`](https://modelcontextprotocol.io/specification/2026-07-28/schema#modelpreferences).
/// Spec: [Model preferences](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#model-preferences).
///
/// ```
/// use mcp_reprise::protocol::{ModelHint, ModelPreferences};
///
/// let wish = ModelPreferences::new()
///   .hints([ModelHint::new().name("sonnet")])
///   .speed_priority(0.8);
/// assert!(wish.cost_priority.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Models, the best liked first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// How much a low price matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<JsonNumber>,
    /// How much speed matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<JsonNumber>,
    /// How much ability matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<JsonNumber>,
}

impl ModelPreferences {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `hints`.
    pub fn hints(mut self, hints: impl IntoIterator<Item = ModelHint>) -> Self {
        self.hints = Some(hints.into_iter().collect());
        self
    }

    /// Sets `costPriority`.
    pub fn cost_priority(mut self, cost_priority: impl Into<JsonNumber>) -> Self {
        self.cost_priority = Some(cost_priority.into());
        self
    }

    /// Sets `speedPriority`.
    pub fn speed_priority(mut self, speed_priority: impl Into<JsonNumber>) -> Self {
        self.speed_priority = Some(speed_priority.into());
        self
    }

    /// Sets `intelligencePriority`.
    pub fn intelligence_priority(mut self, intelligence_priority: impl Into<JsonNumber>) -> Self {
        self.intelligence_priority = Some(intelligence_priority.into());
        self
    }
}

/// Whose context the client should add to the messages.
///
/// Spec: [Context inclusion](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#context-inclusion).
///
/// ```
/// use mcp_reprise::protocol::IncludeContext;
///
/// assert_eq!(serde_json::to_string(&IncludeContext::ThisServer)?, "\"thisServer\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum IncludeContext {
    /// Nobody's.
    None,
    /// This server's. Deprecated.
    ThisServer,
    /// That of every server. Deprecated.
    AllServers,
}

/// Whether the model uses tools.
///
/// Spec: [Tool choice modes](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#tool-choice-modes).
///
/// ```
/// use mcp_reprise::protocol::ToolChoiceMode;
///
/// assert_eq!(serde_json::to_string(&ToolChoiceMode::Auto)?, "\"auto\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolChoiceMode {
    /// As it likes.
    Auto,
    /// It must.
    Required,
    /// It mustn't.
    None,
}

/// How the model may use tools.
///
/// Schema: [`ToolChoice`](https://modelcontextprotocol.io/specification/2026-07-28/schema#toolchoice).
/// Spec: [Tool choice modes](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#tool-choice-modes).
///
/// ```
/// use mcp_reprise::protocol::{ToolChoice, ToolChoiceMode};
///
/// let choice = ToolChoice::new().mode(ToolChoiceMode::Required);
/// assert_eq!(choice.mode, Some(ToolChoiceMode::Required));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolChoice {
    /// Whether it uses any. Absent means as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ToolChoiceMode>,
}

impl ToolChoice {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `mode`.
    pub fn mode(mut self, mode: ToolChoiceMode) -> Self {
        self.mode = Some(mode);
        self
    }
}
