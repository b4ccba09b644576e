//! AWS Lambda behind an HTTP API of API Gateway. Nothing is kept between two invocations, so it is
//! the lane without sessions, and a response is whole: what would be a stream is gathered first.

use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt, Response, run, service_fn};
use mcp_reprise::adapters::{Live, moment};
use mcp_reprise::http::{Endpoint, Exchanges, Part};
use mcp_reprise::{Caller, Exchange};
use shared::Failed;

/// Whom the authorizer of the gateway has let in.
fn caller(request: &Request) -> Caller {
    let context = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context,
        _ => return Caller::anonymous(),
    };
    let jwt = context
        .authorizer
        .as_ref()
        .and_then(|found| found.jwt.as_ref());
    match jwt.and_then(|jwt| jwt.claims.get("sub")) {
        Some(subject) => Caller::principal(subject),
        None => Caller::anonymous(),
    }
}

/// What is said is text, and need not be wrapped for the gateway.
fn text(body: Vec<u8>) -> Body {
    String::from_utf8_lossy(&body).into_owned().into()
}

async fn respond(
    live: &Live,
    endpoint: Endpoint,
    request: Request,
) -> Result<Response<Body>, Failed> {
    let (exchange, caller, mut body) = (Exchange(1), caller(&request), Vec::new());
    let mut exchanges = Exchanges::new(endpoint);
    let mut todo = exchanges.receive(exchange, caller, &request, &moment()?);
    let mut head = Response::new(());
    loop {
        // Whoever would listen is told at once that it is over: no function waits for that.
        todo.extend(exchanges.close_listeners(moment()?.now));
        for (_, part) in todo.parts.drain(..) {
            match part {
                Part::Whole(whole) => return Ok(whole.map(text)),
                Part::Open(open) => head = open,
                Part::Data(data) => body.extend(data),
                _ => return Ok(head.map(|()| text(body))),
            }
        }
        for seen in todo.observations.drain(..) {
            eprintln!("{seen:?}");
        }
        if let Some(claim) = todo.claims.pop() {
            // In earnest a conditional put into a table that all instances share.
            let is_new = live.claim(&claim);
            todo.extend(exchanges.claimed(claim, is_new, &moment()?));
            continue;
        }
        let step = todo.steps.pop().ok_or("nothing more will come")?;
        let sink = exchanges.sink(&step, || {});
        let finished = step.run_async(&sink).await;
        todo.extend(exchanges.finish(finished, &moment()?));
    }
}

async fn serve() -> Result<(), Failed> {
    // Every instance has the same key, from where secrets are kept.
    let key = std::env::var("STATE_KEY")?;
    let live = shared::live(key.as_bytes().try_into()?)?;
    // The gateway answers to its own names alone.
    let endpoint = Endpoint::new(live.server()).allow_any_host();
    let service = |request| respond(&live, endpoint.clone(), request);
    run(service_fn(service)).await
}

fn main() -> Result<(), Failed> {
    tokio::runtime::Runtime::new()?.block_on(serve())
}
