//! Serving over HTTP with hyper: two endpoints, and who is calling.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::error::Error;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use mcp_reprise::adapters::{Live, now, tower};
use mcp_reprise::{Caller, Timestamp};
use tokio::net::TcpListener;

use crate::tokens::{self, Tokens};

/// A connection that sends no whole head for so long is closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// What is sent: the server's own body, or a line of ours.
type Body = Either<tower::Body, Full<Bytes>>;

/// The two endpoints.
#[derive(Clone)]
struct Site {
    /// Empty where everybody may come in.
    tokens: Arc<Tokens>,
    full: tower::McpService,
    brief: tower::McpService,
}

/// Serves until the process ends.
pub async fn http(
    address: SocketAddr,
    full: Live,
    brief: Live,
    tokens: Tokens,
) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await.map_err(|problem| {
        let hint = "--listen 127.0.0.1:0 picks a free port";
        io::Error::new(problem.kind(), format!("{address}: {problem}; {hint}"))
    })?;
    let address = listener.local_addr()?;
    let claims = Claims::default();
    let endpoint = |live, path| match tokens.is_empty() {
        true => Ok(open(claims.on(live))),
        false => tokens::service(claims.on(live), &format!("http://{address}{path}")),
    };
    let site = Site {
        full: endpoint(full, "/mcp")?,
        brief: endpoint(brief, "/mcp-brief")?,
        tokens: Arc::new(tokens),
    };
    welcome(address)?;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(problem) => {
                // Such as too many open files: others may end before long.
                eprintln!("{problem}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Without it, a small answer can wait for the acknowledgment of an earlier one.
        if stream.set_nodelay(true).is_err() {
            // It went away already.
            continue;
        }
        let site = site.clone();
        let service = service_fn(move |request| route(site.clone(), request));
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service);
            // A client that went away is no news.
            let _ = connection.await;
        });
    }
}

/// An endpoint for everybody.
fn open(live: Live) -> tower::McpService {
    tower::McpService::builder(live)
        .caller(|head| match head.extensions.get::<Principal>() {
            Some(Principal(name)) => Caller::principal(name),
            None => Caller::anonymous(),
        })
        .observe(|observation| eprintln!("{observation:?}"))
        .build()
}

async fn route(site: Site, mut request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let service = match request.uri().path() {
        "/mcp" | "/.well-known/oauth-protected-resource/mcp" => site.full,
        "/mcp-brief" | "/.well-known/oauth-protected-resource/mcp-brief" => site.brief,
        _ => return Ok(refuse(StatusCode::NOT_FOUND, "There is nothing here.\n")),
    };
    if site.tokens.is_empty() {
        match principal(request.headers()) {
            Ok(Some(principal)) => drop(request.extensions_mut().insert(principal)),
            Ok(None) => {}
            Err(problem) => return Ok(refuse(StatusCode::BAD_REQUEST, problem)),
        }
    } else {
        request = site.tokens.identify(request).await;
    }
    let answer = TowerToHyperService::new(service).call(request).await?;
    Ok(answer.map(Either::Left))
}

fn refuse(status: StatusCode, line: &'static str) -> Response<Body> {
    let mut response = Response::new(Either::Right(Full::from(line)));
    *response.status_mut() = status;
    response
}

/// Who is calling, where no token is asked for: see `tokens.rs` for how it is done in earnest.
#[derive(Clone)]
struct Principal(String);

/// `Authorization: Bearer NAME` makes NAME the principal, whoever sends it.
fn principal(headers: &HeaderMap) -> Result<Option<Principal>, &'static str> {
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    let Some(line) = lines.next() else {
        return Ok(None);
    };
    if lines.next().is_some() {
        return Err("There are two Authorization headers.\n");
    }
    let line = line
        .to_str()
        .map_err(|_| "What the Authorization header says is not text.\n")?;
    Ok(match line.split_once(' ') {
        Some((scheme, name))
            if scheme.eq_ignore_ascii_case("bearer") && !name.trim().is_empty() =>
        {
            Some(Principal(name.trim().to_owned()))
        }
        _ => None,
    })
}

/// Which uses of single-use tools were claimed. Replicas would share a table instead.
#[derive(Clone, Default)]
struct Claims(Arc<Mutex<BTreeMap<[u8; 16], Timestamp>>>);

impl Claims {
    /// A server whose claims these are.
    fn on(&self, live: Live) -> Live {
        let claims = self.clone();
        live.claims(move |id, until| claims.claim(id, until))
    }

    /// Gives whether this is the first claim of this id.
    fn claim(&self, id: [u8; 16], until: Timestamp) -> bool {
        let mut claimed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        claimed.retain(|_, until| *until > now);
        claimed.insert(id, until).is_none()
    }
}

fn welcome(address: SocketAddr) -> io::Result<()> {
    let url = format!("http://{address}/mcp");
    let mut out = io::stdout().lock();
    writeln!(
        out,
        r#"{url}

Try it, from another terminal:

curl -s {url} \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' \
  -H 'MCP-Protocol-Version: 2026-07-28' \
  -H 'Mcp-Method: tools/call' \
  -H 'Mcp-Name: ask_name' \
  -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"ask_name","_meta":{{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{}}}}}}}}}}'
"#
    )?;
    out.flush()
}
