//! `initialize`: the beginning of a session.
//!
//! See [Lifecycle](https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle).

use http::HeaderValue;
use serde_json::{Map, Value};

use super::envelope;
use super::receive::{rejected, too_long};
use super::session::{Session, Transport};
use super::shape;
use super::stream::{Purpose, Stream};
use super::version::LegacyVersion;
use crate::action::Turn;
use crate::caller::Caller;
use crate::calling::{millis, optional_object, string};
use crate::exchange::Exchange;
use crate::journal::Seed;
use crate::json::Json;
use crate::message::{self, Id, Message, Unreadable};
use crate::moment::Moment;
use crate::observation::{Observation, shown};
use crate::offering::{Offering, Server};
use crate::protocol::{ClientCapabilities, ErrorObject, Implementation};

/// The header that names a session over HTTP.
pub(super) const SESSION_ID: &str = "mcp-session-id";

/// The longest description of a client that is kept, in bytes; of a longer one the names alone.
const KEPT: usize = 4 << 10;

impl Session {
    /// Opens a session for an `initialize` request. `None` where the request is refused; the turn
    /// answers it either way.
    ///
    /// A version that is not known, or cannot go over this transport, is answered with the latest
    /// that can, as [version negotiation](https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation)
    /// has it.
    pub fn open(
        server: &Server,
        transport: Transport,
        exchange: Exchange,
        caller: &Caller,
        body: &[u8],
        moment: &Moment,
    ) -> (Option<Self>, Turn) {
        let offering = &*server.offering;
        let limits = offering.limits();
        let outline = match body.len() > limits.body_bytes {
            true => Err(too_long()),
            false => message::outline(body, limits),
        };
        let read = match &outline {
            Ok(outline) => message::read(outline.json()),
            Err(unreadable) => Err(unreadable.clone()),
        };
        let opened = read
            .map_err(|Unreadable { id, error }| (id, error))
            .and_then(|message| match message {
                Message::Request(request) if request.method == "initialize" => {
                    let params = request.params.unwrap_or(Json::EMPTY_OBJECT);
                    Self::negotiate(offering, transport, caller, params, moment)
                        .map(|session| (session, request.id.clone()))
                        .map_err(|error| (Some(request.id), error))
                }
                _ => {
                    let error = ErrorObject::invalid_request("A session begins with initialize");
                    Err((None, error))
                }
            });
        match opened {
            Ok((mut session, id)) => {
                let mut turn = session.welcome(offering, exchange, &id);
                if session.observes {
                    turn = turn.observed(Observation::SessionStarted {
                        exchange,
                        session: session.shown(),
                    });
                }
                (Some(session), turn)
            }
            Err((id, error)) => {
                let message = envelope::error(LegacyVersion::LATEST, id.as_ref(), &error);
                let response = envelope::response(envelope::status(&error), message);
                let turn = Turn::respond(exchange, response).observed(rejected(exchange, &error));
                (None, turn)
            }
        }
    }

    fn negotiate(
        offering: &Offering,
        transport: Transport,
        caller: &Caller,
        params: Json<'_>,
        moment: &Moment,
    ) -> Result<Self, ErrorObject> {
        let requested = string(params, "protocolVersion")?;
        let capabilities = optional_object(params, "capabilities")?
            .ok_or_else(|| ErrorObject::invalid_params("params.capabilities is missing"))?;
        let declared: ClientCapabilities = capabilities
            .parse()
            .map_err(|_| ErrorObject::invalid_params("params.capabilities is malformed"))?;
        let info = optional_object(params, "clientInfo")?
            .ok_or_else(|| ErrorObject::invalid_params("params.clientInfo is missing"))?;
        let client: Implementation = info
            .parse()
            .map_err(|_| ErrorObject::invalid_params("params.clientInfo is malformed"))?;
        let version = LegacyVersion::parse(&requested)
            .filter(|version| transport == Transport::Lines || version.has_streamable_http())
            .unwrap_or(LegacyVersion::LATEST);
        let dice = Seed(moment.dice).hash("session", &[]);
        let id = dice.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut session = Self::new(id, transport, version, caller, moment.now);
        session.capabilities = kept_capabilities(shape::client(version, declared)).into();
        session.client = kept_client(info, client).into();
        session.observes = offering.observes;
        session.idle = millis(offering.limits().session_idle);
        Ok(session)
    }

    fn welcome(&mut self, offering: &Offering, exchange: Exchange, id: &Id) -> Turn {
        let version = self.version;
        let mut result = Map::new();
        result.insert("protocolVersion".to_owned(), version.as_str().into());
        let mut put = |name: &str, value: serde_json::Result<Value>| {
            result.insert(name.to_owned(), value.unwrap_or_default());
        };
        let capabilities = shape::server(version, &offering.capabilities);
        put("capabilities", serde_json::to_value(capabilities));
        let identity = shape::identity(version, &offering.identity);
        put("serverInfo", serde_json::to_value(identity));
        if let Some(instructions) = &offering.instructions {
            put("instructions", Ok(instructions.as_str().into()));
        }
        let message = envelope::result(id, &Value::Object(result).to_string());
        let mut response = envelope::response(http::StatusCode::OK, message);
        match self.transport {
            Transport::Http => {
                if let Ok(id) = HeaderValue::from_str(&self.id) {
                    response.headers.insert(SESSION_ID, id);
                }
            }
            Transport::Lines => {
                let stream = Stream::new(Purpose::Standing, exchange, false);
                self.streams.insert(self.next_stream, stream);
                self.next_stream += 1;
            }
        }
        Turn::respond(exchange, response)
    }
}

/// The capabilities as text; of very long ones only those that a question needs.
fn kept_capabilities(mut capabilities: ClientCapabilities) -> String {
    let text = |capabilities: &ClientCapabilities| {
        serde_json::to_string(capabilities).unwrap_or_else(|_| "{}".to_owned())
    };
    let whole = text(&capabilities);
    if whole.len() <= KEPT {
        return whole;
    }
    capabilities.experimental = None;
    let fields = capabilities
        .elicitation
        .iter_mut()
        .flat_map(|elicitation| [&mut elicitation.form, &mut elicitation.url])
        .chain(
            capabilities
                .sampling
                .iter_mut()
                .flat_map(|sampling| [&mut sampling.context, &mut sampling.tools]),
        );
    for field in fields.flatten() {
        field.clear();
    }
    text(&capabilities)
}

/// The client's description as text; of a very long one the beginning of its name and version.
fn kept_client(info: Json<'_>, client: Implementation) -> String {
    if info.text().len() <= KEPT {
        return info.text().to_owned();
    }
    let client = Implementation::new(shown(&client.name), shown(&client.version));
    serde_json::to_string(&client).unwrap_or_else(|_| "{}".to_owned())
}
