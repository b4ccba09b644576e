//! The bounded table of sessions.

use http::{Method, Request};
use mcp_reprise::http::Endpoint;
use mcp_reprise::legacy::Sessions;
use mcp_reprise::{Caller, Change, Exchange, Limits, Server, Sink, Turn};
use serde_json::{Value, json};

use crate::support::{Said, able, accept, at, initialize, limited, said, server};

struct Table {
    server: Server,
    sessions: Sessions,
    next: u64,
}

impl Table {
    fn new(server: Server) -> Self {
        Self {
            server,
            sessions: Sessions::default(),
            next: 0,
        }
    }

    fn send(
        &mut self,
        method: Method,
        session: &str,
        caller: &Caller,
        body: &Value,
    ) -> (u64, Turn) {
        self.next += 1;
        let mut request = Request::builder().method(method);
        if !session.is_empty() {
            request = request.header("mcp-session-id", session);
        }
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let request = request.body(body.into_bytes()).unwrap();
        let exchange = Exchange(self.next);
        let moment = at(self.next);
        let turn = self
            .sessions
            .receive(&self.server, exchange, caller, &request, &moment);
        (self.next, turn.expect("not a session's"))
    }

    fn open(&mut self, caller: &Caller) -> String {
        let (_, mut turn) = self.send(Method::POST, "", caller, &initialize("2025-11-25", able()));
        let mcp_reprise::Action::Respond { response, .. } = turn.actions.remove(0) else {
            panic!()
        };
        let id = response
            .headers
            .get("mcp-session-id")
            .map(|id| id.to_str().unwrap().to_owned());
        id.unwrap_or_default()
    }

    fn status(&mut self, method: Method, session: &str, caller: &Caller, body: &Value) -> u16 {
        let (_, mut turn) = self.send(method, session, caller, body);
        match said(turn.actions.remove(0)) {
            Said::Response(status, _) | Said::Empty(status) => status,
            other => panic!("{other:?}"),
        }
    }
}

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
}

#[test]
fn a_session_that_is_over_or_another_principals_must_be_404() {
    let mut table = Table::new(server());
    let (alice, bob) = (Caller::principal("alice"), Caller::principal("bob"));
    let id = table.open(&alice);
    assert_eq!(table.status(Method::POST, &id, &alice, &ping()), 200);
    for method in [Method::POST, Method::GET, Method::DELETE] {
        for caller in [&bob, &Caller::anonymous()] {
            assert_eq!(table.status(method.clone(), &id, caller, &ping()), 404);
        }
        assert_eq!(table.status(method, "unknown", &alice, &ping()), 404);
    }
    assert_eq!(table.status(Method::DELETE, &id, &alice, &Value::Null), 200);
    assert_eq!(table.status(Method::POST, &id, &alice, &ping()), 404);
    assert!(table.sessions.is_empty());
}

#[test]
fn a_flood_of_initialize_ends_the_longest_silent_and_grows_no_table() {
    let mut table = Table::new(limited(Limits {
        sessions: 3,
        ..Limits::default()
    }));
    let nobody = Caller::anonymous();
    let ids: Vec<String> = (0..3).map(|_| table.open(&nobody)).collect();
    assert_eq!(table.status(Method::POST, &ids[0], &nobody, &ping()), 200);
    table.open(&nobody);
    assert_eq!(table.sessions.len(), 3);
    assert_eq!(table.status(Method::POST, &ids[1], &nobody, &ping()), 404);
    assert_eq!(table.status(Method::POST, &ids[0], &nobody, &ping()), 200);
    for _ in 0..500 {
        table.open(&nobody);
    }
    assert_eq!(table.sessions.len(), 3);
}

#[test]
fn where_no_session_is_silent_the_newcomer_is_refused() {
    let mut table = Table::new(limited(Limits {
        sessions: 1,
        ..Limits::default()
    }));
    let nobody = Caller::anonymous();
    let id = table.open(&nobody);
    let (stream, _) = table.send(Method::GET, &id, &nobody, &Value::Null);
    let again = initialize("2025-11-25", able());
    assert_eq!(table.status(Method::POST, "", &nobody, &again), 503);
    table.sessions.disconnected(Exchange(stream), &at(100));
    assert_eq!(table.status(Method::POST, "", &nobody, &again), 200);
}

#[test]
fn silence_ends_a_session_at_its_deadline() {
    let mut table = Table::new(server());
    let nobody = Caller::anonymous();
    let id = table.open(&nobody);
    let due = table.sessions.deadline().unwrap().as_millis();
    table.sessions.tick(&table.server, &at(due - 1));
    assert_eq!(table.sessions.len(), 1);
    table.sessions.tick(&table.server, &at(due));
    assert!(table.sessions.is_empty() && table.sessions.deadline().is_none());
    assert_eq!(table.status(Method::POST, &id, &nobody, &ping()), 404);
}

