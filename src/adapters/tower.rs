//! One MCP endpoint as a `tower_service::Service` over `http::Request`: for hyper, axum, Lambda.

mod body;
mod running;
#[cfg_attr(not(feature = "legacy"), path = "tower/sessionless.rs")]
mod sessions;

use std::convert::Infallible;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use ::http::request::Parts;
use ::http::{Request, Response, StatusCode};
use ::http_body::Body as HttpBody;
use ::tower_service::Service;
use bytes::Buf;

pub use body::Body;
use body::{Parts as _, opened};
use running::Running;

use super::live::Live;
use crate::action::{Action, Claim, Turn};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::http::{Endpoint, GuardError};
use crate::observation::Observation;

/// One MCP endpoint over Streamable HTTP.
///
/// Async steps run inside the response they are for: a client that hangs up drops them. Plain
/// steps run on the runtime's blocking threads, and see it in
/// [`Cx::is_cancelled`](crate::Cx::is_cancelled).
///
/// ```no_run
/// use hyper_util::{rt::{TokioIo, TokioTimer}, service::TowerToHyperService};
/// use mcp_reprise::{Server, adapters::{dice, tower::McpService}};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process(dice()?).build()?;
/// let service = McpService::new(server);
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
/// loop {
///     let (stream, _) = listener.accept().await?;
///     stream.set_nodelay(true)?;
///     let service = TowerToHyperService::new(service.clone());
///     tokio::spawn(hyper::server::conn::http1::Builder::new()
///         .timer(TokioTimer::new())
///         .serve_connection(TokioIo::new(stream), service));
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct McpService(Arc<Shared>);

struct Shared {
    live: Live,
    endpoint: Endpoint,
    caller: Box<dyn Fn(&Parts) -> Caller + Send + Sync>,
    observe: Box<dyn Fn(&Observation) + Send + Sync>,
    next: AtomicU64,
    hub: sessions::Hub,
}

impl fmt::Debug for McpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("McpService")
    }
}

/// Builds a [`McpService`].
#[must_use]
pub struct McpServiceBuilder(Shared);

impl fmt::Debug for McpServiceBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("McpServiceBuilder")
    }
}

impl McpService {
    /// An endpoint that lets loopback in, knows no callers, and tells nobody what it observes.
    pub fn new(live: impl Into<Live>) -> Self {
        Self::builder(live).build()
    }

    /// Builds an endpoint with more than that.
    pub fn builder(live: impl Into<Live>) -> McpServiceBuilder {
        let live = live.into();
        McpServiceBuilder(Shared {
            endpoint: Endpoint::new(live.server()),
            live,
            caller: Box::new(|_| Caller::anonymous()),
            observe: Box::new(|_| {}),
            next: AtomicU64::new(0),
            hub: sessions::Hub::default(),
        })
    }
}

impl McpServiceBuilder {
    /// Lets requests in for a host, beside those of this machine: see [`Endpoint::allow_host`].
    ///
    /// ```
    /// # use mcp_reprise::{Server, adapters::tower::McpService};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let service = McpService::builder(server)
    ///     .allow_host("mcp.example.com")?
    ///     .allow_origin("https://app.example.com")?
    ///     .build();
    /// # let _ = service;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// What is no host.
    pub fn allow_host(mut self, host: &str) -> Result<Self, GuardError> {
        self.0.endpoint = self.0.endpoint.allow_host(host)?;
        Ok(self)
    }

    /// Lets the pages of an origin in: see [`Endpoint::allow_origin`].
    ///
    /// # Errors
    ///
    /// What is no origin.
    pub fn allow_origin(mut self, origin: &str) -> Result<Self, GuardError> {
        self.0.endpoint = self.0.endpoint.allow_origin(origin)?;
        Ok(self)
    }

    /// Sets the guards of the endpoint, which are those of [`Endpoint::new`] without it.
    ///
    /// ```
    /// # use mcp_reprise::{Server, adapters::tower::McpService};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let service = McpService::builder(server).guards(|endpoint| endpoint.allow_any_host()).build();
    /// # let _ = service;
    /// # Ok(())
    /// # }
    /// ```
    pub fn guards(mut self, set: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        self.0.endpoint = set(self.0.endpoint);
        self
    }

