//! What lines refuse: one form a row, and the row of the docs beside it.

mod page;

use mcp_reprise::lines::Connection;
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Caller, Cx, Exchange, Limits, Moment, Observation, Server, Sink, Timestamp, Tool, Turn,
};
use serde_json::{Value, json};

fn server() -> Server {
    Server::builder("lines", "1.0.0")
        .single_process([7; 32])
        .limits(Limits {
            body_bytes: 1_000,
            journal_bytes: 100,
            open_requests: 2,
            ..Limits::default()
        })
        .tool(Tool::new("a").step(|_: &mut Cx, _: Value| CallToolResult::text("A")))
        .build()
        .unwrap()
}

fn call(id: Value) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "a", "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

struct Wire {
    connection: Connection,
    exchange: u64,
}

impl Wire {
    fn new() -> Self {
        Self {
            connection: Connection::new(server()),
            exchange: 0,
        }
    }

    fn turn(&mut self, line: &[u8]) -> Turn {
        self.exchange += 1;
        self.connection.feed(line);
        self.connection.feed(b"\n");
        let moment = Moment::new(Timestamp::from_millis(self.exchange), [9; 32]);
        let exchange = Exchange(self.exchange);
        let turn = self
            .connection
            .next_turn(exchange, Caller::anonymous(), &moment);
        turn.unwrap_or_else(|| panic!("no line: {:?}", String::from_utf8_lossy(line)))
    }

    fn written(&mut self, turn: &mut Turn) -> String {
        let mut out = Vec::new();
        for action in turn.actions.drain(..) {
            assert!(self.connection.write(action, &mut out).is_none());
        }
        String::from_utf8(out).unwrap()
    }
}

#[test]
fn what_lines_refuse() {
    let batch = format!("[{}]", call(1.into()));
    let long = format!("{:<1001}", call(1.into()));
    let alone = |line: &str| (Vec::new(), line.as_bytes().to_vec());
    let after = |open: Vec<Value>| (open, call(1.into()).into_bytes());
    let mut refused = Vec::new();
    for (row, (open, line), expected) in [
        ("a line past the limit", alone(&long), -32600),
        ("text that is no JSON", alone("{"), -32700),
        (
            "bytes that are no UTF-8",
            (Vec::new(), vec![b'"', 0xff, b'"']),
            -32700,
        ),
        ("a byte order mark", alone("\u{feff}{}"), -32700),
        ("two messages in one line", alone("{} {}"), -32700),
        ("a key twice", alone(r#"{"id":1,"id":1}"#), -32600),
        ("a batch", alone(&batch), -32600),
        ("a message that is no object", alone("1"), -32600),
        ("an id that is none", alone(&call(1.5.into())), -32600),
        (
            "params that are no object",
            alone(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":1}"#),
            -32600,
        ),
        (
            "a request without _meta",
            alone(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#),
            -32602,
        ),
        (
            "a method that there is not",
            alone(&call(1.into()).replace("tools/call", "ping")),
            -32601,
        ),
        (
            "an id whose request is still open",
            after(vec![1.into()]),
            -32600,
        ),
        (
            "the same id in another spelling",
            after(vec![1.0.into()]),
            -32600,
        ),
        (
            "more requests at once than may be open",
            after(vec![2.into(), 3.into()]),
            -32603,
        ),
    ] {
        let mut wire = Wire::new();
        let opened: Vec<Turn> = open
            .into_iter()
            .map(|id| wire.turn(call(id).as_bytes()))
            .collect();
        let mut turn = wire.turn(&line);
        assert!(turn.steps.is_empty(), "{row}");
        let written = wire.written(&mut turn);
        let message: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(message["error"]["code"], expected, "{row}: {written}");
        let id = page::id_of(&written);
        refused.push(format!("| {row} | {expected} | {id} |"));
        // What was open is answered all the same, and so is the next line.
        for opened in opened {
            finish(&mut wire, opened);
        }
        let next = wire.turn(call("next".into()).as_bytes());
        finish(&mut wire, next);
        assert!(!wire.connection.is_busy());
    }
    page::holds("tests/lines.rs", "what_lines_refuse", &refused);
}

fn finish(wire: &mut Wire, mut turn: Turn) {
    let finished = turn.steps.remove(0).run(&Sink::default());
    turn.extend(wire.connection.server().finish(finished));
    assert!(wire.written(&mut turn).contains(r#""text":"A""#));
}

/// What asks for no answer gets none, be it good or not.
#[test]
fn what_lines_answer_with_nothing() {
    let mut wire = Wire::new();
    let mut heard = |line: &str| {
        let mut turn = wire.turn(line.as_bytes());
        assert_eq!(wire.written(&mut turn), "", "{line}");
        assert!(turn.steps.is_empty());
        turn.observations
    };
    let response = heard(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    let [Observation::Rejected { reason, .. }] = response.as_slice() else {
        panic!("{response:?}");
    };
    assert_eq!(reason, "a response that answers nothing");
    for notification in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"x"}"#,
    ] {
        assert_eq!(heard(notification), []);
    }
}

#[test]
fn a_message_with_bounds_of_its_own_may_have_line_breaks() {
    let mut wire = Wire::new();
    let mut receive = |message: &str| {
        wire.exchange += 1;
        let moment = Moment::new(Timestamp::from_millis(wire.exchange), [9; 32]);
        let (exchange, caller) = (Exchange(wire.exchange), Caller::anonymous());
        let mut turn = wire
            .connection
            .receive(exchange, caller, message.as_bytes(), &moment);
        let steps = std::mem::take(&mut turn.steps);
        for step in steps {
            turn.extend(wire.connection.finish(step.run(&Sink::default()), &moment));
        }
        wire.written(&mut turn)
    };
    let request: Value = serde_json::from_str(&call(1.into())).unwrap();
    let said = receive(&format!("{request:#}"));
    assert_eq!(said.lines().count(), 1);
    assert!(said.contains("\"text\":\"A\""), "{said}");
    assert!(receive("{\n").contains("-32700"));
    let limit = server().limits().body_bytes;
    let padded = format!("{:<limit$}", call(2.into()));
    assert!(receive(&padded).contains("\"text\":\"A\""));
    assert!(receive(&format!("{padded}\n")).contains("-32600"));
}
