//! The same server in a session of an older era.

use std::hint::black_box;

use http::{HeaderValue, Response};
use mcp_reprise::http::{Part, Reply};
use mcp_reprise::legacy::Sessions;
use mcp_reprise::{Caller, Exchange, Sink, Turn};
use serde_json::json;

use crate::cases::{Once, Sent};
use crate::driver::{Driver, MOMENT, NOW};
use crate::offers;

/// A client with a session, and the sessions of its server.
pub struct Client {
    driver: Driver,
    pub sessions: Sessions,
    session: Option<HeaderValue>,
    exchanges: u64,
    /// The stream of the call that waits for its answer.
    waiting: Option<Reply>,
}

impl Client {
    pub fn new(driver: Driver) -> Self {
        Self {
            driver,
            sessions: Sessions::default(),
            session: None,
            exchanges: 0,
            waiting: None,
        }
    }

    /// Opens a session, and is ready in it.
    pub fn open(&mut self) {
        let body = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
                "clientInfo": { "name": "client", "version": "1.0.0" },
            },
        });
        self.session = None;
        let sent = self.post(body.to_string());
        let (response, _) = self.send(&sent);
        let response = response.expect("no answer to initialize");
        self.session = response.headers().get("mcp-session-id").cloned();
        assert!(self.session.is_some(), "{response:?}");
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let sent = self.post(ready.to_string());
        self.send(&sent);
    }

    fn post(&self, body: String) -> Sent {
        let mut request = http::Request::post("/mcp")
            .header("host", "localhost:8000")
            .header("user-agent", "client/1.0.0")
            .header("content-type", "application/json")
            .header("content-length", body.len())
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        request.body(body.into_bytes()).unwrap()
    }

    /// Sends a message and runs what comes of it: the response of this exchange, if it is whole,
    /// and how many pieces of data went over streams.
    fn send(&mut self, sent: &Sent) -> (Option<Response<Vec<u8>>>, usize) {
        self.exchanges += 1;
        // Each session has its own dice, or two of them would have one id.
        let mut moment = MOMENT;
        moment.dice[..8].copy_from_slice(&self.exchanges.to_be_bytes());
        let exchange = Exchange(self.exchanges);
        let nobody = Caller::anonymous();
        let endpoint = &self.driver.endpoint;
        let received = endpoint.receive_with(&mut self.sessions, exchange, &nobody, sent, &moment);
        let mut turn = received.expect("the modern lane took it");
        let (mut whole, mut pieces) = (None, 0);
        let mut reply = self.driver.reply();
        loop {
            let Turn { actions, steps, .. } = turn;
            for action in actions {
                let reply = match &mut self.waiting {
                    Some(waiting) if action.exchange() != exchange => waiting,
                    _ => &mut reply,
                };
                for part in reply.act(action, NOW) {
                    match black_box(part) {
                        Part::Whole(response) => whole = Some(response),
                        Part::Data(_) => pieces += 1,
                        _ => {}
                    }
                }
            }
            let Some(step) = steps.into_iter().next() else {
                self.waiting = Some(reply).filter(Reply::is_open);
                return (whole, pieces);
            };
            let finished = step.run(&Sink::default());
            turn = self.sessions.finish(endpoint.server(), finished, &moment);
        }
    }
}

fn open() -> Client {
    let mut client = Client::new(Driver::new(offers::server()));
    client.open();
    client
}

fn request(tool: &str, arguments: serde_json::Value) -> String {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments },
    })
    .to_string()
}

pub fn call() -> Once {
    let mut client = open();
    let sent = client.post(request("echo", json!({ "text": "Hello, MCP" })));
    Box::new(move || {
        // This revision answers with a stream whose first event can be come back to.
        let (_, pieces) = client.send(black_box(&sent));
        assert!(pieces > 1);
    })
}

pub fn question() -> Once {
    let mut client = open();
    let sent = client.post(request("ask", json!({ "questions": 1 })));
    let mut answer = client.post(String::new());
    let mut asked = 0;
    Box::new(move || {
        let (response, pieces) = client.send(black_box(&sent));
        assert!(response.is_none() && pieces > 0);
        asked += 1;
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":"ask-{asked}","result":{{"action":"accept","content":{{"word":"cinema"}}}}}}"#
        );
        *answer.body_mut() = body.into_bytes();
        let (accepted, pieces) = client.send(black_box(&answer));
        assert!(accepted.is_some() && pieces > 0);
    })
}
