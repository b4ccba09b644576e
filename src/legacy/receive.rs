//! One message of the client, in a session.

use http::StatusCode;
use http::header::WWW_AUTHENTICATE;

use super::envelope;
use super::session::{Session, Transport};
use super::streams::refused;
use crate::action::Turn;
use crate::caller::Caller;
use crate::calling::{self, Forbidden, Uncallable, string};
use crate::exchange::{Exchange, Response};
use crate::json::{Json, Kind};
use crate::message::{self, Id, Message, Notification, Request, Unreadable};
use crate::moment::Moment;
use crate::observation::{Observation, shown};
use crate::offering::{Offering, Server};
use crate::protocol::ErrorObject;
use crate::protocol::error_codes::LEGACY_RESOURCE_NOT_FOUND;
use crate::step::CallKind;

/// What an input brings.
pub(super) struct Input<'a> {
    pub(super) offering: &'a Offering,
    pub(super) exchange: Exchange,
    pub(super) caller: Caller,
    pub(super) moment: &'a Moment,
}

/// What came of a request.
pub(super) enum Served {
    /// Its result, a JSON object as text.
    Answer(String),
    /// Its result, and what is observed of a call that was refused for its arguments.
    Refused(String, Vec<Observation>),
    /// It is not answered yet.
    Later(Turn),
    /// It needs another access token.
    Forbidden(Forbidden),
}

impl Session {
    /// Serves one message that the client sent in this session: a request, a notification, or
    /// the answer to a question.
    ///
    /// The driver has made sure that the session [belongs to](Session::belongs_to) the caller.
    pub fn receive(
        &mut self,
        server: &Server,
        exchange: Exchange,
        caller: Caller,
        body: &[u8],
        moment: &Moment,
    ) -> Turn {
        let input = Input {
            offering: &server.offering,
            exchange,
            caller,
            moment,
        };
        if self.ended {
            return self.gone(exchange);
        }
        self.touch(moment.now);
        let limits = input.offering.limits();
        if body.len() > limits.body_bytes {
            return self.unreadable(exchange, too_long());
        }
        let outline = match message::outline(body, limits) {
            Ok(outline) => outline,
            Err(unreadable) => return self.unreadable(exchange, unreadable),
        };
        let json = outline.json();
        if json.kind() == Kind::Array && self.version.has_batches() {
            return self.batch(input, json);
        }
        if json.kind() == Kind::Array {
            let error = ErrorObject::invalid_request("This revision has no batches");
            return self.unreadable(exchange, Unreadable { id: None, error });
        }
        match message::envelope(json) {
            Ok(message) => self.take(input, message, json),
            Err(unreadable) => self.unreadable(exchange, unreadable),
        }
    }

    /// The answer to whatever comes after the end.
    pub(super) fn gone(&self, exchange: Exchange) -> Turn {
        match self.transport {
            Transport::Http => refused(exchange, StatusCode::NOT_FOUND, "There is no such session"),
            Transport::Lines => Turn::default(),
        }
    }

    fn take(&mut self, input: Input<'_>, message: Message<'_>, json: Json<'_>) -> Turn {
        let exchange = input.exchange;
        let mut turn = match message {
            Message::Request(request) => return self.request(input, request),
            Message::Notification(notification) => self.notified(&input, &notification),
            Message::Response => self.answered(input, json),
        };
        if self.transport == Transport::Http {
            let mut accepted = Turn::respond(exchange, Response::accepted());
            accepted.extend(turn);
            turn = accepted;
        }
        turn
    }

    fn request(&mut self, input: Input<'_>, request: Request<'_>) -> Turn {
        let exchange = input.exchange;
        let id = request.id.clone();
        match self.serve(input, request, None) {
            Ok(Served::Answer(result)) => {
                let message = envelope::result(&id, &result);
                Turn::respond(exchange, envelope::response(StatusCode::OK, message))
            }
            Ok(Served::Refused(result, observed)) => {
                let message = envelope::result(&id, &result);
                let response = envelope::response(StatusCode::OK, message);
                let mut turn = Turn::respond(exchange, response);
                turn.observations = observed;
                turn
            }
            Ok(Served::Later(turn)) => turn,
            Ok(Served::Forbidden(forbidden)) => self.forbidden(exchange, &id, &forbidden),
            Err(error) => self.unreadable(
                exchange,
                Unreadable {
                    id: Some(id),
                    error,
                },
            ),
        }
    }

    /// Tells a client which access token to get.
    fn forbidden(&self, exchange: Exchange, id: &Id, forbidden: &Forbidden) -> Turn {
        let (error, challenge) = (forbidden.error(), forbidden.challenge());
        let message = envelope::error(self.version, Some(id), &error);
        let mut response = envelope::response(challenge.status(), message);
        let header = challenge.header();
        response.headers.insert(WWW_AUTHENTICATE, header);
        Turn::respond(exchange, response).observed(rejected(exchange, &error))
    }

    /// Answers what could not be served.
    pub(super) fn unreadable(&self, exchange: Exchange, unreadable: Unreadable) -> Turn {
        let Unreadable { id, error } = unreadable;
        let message = envelope::error(self.version, id.as_ref(), &error);
        let response = envelope::response(envelope::status(&error), message);
        Turn::respond(exchange, response).observed(rejected(exchange, &error))
    }

