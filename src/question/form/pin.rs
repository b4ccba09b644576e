//! The value a question is pinned to.

use serde::Serialize;

/// A value beside the question's words that its answer depends on.
#[derive(Clone, Debug, Default)]
pub(super) enum Pin {
    /// Nothing but the words.
    #[default]
    Words,
    /// The value as JSON text.
    Value(String),
    /// A value that could not be serialized; says so.
    Failed(String),
}

impl Pin {
    pub(super) fn to(value: &(impl Serialize + ?Sized)) -> Self {
        match serde_json::to_string(value) {
            Ok(json) => Pin::Value(json),
            Err(error) => Pin::Failed(format!(
                "what the question is about cannot be serialized: {error}"
            )),
        }
    }

    pub(super) fn json(&self) -> Option<&str> {
        match self {
            Pin::Value(json) => Some(json),
            Pin::Words | Pin::Failed(_) => None,
        }
    }

    /// That the value could not be serialized, and why.
    pub(super) fn fault(&self) -> Option<&str> {
        match self {
            Pin::Failed(fault) => Some(fault),
            Pin::Words | Pin::Value(_) => None,
        }
    }
}
