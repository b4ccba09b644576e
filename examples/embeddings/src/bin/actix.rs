//! actix-web: its workers are threads with a tokio of their own, and its `http` is an older one.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data, PayloadConfig, resource};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt};
use futures_util::stream::poll_fn;
use mcp_reprise::Caller;
use mcp_reprise::adapters::{Desk, Job, dice};
use mcp_reprise::http::{Endpoint, Part};
use shared::Failed;

async fn respond(
    theirs: HttpRequest,
    body: Bytes,
    desk: Data<Desk>,
) -> Result<HttpResponse, Box<dyn std::error::Error>> {
    let mut ours = http::Request::builder()
        .method(theirs.method().as_str())
        .uri(theirs.uri().to_string());
    for (name, value) in theirs.headers() {
        ours = ours.header(name.as_str(), value.as_bytes());
    }
    let mut parts = desk.receive(Caller::anonymous(), &ours.body(body)?)?;
    let (head, whole) = match parts.next().await.ok_or("the desk is closed")? {
        Part::Whole(whole) => {
            let (head, body) = whole.into_parts();
            (head, Some(body))
        }
        Part::Open(head) => (head.into_parts().0, None),
        _ => return Err("a part that begins no response".into()),
    };
    let mut response = HttpResponse::build(StatusCode::from_u16(head.status.as_u16())?);
    for (name, value) in &head.headers {
        response.append_header((name.as_str(), value.as_bytes()));
    }
    Ok(match whole {
        Some(body) => response.body(body),
        // The stream owns the parts: where actix drops it, the client has hung up.
        None => response.streaming(poll_fn(move |context| {
            parts.poll_next(context).map(|part| match part {
                Some(Part::Data(data)) => Some(Ok::<_, Infallible>(Bytes::from(data))),
                _ => None,
            })
        })),
    })
}

async fn serve() -> Result<(), Failed> {
    let live = shared::live(dice()?)?;
    let limit = live.server().limits().body_bytes;
    let endpoint = Endpoint::new(live.server());
    let tokio = tokio::runtime::Handle::current();
    let run = move |job: Job| match job.is_plain() {
        true => drop(tokio.spawn_blocking(|| job.run())),
        false => drop(tokio.spawn(job.run_async())),
    };
    let desk = Desk::new(live, endpoint, run, |seen| eprintln!("{seen:?}"));
    let ticked = desk.clone();
    rt::spawn(async move {
        loop {
            rt::time::sleep(Duration::from_millis(100)).await;
            ticked.tick();
        }
    });
    let app = move || {
        App::new()
            .app_data(Data::new(desk.clone()))
            .app_data(PayloadConfig::new(limit))
            .service(resource("/mcp").to(respond))
    };
    let address = std::env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8000");
    let server = HttpServer::new(app).workers(1).bind(address)?;
    println!("{}", server.addrs()[0]);
    Ok(server.run().await?)
}

fn main() -> Result<(), Failed> {
    rt::System::new().block_on(serve())
}
