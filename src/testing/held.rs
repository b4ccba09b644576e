//! What a client holds: its calls, and the states it was given, with what it knows of each.

use serde_json::Value;

use super::effects::Effect;
use crate::moment::Timestamp;

/// One call that a client has begun.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Begun {
    /// The place of its tool in the list.
    pub(super) tool: usize,
    pub(super) principal: usize,
    pub(super) arguments: Value,
    /// Its states, the newest last, as places among all states.
    pub(super) states: Vec<usize>,
}

impl Begun {
    /// Whether a state of one is a state of the other.
    pub(super) fn is_bound_alike(&self, other: &Self) -> bool {
        (self.tool, self.principal, &self.arguments)
            == (other.tool, other.principal, &other.arguments)
    }
}

/// Where a call's journal began: its dice, its time, and the replicas it began on and began again
/// on, the last of which wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lineage {
    pub(super) dice: [u8; 32],
    pub(super) began: Timestamp,
    pub(super) replicas: Vec<usize>,
}

/// An open question.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) key: String,
    pub(super) request: Value,
    /// How often it was put.
    pub(super) asks: u32,
}

/// What a journal holds, as the client knows it without opening the state.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) lineage: Lineage,
    pub(super) rounds: u32,
    /// The answers that were taken, in the order of their keys.
    pub(super) history: Vec<(String, Value)>,
    /// What was done once.
    pub(super) effects: Vec<Effect>,
}

/// A state that was given to the client.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) text: String,
    /// The call it was sealed for.
    pub(super) call: usize,
    pub(super) known: Known,
    pub(super) open: Vec<Question>,
    pub(super) sealed_at: Timestamp,
    /// The number of the key that sealed it.
    pub(super) key: u8,
}

/// An answer that is sent.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) key: String,
    pub(super) answer: Value,
    pub(super) valid: bool,
}

/// A message that is sent.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) call: usize,
    pub(super) state: Option<usize>,
    pub(super) answers: Vec<Sent>,
}

impl Known {
    /// The replica that wrote it.
    pub(super) fn replica(&self) -> usize {
        self.lineage.replicas.last().copied().unwrap_or_default()
    }

    /// Takes an answer in, in the place of its key.
    pub(super) fn take(&mut self, key: &str, answer: &Value) {
        let place = self
            .history
            .binary_search_by(|(known, _)| (**known).cmp(key));
        if let Err(place) = place {
            self.history.insert(place, (key.to_owned(), answer.clone()));
        }
    }

    /// The history so far in words, with what was done in it.
    pub(super) fn story(&self, done: &[Effect], name: &str) -> String {
        let history: Vec<String> = self
            .history
            .iter()
            .map(|(key, answer)| format!("{key}={answer}"))
            .collect();
        let done: Vec<&str> = done.iter().map(|effect| &*effect.name).collect();
        format!(
            "{:?} after {} and {done:?}: {name}",
            self.lineage,
            history.join(", ")
        )
    }
}
