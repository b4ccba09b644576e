//! The driver of the README's loop, and requests as a client sends them.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use http::Response;
use mcp_reprise::http::{Endpoint, Part, Reply};
use mcp_reprise::{Caller, Moment, Server, Sink, Timestamp, Turn};
use serde_json::{Value, json};

use crate::cases::{EXCHANGE, Sent};

pub const NOW: Timestamp = Timestamp::from_millis(1_785_196_800_000);
pub const MOMENT: Moment = Moment::new(NOW, [9; 32]);

pub struct Driver {
    pub endpoint: Endpoint,
}

impl Driver {
    pub fn new(server: Server) -> Self {
        Self {
            endpoint: Endpoint::new(server),
        }
    }

    pub fn receive(&self, sent: &Sent) -> Turn {
        self.endpoint
            .receive(EXCHANGE, Caller::anonymous(), sent, &MOMENT)
    }

    pub fn reply(&self) -> Reply {
        Reply::new(self.endpoint.server().limits().keep_alive)
    }

    /// A whole exchange that is answered with one response.
    pub fn play(&self, sent: &Sent) -> Response<Vec<u8>> {
        let mut turn = self.receive(sent);
        let mut reply = self.reply();
        loop {
            for action in turn.actions {
                for part in reply.act(action, NOW) {
                    if let Part::Whole(response) = part {
                        return response;
                    }
                }
            }
            let step = turn.steps.pop().expect("neither an answer nor a step");
            turn = self.endpoint.server().finish(step.run(&Sink::default()));
        }
    }

    /// A whole exchange that is answered with a stream: how many pieces of data it had.
    ///
    /// The step is polled as a runtime does, and its reports are taken after every poll.
    pub fn stream(&self, sent: &Sent) -> usize {
        let mut turn = self.receive(sent);
        let (mut reply, sink) = (self.reply(), Sink::default());
        let mut pieces = 0;
        let mut write = |turn: Turn| {
            for action in turn.actions {
                for part in reply.act(action, NOW) {
                    pieces += usize::from(matches!(std::hint::black_box(part), Part::Data(_)));
                }
            }
        };
        let step = turn.steps.pop().expect("no step");
        let mut run = pin!(step.run_async(&sink));
        let mut context = Context::from_waker(Waker::noop());
        let server = self.endpoint.server();
        loop {
            let polled = run.as_mut().poll(&mut context);
            for report in sink.drain() {
                write(server.report(report));
            }
            if let Poll::Ready(finished) = polled {
                write(server.finish(finished));
                return pieces;
            }
        }
    }
}

/// The body of a request of this era. Members stand as clients write them, and not sorted.
pub fn body(method: &str, params: Value) -> Vec<u8> {
    let Value::Object(params) = params else {
        panic!("params are an object");
    };
    let mut members = String::new();
    for (name, value) in params {
        members.push_str(&format!("{}:{value},", json!(name)));
    }
    let capabilities = match method {
        "tools/call" if members.contains("\"ask\"") => r#"{"elicitation":{}}"#,
        _ => "{}",
    };
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{members}"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"client","version":"1.0.0"}},"io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}}}"#
    )
    .into_bytes()
}

/// A POST with the headers that mirror its body.
pub fn post(method: &str, name: Option<&str>, body: Vec<u8>) -> Sent {
    let mut request = http::Request::post("/mcp")
        .header("host", "localhost:8000")
        .header("user-agent", "client/1.0.0")
        .header("content-type", "application/json")
        .header("content-length", body.len())
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    request.body(body).unwrap()
}

/// A call of a tool, with further params.
pub fn call(tool: &str, arguments: Value, mut params: Value) -> Sent {
    params["name"] = json!(tool);
    params["arguments"] = arguments;
    post("tools/call", Some(tool), body("tools/call", params))
}
