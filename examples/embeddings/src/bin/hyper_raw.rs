//! Raw hyper, without the tower adapter: steps are tasks of tokio, or on its blocking threads.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::stream::poll_fn;
use http_body_util::{BodyExt, Either, Full, Limited, StreamBody};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::{Request, Response, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use mcp_reprise::Caller;
use mcp_reprise::adapters::{Desk, Job, dice};
use mcp_reprise::http::{Endpoint, Part};
use shared::Failed;
use tokio::net::TcpListener;

fn run(job: Job) {
    match job.is_plain() {
        true => drop(tokio::task::spawn_blocking(|| job.run())),
        false => drop(tokio::spawn(job.run_async())),
    }
}

async fn respond(
    desk: Desk,
    limit: usize,
    request: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = Failed>>, Failed> {
    let (head, body) = request.into_parts();
    // A body that is longer yet ends the connection; this much is refused in words.
    let body = Limited::new(body, limit + 1).collect().await?.to_bytes();
    let request = Request::from_parts(head, body);
    let mut parts = desk.receive(Caller::anonymous(), &request)?;
    match parts.next().await {
        Some(Part::Whole(whole)) => Ok(whole.map(|body| Either::Left(Full::from(body)))),
        Some(Part::Open(head)) => {
            // It owns the parts: where hyper drops it, the client has hung up.
            let frames = poll_fn(move |context| {
                parts.poll_next(context).map(|part| match part {
                    Some(Part::Data(data)) => Some(Ok::<_, Failed>(Frame::data(data.into()))),
                    _ => None,
                })
            });
            Ok(head.map(|()| Either::Right(StreamBody::new(frames))))
        }
        _ => Err("the desk is closed".into()),
    }
}

async fn serve(address: SocketAddr) -> Result<(), Failed> {
    let live = shared::live(dice()?)?;
    let limit = live.server().limits().body_bytes;
    let endpoint = Endpoint::new(live.server());
    let desk = Desk::new(live, endpoint, run, |seen| eprintln!("{seen:?}"));
    let ticked = desk.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            ticked.tick();
        }
    });
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let desk = desk.clone();
        let service = service_fn(move |request| respond(desk.clone(), limit, request));
        let mut http = http1::Builder::new();
        let http = http.timer(TokioTimer::new());
        tokio::spawn(http.serve_connection(TokioIo::new(stream), service));
    }
}

fn main() -> Result<(), Failed> {
    let address = std::env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8000").parse()?;
    tokio::runtime::Runtime::new()?.block_on(serve(address))
}
