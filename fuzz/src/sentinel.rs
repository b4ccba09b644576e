//! A value wrapped as the specification says is the value; any other spelling of it is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Request;
use mcp_reprise::http::Endpoint;
use mcp_reprise::{Caller, Exchange};
use serde_json::json;

use super::binding::error_code;
use super::fixture;
use super::input::Input;

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let spelling = input.pick(6);
    let region = input.text();
    let encoded = STANDARD.encode(&region);
    let (value, good) = match spelling {
        0 => (format!("=?base64?{encoded}?="), true),
        1 => (
            format!("=?base64?{}?=", encoded.trim_end_matches('=')),
            !encoded.ends_with('='),
        ),
        2 => (format!("=?Base64?{encoded}?="), false),
        3 => (format!("=?base64?{encoded} ?="), false),
        4 => (format!("=?base64?{encoded}=?="), false),
        _ => (
            format!("=?base64?{}?=", encoded.replace('+', "-").replace('/', "_")),
            !encoded.contains(['+', '/']),
        ),
    };
    let params =
        json!({ "name": "region", "arguments": { "region": region }, "_meta": fixture::meta() });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", fixture::VERSION)
        .header("mcp-method", "tools/call")
        .header("mcp-name", "region")
        .header("mcp-param-region", value.as_str())
        .body(body.to_string().into_bytes())
        .expect("a request");
    let endpoint = Endpoint::new(fixture::server());
    let turn = endpoint.receive(
        Exchange(1),
        Caller::anonymous(),
        &request,
        &fixture::moment(),
    );
    let refused = turn.actions.iter().find_map(error_code) == Some(-32020);
    // A text that is spelled like a bad wrapper is itself where it is no wrapper at all.
    let itself = spelling == 2 && value == region;
    assert_eq!(
        !refused,
        good || itself,
        "{value:?} for {region:?}: {turn:?}"
    );
}
