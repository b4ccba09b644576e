//! Any method, any headers, any body: an answer, well-formed, one, and no panic.

use http::{Method, Request};
use mcp_reprise::http::Endpoint;
use mcp_reprise::{Action, Caller, Exchange};
use serde_json::Value;

use super::fixture;
use super::input::Input;

const NAMES: [&str; 14] = [
    "host",
    "origin",
    "accept",
    "content-type",
    "content-encoding",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-param-region",
    "mcp-session-id",
    "last-event-id",
    "authorization",
    "content-length",
    "x-other",
];
const VALUES: [&str; 16] = [
    "localhost",
    "localhost:8000",
    "[::1]:1",
    "http://localhost",
    "null",
    "*/*",
    "application/json",
    "application/json, text/event-stream",
    "application/json;charset=utf-8",
    "2026-07-28",
    "2025-11-25",
    "tools/call",
    "tools/list",
    "region",
    "us",
    "gzip",
];

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let method = input
        .of(&[
            Method::POST,
            Method::POST,
            Method::POST,
            Method::GET,
            Method::DELETE,
            Method::OPTIONS,
        ])
        .clone();
    let mut builder = Request::builder().method(method).uri("/mcp");
    if input.pick(2) == 0 {
        builder = builder
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", fixture::VERSION);
    }
    for _ in 0..input.pick(10) {
        let name = *input.of(&NAMES);
        builder = match input.pick(3) {
            0 => builder.header(name, input.bytes()),
            _ => builder.header(name, *input.of(&VALUES)),
        };
    }
    let Ok(request) = builder.body(input.rest().to_vec()) else {
        return;
    };
    let endpoint = Endpoint::new(fixture::server());
    let mut turn = endpoint.receive(
        Exchange(1),
        Caller::anonymous(),
        &request,
        &fixture::moment(),
    );
    fixture::finish(endpoint.server(), &mut turn);
    let mut answers = 0;
    for action in &turn.actions {
        match action {
            Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
                answers += 1;
                if let Some(message) = &response.message {
                    well_formed(message);
                }
            }
            Action::Push { message, .. } => well_formed(message),
            // A listener stands in for the answer that comes at its end.
            Action::Listen(_) => answers += 1,
            other => panic!("not an answer: {other:?}"),
        }
    }
    assert_eq!(answers, 1, "{turn:?}");
}

fn well_formed(message: &[u8]) {
    let text = std::str::from_utf8(message).expect("UTF-8");
    assert!(!text.contains(['\n', '\r']), "a raw line break");
    let message: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(message["jsonrpc"], "2.0");
    // An id is echoed as it was sent, and `-0` or `1.0` are integers too.
    let integer = |id: &Value| id.as_f64().is_some_and(|id| id.fract() == 0.0);
    assert!(
        message
            .get("id")
            .is_none_or(|id| id.is_string() || integer(id)),
        "{text}"
    );
}