    /// Serves a request. `stream` is the one of the batch it belongs to.
    pub(super) fn serve(
        &mut self,
        input: Input<'_>,
        request: Request<'_>,
        stream: Option<u64>,
    ) -> Result<Served, ErrorObject> {
        if let Some(kind) = CallKind::of(&request.method) {
            return self.begin(input, request, kind, stream);
        }
        let (offering, method) = (input.offering, &*request.method);
        if let Err(forbidden) = calling::permitted(offering, &input.caller, method, &[]) {
            return Ok(Served::Forbidden(forbidden));
        }
        match method {
            "ping" => {}
            "logging/setLevel" => self.set_level(request.params)?,
            "resources/subscribe" => match self.subscribe(input, request.params) {
                Ok(()) => {}
                Err(Uncallable::Error(error)) => return Err(error),
                Err(Uncallable::Forbidden(forbidden)) => return Ok(Served::Forbidden(forbidden)),
            },
            "resources/unsubscribe" => {
                let params = request.params.unwrap_or(Json::EMPTY_OBJECT);
                self.subscriptions.remove(&*string(params, "uri")?);
            }
            "initialize" => {
                let message = "The session has begun already, and begins only once";
                return Err(ErrorObject::invalid_request(message));
            }
            method => {
                let params = request.params.unwrap_or(Json::EMPTY_OBJECT);
                return self.list(input, method, params).map(Served::Answer);
            }
        }
        Ok(Served::Answer("{}".to_owned()))
    }

    /// One page of a list.
    fn list(
        &self,
        input: Input<'_>,
        method: &str,
        params: Json<'_>,
    ) -> Result<String, ErrorObject> {
        let caller = self.caller(input.caller);
        let page = calling::page(input.offering, &caller, method, params)
            .ok_or_else(|| ErrorObject::method_not_found("Method not found"))??;
        let member = page.member;
        let items = super::shape::items(self.version, member, page.items.into_owned());
        Ok(match page.next_cursor {
            None => format!(r#"{{"{member}":{items}}}"#),
            // A cursor is base64: nothing in it needs escaping.
            Some(cursor) => format!(r#"{{"{member}":{items},"nextCursor":"{cursor}"}}"#),
        })
    }

    /// See [Logging](https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#setting-log-level).
    ///
    /// Before it nothing is sent, as in the modern era.
    fn set_level(&mut self, params: Option<Json<'_>>) -> Result<(), ErrorObject> {
        let level = params
            .and_then(|params| params.get("level"))
            .and_then(|level| level.parse().ok())
            .ok_or_else(|| ErrorObject::invalid_params("params.level is not a log level"))?;
        self.log_level = Some(level);
        Ok(())
    }

    /// See [Subscriptions](https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions).
    ///
    /// Who may not read a resource is not told when it changes.
    fn subscribe(&mut self, input: Input<'_>, params: Option<Json<'_>>) -> Result<(), Uncallable> {
        let uri = string(params.unwrap_or(Json::EMPTY_OBJECT), "uri")?;
        let caller = self.caller(input.caller);
        let limits = input.offering.limits();
        let found = input.offering.catalog.at(&uri, &caller);
        let Some(listed) = found.filter(|_| uri.len() <= limits.uri_bytes) else {
            return Err(resource_not_found(&uri).into());
        };
        let method = CallKind::Resource.method();
        calling::permitted(input.offering, &caller, method, &listed.scopes)?;
        let new = !self.subscriptions.contains_key(&*uri);
        let bytes: usize = self.subscriptions.keys().map(|uri| uri.len()).sum();
        let full = self.subscriptions.len() >= limits.subscription_uris
            || bytes.saturating_add(uri.len()) > limits.uri_bytes.saturating_mul(8);
        if new && full {
            return Err(ErrorObject::invalid_params("Too many subscriptions").into());
        }
        self.subscriptions.entry((*uri).into()).or_default();
        Ok(())
    }

    pub(super) fn notified(&mut self, input: &Input<'_>, notification: &Notification<'_>) -> Turn {
        match &*notification.method {
            "notifications/initialized" => {
                self.initialized = true;
                self.flush()
            }
            "notifications/cancelled" => self.cancelled(input, notification.params),
            // Roots are listed afresh whenever a step asks for them, so there is nothing to drop
            // when they change; and what is not known says nothing.
            _ => Turn::default(),
        }
    }
}

/// What is observed of an error that answers a message.
pub(super) fn rejected(exchange: Exchange, error: &ErrorObject) -> Observation {
    Observation::Rejected {
        exchange,
        reason: shown(&error.message),
    }
}

/// Why a body past the limit is not read.
pub(super) fn too_long() -> Unreadable {
    Unreadable {
        id: None,
        error: ErrorObject::invalid_request("The message is longer than the limit"),
    }
}

/// The error that these revisions have for a resource that is not there.
///
/// See [Resources, error handling](https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling).
pub(super) fn resource_not_found(uri: &str) -> ErrorObject {
    ErrorObject {
        code: LEGACY_RESOURCE_NOT_FOUND,
        ..calling::resource_not_found(uri)
    }
}
