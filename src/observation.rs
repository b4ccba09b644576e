//! What happened, for the log: told beside the actions, never to the client.

mod call;

use serde::{Deserialize, Serialize};

use crate::exchange::Exchange;
use crate::journal::{Divergence, Mark};
use crate::request_state::StateRefusal;

pub(crate) use call::is_traceparent;
pub use call::{CallEnd, CallStart, ErrorKind};

/// Longest piece of a client's text in an observation, in characters.
const SHOWN: usize = 128;

/// Something worth a line in the log.
///
/// The core keeps no log of its own: the driver prints these, counts them or drops them. Text
/// that came from a client is escaped and cut at 128 characters; answers are in it only where
/// [`ServerBuilder::observe_words`](crate::ServerBuilder::observe_words) wants them there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// A message was refused before anything ran.
    Rejected {
        /// The exchange it came by.
        exchange: Exchange,
        /// What was wrong with it.
        reason: String,
    },
    /// A request state was refused; the client was told only that it is invalid.
    StateRefused {
        /// The exchange it came by.
        exchange: Exchange,
        /// The true reason.
        reason: StateRefusal,
    },
    /// State of another revision of the tool was dropped, and the call began again.
    BeganAgain {
        /// The exchange.
        exchange: Exchange,
        /// The revision that wrote the state.
        recorded: String,
        /// The tool's revision now.
        attempted: String,
    },
    /// An answer was no valid one, and the question is put again.
    AnswerRefused {
        /// The exchange it came by.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
        /// The question's key.
        question: String,
        /// The field and the rule it broke; never the answer itself.
        why: String,
    },
    /// A step went on after its question was put, as if it had an answer. What it came to is
    /// dropped, but what it did is done: its author should pass the error on with `?`.
    HaltSwallowed {
        /// The exchange.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
    },
    /// A replay asked something else than its journal recorded.
    Diverged {
        /// The exchange.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
        /// Where, and how.
        divergence: Divergence,
    },
    /// A step failed; the client was told in one plain sentence.
    Failed {
        /// The exchange.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
        /// The kind of failure.
        failure: FailureKind,
        /// The whole truth: the chain of a foreign error, the words of a panic.
        cause: String,
    },
    /// A call has begun, or a round of it. This and what follows is what goes well, and observed
    /// only where [`ServerBuilder::observe_calls`](crate::ServerBuilder::observe_calls) says so.
    CallStarted {
        /// The exchange it came by.
        exchange: Exchange,
        /// What it is.
        call: Box<CallStart>,
    },
    /// A call has ended, or this round of it.
    CallStopped {
        /// The exchange.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
        /// How.
        end: CallEnd,
    },
    /// Nobody waits for a call any more: its client took it back, or went away.
    CallCancelled {
        /// The exchange.
        exchange: Exchange,
    },
    /// The client is asked.
    InputRequired {
        /// The exchange.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
        /// The questions, by their fingerprints.
        questions: Vec<Mark>,
        /// Their words, each escaped and cut at 128 characters; none, unless
        /// [`ServerBuilder::observe_words`](crate::ServerBuilder::observe_words) says so.
        words: Vec<String>,
    },
    /// The client has answered.
    Answered {
        /// The exchange.
        exchange: Exchange,
        /// The tool, prompt or resource.
        name: String,
        /// The questions, by their fingerprints.
        questions: Vec<Mark>,
        /// What was answered, each as JSON text, escaped and cut at 128 characters; none, unless
        /// [`ServerBuilder::observe_words`](crate::ServerBuilder::observe_words) says so.
        words: Vec<String>,
    },
    /// A session was opened.
    SessionStarted {
        /// The exchange.
        exchange: Exchange,
        /// The session, by a fingerprint of its id.
        session: String,
    },
    /// A session is over: its client ended it, or it was silent for too long.
    SessionEnded {
        /// The session, by a fingerprint of its id.
        session: String,
    },
    /// A request named a session that there is not, or not for its caller.
    SessionMissed {
        /// The exchange it came by.
        exchange: Exchange,
    },
}

impl Observation {
    /// The exchange it belongs to, if it belongs to one.
    ///
    /// ```
    /// use mcp_reprise::{Exchange, Observation};
    ///
    /// let cancelled = Observation::CallCancelled { exchange: Exchange(7) };
    /// assert_eq!(cancelled.exchange(), Some(Exchange(7)));
    /// ```
    pub fn exchange(&self) -> Option<Exchange> {
        match self {
            Self::Rejected { exchange, .. }
            | Self::StateRefused { exchange, .. }
            | Self::BeganAgain { exchange, .. }
            | Self::AnswerRefused { exchange, .. }
            | Self::HaltSwallowed { exchange, .. }
            | Self::Diverged { exchange, .. }
            | Self::Failed { exchange, .. }
            | Self::CallStarted { exchange, .. }
            | Self::CallStopped { exchange, .. }
            | Self::CallCancelled { exchange }
            | Self::InputRequired { exchange, .. }
            | Self::Answered { exchange, .. }
            | Self::SessionStarted { exchange, .. }
            | Self::SessionMissed { exchange } => Some(*exchange),
            Self::SessionEnded { .. } => None,
        }
    }
}

/// The kinds of failure of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum FailureKind {
    /// The author's code gave a foreign error.
    Error,
    /// The author's code panicked.
    Panic,
    /// The replay diverged over a `once`.
    Diverged,
    /// A question was put as often as [`crate::Limits::asks_per_question`] allows.
    TooManyAsks,
    /// The call took more rounds than [`crate::Limits::rounds`].
    TooManyRounds,
    /// One round put more questions than [`crate::Limits::questions_per_round`].
    TooManyQuestions,
    /// A `once` came out longer than [`crate::Limits::outcome_bytes`], or could not be written.
    Outcome,
    /// The journal outgrew [`crate::Limits::journal_bytes`].
    JournalFull,
    /// A valid answer did not fit the author's type.
    AnswerType,
    /// A question was not answered in time.
    Unanswered,
    /// The client answered a question with an error.
    AnswerError,
    /// Nobody waited for the call any more.
    Cancelled,
    /// The driver had no room to run it.
    Busy,
    /// The structured content does not keep to the tool's `outputSchema`.
    Output,
    /// A question could not be put: what was pinned to it cannot be written as JSON.
    Question,
}

impl FailureKind {
    /// The kind as one word.
    ///
    /// ```
    /// assert_eq!(mcp_reprise::FailureKind::TooManyRounds.as_str(), "too_many_rounds");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Diverged => "diverged",
            Self::TooManyAsks => "too_many_asks",
            Self::TooManyRounds => "too_many_rounds",
            Self::TooManyQuestions => "too_many_questions",
            Self::Outcome => "outcome",
            Self::JournalFull => "journal_full",
            Self::AnswerType => "answer_type",
            Self::Unanswered => "unanswered",
            Self::AnswerError => "answer_error",
            Self::Cancelled => "cancelled",
            Self::Busy => "busy",
            Self::Output => "output",
            Self::Question => "question",
        }
    }
}

/// A client's text made fit for a log line: control characters escaped, cut at 128 characters.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == SHOWN {
            out.push('…');
            break;
        }
        if c.is_control() || c == '\u{2028}' || c == '\u{2029}' {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
