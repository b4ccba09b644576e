//! A Unix socket with the binding of lines, on threads of `std` alone: for each connection one
//! that owns it, one that reads, and one for each step. Elsewhere it is the same on TCP.

#![allow(clippy::disallowed_methods, reason = "a driver has threads")]

mod shared;

use std::io::{self, Read, Write};
#[cfg(not(unix))]
pub use std::net::{TcpListener as Listener, TcpStream as Stream};
#[cfg(unix)]
pub use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use mcp_reprise::adapters::{Live, Notice, dice, moment, now};
use mcp_reprise::lines::Connection;
use mcp_reprise::{Caller, Exchange, Finished, Turn};

enum Event {
    Bytes(Vec<u8>),
    Gone,
    Reported(Exchange),
    Finished(Box<Finished>),
    Flush, // which goes without saying while other events wait
}

pub fn serve(listener: &Listener) -> Result<(), shared::Failed> {
    let live = shared::live(dice()?)?;
    for stream in listener.incoming() {
        let (stream, live) = (stream?, live.clone());
        thread::spawn(move || drive(&live, stream));
    }
    Ok(())
}

fn read(mut stream: Stream, events: &SyncSender<Event>) {
    let mut buffer = [0; 8 << 10];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        let _ = events.send(Event::Bytes(buffer[..count].to_vec()));
    }
    let _ = events.send(Event::Gone);
}

/// Returning drops the connection, and that cancels whatever still runs for it.
fn drive(live: &Live, mut stream: Stream) -> io::Result<()> {
    // Bounded: a client that writes faster than it is served waits in its own `write`.
    let (events, inbox) = sync_channel(16);
    let (reader, bytes, flush) = (stream.try_clone()?, events.clone(), events.clone());
    thread::spawn(move || read(reader, &bytes));
    let mut connection = Connection::new(live.server());
    let listeners = connection.listeners();
    let _subscription = live.notifier().subscribe(move |notice| match notice {
        Notice::Change(change) if listeners.notify(change) => drop(flush.try_send(Event::Flush)),
        _ => {}
    });
    let (mut next, who) = (0, Caller::anonymous());
    loop {
        let event = match connection.deadline() {
            Some(due) => inbox.recv_timeout(due.since(now())),
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let mut turn = Turn::default();
        match event {
            Ok(Event::Bytes(bytes)) => connection.feed(&bytes),
            Ok(Event::Reported(exchange)) => turn = connection.reported(exchange),
            Ok(Event::Finished(finished)) => turn = connection.finish(*finished, &moment()?),
            Ok(Event::Flush) => {}
            Err(RecvTimeoutError::Timeout) => turn = connection.tick(&moment()?),
            Ok(Event::Gone) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        stream.write_all(&perform(&mut connection, live.settle(turn), &events))?;
        while let Some(turn) = connection.next_turn(Exchange(next), who.clone(), &moment()?) {
            next += 1;
            stream.write_all(&perform(&mut connection, live.settle(turn), &events))?;
        }
    }
}

fn perform(connection: &mut Connection, turn: Turn, events: &SyncSender<Event>) -> Vec<u8> {
    let mut out = Vec::new();
    for action in turn.actions {
        // What it gives back is a cancellation, which has reached the step's sink already.
        connection.write(action, &mut out);
    }
    connection.flush(&mut out);
    for step in turn.steps {
        let (exchange, reported, finished) = (step.exchange(), events.clone(), events.clone());
        let wake = move || drop(reported.send(Event::Reported(exchange)));
        let sink = connection.sink(&step, wake);
        thread::spawn(move || finished.send(Event::Finished(Box::new(step.run(&sink)))));
    }
    out
}

fn main() -> Result<(), shared::Failed> {
    serve(&Listener::bind(
        std::env::args().nth(1).ok_or("where to listen?")?,
    )?)
}
