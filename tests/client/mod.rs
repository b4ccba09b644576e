//! A client for the tests of the embeddings: what it says is written by hand, and what it hears
//! comes over the real transport. It waits for events, and gives up only after a long while.

#![allow(
    clippy::disallowed_methods,
    dead_code,
    reason = "it waits for a server, and no test needs all that it can do"
)]

pub mod http;
pub mod messages;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an event may take on the slowest of machines.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What `touch` changes.
const NOTE: &str = "note://desk";

/// A request of revision 2026-07-28.
pub fn modern(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "progressToken": id,
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A request of revision 2025-11-25.
pub fn earlier(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The first request of a session.
pub fn initialize() -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "client", "version": "1.0.0" },
    });
    earlier(0, "initialize", params)
}

/// The notification after it.
pub fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

/// A call in a session, of a tool that may say how far it is.
pub fn in_session(id: u64, tool: &str, arguments: Value) -> Value {
    let meta = json!({ "progressToken": id });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    earlier(id, "tools/call", params)
}

/// The text of a result, which must be one.
pub fn text(message: &Value) -> &str {
    let text = &message["result"]["content"][0]["text"];
    text.as_str().unwrap_or_else(|| panic!("{message}"))
}

/// What the user says to each of the two questions of `book`.
fn said(question: &str) -> Value {
    let content = match question {
        "day" => json!({ "day": "Friday" }),
        _ => json!({ "seats": 2 }),
    };
    json!({ "action": "accept", "content": content })
}

/// What `book` comes to then.
fn check_booked(message: &Value) {
    let booked: Value = serde_json::from_str(text(message)).unwrap();
    assert_eq!(
        booked,
        json!({ "film": "Heat", "day": "Friday", "seats": 2 })
    );
}

/// Plays the two questions of `book`, which end a round each: `send` gives the answer to a call
/// with these params.
pub fn check_rounds(mut send: impl FnMut(Value) -> Value) {
    let mut params = json!({ "name": "book", "arguments": { "film": "Heat" } });
    for question in ["day", "seats"] {
        let asked = send(params.clone());
        let result = &asked["result"];
        assert_eq!(result["resultType"], "input_required", "{asked}");
        assert!(result["inputRequests"][question].is_object(), "{asked}");
        params["requestState"] = result["requestState"].clone();
        params["inputResponses"] = json!({ question: said(question) });
    }
    check_booked(&send(params));
}

/// The answer of the user to a question that the server asks by a request of its own.
fn reply(asked: &Value) -> Value {
    let properties = &asked["params"]["requestedSchema"]["properties"];
    let question = ["day", "seats"]
        .into_iter()
        .find(|question| properties[question].is_object());
    let question = question.unwrap_or_else(|| panic!("{asked}"));
    json!({ "jsonrpc": "2.0", "id": asked["id"], "result": said(question) })
}

/// Checks that a call has said three times how far it is before it came to its end.
pub fn check_progress(messages: &[Value]) {
    let progress: Vec<f64> = messages
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .filter_map(|message| message["params"]["progress"].as_f64())
        .collect();
    assert_eq!(progress, [1.0, 2.0, 3.0], "{messages:?}");
    assert_eq!(text(messages.last().unwrap()), "counted");
}

/// Waits until something holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "{what}: it never came to that");
        std::thread::sleep(Duration::from_millis(20));
    }
}
