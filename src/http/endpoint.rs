//! One endpoint: from a request to the lane that serves it.

use std::borrow::Cow;
use std::sync::Arc;

use ::http::header::{ACCEPT_ENCODING, ALLOW, HeaderName, HeaderValue};
use ::http::request::Parts;
use ::http::{HeaderMap, Method, Request, StatusCode, Uri};

use super::guard::{GuardError, Guards, KeptOut};
use super::resource::ProtectedResource;
use super::{binding, media};
use crate::action::Turn;
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::json::{Json, Kind};
use crate::message::{self, Id, Message};
use crate::modern;
use crate::moment::Moment;
use crate::observation::Observation;
use crate::protocol::{ErrorObject, PROTOCOL_VERSION};
use crate::server::{Read, Refused, Server};
use crate::wire;

/// One MCP endpoint over Streamable HTTP: pure, a request in, actions out.
///
/// Its guards are on: it lets in what names this machine as its host and comes from no web page
/// or from one of this machine's. A server that others reach says so, by name.
///
/// ```
/// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp, http::{Endpoint, Part, Reply}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
/// let endpoint = Endpoint::new(server).allow_host("mcp.example.com")?;
///
/// let request = http::Request::get("/mcp").header("host", "mcp.example.com").body(Vec::new())?;
/// let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
/// let mut turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment);
///
/// let mut reply = Reply::new(endpoint.server().limits().keep_alive);
/// let parts = reply.act(turn.actions.remove(0), moment.now);
/// let Some(Part::Whole(response)) = parts.into_iter().next() else { panic!("no response") };
/// assert_eq!(response.status(), 405);
/// assert_eq!(response.headers()["allow"], "POST");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Endpoint {
    server: Server,
    guards: Arc<Guards>,
    pub(super) protected: Option<Arc<ProtectedResource>>,
}

