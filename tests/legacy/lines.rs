//! Both eras on one connection of lines.

use mcp_reprise::legacy::Session;
use mcp_reprise::lines::Connection;
use mcp_reprise::{Action, Caller, Change, Exchange, Server, Sink};
use serde_json::{Value, json};

use crate::support::{able, accept, at, builder, initialize, server, text};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

struct Wire {
    connection: Connection,
    now: u64,
}

impl Wire {
    fn new(server: Server) -> Self {
        Self {
            connection: Connection::new(server),
            now: 0,
        }
    }

    /// Feeds a line, runs what runs, and gives the lines that come back.
    fn line(&mut self, line: &str) -> Vec<Value> {
        self.connection.feed(line.as_bytes());
        self.connection.feed(b"\n");
        self.rest()
    }

    fn rest(&mut self) -> Vec<Value> {
        let mut out = Vec::new();
        loop {
            self.now += 1;
            let moment = at(self.now);
            let exchange = Exchange(self.now);
            let Some(turn) = self
                .connection
                .next_turn(exchange, Caller::anonymous(), &moment)
            else {
                break;
            };
            let mut turns = vec![turn];
            while let Some(turn) = turns.pop() {
                for action in turn.actions {
                    match self.connection.write(action, &mut out) {
                        None | Some(Action::AwaitAnswer { .. } | Action::Cancel { .. }) => {}
                        Some(other) => panic!("{other:?}"),
                    }
                }
                for step in turn.steps {
                    let sink = Sink::default();
                    let finished = step.run(&sink);
                    for report in sink.drain() {
                        turns.insert(0, self.connection.report(report));
                    }
                    self.now += 1;
                    turns.insert(0, self.connection.finish(finished, &at(self.now)));
                }
            }
        }
        self.connection.flush(&mut out);
        let out = String::from_utf8(out).unwrap();
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn open(version: &str) -> Self {
        let mut wire = Self::new(server());
        let answer = wire.line(&initialize(version, able()).to_string());
        assert_eq!(answer[0]["result"]["protocolVersion"], version);
        assert!(
            wire.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
                .is_empty()
        );
        wire
    }
}

fn call(id: u64, tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool}})
        .to_string()
}

#[test]
fn one_process_serves_both_eras_and_one_odd_first_line_locks_nothing() {
    let mut wire = Wire::new(server());
    let modern = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{{{META}}}}}"#);
    assert_eq!(wire.line("{")[0]["error"]["code"], -32700);
    assert!(wire.line(&call(1, "count"))[0]["error"].is_object());
    assert_eq!(
        wire.line(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)[0]["result"],
        json!({})
    );
    assert_eq!(wire.line(&modern)[0]["result"]["resultType"], "complete");
    assert!(wire.line(&initialize("2025-06-18", able()).to_string())[0]["result"].is_object());
    let listed = wire.line(r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#);
    assert!(listed[0]["result"].get("resultType").is_none());
    assert_eq!(wire.line(&modern)[0]["result"]["resultType"], "complete");
    assert!(!wire.connection.is_busy());
}

#[test]
fn the_lane_is_off_unless_the_builder_switches_it_on() {
    let server = Server::builder("test", "1")
        .single_process([7; 32])
        .build()
        .unwrap();
    let mut wire = Wire::new(server);
    assert!(wire.line(&initialize("2025-11-25", able()).to_string())[0]["error"].is_object());
}

#[test]
fn a_question_is_asked_and_answered_over_lines() {
    for version in ["2025-11-25", "2025-06-18"] {
        let mut wire = Wire::open(version);
        let asked = wire.line(&call(1, "book"));
        assert_eq!(asked[0]["method"], "elicitation/create");
        assert!(wire.connection.is_busy() && wire.connection.deadline().is_some());
        let answer =
            |id: &Value, content| json!({"jsonrpc": "2.0", "id": id, "result": accept(content)});
        let asked = wire.line(&answer(&asked[0]["id"], json!({"day": "Friday"})).to_string());
        let said = wire.line(&answer(&asked[0]["id"], json!({"seats": 2})).to_string());
        assert_eq!(text(&said[0]), "2 seats on Friday");
        assert!(!wire.connection.is_busy());
    }
}