    /// How to tell who is calling. It reads what the middleware in front has put into the
    /// request; the check itself belongs there, since it may have to wait.
    ///
    /// Here the middleware has put a [`Caller`] there, unless the token was not good:
    ///
    /// ```
    /// use mcp_reprise::{Caller, Server, adapters::tower::McpService};
    /// use mcp_reprise::http::{ProtectedResource, bearer};
    ///
    /// /// Asks whoever knows. A real check makes sure that the token was issued for this server.
    /// async fn check(token: &str) -> Option<Caller> {
    ///     (token == "alices-token").then(|| Caller::principal("alice").scopes(["mail:read"]))
    /// }
    ///
    /// /// What stands in front of the service.
    /// async fn middleware<B>(request: http::Request<B>) -> http::Request<B> {
    ///     let (mut head, body) = request.into_parts();
    ///     // What is wrong with the header the service tells the client itself.
    ///     let caller = match bearer(&head) {
    ///         Ok(Some(token)) => check(token).await,
    ///         Ok(None) | Err(_) => None,
    ///     };
    ///     head.extensions.insert(caller.unwrap_or_default());
    ///     http::Request::from_parts(head, body)
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let resource = ProtectedResource::new("https://mcp.example.com/mcp", ["https://auth.example.com"])?;
    /// let service = McpService::builder(server)
    ///     .guards(|endpoint| endpoint.protected(resource).allow_any_host())
    ///     .caller(|head| head.extensions.get::<Caller>().cloned().unwrap_or_default())
    ///     .build();
    /// # let _ = service;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A service that is [protected](Endpoint::protected) answers at the path of its metadata
    /// document too, so route that to it as well.
    pub fn caller(mut self, caller: impl Fn(&Parts) -> Caller + Send + Sync + 'static) -> Self {
        self.0.caller = Box::new(caller);
        self
    }

    /// Where to send what is observed. Without it, nowhere.
    pub fn observe(mut self, observe: impl Fn(&Observation) + Send + Sync + 'static) -> Self {
        self.0.observe = Box::new(observe);
        self
    }

    /// Builds the service.
    pub fn build(self) -> McpService {
        let shared = Arc::new(self.0);
        sessions::attach(&shared);
        McpService(shared)
    }
}

impl Shared {
    /// Tells what was observed, and settles claims.
    fn settle(&self, turn: Turn) -> Turn {
        turn.observations.iter().for_each(&*self.observe);
        let mut settled = Turn {
            steps: turn.steps,
            ..Turn::default()
        };
        for action in turn.actions {
            match action {
                Action::Claim(claim) => {
                    let claimed = self.claimed(claim);
                    settled.extend(claimed);
                }
                action => settled.actions.push(action),
            }
        }
        settled
    }

    fn claimed(&self, claim: Claim) -> Turn {
        if self.live.claim(&claim) {
            return Turn::run(claim.grant());
        }
        let refused = claim.refuse();
        refused.observations.iter().for_each(&*self.observe);
        refused
    }
}

impl<B> Service<Request<B>> for McpService
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(async move { Ok(respond(shared, request).await) })
    }
}

async fn respond<B: HttpBody>(shared: Arc<Shared>, request: Request<B>) -> Response<Body> {
    let exchange = Exchange(shared.next.fetch_add(1, Ordering::Relaxed));
    let (parts, body) = request.into_parts();
    let endpoint = shared.endpoint.with_server(shared.live.server());
    if let Some(document) = endpoint.metadata(&parts) {
        return document.map(Body::whole);
    }
    let caller = (shared.caller)(&parts);
    let refused = endpoint
        .refuse_head(exchange, &parts)
        .or_else(|| endpoint.refuse_caller(exchange, &caller));
    let turn = match refused {
        Some(turn) => turn,
        None => {
            let limit = endpoint.server().limits().body_bytes;
            let Some(body) = collect(body, limit).await else {
                return plain(StatusCode::BAD_REQUEST);
            };
            let request = Request::from_parts(parts, body);
            match sessions::respond(&shared, &endpoint, exchange, &caller, &request).await {
                Ok(turn) => turn,
                Err(response) => return response,
            }
        }
    };
    let mut running = Running::new(shared, endpoint, turn);
    let first = poll_fn(|context| running.poll_part(context)).await;
    opened(first, running)
}

/// Reads a body up to one byte past the limit, where the endpoint will refuse it. `None` when it
/// breaks off.
async fn collect<B: HttpBody>(body: B, limit: usize) -> Option<Vec<u8>> {
    let mut body = pin!(body);
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or(limit);
    let mut collected = Vec::with_capacity(expected.min(limit));
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let Ok(mut data) = frame.ok()?.into_data() else {
            continue;
        };
        while data.has_remaining() && collected.len() <= limit {
            let chunk = data.chunk();
            let room = limit.saturating_add(1) - collected.len();
            let room = room.min(chunk.len());
            collected.extend_from_slice(chunk.get(..room).unwrap_or_default());
            data.advance(room);
        }
        if collected.len() > limit {
            break;
        }
    }
    Some(collected)
}

fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::whole(Vec::new()));
    *response.status_mut() = status;
    response
}