impl Endpoint {
    /// An endpoint that lets loopback in, and nothing else.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            guards: Arc::default(),
            protected: None,
        }
    }

    /// Lets a host in, by the name clients know it under: `example.com` on any port, or
    /// `example.com:8443` on that one. A `Host` without a port stands for 80 and for 443, since a
    /// client leaves out the port of its scheme. An address of IPv6 stands in brackets.
    ///
    /// # Errors
    ///
    /// [`GuardError::Host`] when it is none.
    pub fn allow_host(mut self, host: &str) -> Result<Self, GuardError> {
        Arc::make_mut(&mut self.guards).allow_host(host)?;
        Ok(self)
    }

    /// Lets web pages of an origin in: `https://example.com`, with its port where that is not the
    /// scheme's own.
    ///
    /// # Errors
    ///
    /// [`GuardError::Origin`] when it is none.
    pub fn allow_origin(mut self, origin: &str) -> Result<Self, GuardError> {
        Arc::make_mut(&mut self.guards).allow_origin(origin)?;
        Ok(self)
    }

    /// Lets every host in: only behind something that checks it.
    #[must_use]
    pub fn allow_any_host(mut self) -> Self {
        Arc::make_mut(&mut self.guards).allow_any_host();
        self
    }

    /// Lets every web page in: only behind something that checks it.
    #[must_use]
    pub fn allow_any_origin(mut self) -> Self {
        Arc::make_mut(&mut self.guards).allow_any_origin();
        self
    }

    /// The server behind the endpoint.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The same guards, and the same protection, in front of another server.
    ///
    /// ```
    /// # use mcp_reprise::{Server, http::Endpoint};
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// let old = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let new = Server::builder("demo", "1.1.0").single_process([7; 32]).build()?;
    /// let endpoint = Endpoint::new(old).with_server(new);
    /// assert_eq!(endpoint.server().identity().version, "1.1.0");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_server(&self, server: Server) -> Self {
        Self {
            server,
            guards: Arc::clone(&self.guards),
            protected: self.protected.clone(),
        }
    }

    /// Refuses a request by its head alone, so that a driver need not read its body: a foreign
    /// host or origin, no access token where one is needed, another method, another media type.
    /// `None`: find out whose the token is, read the body, and call [`Endpoint::receive`].
    pub fn refuse_head(&self, exchange: Exchange, head: &Parts) -> Option<Turn> {
        let sessions = self.server.offering.sessions;
        self.head(&head.method, &head.uri, &head.headers, sessions)
            .err()
            .map(|refusal| refusal.into_turn(exchange))
    }

    /// Serves one request.
    pub fn receive<B: AsRef<[u8]>>(
        &self,
        exchange: Exchange,
        caller: Caller,
        request: &Request<B>,
        moment: &Moment,
    ) -> Turn {
        let head = self
            .head(request.method(), request.uri(), request.headers(), false)
            .and_then(|()| self.check_caller(&caller));
        if let Err(refusal) = head {
            return refusal.into_turn(exchange);
        }
        let body = request.body().as_ref();
        let served = self.server.outline(body).and_then(|outline| {
            let read = self.read(&caller, request.headers(), outline.json())?;
            Ok(self.server.serve(exchange, caller, read, moment))
        });
        let turn = served.unwrap_or_else(|refused| refused.into_turn(exchange));
        self.pointed(turn)
    }

    /// Serves one request of either era: one that belongs to a session, or opens one, with the
    /// sessions that the driver keeps.
    ///
    /// # Errors
    ///
    /// The turn of a request that is not a session's: what comes of its steps goes to
    /// [`Server::finish`], and what comes of a session's to
    /// [`Sessions::finish`](crate::legacy::Sessions::finish).
    #[cfg(feature = "legacy")]
    pub fn receive_with<B: AsRef<[u8]>>(
        &self,
        sessions: &mut crate::legacy::Sessions,
        exchange: Exchange,
        caller: &Caller,
        request: &Request<B>,
        moment: &Moment,
    ) -> Result<Turn, Turn> {
        let enabled = self.server.offering.sessions;
        let (method, uri, headers) = (request.method(), request.uri(), request.headers());
        let head = self
            .head(method, uri, headers, enabled)
            .and_then(|()| self.check_caller(caller));
        if let Err(refusal) = head {
            return Err(refusal.into_turn(exchange));
        }
        // Which lane a request is of is told by its body, so that must not be too long to be read.
        if request.body().as_ref().len() > self.server.limits().body_bytes {
            return Err(Refused::TooLong.into_turn(exchange));
        }
        sessions
            .receive(&self.server, exchange, caller, request, moment)
            .map(|turn| self.pointed(turn))
            .ok_or_else(|| self.receive(exchange, caller.clone(), request, moment))
    }

    /// What a request's head alone decides. The guards come first: whoever is kept out learns
    /// nothing else. With `sessions`, a stream may be opened and a session ended.
    fn head(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        sessions: bool,
    ) -> Result<(), Rejection> {
        self.guards.admit(uri, headers).map_err(|kept_out| {
            let message = match kept_out {
                KeptOut::Host => "The Host is not one this server is known by",
                KeptOut::Origin => "The Origin is not one this server lets in",
            };
            Rejection::new(StatusCode::FORBIDDEN, message)
        })?;
        if headers.len() > self.server.limits().headers {
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return Err(Rejection::new(status, "The request has too many headers"));
        }
        self.check_token(uri, headers)?;
        let in_session = sessions && binding::version(headers, PROTOCOL_VERSION).is_err();
        if in_session && method == Method::DELETE {
            return Ok(());
        }
        if in_session && method == Method::GET {
            if media::takes_events(headers) {
                return Ok(());
            }
            let message = "Accept must admit text/event-stream";
            return Err(Rejection::new(StatusCode::NOT_ACCEPTABLE, message));
        }
        if method != Method::POST {
            let message = "This endpoint takes POST";
            return Err(Rejection::new(StatusCode::METHOD_NOT_ALLOWED, message)
                .with(ALLOW, HeaderValue::from_static("POST")));
        }
        if !media::is_json(headers) {
            let message = "The body must be application/json in UTF-8";
            let accept_post = HeaderName::from_static("accept-post");
            return Err(Rejection::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
                .with(accept_post, HeaderValue::from_static("application/json")));
        }
        if !media::is_plain(headers) {
            let message = "The body must come without an encoding";
            return Err(Rejection::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
                .with(ACCEPT_ENCODING, HeaderValue::from_static("identity")));
        }
        if !media::takes_both_forms(headers) {
            let message = "Accept must admit both application/json and text/event-stream";
            return Err(Rejection::new(StatusCode::NOT_ACCEPTABLE, message));
        }
        let most = u64::try_from(self.server.limits().body_bytes).unwrap_or(u64::MAX);
        if media::length(headers).is_some_and(|length| length > most) {
            let message = "The message is longer than the limit";
            return Err(Rejection::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        Ok(())
    }

    /// Reads the message of a body, and checks the headers against it.
    fn read<'a>(
        &self,
        caller: &Caller,
        headers: &HeaderMap,
        body: Json<'a>,
    ) -> Result<Read<'a>, Refused> {
        let request = match message::read(body)? {
            Message::Request(request) => request,
            other => return self.server.era(other),
        };
        // What the body lacks is the body's fault, and told as such further on.
        if let Some(version) = modern::Request::version_of(request.params).and_then(Json::as_str) {
            let checked = binding::version(headers, &version)
                .and_then(|()| binding::method(headers, &request.method));
            if let Err(mismatch) = checked {
                return Err(mismatched(request.id, &mismatch));
            }
        }
        match self.server.era(Message::Request(request))? {
            Read::Modern(request) => match self.check_called(caller, headers, &request) {
                Ok(()) => Ok(Read::Modern(request)),
                Err(mismatch) => Err(mismatched(request.id, &mismatch)),
            },
            other => Ok(other),
        }
    }

    /// Checks the headers of what is called.
    fn check_called<'a>(
        &'a self,
        caller: &Caller,
        headers: &HeaderMap,
        request: &modern::Request<'_>,
    ) -> Result<(), binding::Mismatch<'a>> {
        let executed = match &*request.method {
            "tools/call" | "prompts/get" => "name",
            "resources/read" => "uri",
            _ => return Ok(()),
        };
        // A name that is missing or no string is refused by its method.
        let Some(name) = request.params.get(executed).and_then(Json::as_str) else {
            return Ok(());
        };
        binding::name(headers, &name)?;
        if request.method != "tools/call" {
            return Ok(());
        }
        let Some(tool) = self.server.tool(&name, caller) else {
            return Ok(());
        };
        if tool.header_params.is_empty() {
            return Ok(());
        }
        let arguments = request.params.get("arguments");
        match arguments.unwrap_or(Json::EMPTY_OBJECT) {
            arguments if arguments.kind() == Kind::Object => {
                binding::params(headers, &tool.header_params, arguments)
            }
            _ => Ok(()),
        }
    }
}

fn mismatched(id: Id, mismatch: &binding::Mismatch<'_>) -> Refused {
    let error = ErrorObject::header_mismatch(mismatch.to_string());
    Refused::Modern(id, Box::new(error.into()))
}

/// A request that is refused before its body is looked at.
pub(super) struct Rejection {
    status: StatusCode,
    message: Cow<'static, str>,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Rejection {
    pub(super) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            message: message.into(),
            header: None,
        }
    }

    pub(super) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.header = Some((name, value));
        self
    }

    pub(super) fn into_turn(self, exchange: Exchange) -> Turn {
        let error = ErrorObject::invalid_request(&*self.message);
        let no_id: Option<&Id> = None;
        let mut response = wire::error_under(self.status, no_id, &error);
        response
            .headers
            .extend(self.header.map(|(name, value)| (Some(name), value)));
        Turn::respond(exchange, response).observed(Observation::Rejected {
            exchange,
            reason: self.message.into_owned(),
        })
    }
}
