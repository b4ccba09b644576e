//! axum, with the tower adapter behind a check of bearer tokens, and CORS in front of both.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::{Router, serve::ListenerExt};
use mcp_reprise::Caller;
use mcp_reprise::adapters::{dice, tower::McpService};
use mcp_reprise::http::{ProtectedResource, bearer};
use shared::Failed;
use tokio::net::TcpListener;
use tower_http::cors::CorsLayer;

/// The pages that may call.
const PAGE: &str = "https://app.example.com";

/// What the metadata document is served under.
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

/// Asks whoever knows. A real check makes sure that the token was issued for this server.
async fn check(token: &str) -> Option<Caller> {
    (token == "alices-token").then(|| Caller::principal("alice"))
}

/// Finds out who is calling. What is wrong with a token the service tells the client itself.
async fn identify(mut request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let caller = match bearer(&head) {
        Ok(Some(token)) => check(token).await,
        Ok(None) | Err(_) => None,
    };
    request = Request::from_parts(head, body);
    request.extensions_mut().insert(caller.unwrap_or_default());
    next.run(request).await
}

/// What a page may send, and what it may read of the answer. A preflight is answered here, since
/// it brings no token.
fn cors() -> CorsLayer {
    let mirrored = [
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
    ];
    let mut sent = vec![header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT];
    sent.extend(mirrored.map(HeaderName::from_static));
    sent.push(HeaderName::from_static("last-event-id"));
    CorsLayer::new()
        .allow_origin(HeaderValue::from_static(PAGE))
        .allow_methods([Method::POST, Method::GET, Method::DELETE])
        .allow_headers(sent)
        .expose_headers([
            HeaderName::from_static("mcp-session-id"),
            header::WWW_AUTHENTICATE,
        ])
}

async fn serve(address: &str) -> Result<(), Failed> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let url = format!("http://{address}/mcp");
    let resource = ProtectedResource::new(&url, ["https://auth.example.com"])?;
    let mcp = McpService::builder(shared::live(dice()?)?)
        .allow_origin(PAGE)?
        .guards(|endpoint| endpoint.protected(resource))
        .caller(|head| head.extensions.get::<Caller>().cloned().unwrap_or_default())
        .observe(|seen| eprintln!("{seen:?}"))
        .build();
    let app = Router::new()
        .route_service("/mcp", mcp.clone())
        .route_service(METADATA, mcp)
        .layer(from_fn(identify))
        .layer(cors());
    println!("{address}");
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    Ok(axum::serve(listener, app).await?)
}

fn main() -> Result<(), Failed> {
    let address = std::env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8000");
    tokio::runtime::Runtime::new()?.block_on(serve(address))
}
