//! What a script that holds comes to.

use serde_json::Value;

use super::flaw::{Flaw, Lane};
use super::response::{Answered, error_response, text_response};
use crate::observation::Observation;
use crate::protocol::CallToolResult;

/// A script that holds: the result it comes to on every lane and every cut.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Proof {
    /// The JSON-RPC response that ended the call.
    pub response: Value,
    /// How many rounds the call took, with each round's questions answered together.
    pub rounds: u32,
    /// The lanes it was played on.
    pub lanes: Vec<Lane>,
    /// How many rounds were played in all.
    pub plays: u64,
    /// What is no flaw yet: [`Flaw::TooManyRounds`].
    pub warnings: Vec<Flaw>,
    /// What the log was told along the way.
    pub observations: Vec<Observation>,
    /// Whether the tool took its arguments, so that there was something to prove.
    pub(super) ran: bool,
}

impl Proof {
    /// The result of the tool.
    ///
    /// # Panics
    ///
    /// When the call ended with a JSON-RPC error: shows it.
    #[track_caller]
    pub fn result(&self) -> CallToolResult {
        match serde_json::from_value(self.response["result"].clone()) {
            Ok(result) => result,
            Err(_) => panic!("wanted a result; arrived: {}", self.response),
        }
    }

    /// The text of a successful result.
    ///
    /// # Panics
    ///
    /// As [`text_response`].
    #[track_caller]
    pub fn text(&self) -> String {
        text_response(self)
    }

    /// The text of a result with `isError`.
    ///
    /// # Panics
    ///
    /// As [`error_response`].
    #[track_caller]
    pub fn error(&self) -> String {
        error_response(self)
    }
}

impl Answered for Proof {
    fn answered(&self) -> Result<Value, String> {
        Ok(self.response.clone())
    }
}
