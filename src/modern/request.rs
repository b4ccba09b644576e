//! A request of this era: the fields every one of them carries in `_meta`.
//!
//! See [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic#meta).

use std::borrow::Cow;

use http::StatusCode;

use super::VERSIONS;
use crate::calling::{Forbidden, Uncallable};
use crate::challenge::Challenge;
use crate::json::{Json, Kind};
use crate::message::{self, Id};
use crate::observation::shown;
use crate::protocol::{
    ClientCapabilities, ErrorObject, Implementation, LoggingLevel, META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO, META_LOG_LEVEL, META_PROGRESS_TOKEN, META_PROTOCOL_VERSION,
    UnsupportedProtocolVersionData,
};
use crate::request_state::StateRefusal;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) error: Box<ErrorObject>,
    /// Where the status is not the one of the error's code.
    pub(crate) status: Option<StatusCode>,
    /// Why its state was refused, which the log is told and the client is not.
    pub(crate) state: Option<StateRefusal>,
    /// Which access token to get for it.
    pub(crate) challenge: Option<Box<Challenge>>,
}

impl From<ErrorObject> for Refusal {
    fn from(error: ErrorObject) -> Self {
        Self {
            error: Box::new(error),
            status: None,
            state: None,
            challenge: None,
        }
    }
}

impl From<Forbidden> for Refusal {
    fn from(forbidden: Forbidden) -> Self {
        let challenge = forbidden.challenge();
        Self {
            status: Some(challenge.status()),
            challenge: Some(Box::new(challenge)),
            ..forbidden.error().into()
        }
    }
}

impl From<Uncallable> for Refusal {
    fn from(uncallable: Uncallable) -> Self {
        match uncallable {
            Uncallable::Error(error) => error.into(),
            Uncallable::Forbidden(forbidden) => forbidden.into(),
        }
    }
}

impl Refusal {
    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        ErrorObject::invalid_params(message).into()
    }

    /// A request without the fields that every request must carry is malformed, and the
    /// specification puts that under 400.
    fn malformed(message: impl Into<String>) -> Self {
        Self {
            status: Some(StatusCode::BAD_REQUEST),
            ..Self::invalid_params(message)
        }
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        let message = if method == "initialize" {
            // A client of an older era may show this and nothing else.
            format!(
                "Method not found: this server speaks {}",
                VERSIONS.join(", ")
            )
        } else {
            "Method not found".to_owned()
        };
        ErrorObject::method_not_found(message).into()
    }

    /// A client that begins with `initialize` may show the message of the refusal and nothing
    /// else, so it names what is served, as the
    /// [specification](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions)
    /// asks.
    fn another_era(params: Option<Json<'_>>) -> Self {
        let requested = params.and_then(|params| params.get("protocolVersion")?.as_str());
        let mut refusal = Self::unsupported_version(&requested.unwrap_or_default());
        let versions = VERSIONS.join(", ");
        refusal.error.message =
            format!("Unsupported protocol version: this server speaks {versions}");
        refusal
    }

    pub(crate) fn unsupported_version(requested: &str) -> Self {
        ErrorObject::unsupported_protocol_version(&UnsupportedProtocolVersionData::new(
            VERSIONS.iter().copied(),
            shown(requested),
        ))
        .into()
    }
}

/// A request of this era.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: Id,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Json<'a>,
    pub(crate) meta: Json<'a>,
    pub(crate) capabilities: Json<'a>,
    pub(crate) progress_token: Option<Json<'a>>,
    pub(crate) log_level: Option<LoggingLevel>,
}

