//! Completing what a user is typing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::step::Function;

/// The steps that complete arguments, by the argument's name.
pub(crate) type Completions = BTreeMap<String, Function>;

/// What a completion step is given.
///
/// See [Completion](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion).
///
/// ```
/// use mcp_reprise::{Completing, Cx, Outcome, Prompt, protocol::CompleteResult};
///
/// let prompt = Prompt::new("greet")
///     .optional("city", "Where")
///     .complete("city", |_: &mut Cx, typed: Completing| -> Outcome<CompleteResult> {
///         let cities = ["Paris", "Prague", "Rome"];
///         Ok(CompleteResult::values(cities.into_iter().filter(|city| city.starts_with(&typed.value))))
///     });
/// # let _ = prompt;
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Completing {
    /// What was typed so far.
    pub value: String,
    /// The arguments that are settled already, by name.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// What the user types is theirs: `Debug` shows what was settled before, by name.
impl std::fmt::Debug for Completing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let settled: Vec<&String> = self.arguments.keys().collect();
        f.debug_struct("Completing")
            .field("arguments", &settled)
            .finish_non_exhaustive()
    }
}

impl Completing {
    pub(crate) fn new(value: String, arguments: BTreeMap<String, String>) -> Self {
        Self { value, arguments }
    }
}
