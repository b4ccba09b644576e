//! `tiny_http`: blocking, a thread for each request and each step, and no `async` at all.

use std::io::{self, Read, Write};
use std::thread;

use mcp_reprise::Caller;
use mcp_reprise::adapters::{Desk, dice};
use mcp_reprise::http::{Endpoint, Part};
use shared::Failed;
use tiny_http::{Header, Request, Response, Server};

fn respond(desk: &Desk, limit: usize, mut theirs: Request) -> Result<(), Failed> {
    let mut ours = http::Request::builder()
        .method(theirs.method().as_str())
        .uri(theirs.url());
    for header in theirs.headers() {
        ours = ours.header(header.field.as_str().as_str(), header.value.as_str());
    }
    // One byte more is as good as any more: it is refused.
    let mut body = Vec::new();
    let reader = theirs.as_reader();
    reader.take(limit as u64 + 1).read_to_end(&mut body)?;
    // Dropping the parts is the client hanging up.
    let mut parts = desk.receive(Caller::anonymous(), &ours.body(body)?)?;
    match parts.wait() {
        Some(Part::Whole(whole)) => {
            let mut response = Response::from_data(whole.body().as_slice());
            for (name, value) in whole.headers() {
                let header = Header::from_bytes(name.as_str(), value.as_bytes());
                response.add_header(header.map_err(|()| "no such header")?);
            }
            let status = whole.status().as_u16();
            Ok(theirs.respond(response.with_status_code(status))?)
        }
        Some(Part::Open(head)) => {
            let mut writer = theirs.into_writer();
            write!(writer, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n")?;
            for (name, value) in head.headers() {
                write!(writer, "{name}: {}\r\n", value.to_str()?)?;
            }
            write!(writer, "\r\n")?;
            // Its own way of streaming gathers 8 KiB before it writes. Here each event is written
            // when it comes, and a write that fails is how a client is missed.
            while let Some(Part::Data(data)) = parts.wait() {
                write!(writer, "{:x}\r\n", data.len())?;
                writer.write_all(&data)?;
                write!(writer, "\r\n")?;
                writer.flush()?;
            }
            write!(writer, "0\r\n\r\n")?;
            Ok(writer.flush()?)
        }
        _ => Err("the desk is closed".into()),
    }
}

fn main() -> Result<(), Failed> {
    let address = std::env::args().nth(1);
    let server = Server::http(address.as_deref().unwrap_or("127.0.0.1:8000"))?;
    println!("{}", server.server_addr());
    let live = shared::live(dice()?)?;
    let limit = live.server().limits().body_bytes;
    let endpoint = Endpoint::new(live.server());
    let run = |job: mcp_reprise::adapters::Job| {
        // A thread that cannot be had drops the job, and its client is told to try again.
        let _ = thread::Builder::new().spawn(|| job.run());
    };
    let desk = Desk::new(live, endpoint, run, |seen| eprintln!("{seen:?}"));
    for request in server.incoming_requests() {
        let desk = desk.clone();
        thread::spawn(move || {
            if let Err(gone) = respond(&desk, limit, request) {
                eprintln!("{gone}");
            }
        });
    }
    Err(io::Error::other("the listener is closed").into())
}
