//! How a step ended.

use serde::{Deserialize, Serialize};

use super::call::Call;
use super::error::Unaskable;
use crate::exchange::Exchange;
use crate::journal::Divergence;
use crate::observation::{FailureKind, Observation, shown};
use crate::protocol::{CallToolResult, CompleteResult, GetPromptResult, ReadResourceResult};

/// A step that has run, with how it ended: to be given back to the server.
///
/// It can be written down with serde, as the step can, so that the process that ran it need not
/// be the one that answers. It holds answers of the user: keep it as safe as the state key.
#[derive(Debug, Serialize, Deserialize)]
pub struct Finished {
    pub(crate) call: Box<Call>,
    pub(crate) ending: Ending,
    pub(crate) divergence: Option<Divergence>,
    /// The answers that were no valid ones: the question, and what is wrong.
    #[serde(default)]
    pub(crate) refused: Vec<(Box<str>, String)>,
    /// Whether the author's code went on after the round had ended, as if it had an answer.
    #[serde(default)]
    pub(crate) swallowed: bool,
    /// Whether the author's code has run.
    #[serde(default)]
    pub(crate) ran: bool,
}

impl Finished {
    /// The end of a call whose step was not run.
    pub(crate) fn unrun(call: Box<Call>, ending: Ending) -> Self {
        Self {
            call,
            ending,
            divergence: None,
            refused: Vec::new(),
            swallowed: false,
            ran: false,
        }
    }

    /// The exchange the answer goes to.
    pub fn exchange(&self) -> Exchange {
        self.call.exchange
    }

    /// What the run met on its way, for the log.
    pub(crate) fn observations(&self) -> Vec<Observation> {
        let exchange = self.call.exchange;
        let name = || shown(&self.call.name);
        let refused = self
            .refused
            .iter()
            .map(|(question, why)| Observation::AnswerRefused {
                exchange,
                name: name(),
                question: question.to_string(),
                why: why.clone(),
            });
        let diverged = self
            .divergence
            .iter()
            .map(|divergence| Observation::Diverged {
                exchange,
                name: name(),
                divergence: divergence.clone(),
            });
        let swallowed = self.swallowed.then(|| Observation::HaltSwallowed {
            exchange,
            name: name(),
        });
        refused.chain(diverged).chain(swallowed).collect()
    }

    /// Whether the run stopped at a question.
    pub fn is_asking(&self) -> bool {
        matches!(self.ending, Ending::Asked(_))
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) enum Ending {
    Done(Done),
    /// The run stopped at these questions.
    Asked(Vec<Asked>),
    Failed(Failure),
}

/// A result, by the kind of its call.
#[derive(Serialize, Deserialize)]
pub(crate) enum Done {
    Tool(CallToolResult),
    Prompt(GetPromptResult),
    Resource(ReadResourceResult),
    Completion(CompleteResult),
}

/// One question that waits for an answer.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) key: Box<str>,
    pub(crate) method: Box<str>,
    /// The request's params as JSON text.
    pub(crate) params: Box<str>,
}

/// `Debug` shows which question it is, and not its words.
impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Asked({:?}, {})", self.key, self.method)
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Failure {
    Said(String),
    InvalidParams(String),
    NotFound,
    Unaskable(Box<Unaskable>),
    /// For the log; the client is told one plain sentence.
    Unsaid {
        kind: FailureKind,
        cause: String,
    },
}

impl Failure {
    pub(crate) fn unsaid(kind: FailureKind, cause: impl Into<String>) -> Self {
        Self::Unsaid {
            kind,
            cause: cause.into(),
        }
    }
}
