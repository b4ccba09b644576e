//! Which era a call came by: provenance, and nothing to branch on.

use crate::step::Cx;

/// Which era a call came by.
///
/// It is there to be logged and counted. A tool that does one thing in one era and another thing
/// in the other has two behaviours to test, and the client sees neither coming.
///
/// ```
/// use mcp_reprise::{Cx, Outcome, legacy::Era, protocol::CallToolResult};
///
/// fn count(cx: &mut Cx, _: serde_json::Value) -> Outcome {
///     let counter = match cx.era() {
///         Era::Modern => "calls.modern",
///         Era::Legacy => "calls.sessions",
///     };
///     # let _ = counter;
///     Ok(CallToolResult::text("counted"))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Revision 2026-07-28, without sessions.
    Modern,
    /// A session of revision 2025-11-25 or earlier.
    Legacy,
}

impl Cx {
    /// Which era the call came by.
    pub fn era(&self) -> Era {
        if self.in_session() {
            Era::Legacy
        } else {
            Era::Modern
        }
    }
}
