//! Serving HTTP: a session's requests here, and all others as `McpService` does.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{Method, Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Full, Limited};
use mcp_reprise::adapters::moment;
use mcp_reprise::http::{Part, Reply};
use mcp_reprise::legacy::{Lane, Session, Transport};
use mcp_reprise::{Caller, Exchange, Turn};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tower_service::Service;

use crate::{Replica, lock};

impl Replica {
    /// Serves one request.
    pub async fn serve(&self, request: Request<Body>) -> Response<Body> {
        let (head, body) = request.into_parts();
        let server = self.0.endpoint.server().clone();
        let limit = server.limits().body_bytes + 1;
        let Ok(body) = Limited::new(body, limit).collect().await else {
            return plain(StatusCode::PAYLOAD_TOO_LARGE);
        };
        let body = body.to_bytes();
        let (exchange, caller) = (self.exchange(), Caller::anonymous());
        let lane = Lane::of(&head.method, &head.headers, &body, server.limits());
        let kept_out = self.0.endpoint.refuse_head(exchange, &head).is_some();
        let Ok(at) = moment() else {
            return plain(StatusCode::INTERNAL_SERVER_ERROR);
        };
        let id = head
            .headers
            .get("mcp-session-id")
            .and_then(|id| id.to_str().ok());
        let (sender, parts) = unbounded_channel();
        let outlet = (Reply::new(server.limits().keep_alive), sender);
        lock(&self.0.outlets).insert(exchange, outlet);
        let stream = Stream {
            replica: self.clone(),
            exchange,
            id: id.unwrap_or_default().to_owned(),
            parts,
        };
        let served = match (lane, id) {
            (Lane::Opening, None) if !kept_out => {
                let over = Transport::Http;
                let (session, turn) = Session::open(&server, over, exchange, &caller, &body, &at);
                let kept = match &session {
                    Some(session) => self.0.store.keep(session).await,
                    None => true,
                };
                self.perform("", turn).await;
                kept
            }
            (Lane::Session, Some(id)) if !kept_out => {
                let last = head
                    .headers
                    .get("last-event-id")
                    .map(|id| id.to_str().unwrap_or_default());
                self.change(id, |session| match head.method {
                    Method::GET => session.connect(&server, exchange, last, &at),
                    Method::DELETE => session.end(),
                    _ => session.receive(&server, exchange, caller.clone(), &body, &at),
                })
                .await
            }
            _ => false,
        };
        if served && head.method == Method::DELETE {
            return plain(StatusCode::OK);
        }
        if served {
            return stream.response().await;
        }
        lock(&self.0.outlets).remove(&exchange);
        let request = Request::from_parts(head, Full::<Bytes>::from(body));
        match self.0.modern.clone().call(request).await {
            Ok(response) => response.map(Body::new),
            Err(never) => match never {},
        }
    }
}

fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// The body of a stream of events. Dropped before its end, its client is gone for now.
struct Stream {
    replica: Replica,
    exchange: Exchange,
    id: String,
    parts: UnboundedReceiver<Part>,
}

impl Stream {
    /// The response that begins with the first part there is.
    async fn response(mut self) -> Response<Body> {
        match self.parts.recv().await {
            Some(Part::Whole(response)) => response.map(Body::from),
            Some(Part::Open(head)) => head.map(|()| Body::new(self)),
            _ => plain(StatusCode::INTERNAL_SERVER_ERROR),
        }
    }
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.parts.poll_recv(context).map(|part| match part {
            Some(Part::Data(data)) => Some(Ok(Frame::data(data.into()))),
            _ => None,
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let gone = lock(&self.replica.0.outlets).remove(&self.exchange);
        if gone.is_none() {
            return;
        }
        let (replica, exchange, id) = (self.replica.clone(), self.exchange, self.id.clone());
        tokio::spawn(async move {
            let Ok(at) = moment() else { return };
            let disconnect = |session: &mut Session| {
                session.disconnected(exchange, &at);
                Turn::default()
            };
            replica.change(&id, disconnect).await;
        });
    }
}
