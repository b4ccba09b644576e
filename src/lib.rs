#![cfg_attr(any(not(doctest), all(feature = "stdio", feature = "tower")), doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![allow(
    clippy::test_attr_in_doctest,
    reason = "the front page shows a test as it stands in a user's file"
)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod action;
#[cfg(feature = "adapters")]
pub mod adapters;
mod caller;
mod calling;
mod canonical;
mod challenge;
mod change;
mod exchange;
#[cfg(any(doctest, all(doc, feature = "adapters", feature = "testing")))]
pub mod guide;
pub mod http;
mod journal;
pub mod json;
#[cfg(feature = "legacy")]
pub mod legacy;
mod limits;
pub mod lines;
mod listener;
mod message;
mod modern;
mod moment;
mod observation;
mod offering;
pub mod protocol;
mod question;
mod request_state;
mod scope;
mod seal;
mod server;
mod sse;
mod step;
mod template;
#[cfg(feature = "testing")]
pub mod testing;
mod tool;
#[cfg(feature = "tracing")]
pub mod tracing;
mod wire;

pub use action::{Action, Claim, EventMark, Turn};
pub use caller::Caller;
pub use change::Change;
pub use exchange::{Exchange, Response};
pub use journal::{Divergence, EntryKind, Mark};
pub use limits::Limits;
pub use listener::Listener;
pub use message::Id;
pub use moment::{Moment, Timestamp};
pub use observation::{CallEnd, CallStart, ErrorKind, FailureKind, Observation};
pub use question::{
    Answer, BooleanField, ChoiceField, ChoicesField, Field, Form, IntegerField, NumberField,
    Question, QuestionName, Questions, Refused, TextField, UrlError, UrlPrompt,
};
pub use request_state::StateRefusal;
pub use seal::{KeyError, KeyRing, StateKey};
pub use server::{BuildError, Server, ServerBuilder};
pub use step::{
    CallKind, Cx, Finished, Hint, IdempotencyKey, IntoOutcome, IntoStep, OnceError, Outcome,
    Progress, Report, Sink, Step, StepData, Structured, ToolError,
};
pub use template::TemplateError;
pub use tool::{
    ActionError, ActionTool, ArgumentError, Completing, HeaderParamError, Prompt, RegisterError,
    Resource, ResourceTemplate, Tool, ToolAction,
};
