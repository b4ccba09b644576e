//! The limits of sessions, and those of a request where it meets a session.

#[expect(
    dead_code,
    reason = "it is the support of the legacy lane's tests, shared as a whole"
)]
#[path = "../legacy/support.rs"]
mod support;

use std::time::Duration;

use http::{Method, Request};
use mcp_reprise::http::Endpoint;
use mcp_reprise::legacy::{Sessions, Transport};
use mcp_reprise::protocol::ReadResourceResult;
use mcp_reprise::{Action, Caller, Cx, Exchange, Limits, ResourceTemplate, Server, Turn};
use serde_json::{Value, json};

use support::{Client, Said, able, at, initialize};

fn limited(set: impl FnOnce(&mut Limits)) -> Server {
    let mut limits = Limits::default();
    set(&mut limits);
    support::limited(limits)
}

fn client(set: impl FnOnce(&mut Limits)) -> Client {
    Client::over(Transport::Http, limited(set), "2025-11-25", able())
}

/// One endpoint and its table of sessions.
struct Table {
    endpoint: Endpoint,
    sessions: Sessions,
    next: u64,
}

impl Table {
    fn new(set: impl FnOnce(&mut Limits)) -> Self {
        Self {
            endpoint: Endpoint::new(limited(set)),
            sessions: Sessions::default(),
            next: 0,
        }
    }

    fn send(&mut self, request: http::request::Builder, body: &str) -> (u64, Turn) {
        self.next += 1;
        let request = request
            .uri("http://localhost/mcp")
            .header("content-type", "application/json")
            .body(body.as_bytes())
            .unwrap();
        let (exchange, caller) = (Exchange(self.next), Caller::anonymous());
        let moment = at(self.next);
        let served =
            self.endpoint
                .receive_with(&mut self.sessions, exchange, &caller, &request, &moment);
        (self.next, served.unwrap_or_else(|turn| turn))
    }

    /// Opens a session by a body of at least so many bytes: the status, and the session's id.
    fn open(&mut self, bytes: usize) -> (u16, String) {
        let body = initialize("2025-11-25", able()).to_string();
        let (_, turn) = self.send(
            Request::builder().method(Method::POST),
            &format!("{body:<bytes$}"),
        );
        let Action::Respond { response, .. } = &turn.actions[0] else {
            panic!("{turn:?}");
        };
        let id = response.headers.get("mcp-session-id");
        let id = id.map(|id| id.to_str().unwrap().to_owned());
        (response.status.as_u16(), id.unwrap_or_default())
    }

    /// Opens a stream in a session, with so many header lines more than it needs.
    fn stream(&mut self, id: &str, more: usize) -> (u64, Turn) {
        let mut request = Request::builder()
            .method(Method::GET)
            .header("mcp-session-id", id);
        for number in 0..more {
            request = request.header("x-more", number);
        }
        self.send(request, "")
    }

    fn knows(&mut self, id: &str) -> bool {
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
        let request = Request::builder()
            .method(Method::POST)
            .header("mcp-session-id", id);
        let status = status(&self.send(request, &ping).1);
        assert!(status == 200 || status == 404, "{status}");
        status == 200
    }
}

fn status(turn: &Turn) -> u16 {
    let Action::Respond { response, .. } = &turn.actions[0] else {
        panic!("{turn:?}");
    };
    response.status.as_u16()
}

#[test]
fn sessions() {
    let mut table = Table::new(|limits| limits.sessions = 2);
    let ids = [table.open(0).1, table.open(0).1];
    assert_eq!(table.sessions.len(), 2);
    assert!(table.knows(&ids[0]) && table.knows(&ids[1]));
    // The one that was silent the longest makes room.
    let (status_of_third, third) = table.open(0);
    assert_eq!((status_of_third, table.sessions.len()), (200, 2));
    assert!(!table.knows(&ids[0]) && table.knows(&ids[1]) && table.knows(&third));
    // Where none is silent, the newcomer is refused.
    let (stream, _) = table.stream(&ids[1], 0);
    table.stream(&third, 0);
    assert_eq!(table.open(0), (503, String::new()));
    table
        .sessions
        .disconnected(Exchange(stream), &at(table.next));
    assert_eq!(table.open(0).0, 200);
    assert_eq!(table.sessions.len(), 2);
}

/// A request is bounded before it is known to be a session's.
#[test]
fn the_body_that_opens_a_session_is_no_longer_than_any() {
    let small = |limits: &mut Limits| {
        limits.body_bytes = 1_000;
        limits.journal_bytes = 100;
    };
    let mut table = Table::new(small);
    assert_eq!(table.open(1_000).0, 200);
    assert_eq!(table.open(1_001), (413, String::new()));
    assert_eq!(table.sessions.len(), 1);
    // So it is where a driver keeps the session itself.
    let server = limited(small);
    for (bytes, opens) in [(1_000, true), (1_001, false)] {
        let body = initialize("2025-11-25", able()).to_string();
        let body = format!("{body:<bytes$}");
        let (session, turn) = mcp_reprise::legacy::Session::open(
            &server,
            Transport::Http,
            Exchange(1),
            &Caller::anonymous(),
            body.as_bytes(),
            &at(1),
        );
        assert_eq!(session.is_some(), opens);
        assert_eq!(status(&turn), if opens { 200 } else { 400 });
    }
}

