//! What a server lists, asked for as a client does.

use serde_json::{Value, json};

use super::request::request;
use super::response::Answered as _;
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::moment::{Moment, Timestamp};
use crate::server::Server;

/// A tool as it is listed.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) input_schema: Value,
}

/// The tools that the caller sees, in order.
pub(super) fn listed(server: &Server, caller: &Caller) -> Vec<Listed> {
    let moment = Moment::new(Timestamp::from_millis(0), [0; 32]);
    let mut tools = Vec::new();
    let mut cursor = json!({});
    loop {
        let body = request("tools/list", cursor).to_string();
        let turn = server.receive(Exchange(0), caller.clone(), body.as_bytes(), &moment);
        let page = turn.answered().unwrap_or_default();
        for tool in page["result"]["tools"].as_array().into_iter().flatten() {
            tools.push(Listed {
                name: tool["name"].as_str().unwrap_or_default().to_owned(),
                input_schema: tool["inputSchema"].clone(),
            });
        }
        match page["result"].get("nextCursor") {
            Some(next) => cursor = json!({ "cursor": next }),
            None => return tools,
        }
    }
}
