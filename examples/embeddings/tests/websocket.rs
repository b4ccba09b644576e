//! The WebSocket, as a process of its own.

#[path = "../../../tests/client/mod.rs"]
mod client;
mod process;

use std::net::TcpStream;

use client::PATIENCE;
use client::messages::{self, Peer};
use process::Process;
use serde_json::Value;
use tokio_tungstenite::tungstenite::{Message, WebSocket, client as open};

struct Socket(WebSocket<TcpStream>);

impl Peer for Socket {
    fn send(&mut self, message: &Value) {
        // Line breaks are white space to it.
        let text = format!("{message:#}");
        self.0.send(Message::text(text)).unwrap();
    }

    fn receive(&mut self) -> Value {
        let message = self.0.read().unwrap();
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }
}

#[test]
fn websocket() {
    let mut process = Process::start(env!("CARGO_BIN_EXE_websocket"));
    let address = process.address();
    let stream = || {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    };
    let url = format!("ws://{address}/");
    let connect = || Socket(open(&url, stream()).unwrap().0);
    messages::check(connect);
    messages::check_session(connect);

    let mut page =
        tokio_tungstenite::tungstenite::client::IntoClientRequest::into_client_request(&*url)
            .unwrap();
    page.headers_mut()
        .insert("origin", "https://evil.example.com".parse().unwrap());
    assert!(open(page, stream()).is_err());
}
