//! JSON-RPC messages as bytes: written straight into one buffer.

use http::StatusCode;

use crate::exchange::Response;
use crate::message::Id;
use crate::protocol::ErrorObject;
use crate::protocol::error_codes::{
    HEADER_MISMATCH, INVALID_REQUEST, METHOD_NOT_FOUND, MISSING_REQUIRED_CLIENT_CAPABILITY,
    PARSE_ERROR, UNSUPPORTED_PROTOCOL_VERSION,
};

/// A result response. `result` is a JSON object.
pub(crate) fn result(id: &Id, result: &str) -> Response {
    let mut out = open(Some(id), result.len() + 16);
    out.extend_from_slice(b"\"result\":");
    out.extend_from_slice(result.as_bytes());
    out.push(b'}');
    Response::ok(out)
}

/// The beginning of a result response, with room for so much more: whoever writes the result goes
/// on with it, and ends with [`close_result`].
pub(crate) fn open_result(id: &Id, room: usize) -> Vec<u8> {
    let mut out = open(Some(id), room);
    out.extend_from_slice(b"\"result\":");
    out
}

/// The end of a result response.
pub(crate) fn close_result(mut out: Vec<u8>) -> Response {
    out.push(b'}');
    Response::ok(out)
}

/// An error response under the status the specification ties to its code.
///
/// An error whose id could not be read has no `id` member: a null id is not in the schema.
pub(crate) fn error(id: Option<&Id>, error: &ErrorObject) -> Response {
    error_under(status(error.code), id, error)
}

/// An error response under another status.
pub(crate) fn error_under(status: StatusCode, id: Option<&Id>, error: &ErrorObject) -> Response {
    let mut out = open(id, 128);
    out.extend_from_slice(b"\"error\":");
    match serde_json::to_vec(error) {
        Ok(text) => out.extend_from_slice(&text),
        Err(_) => out.extend_from_slice(br#"{"code":-32603,"message":"Internal error"}"#),
    }
    out.push(b'}');
    Response {
        status,
        headers: http::HeaderMap::new(),
        message: Some(out),
    }
}

fn open(id: Option<&Id>, room: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(room + 48);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        out.extend_from_slice(id.as_json().as_bytes());
        out.push(b',');
    }
    out
}

/// Errors of a message that was processed travel under 200, like results.
fn status(code: i64) -> StatusCode {
    match code {
        PARSE_ERROR
        | INVALID_REQUEST
        | HEADER_MISMATCH
        | MISSING_REQUIRED_CLIENT_CAPABILITY
        | UNSUPPORTED_PROTOCOL_VERSION => StatusCode::BAD_REQUEST,
        METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}
