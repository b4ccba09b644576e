//! JSON-RPC messages as these revisions write them.

use http::StatusCode;

use super::version::LegacyVersion;
use crate::exchange::Response;
use crate::message::Id;
use crate::protocol::ErrorObject;
use crate::protocol::error_codes::{INVALID_REQUEST, PARSE_ERROR};

/// A result response. `result` is a JSON object.
pub(super) fn result(id: &Id, result: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
        id.as_json()
    )
}

/// An error response. One whose id could not be read has none, or a null one: see
/// [`LegacyVersion::has_errors_without_id`].
pub(super) fn error(version: LegacyVersion, id: Option<&Id>, error: &ErrorObject) -> String {
    let id = match id {
        Some(id) => format!(r#""id":{},"#, id.as_json()),
        None if version.has_errors_without_id() => String::new(),
        None => r#""id":null,"#.to_owned(),
    };
    let error = serde_json::to_string(error)
        .unwrap_or_else(|_| r#"{"code":-32603,"message":"Internal error"}"#.to_owned());
    format!(r#"{{"jsonrpc":"2.0",{id}"error":{error}}}"#)
}

/// A request of ours, whose id is a string.
pub(super) fn request(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{params}}}"#)
}

/// A notification; `params` is a JSON object, or empty for none.
pub(super) fn notification(method: &str, params: &str) -> String {
    if params.is_empty() {
        return format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
    }
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#)
}

/// A message that is no JSON-RPC request was not accepted; everything else travels under 200.
pub(super) fn status(error: &ErrorObject) -> StatusCode {
    match error.code {
        PARSE_ERROR | INVALID_REQUEST => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// The answer to a request.
pub(super) fn response(status: StatusCode, message: String) -> Response {
    Response {
        status,
        headers: http::HeaderMap::new(),
        message: Some(message.into_bytes()),
    }
}

/// A refusal of the transport: there is no session whose revision it could follow.
pub(super) fn refusal(status: StatusCode, message: &str) -> Response {
    let object = ErrorObject::invalid_request(message);
    response(status, error(LegacyVersion::LATEST, None, &object))
}
