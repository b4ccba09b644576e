//! What a call is and how it ended, for the log.

use std::borrow::Cow;

use serde_json::Value;

use super::call::{Call, CallKind};
use super::finished::{Asked, Done, Ending, Failure, Finished};
use crate::json::{Json, ReadLimits};
use crate::observation::{
    CallEnd, CallStart, ErrorKind, FailureKind, Observation, is_traceparent, shown,
};

impl Call {
    /// The call has begun a round.
    pub(crate) fn started(
        &self,
        protocol_version: &'static str,
        session: Option<String>,
    ) -> Observation {
        let traceparent = self.meta_text("traceparent").filter(|t| is_traceparent(t));
        let tracestate = self.meta_text("tracestate");
        let whole = |state: &String| *state == shown(state);
        Observation::CallStarted {
            exchange: self.exchange,
            call: Box::new(CallStart {
                method: self.kind.method(),
                name: shown(&self.name),
                request_id: shown(self.id.as_json()),
                protocol_version,
                session,
                round: self.rounds,
                // A state says nothing without a parent, and a part of one says something else.
                tracestate: tracestate.filter(|state| traceparent.is_some() && whole(state)),
                traceparent,
            }),
        }
    }

    /// The client has answered: which questions, and what only `in_words`.
    pub(crate) fn answered(&self, in_words: bool) -> Option<Observation> {
        let reply = |key: &str| self.replies.iter().find(|reply| *reply.key == *key);
        (!self.replies.is_empty()).then(|| {
            let questions = self.marks(|key| reply(key).is_some());
            let replies = questions.iter().filter_map(|mark| reply(&mark.key));
            let words = replies.filter(|_| in_words).map(|reply| shown(&reply.json));
            Observation::Answered {
                exchange: self.exchange,
                name: shown(&self.name),
                words: words.collect(),
                questions,
            }
        })
    }

    /// The client is asked: which questions, and what only `in_words`.
    pub(crate) fn asking(&self, asked: &[Asked], in_words: bool) -> Observation {
        let asked = asked.iter().filter(|_| in_words);
        Observation::InputRequired {
            exchange: self.exchange,
            name: shown(&self.name),
            questions: self.marks(|_| true),
            words: asked.map(|asked| shown(&asked.words())).collect(),
        }
    }

    /// The call has ended.
    pub(crate) fn stopped(&self, end: CallEnd) -> Observation {
        Observation::CallStopped {
            exchange: self.exchange,
            name: shown(&self.name),
            end,
        }
    }

    fn marks(&self, named: impl Fn(&str) -> bool) -> Vec<crate::journal::Mark> {
        let entries = self.journal.entries();
        entries
            .filter(|entry| entry.is_open() && named(entry.key))
            .map(|entry| entry.mark())
            .collect()
    }

    /// A string in the request's metadata.
    fn meta_text(&self, name: &str) -> Option<String> {
        let limits = ReadLimits {
            depth: 64,
            members: usize::MAX,
            string: usize::MAX,
        };
        let meta = Json::read(self.meta.as_bytes(), &limits).ok()?;
        Some(meta.get(name)?.as_str()?.into_owned())
    }
}

impl Asked {
    /// What is asked, in the words that the user reads; the whole request where it has none.
    fn words(&self) -> Cow<'_, str> {
        let params: Value = serde_json::from_str(&self.params).unwrap_or_default();
        match params.get("message").and_then(Value::as_str) {
            Some(message) => Cow::Owned(message.to_owned()),
            None => Cow::Borrowed(&self.params),
        }
    }
}

impl Finished {
    /// How the round has ended.
    pub(crate) fn end(&self) -> CallEnd {
        let in_tool = if self.ran {
            ErrorKind::InTool
        } else {
            ErrorKind::BeforeTool
        };
        match &self.ending {
            Ending::Asked(_) => CallEnd::InputRequired,
            Ending::Failed(failure) => failure.end(in_tool),
            Ending::Done(Done::Tool(_)) if !self.ran => CallEnd::INVALID_ARGUMENTS,
            Ending::Done(Done::Tool(result)) if result.is_error == Some(true) => CallEnd::Failed {
                error_kind: in_tool,
                error_type: "tool_error",
            },
            Ending::Done(_) => CallEnd::Completed,
        }
    }
}

impl Failure {
    pub(crate) fn end(&self, error_kind: ErrorKind) -> CallEnd {
        let (error_kind, error_type) = match self {
            Self::Said(_) => (error_kind, "tool_error"),
            Self::InvalidParams(_) => (error_kind, "invalid_params"),
            Self::NotFound => (error_kind, "not_found"),
            Self::Unaskable(_) => (error_kind, "missing_client_capability"),
            Self::Unsaid { kind, .. } => match kind {
                FailureKind::Busy | FailureKind::TooManyRounds => {
                    (ErrorKind::BeforeTool, kind.as_str())
                }
                kind => (error_kind, kind.as_str()),
            },
        };
        CallEnd::Failed {
            error_kind,
            error_type,
        }
    }
}

/// A call holds what its user said and what its caller brought: `Debug` shows which call it is.
impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("exchange", &self.exchange)
            .field("kind", &self.kind)
            .field("name", &shown(&self.name))
            .field("rounds", &self.rounds)
            .field("journal", &self.journal)
            .finish_non_exhaustive()
    }
}

/// A result is the user's, and so are the words of a question: `Debug` shows how it ended.
impl std::fmt::Debug for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Done(done) => write!(f, "Done({:?}, ..)", done.kind()),
            Self::Asked(asked) => asked.fmt(f),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::fmt::Debug for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Said(_) => f.write_str("Said(..)"),
            Self::InvalidParams(_) => f.write_str("InvalidParams(..)"),
            Self::NotFound => f.write_str("NotFound"),
            Self::Unaskable(_) => f.write_str("Unaskable(..)"),
            Self::Unsaid { kind, .. } => write!(f, "Unsaid({kind:?}, ..)"),
        }
    }
}

impl Done {
    fn kind(&self) -> CallKind {
        match self {
            Self::Tool(_) => CallKind::Tool,
            Self::Prompt(_) => CallKind::Prompt,
            Self::Resource(_) => CallKind::Resource,
            Self::Completion(_) => CallKind::Completion,
        }
    }
}
