//! One JSON-RPC message, read from the client's bytes and borrowed from them.
//!
//! See [Messages](https://modelcontextprotocol.io/specification/2026-07-28/basic#messages).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::json::{Json, Kind, Outline, ReadError, ReadLimits};
use crate::limits::Limits;
use crate::protocol::error_codes::{INVALID_REQUEST, PARSE_ERROR};
use crate::protocol::{ErrorObject, RequestId};

/// A request's id, echoed just as the client wrote it.
///
/// Two ids are the same request when their values are: `1` and `1.0` are, `1` and `"1"` are not.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Box<str>", into = "Box<str>")]
pub struct Id {
    raw: Box<str>,
    value: RequestId,
}

impl Id {
    fn read(json: Json<'_>) -> Option<Self> {
        let value = match json.kind() {
            Kind::String => RequestId::String(json.as_str()?.into_owned()),
            Kind::Number => RequestId::Integer(json.as_number()?.safe_integer()?),
            _ => return None,
        };
        Some(Self {
            raw: json.text().into(),
            value,
        })
    }

    /// The id as the client wrote it, a JSON string or number.
    pub fn as_json(&self) -> &str {
        &self.raw
    }

    /// The id's value.
    pub fn value(&self) -> &RequestId {
        &self.value
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Id {}

impl TryFrom<Box<str>> for Id {
    type Error = &'static str;

    fn try_from(raw: Box<str>) -> Result<Self, Self::Error> {
        let limits = ReadLimits {
            depth: 1,
            members: 1,
            string: raw.len(),
        };
        Json::read(raw.as_bytes(), &limits)
            .ok()
            .and_then(Self::read)
            .ok_or("a request id is a string or an integer")
    }
}

impl From<Id> for Box<str> {
    fn from(id: Id) -> Self {
        id.raw
    }
}

/// What one message turned out to be.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request(Request<'a>),
    Notification(Notification<'a>),
    /// A response from the client; only the legacy lane has a use for one.
    Response,
}

/// A message that must be answered.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: Id,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Option<Json<'a>>,
}

/// A message that must not be answered.
#[derive(Debug)]
pub(crate) struct Notification<'a> {
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Option<Json<'a>>,
}

/// Why a body is no message: the error to answer with, and the id as far as it can be trusted.
#[derive(Debug, Clone)]
pub(crate) struct Unreadable {
    pub(crate) id: Option<Id>,
    pub(crate) error: ErrorObject,
}

impl Unreadable {
    fn invalid(id: Option<Id>, message: &str) -> Self {
        Self {
            id,
            error: ErrorObject::new(INVALID_REQUEST, message),
        }
    }
}

/// Reads one message of a body. An id of the wrong type or out of range is not echoed.
pub(crate) fn read(json: Json<'_>) -> Result<Message<'_>, Unreadable> {
    match json.kind() {
        Kind::Array => Err(Unreadable::invalid(
            None,
            "Batches are not part of this revision: send one message",
        )),
        _ => envelope(json),
    }
}

/// Reads a body as JSON, within the limits of one.
pub(crate) fn outline<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Outline<'a>, Unreadable> {
    let limits = ReadLimits {
        depth: limits.depth,
        members: limits.members,
        string: limits.string_bytes,
    };
    Outline::read(bytes, &limits).map_err(|error| unreadable(&error))
}

fn unreadable(error: &ReadError) -> Unreadable {
    let code = if error.is_syntax() {
        PARSE_ERROR
    } else {
        INVALID_REQUEST
    };
    Unreadable {
        id: None,
        error: ErrorObject::new(code, error.to_string()),
    }
}

/// Reads one message of what was read as JSON.
pub(crate) fn envelope(json: Json<'_>) -> Result<Message<'_>, Unreadable> {
    if json.kind() != Kind::Object {
        return Err(Unreadable::invalid(None, "A message is a JSON object"));
    }
    let mut version = None;
    let mut id = None;
    let mut method = None;
    let mut params = None;
    let mut answer = false;
    for (name, value) in json.members() {
        match &*name {
            "jsonrpc" => version = Some(value),
            "id" => id = Some(value),
            "method" => method = Some(value),
            "params" => params = Some(value),
            "result" | "error" => answer = true,
            _ => {}
        }
    }
    let id = match id {
        None => None,
        Some(value) => Some(Id::read(value).ok_or_else(|| {
            Unreadable::invalid(
                None,
                "The id of a request is a string or an integer within 2^53-1 of zero",
            )
        })?),
    };
    if version.and_then(Json::as_str).as_deref() != Some("2.0") {
        return Err(Unreadable::invalid(
            id,
            "The member jsonrpc must be \"2.0\"",
        ));
    }
    let Some(method) = method else {
        if answer {
            return Ok(Message::Response);
        }
        return Err(Unreadable::invalid(id, "The member method is missing"));
    };
    let Some(method) = method.as_str() else {
        return Err(Unreadable::invalid(id, "The member method is not a string"));
    };
    if params.is_some_and(|params| params.kind() != Kind::Object) {
        return Err(Unreadable::invalid(
            id,
            "The member params is not an object",
        ));
    }
    Ok(match id {
        Some(id) => Message::Request(Request { id, method, params }),
        None => Message::Notification(Notification { method, params }),
    })
}
