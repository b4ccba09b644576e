//! smol, and no tokio: HTTP/1.1 by hand, a request a connection, with `httparse` for its head.

use std::time::Duration;

use mcp_reprise::Caller;
use mcp_reprise::adapters::{Desk, Job, dice};
use mcp_reprise::http::{Endpoint, Part};
use shared::Failed;
use smol::future::or;
use smol::io::{AsyncReadExt, AsyncWriteExt};
use smol::net::{TcpListener, TcpStream};
use smol::stream::StreamExt;

/// Reads one request; its body up to one byte past the limit, where it is refused.
async fn read(stream: &mut TcpStream, limit: usize) -> Result<http::Request<Vec<u8>>, Failed> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 8 << 10];
        let count = stream.read(&mut chunk).await?;
        bytes.extend_from_slice(&chunk[..count]);
        let mut headers = [httparse::EMPTY_HEADER; 128];
        let mut head = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(begin) = head.parse(&bytes)? else {
            if count == 0 || bytes.len() > 64 << 10 {
                return Err("no head".into());
            }
            continue;
        };
        let mut request = http::Request::builder()
            .method(head.method.unwrap_or_default())
            .uri(head.path.unwrap_or_default());
        for header in head.headers.iter() {
            request = request.header(header.name, header.value);
        }
        let length = request
            .headers_ref()
            .and_then(|all| all.get("content-length"));
        let length: usize = length.map_or(Ok("0"), |it| it.to_str())?.parse()?;
        let mut body = bytes.split_off(begin);
        let rest = length.min(limit + 1).saturating_sub(body.len());
        stream.take(rest as u64).read_to_end(&mut body).await?;
        return Ok(request.body(body)?);
    }
}

async fn respond(desk: Desk, limit: usize, mut stream: TcpStream) -> Result<(), Failed> {
    let request = read(&mut stream, limit).await?;
    let mut parts = desk.receive(Caller::anonymous(), &request)?;
    let mut watched = stream.clone();
    loop {
        // Whatever comes after the request, its end above all, is the client's goodbye.
        let gone = async {
            let _ = watched.read(&mut [0]).await;
            None
        };
        let part = or(parts.next(), gone).await;
        let out = match part {
            Some(Part::Whole(whole)) => [head(&whole), whole.into_body()].concat(),
            Some(Part::Open(open)) => head(&open),
            Some(Part::Data(data)) => data,
            _ => return Ok(()),
        };
        stream.write_all(&out).await?;
    }
}

fn head<B>(response: &http::Response<B>) -> Vec<u8> {
    let status = format!("HTTP/1.1 {}\r\nconnection: close\r\n", response.status());
    let mut head = status.into_bytes();
    for (name, value) in response.headers() {
        head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    head.extend(b"\r\n");
    head
}

async fn serve(address: &str) -> Result<(), Failed> {
    let live = shared::live(dice()?)?;
    let limit = live.server().limits().body_bytes;
    let endpoint = Endpoint::new(live.server());
    let run = |job: Job| match job.is_plain() {
        true => smol::unblock(|| job.run()).detach(),
        false => smol::spawn(job.run_async()).detach(),
    };
    let desk = Desk::new(live, endpoint, run, |seen| eprintln!("{seen:?}"));
    let ticked = desk.clone();
    let ticks = smol::Timer::interval(Duration::from_millis(100));
    smol::spawn(ticks.for_each(move |_| ticked.tick())).detach();
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        smol::spawn(respond(desk.clone(), limit, stream)).detach();
    }
}

fn main() -> Result<(), Failed> {
    let address = std::env::args().nth(1);
    smol::block_on(serve(address.as_deref().unwrap_or("127.0.0.1:8000")))
}
