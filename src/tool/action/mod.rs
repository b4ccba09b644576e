//! One tool with many named actions, which explains itself.
//!
//! The arguments of such a tool are `{"action": NAME, "data": {..}}`. What is listed of it stays
//! small, whatever the actions take: their names, and a summary of each. The rest is told by the
//! action `help`, and where a call goes wrong.

mod check;
mod compile;
mod compiled;
mod error;
mod help;
mod offered;

#[cfg(test)]
mod tests;

pub(crate) use compiled::Actions;
pub use error::ActionError;
pub(super) use help::plain_pages;
pub use offered::{ActionTool, ToolAction};

/// The action that every action tool has of its own.
pub(super) const HELP: &str = "help";
