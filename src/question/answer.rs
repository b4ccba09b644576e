//! What the user did with a question.

use crate::step::ToolError;

/// What the user did with an elicitation.
///
/// See [Response actions](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#response-actions).
///
/// ```
/// use mcp_reprise::Answer;
///
/// assert_eq!(Answer::Accepted(3).value(), Some(3));
/// assert_eq!(Answer::<i32>::Declined.value(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<T> {
    /// The user filled the form in, or agreed to follow the URL.
    Accepted(T),
    /// The user said no.
    Declined,
    /// The user went away without an answer.
    Cancelled,
}

impl<T> Answer<T> {
    /// The accepted value; otherwise the call is to end, with a failure that tells the model that
    /// the user declined, or went away.
    ///
    /// ```
    /// use mcp_reprise::Answer;
    ///
    /// let error = Answer::<()>::Declined.accepted().unwrap_err();
    /// assert_eq!(error.to_string(), "The user declined to answer.");
    /// ```
    ///
    /// # Errors
    ///
    /// To be passed on with `?`.
    pub fn accepted(self) -> Result<T, ToolError> {
        match self {
            Self::Accepted(value) => Ok(value),
            Self::Declined => Err(ToolError::say("The user declined to answer.")),
            Self::Cancelled => Err(ToolError::say("The user cancelled the question.")),
        }
    }

    /// The accepted value; otherwise the call is to end, with this text for the model.
    ///
    /// ```
    /// use mcp_reprise::Answer;
    ///
    /// let error = Answer::<()>::Cancelled.accepted_or("Nothing was booked.").unwrap_err();
    /// assert_eq!(error.to_string(), "Nothing was booked.");
    /// ```
    ///
    /// # Errors
    ///
    /// To be passed on with `?`.
    pub fn accepted_or(self, text: impl Into<String>) -> Result<T, ToolError> {
        self.value().ok_or_else(|| ToolError::say(text))
    }

    /// The accepted value, if it is one.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }
}
