//! One call as data: all a step needs besides its function.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::journal::{Journal, Seed};
use crate::message::Id;
use crate::moment::Timestamp;
use crate::protocol::LoggingLevel;
use crate::request_state::Canonical;

/// What a call is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CallKind {
    /// `tools/call`
    Tool,
    /// `prompts/get`
    Prompt,
    /// `resources/read`
    Resource,
    /// `completion/complete`
    Completion,
}

impl CallKind {
    /// The kind of call that a method makes.
    pub(crate) fn of(method: &str) -> Option<Self> {
        let kinds = [Self::Tool, Self::Prompt, Self::Resource, Self::Completion];
        kinds.into_iter().find(|kind| kind.method() == method)
    }

    /// The JSON-RPC method of such a call.
    ///
    /// ```
    /// assert_eq!(mcp_reprise::CallKind::Tool.method(), "tools/call");
    /// ```
    pub fn method(self) -> &'static str {
        match self {
            Self::Tool => "tools/call",
            Self::Prompt => "prompts/get",
            Self::Resource => "resources/read",
            Self::Completion => "completion/complete",
        }
    }
}

/// One round of one call.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) exchange: Exchange,
    pub(crate) id: Id,
    pub(crate) kind: CallKind,
    /// The name, or for a resource the URI.
    pub(crate) name: Box<str>,
    /// What the function was registered under, where that is not the name: for a resource its
    /// template, for a completion `prompt` or `template`, the name and the argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<Box<str>>,
    /// The arguments as JSON text.
    pub(crate) arguments: Box<str>,
    /// Their canonical text, where opening a state has made it already.
    #[serde(skip)]
    pub(crate) canonical: Option<Canonical>,
    /// The action of an action tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<ActionCall>,
    pub(crate) caller: Caller,
    /// The request's `_meta` as JSON text.
    pub(crate) meta: Box<str>,
    /// The client's capabilities as JSON text.
    pub(crate) capabilities: Box<str>,
    /// The progress token as JSON text.
    pub(crate) progress_token: Option<Box<str>>,
    pub(crate) log_level: Option<LoggingLevel>,
    pub(crate) now: Timestamp,
    pub(crate) began: Timestamp,
    pub(crate) seed: Seed,
    pub(crate) rounds: u32,
    pub(crate) claims: u32,
    pub(crate) revision: Box<str>,
    #[serde(with = "journal_text")]
    pub(crate) journal: Journal,
    /// What the client sent in answer to the questions of the round before.
    pub(crate) replies: Vec<Reply>,
    /// What a call in a session has besides; a call without one has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<InSession>,
}

/// What the call of an action has besides.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ActionCall {
    pub(crate) name: Box<str>,
    /// Its data as JSON text.
    pub(crate) data: Box<str>,
}

impl Call {
    /// What the function was registered under.
    pub(crate) fn registered(&self) -> &str {
        self.function.as_deref().unwrap_or(&self.name)
    }
}

/// What a call in a session has besides.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct InSession {
    /// What the round assigned, for the session to keep.
    pub(crate) assigned: Map<String, Value>,
}

/// One `inputResponses` member: a key and the client's result as JSON text.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) key: Box<str>,
    pub(crate) json: Box<str>,
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reply({:?}, ..)", self.key)
    }
}

/// A journal in a step's data: its own compact bytes as base64.
mod journal_text {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::journal::{Journal, Reader, Writer};

    pub(super) fn serialize<S: Serializer>(
        journal: &Journal,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut out = Writer::default();
        out.journal(journal);
        serializer.serialize_str(&STANDARD.encode(out.0))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Journal, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD
            .decode(text)
            .map_err(|_| D::Error::custom("the journal is not base64"))?;
        let mut input = Reader(&bytes);
        input
            .journal()
            .filter(|_| input.0.is_empty())
            .ok_or_else(|| D::Error::custom("the journal cannot be read"))
    }
}