#[test]
fn what_one_exchange_brings_is_said_on_another() {
    let mut table = Table::new(server());
    let nobody = Caller::anonymous();
    let (one, two) = (table.open(&nobody), table.open(&nobody));
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "polite"}});
    let (exchange, mut turn) = table.send(Method::POST, &one, &nobody, &call);
    let run = |table: &mut Table, turn: &mut Turn| {
        let finished = turn.steps.pop().unwrap().run(&Sink::default());
        assert!(table.sessions.knows(finished.exchange()));
        table.sessions.finish(&table.server, finished, &at(50))
    };
    let turn = run(&mut table, &mut turn);
    assert!(
        turn.actions
            .iter()
            .all(|action| action.exchange().0 == exchange)
    );
    let answer =
        json!({"jsonrpc": "2.0", "id": "ask-1", "result": accept(json!({"day": "Monday"}))});
    let (_, turn) = table.send(Method::POST, &two, &nobody, &answer);
    assert!(
        turn.steps.is_empty(),
        "an answer is taken from its own session"
    );
    let (_, mut turn) = table.send(Method::POST, &one, &nobody, &answer);
    let mut turn = run(&mut table, &mut turn);
    assert_eq!(turn.actions[0].exchange().0, exchange);
    let Said::Response(200, response) = said(turn.actions.remove(0)) else {
        panic!()
    };
    assert_eq!(crate::support::text(&response), "Monday");
    assert!(!table.sessions.knows(Exchange(exchange)));
}

#[test]
fn one_change_reaches_every_session() {
    let mut table = Table::new(server());
    let nobody = Caller::anonymous();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut streams = Vec::new();
    for _ in 0..3 {
        let id = table.open(&nobody);
        table.send(Method::POST, &id, &nobody, &ready);
        streams.push(table.send(Method::GET, &id, &nobody, &Value::Null).0);
    }
    let turn = table.sessions.notify(&Change::ToolsList);
    let mut told: Vec<u64> = turn
        .actions
        .iter()
        .map(|action| action.exchange().0)
        .collect();
    told.sort_unstable();
    assert_eq!(told, streams);
}

/// What an endpoint says to a request with these headers: the status, and the error.
fn refusal(
    sessions: &mut Sessions,
    method: &Method,
    headers: &[(&'static str, &str)],
    body: &str,
) -> (u16, Value) {
    let mut request = Request::builder()
        .method(method)
        .uri("http://localhost/mcp")
        .header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(body.as_bytes()).unwrap();
    let (exchange, caller) = (Exchange(99), Caller::anonymous());
    let turn = Endpoint::new(server()).receive_with(sessions, exchange, &caller, &request, &at(99));
    let mut turn = turn.unwrap_or_else(|turn| turn);
    match said(turn.actions.remove(0)) {
        Said::Response(status, message) => (status, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_contradicts_itself_is_refused_by_400() {
    let initialize = initialize("2025-11-25", able()).to_string();
    let (post, ping) = (Method::POST, ping().to_string());
    let version = ("mcp-protocol-version", "2025-11-25");
    let unknown = ("mcp-protocol-version", "1999-01-01");
    let session = ("mcp-session-id", "a");
    for (method, headers, body) in [
        (&post, &[session][..], &*initialize),
        (&post, &[unknown], &initialize),
        (&post, &[unknown, session], &ping),
        (&post, &[version], &ping),
        (&Method::GET, &[version], ""),
        (&Method::GET, &[], ""),
        (&Method::DELETE, &[version], ""),
        (&Method::DELETE, &[], ""),
    ] {
        let mut sessions = Sessions::default();
        let (status, message) = refusal(&mut sessions, method, headers, body);
        assert_eq!(status, 400, "{method} {headers:?}");
        assert_eq!(message["error"]["code"], -32600);
        assert!(message.get("id").is_none(), "{message}");
        assert!(sessions.is_empty());
    }
}

#[test]
fn a_stream_is_only_for_who_takes_events() {
    let mut table = Table::new(server());
    let id = table.open(&Caller::anonymous());
    let get = |sessions: &mut Sessions, accept: &str| {
        let headers = [("mcp-session-id", &*id), ("accept", accept)];
        refusal(sessions, &Method::GET, &headers, "")
    };
    for accept in ["application/json", "text/event-stream;q=0", ""] {
        let (status, message) = get(&mut table.sessions, accept);
        assert_eq!((status, &message["error"]["code"]), (406, &json!(-32600)));
        assert!(message.get("id").is_none(), "{message}");
    }
}
