//! A value as the result of a tool.

use serde::Serialize;

use super::error::Outcome;
use super::into_step::IntoOutcome;
use crate::protocol::CallToolResult;

/// A value as structured content, with its JSON as text for clients that read only that. A step
/// gives it as it is, or in an [`Outcome`].
///
/// ```
/// use mcp_reprise::{Cx, Outcome, Structured, Tool, ToolError};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Weather { degrees: f64 }
///
/// fn weather(_: &mut Cx, _: serde_json::Value) -> Outcome<Structured<Weather>> {
///     let degrees = 21.5;
///     if degrees > 60.0 {
///         return Err(ToolError::say("The thermometer stands in the sun."));
///     }
///     Ok(Structured(Weather { degrees }))
/// }
/// let tool = Tool::new("weather").step(weather);
/// # let _ = tool;
/// ```
///
/// See [Structured content](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content).
#[derive(Debug, Clone, PartialEq)]
pub struct Structured<T>(pub T);

impl<T: Serialize> From<Structured<T>> for CallToolResult {
    fn from(value: Structured<T>) -> Self {
        Self::json(&value.0)
    }
}

impl<T: Serialize> IntoOutcome<CallToolResult> for Structured<T> {
    fn into_outcome(self) -> Outcome<CallToolResult> {
        Ok(self.into())
    }
}

impl From<String> for CallToolResult {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl IntoOutcome<CallToolResult> for String {
    fn into_outcome(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::text(self))
    }
}
