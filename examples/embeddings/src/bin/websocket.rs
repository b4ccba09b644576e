//! A WebSocket: the binding of lines without lines, since a text frame is a message.

use futures_util::{SinkExt, StreamExt};
use mcp_reprise::adapters::{Live, Notice, dice, moment, now};
use mcp_reprise::lines::Connection;
use mcp_reprise::{Caller, Exchange, Finished, Turn};
use shared::Failed;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_tungstenite::accept_hdr_async_with_config;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::{Message, protocol::WebSocketConfig};

enum Event {
    Reported(Exchange),
    Finished(Box<Finished>),
    Flush,
}

/// Any page may open a WebSocket to anywhere: here none is let in. The same headers say who calls.
#[expect(clippy::result_large_err, reason = "so is the callback")]
fn admit(request: &Request, response: Response) -> Result<Response, ErrorResponse> {
    let admitted = (!request.headers().contains_key("origin")).then_some(response);
    admitted.ok_or_else(|| ErrorResponse::new(Some("No page is let in".to_owned())))
}

/// Returning drops the connection, and that cancels whatever still runs for it.
async fn serve(live: Live, stream: TcpStream) -> Result<(), Failed> {
    let limit = live.server().limits().body_bytes;
    let config = WebSocketConfig::default().max_message_size(Some(limit));
    let socket = accept_hdr_async_with_config(stream, admit, Some(config)).await?;
    let (mut sender, mut receiver) = socket.split();
    let mut connection = Connection::new(live.server());
    let (events, mut inbox) = unbounded_channel();
    let (listeners, flush) = (connection.listeners(), events.clone());
    let _subscription = live.notifier().subscribe(move |notice| match notice {
        Notice::Change(change) if listeners.notify(change) => drop(flush.send(Event::Flush)),
        _ => {}
    });
    let mut next = 0;
    loop {
        let due = connection.deadline().map(|due| due.since(now()));
        let turn = tokio::select! {
            frame = receiver.next() => match frame {
                Some(Ok(Message::Text(text))) => {
                    next += 1;
                    let caller = Caller::anonymous();
                    connection.receive(Exchange(next), caller, text.as_bytes(), &moment()?)
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Turn::default(),
                _ => return Ok(()),
            },
            event = inbox.recv() => match event {
                Some(Event::Reported(exchange)) => connection.reported(exchange),
                Some(Event::Finished(finished)) => connection.finish(*finished, &moment()?),
                Some(Event::Flush) | None => Turn::default(),
            },
            () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => {
                connection.tick(&moment()?)
            }
        };
        let out = perform(&mut connection, live.settle(turn), &events);
        for message in String::from_utf8(out)?.lines() {
            // Nothing is read meanwhile: a client that is slow to take this waits for itself.
            sender.send(Message::text(message)).await?;
        }
    }
}

fn perform(connection: &mut Connection, turn: Turn, events: &UnboundedSender<Event>) -> Vec<u8> {
    let mut out = Vec::new();
    for action in turn.actions {
        connection.write(action, &mut out);
    }
    connection.flush(&mut out);
    for step in turn.steps {
        let (exchange, reported, finished) = (step.exchange(), events.clone(), events.clone());
        let wake = move || drop(reported.send(Event::Reported(exchange)));
        let sink = connection.sink(&step, wake);
        let run = step.run_async(&sink); // a plain step that takes long: on `spawn_blocking`
        tokio::spawn(async move { finished.send(Event::Finished(Box::new(run.await))) });
    }
    out
}

async fn listen(address: &str) -> Result<(), Failed> {
    let live = shared::live(dice()?)?;
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    loop {
        tokio::spawn(serve(live.clone(), listener.accept().await?.0));
    }
}

fn main() -> Result<(), Failed> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or("127.0.0.1:8000".to_owned());
    tokio::runtime::Runtime::new()?.block_on(listen(&address))
}