#[test]
fn a_stream_is_opened_with_no_more_headers_than_any_request() {
    let mut table = Table::new(|limits| limits.headers = 10);
    let (_, id) = table.open(0);
    let (_, opened) = table.stream(&id, 8);
    assert!(matches!(opened.actions[0], Action::Push { .. }));
    assert_eq!(status(&table.stream(&id, 9).1), 431);
}

/// What lets go of the connection is no log message, and is not dropped like one.
#[test]
fn a_release_is_told_though_no_more_reports_may_wait() {
    let mut client = client(|limits| limits.pending_reports = 1);
    let params = json!({ "name": "leave", "_meta": { "progressToken": 1 } });
    let call = client.request("tools/call", params);
    client.run();
    let said = client.over_exchange(call);
    assert!(
        matches!(
            said[..],
            [Said::Mark(..), Said::Mark(_, Some(_)), Said::End]
        ),
        "{said:?}"
    );
}

#[test]
fn session_idle() {
    let mut client = client(|limits| limits.session_idle = Duration::from_secs(5));
    let last = client.now;
    client.session.tick(&client.server, &at(last + 4_999));
    assert!(!client.session.is_ended());
    client.session.tick(&client.server, &at(last + 5_000));
    assert!(client.session.is_ended());
}

#[test]
fn session_streams() {
    let mut client = client(|limits| limits.session_streams = 2);
    for opens in [true, true, false] {
        let exchange = client.connect(None);
        match &client.over_exchange(exchange)[..] {
            [Said::Mark(..)] => assert!(opens),
            [Said::Response(409, refusal)] => {
                assert!(!opens);
                let words = "Too many streams stand in this session";
                assert_eq!(refusal["error"]["message"], words);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Calls a tool that says four things, and comes back for all of them.
fn replayed(set: impl FnOnce(&mut Limits)) -> Vec<Value> {
    let mut client = client(set);
    let params = json!({ "name": "steps", "_meta": { "progressToken": 1 } });
    let call = client.request("tools/call", params);
    let Some(Said::Mark(mark, _)) = client.over_exchange(call).first().cloned() else {
        panic!("{:?}", client.said);
    };
    client.run();
    let resumed = client.connect(Some(&mark));
    client.pushed(resumed)
}

#[test]
fn stream_events() {
    let all = replayed(|_| {});
    assert_eq!(all.len(), 4);
    assert_eq!(replayed(|limits| limits.stream_events = 4), all);
    assert_eq!(replayed(|limits| limits.stream_events = 3), all[1..]);
}

#[test]
fn stream_bytes() {
    let all = replayed(|_| {});
    let bytes: usize = all.iter().map(|event| event.to_string().len()).sum();
    assert_eq!(replayed(|limits| limits.stream_bytes = bytes), all);
    assert_eq!(replayed(|limits| limits.stream_bytes = bytes - 1), all[1..]);
    // The last is never lost: it is the answer.
    assert_eq!(replayed(|limits| limits.stream_bytes = 0), all[3..]);
}

#[test]
fn stream_retry() {
    let mut client = client(|limits| limits.stream_retry = Duration::from_millis(1_234));
    let call = client.call("leave");
    let said = client.over_exchange(call);
    let told = said.iter().find_map(|said| match said {
        Said::Mark(_, retry) => *retry,
        _ => None,
    });
    assert_eq!(told, Some(1_234));
}

#[test]
fn session_assigns() {
    let kept = json!({ "calls": 1 });
    let most = kept.to_string().len();
    for (most, expected) in [(most, kept), (most - 1, json!({}))] {
        let mut client = client(|limits| limits.session_assigns = most);
        let call = client.call("count");
        assert!(
            client.text(call).starts_with("1 for"),
            "it is served either way"
        );
        assert_eq!(json!(client.session.assigns()), expected);
    }
}

/// The URIs that a session keeps are bounded in number and in sum, as those of a listener are.
#[test]
fn a_session_subscribes_to_no_more_than_a_listener() {
    let subscribed = |most: usize, bytes: usize, uris: usize| {
        let template = ResourceTemplate::new("test://t/{id}", "t")
            .step(|cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), "text"));
        let limits = Limits {
            subscription_uris: most,
            uri_bytes: bytes,
            ..Limits::default()
        };
        let server = support::builder()
            .resource_template(template)
            .limits(limits);
        let server = server.build().unwrap();
        let mut client = Client::over(Transport::Http, server, "2025-11-25", able());
        let mut said = Value::Null;
        for number in 1..=uris {
            let uri = format!("test://t/{number}");
            said = client.ask("resources/subscribe", json!({ "uri": uri }));
        }
        said["error"]["code"].as_i64().unwrap_or(0)
    };
    let length = "test://t/1".len();
    assert_eq!(subscribed(2, length, 2), 0);
    assert_eq!(subscribed(2, length, 3), -32602);
    assert_eq!(subscribed(9, length, 8), 0);
    assert_eq!(subscribed(9, length, 9), -32602);
}