#[test]
fn a_question_is_overdue_over_lines_too() {
    let mut wire = Wire::open("2025-11-25");
    wire.line(&call(1, "book"));
    let deadline = wire.connection.deadline().unwrap().as_millis();
    let turn = wire.connection.tick(&at(deadline));
    let mut out = Vec::new();
    for action in turn.actions {
        wire.connection.write(action, &mut out);
    }
    let lines: Vec<Value> = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["method"], "notifications/cancelled");
    assert_eq!(lines[1]["result"]["isError"], true);
    assert!(!wire.connection.is_busy());
}

#[test]
fn cancelled_over_lines_means_never_answered_in_either_era() {
    let mut wire = Wire::open("2025-11-25");
    wire.line(&call(1, "book"));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let said = wire.line(cancel);
    assert_eq!(said.len(), 1, "its question is taken back");
    assert_eq!(said[0]["method"], "notifications/cancelled");
    assert!(!wire.connection.is_busy());
    assert!(wire.line(cancel).is_empty());
}

#[test]
fn an_id_of_the_other_era_that_is_open_is_refused() {
    let mut wire = Wire::open("2025-11-25");
    wire.line(&call(1, "book"));
    let modern = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    assert_eq!(wire.line(&modern)[0]["error"]["code"], -32600);
    assert_eq!(wire.line(&call(1, "count"))[0]["error"]["code"], -32600);
}

#[test]
fn changes_are_told_to_the_session() {
    let mut wire = Wire::open("2025-11-25");
    let listeners = wire.connection.listeners();
    assert!(listeners.notify(&Change::ToolsList));
    assert!(
        !listeners.notify(&Change::PromptsList),
        "one wake is enough"
    );
    let said = wire.rest();
    assert_eq!(said.len(), 2);
    assert_eq!(
        said[0],
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
}

#[test]
fn batches_over_lines() {
    let mut wire = Wire::open("2025-03-26");
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "steps"}},
        {"jsonrpc": "2.0", "id": 2, "method": "ping"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "count"}},
    ]);
    let said = wire.line(&batch.to_string());
    assert_eq!(said[0].as_array().unwrap().len(), 3);
    assert!(wire.line(r#"[{"jsonrpc":"2.0","method":"x"}]"#).is_empty());
    assert_eq!(wire.line("[7]")[0][0]["error"]["code"], -32600);
    assert!(!wire.connection.is_busy());
    let mut wire = Wire::open("2025-11-25");
    assert_eq!(wire.line(&batch.to_string())[0]["error"]["code"], -32600);
}

#[test]
fn the_end_of_input_ends_what_waits_for_it() {
    let mut wire = Wire::open("2025-11-25");
    wire.line(&call(1, "book"));
    wire.connection.feed(call(2, "both").as_bytes());
    wire.connection.end();
    let said = wire.rest();
    assert!(!wire.connection.is_busy(), "{said:?}");
    let _ = builder();
}

#[test]
fn a_session_that_was_kept_goes_on_in_another_connection() {
    let mut wire = Wire::open("2025-06-18");
    wire.line(&call(1, "count"));
    let mut said = wire.line(&call(7, "book"));
    for answer in [json!({"day": "Friday"}), json!({"seats": 2})] {
        let kept = serde_json::to_string(&wire.connection.session()).unwrap();
        let session: Option<Session> = serde_json::from_str(&kept).unwrap();
        wire.connection = Connection::resume(server(), session.unwrap());
        assert!(wire.connection.is_busy());
        // The request is still open, and its id with it.
        let twice = wire.line(&call(7, "count"));
        assert_eq!(twice[0]["error"]["code"], -32600);
        let asked = said
            .iter()
            .find(|said| said["method"] == "elicitation/create");
        let id = &asked.unwrap()["id"];
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": accept(answer)});
        said = wire.line(&answer.to_string());
    }
    assert_eq!(text(&said[0]), "2 seats on Friday");
    assert!(!wire.connection.is_busy());
    assert!(Connection::new(server()).session().is_none());
}