impl<'a> Request<'a> {
    /// The version a message says it is of, whatever else is wrong with it.
    pub(crate) fn version_of(params: Option<Json<'a>>) -> Option<Json<'a>> {
        params?.get("_meta")?.get(META_PROTOCOL_VERSION)
    }

    /// Reads the fields every request carries.
    pub(crate) fn read(request: message::Request<'a>) -> Result<Self, (Id, Refusal)> {
        let message::Request { id, method, params } = request;
        if method == "initialize" && Self::version_of(params).is_none() {
            return Err((id, Refusal::another_era(params)));
        }
        match Self::read_params(params) {
            Ok(fields) => Ok(Self {
                id,
                method,
                params: fields.params,
                meta: fields.meta,
                capabilities: fields.capabilities,
                progress_token: fields.progress_token,
                log_level: fields.log_level,
            }),
            Err(refusal) => Err((id, refusal)),
        }
    }

    fn read_params(params: Option<Json<'a>>) -> Result<Fields<'a>, Refusal> {
        let params = params.ok_or_else(|| missing(&format!("params, with {META}")))?;
        let meta = params.get("_meta").ok_or_else(|| missing(META))?;
        if meta.kind() != Kind::Object {
            return Err(Refusal::malformed("_meta is not an object"));
        }
        let mut version = None;
        let mut capabilities = None;
        let mut info = None;
        let mut level = None;
        let mut token = None;
        for (key, value) in meta.members() {
            match &*key {
                META_PROTOCOL_VERSION => version = Some(value),
                META_CLIENT_CAPABILITIES => capabilities = Some(value),
                META_CLIENT_INFO => info = Some(value),
                META_LOG_LEVEL => level = Some(value),
                META_PROGRESS_TOKEN => token = Some(value),
                _ => {}
            }
        }
        let version = version.ok_or_else(|| missing(META_PROTOCOL_VERSION))?;
        let version = version
            .as_str()
            .ok_or_else(|| Refusal::malformed("The protocol version is not a string"))?;
        if !VERSIONS.contains(&&*version) {
            return Err(Refusal::unsupported_version(&version));
        }
        let capabilities = capabilities.ok_or_else(|| missing(META_CLIENT_CAPABILITIES))?;
        if !is_plain_capabilities(capabilities)
            && capabilities.parse::<ClientCapabilities>().is_err()
        {
            return Err(Refusal::malformed(
                "The client's capabilities are malformed",
            ));
        }
        let is_info =
            |info: Json<'_>| is_plain_info(info) || info.parse::<Implementation>().is_ok();
        if !info.is_none_or(is_info) {
            return Err(Refusal::malformed("The client's info is malformed"));
        }
        let log_level = match level {
            None => None,
            Some(level) => Some(
                level
                    .parse()
                    .map_err(|_| Refusal::invalid_params("There is no such log level"))?,
            ),
        };
        Ok(Fields {
            params,
            meta,
            capabilities,
            progress_token: token.map(progress_token).transpose()?,
            log_level,
        })
    }
}

/// What each request says of itself, in the words of a refusal.
const META: &str = "_meta, with the protocol version and the client's capabilities";

struct Fields<'a> {
    params: Json<'a>,
    meta: Json<'a>,
    capabilities: Json<'a>,
    progress_token: Option<Json<'a>>,
    log_level: Option<LoggingLevel>,
}

/// Whether each capability is one of the schema and says nothing more of itself, as most do: then
/// they need not be parsed to be known to be well-formed.
fn is_plain_capabilities(capabilities: Json<'_>) -> bool {
    capabilities.kind() == Kind::Object
        && capabilities.members().all(|(name, value)| {
            let known = [
                "elicitation",
                "sampling",
                "roots",
                "extensions",
                "experimental",
            ];
            known.contains(&&*name) && value.text() == "{}"
        })
}

/// Whether a client's info is a name, a version and other text of the schema, as most are: then
/// it need not be parsed to be known to be well-formed.
fn is_plain_info(info: Json<'_>) -> bool {
    let (mut name, mut version) = (false, false);
    let plain = info.members().all(|(member, value)| {
        match &*member {
            "name" => name = true,
            "version" => version = true,
            "title" | "description" | "websiteUrl" => {}
            _ => return false,
        }
        value.kind() == Kind::String
    });
    plain && name && version
}

fn missing(field: &str) -> Refusal {
    Refusal::malformed(format!("The request lacks {field}"))
}

/// A progress token is a string or an integer, and is sent back as it came.
fn progress_token(token: Json<'_>) -> Result<Json<'_>, Refusal> {
    let fits = match token.kind() {
        Kind::String => true,
        Kind::Number => token
            .as_number()
            .is_some_and(|number| number.safe_integer().is_some()),
        _ => false,
    };
    if fits {
        Ok(token)
    } else {
        Err(Refusal::invalid_params(
            "A progress token is a string or an integer",
        ))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::json::ReadLimits;

    fn read(text: &str) -> Json<'_> {
        Json::read(text.as_bytes(), &ReadLimits::default()).unwrap()
    }

    /// Objects of these members and of others, with values that fit and that do not.
    fn objects(names: &'static [&'static str]) -> impl Strategy<Value = String> {
        let name = prop_oneof![
            8 => prop::sample::select(names).prop_map(str::to_owned),
            1 => "[a-z]{1,3}",
        ];
        let value = prop_oneof![
            3 => Just(json!({})),
            3 => "[a-z\"\\\\é]{0,3}".prop_map(Value::from),
            1 => Just(json!({"listChanged": 1})),
            1 => Just(json!([])),
            1 => Just(Value::Null),
        ];
        prop::collection::btree_map(name, value, 0..5)
            .prop_map(|members| Value::from(Map::from_iter(members)).to_string())
    }

    proptest! {
        #[test]
        fn what_is_plain_parses(
            info in objects(&["name", "version", "title", "description", "websiteUrl", "icons"]),
            able in objects(&["elicitation", "sampling", "roots", "extensions", "experimental"]),
        ) {
            let info = read(&info);
            prop_assert!(!is_plain_info(info) || info.parse::<Implementation>().is_ok());
            let able = read(&able);
            prop_assert!(!is_plain_capabilities(able) || able.parse::<ClientCapabilities>().is_ok());
        }
    }

    #[test]
    fn what_clients_send_is_plain() {
        assert!(is_plain_info(read(r#"{"name":"client","version":"1"}"#)));
        assert!(!is_plain_info(read(r#"{"name":"client"}"#)));
        assert!(!is_plain_info(read(r#"{"name":"client","version":1}"#)));
        assert!(!is_plain_info(read("[]")));
        assert!(is_plain_capabilities(read("{}")));
        assert!(is_plain_capabilities(read(r#"{"elicitation":{}}"#)));
        assert!(!is_plain_capabilities(read(
            r#"{"elicitation":{"url":{}}}"#
        )));
        assert!(!is_plain_capabilities(read("null")));
    }
}
