//! How a step fails, from its author's side.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::finished::Asked;
use crate::protocol::ClientCapabilities;

/// What a step gives back: a result, or why there is none.
///
/// `?` works on every [`std::error::Error`]: the client is then told in one plain sentence that
/// the tool failed, and the log gets the whole chain. What the model should read is said on
/// purpose, with [`ToolError::say`].
///
/// ```
/// use mcp_reprise::{Cx, Outcome, ToolError, protocol::CallToolResult};
///
/// fn halve(_cx: &mut Cx, args: std::collections::BTreeMap<String, i64>) -> Outcome {
///     let n = args.get("n").ok_or(ToolError::say("Give me a number n."))?;
///     if n % 2 != 0 {
///         return Err(ToolError::say("Only even numbers can be halved."));
///     }
///     Ok(CallToolResult::text((n / 2).to_string()))
/// }
/// ```
pub type Outcome<T = crate::protocol::CallToolResult> = Result<T, ToolError>;

/// Why a step gives no result.
///
/// It is also what ends a round: a question that nobody has answered is an `Err` that the author
/// passes on with `?`. Whoever swallows it changes nothing, for the round ends all the same.
pub struct ToolError(pub(crate) Box<Problem>);

#[derive(Clone, PartialEq)]
pub(crate) enum Problem {
    /// The round is over; how is written in the `Cx`.
    Halt,
    /// Text for the model.
    Said(String),
    /// The caller's arguments are wrong.
    InvalidParams(String),
    /// There is no such resource.
    NotFound,
    /// The client cannot be asked.
    Unaskable(Box<Unaskable>),
    /// The author's trouble, for the log.
    Internal(String),
}

/// A question that the client has not declared it can answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unaskable {
    /// What it would have to declare.
    pub(crate) missing: ClientCapabilities,
    /// The questions that could not be put.
    pub(crate) questions: Vec<Asked>,
}

impl ToolError {
    pub(crate) fn new(problem: Problem) -> Self {
        Self(Box::new(problem))
    }

    /// A failure told to the model in the author's words: a result with `isError` for a tool, an
    /// error `-32603` with this message for a prompt or a resource.
    ///
    /// See [Error handling](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling).
    ///
    /// ```
    /// let error = mcp_reprise::ToolError::say("The museum is closed on Mondays.");
    /// assert_eq!(error.to_string(), "The museum is closed on Mondays.");
    /// ```
    pub fn say(text: impl Into<String>) -> Self {
        Self::new(Problem::Said(text.into()))
    }

    /// Arguments that cannot be right, in the author's words: a result with `isError` for a tool,
    /// an error `-32602` for a prompt or a resource.
    ///
    /// ```
    /// let error = mcp_reprise::ToolError::invalid_params("city: unknown");
    /// assert_eq!(error.to_string(), "city: unknown");
    /// ```
    pub fn invalid_params(text: impl Into<String>) -> Self {
        Self::new(Problem::InvalidParams(text.into()))
    }

    /// There is no such resource: the error `-32602` that the specification asks for, with the
    /// URI in its data.
    ///
    /// See [Resources, error handling](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling).
    ///
    /// ```
    /// let error = mcp_reprise::ToolError::not_found();
    /// assert_eq!(error.to_string(), "resource not found");
    /// ```
    pub fn not_found() -> Self {
        Self::new(Problem::NotFound)
    }

    /// A failure whose reason only the log may know.
    ///
    /// ```
    /// let error = mcp_reprise::ToolError::internal("the cache is cold");
    /// assert_eq!(error.to_string(), "the cache is cold");
    /// ```
    pub fn internal(cause: impl Into<String>) -> Self {
        Self::new(Problem::Internal(cause.into()))
    }

    /// Whether the question could not be put because the client has not declared that it can
    /// answer such questions. Passed on, it ends the call with `-32021`; caught, it is a value.
    ///
    /// ```
    /// use mcp_reprise::{Answer, Cx, Form, Outcome, protocol::CallToolResult};
    ///
    /// fn greet(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let form = Form::new("What is your name?").text("name");
    ///     let name: Answer<serde_json::Value> = match cx.elicit("name", form) {
    ///         Err(error) if error.is_unaskable() => return Ok(CallToolResult::text("Hello, you")),
    ///         answer => answer?,
    ///     };
    ///     Ok(CallToolResult::text(format!("Hello, {}", name.accepted()?["name"])))
    /// }
    /// ```
    pub fn is_unaskable(&self) -> bool {
        matches!(*self.0, Problem::Unaskable(_))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Problem::Halt => f.write_str("the round is over"),
            Problem::Said(text) | Problem::InvalidParams(text) | Problem::Internal(text) => {
                f.write_str(text)
            }
            Problem::NotFound => f.write_str("resource not found"),
            Problem::Unaskable(_) => f.write_str("the client cannot be asked this"),
        }
    }
}

/// What the model or the client is told may repeat what the user said, so `Debug` leaves it to
/// `Display`; what is for the log stands here too.
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Problem::Halt => f.write_str("ToolError(Halt)"),
            Problem::Said(_) => f.write_str("ToolError(Said(..))"),
            Problem::InvalidParams(_) => f.write_str("ToolError(InvalidParams(..))"),
            Problem::NotFound => f.write_str("ToolError(NotFound)"),
            Problem::Unaskable(unaskable) => {
                write!(f, "ToolError(Unaskable({:?}))", unaskable.questions)
            }
            Problem::Internal(cause) => write!(f, "ToolError(Internal({cause:?}))"),
        }
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    fn from(error: E) -> Self {
        let mut chain = error.to_string();
        let mut source = error.source();
        // Sixteen links: a chain that runs in a circle must not run for ever.
        for _ in 0..16 {
            let Some(cause) = source else { break };
            chain.push_str(": ");
            chain.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::new(Problem::Internal(chain))
    }
}
