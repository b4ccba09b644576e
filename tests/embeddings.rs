//! The embeddings that need nothing but this crate, each over its own transport.

#![allow(
    clippy::disallowed_methods,
    clippy::duplicate_mod,
    reason = "a server runs beside its client, and each example has the shared one to itself"
)]

#[path = "../examples/in_process.rs"]
#[expect(dead_code, reason = "an example has a `main` of its own")]
mod in_process;
#[path = "../examples/queue/main.rs"]
#[expect(dead_code, reason = "an example has a `main` of its own")]
mod queue;
#[path = "../examples/unix_socket.rs"]
#[expect(dead_code, reason = "an example has a `main` of its own")]
mod unix_socket;

mod client;

use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;
use std::thread;

use client::messages::{self, Peer};
use client::{PATIENCE, until};
use in_process::InProcess;
use queue::broker::{Broker, ToFront};
use serde_json::Value;
use unix_socket::{Listener, Stream};

impl Peer for InProcess {
    fn send(&mut self, message: &Value) {
        self.say(message.to_string().as_bytes()).unwrap();
    }

    fn receive(&mut self) -> Value {
        until("a message", || {
            self.frame().unwrap();
            !self.said.is_empty()
        });
        let end = self.said.iter().position(|byte| *byte == b'\n').unwrap();
        let line: Vec<u8> = self.said.drain(..=end).collect();
        serde_json::from_slice(&line).unwrap()
    }
}

#[test]
fn in_process() {
    let live = in_process::shared::live([7; 32]).unwrap();
    messages::check(|| InProcess::new(live.clone()));
    #[cfg(feature = "legacy")]
    messages::check_session(|| InProcess::new(live));
}

struct Socket(BufReader<Stream>);

impl Peer for Socket {
    fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.0.get_mut().write_all(line.as_bytes()).unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

#[cfg(unix)]
#[test]
fn unix_socket() {
    let folder = std::env::temp_dir().join(format!("mcp-reprise-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("embedded.sock");
    let _ = std::fs::remove_file(&path);
    let listener = Listener::bind(&path).unwrap();
    thread::spawn(move || unix_socket::serve(&listener).unwrap());
    let connect = || {
        let stream = Stream::connect(&path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Socket(BufReader::new(stream))
    };
    messages::check(connect);
    #[cfg(feature = "legacy")]
    messages::check_session(connect);
    std::fs::remove_dir_all(&folder).unwrap();
}

struct Queued {
    broker: Arc<Broker>,
    replies: String,
}

impl Peer for Queued {
    fn send(&mut self, message: &Value) {
        let (client, message) = (self.replies.clone(), message.to_string());
        self.broker
            .send("front", &ToFront::Said { client, message });
    }

    fn receive(&mut self) -> Value {
        let text: String = self.broker.receive(&self.replies, PATIENCE).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let client = self.replies.clone();
        self.broker.send("front", &ToFront::Gone { client });
    }
}

#[test]
fn queue() {
    let broker = Arc::default();
    queue::serve(&broker).unwrap();
    let mut count = 0;
    let mut connect = || {
        count += 1;
        let (broker, replies) = (Arc::clone(&broker), format!("replies.{count}"));
        Queued { broker, replies }
    };
    messages::check(&mut connect);
    #[cfg(feature = "legacy")]
    messages::check_session(connect);
}
