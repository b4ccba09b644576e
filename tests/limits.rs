//! Every limit, one test each and named after it: what stands at the limit passes, and one past it
//! is refused, by the refusal that is written down here.
//!
//! Where a limit is a time, the moment it ends is past it: what may wait a minute may wait 59,999
//! milliseconds. Two fields are no bounds, `list_ttl` and `stream_retry`: they are told as they are.

#[expect(
    dead_code,
    reason = "it is the support of the kernel's tests, shared as a whole"
)]
#[path = "kernel/support.rs"]
mod support;

#[path = "limits/contradictions.rs"]
mod contradictions;
#[cfg(feature = "legacy")]
#[path = "limits/sessions.rs"]
mod sessions;

use std::time::Duration;

use ::http::Request;
use mcp_reprise::http::{Endpoint, Part, Reply};
use mcp_reprise::lines::Connection;
use mcp_reprise::protocol::{LoggingLevel, ReadResourceResult};
use mcp_reprise::*;
use serde_json::{Value, json};

use support::*;

/// The tools of these tests, behind one limit that is not the default.
fn limited(set: impl FnOnce(&mut Limits)) -> Server {
    let mut limits = Limits::default();
    set(&mut limits);
    let template = ResourceTemplate::new("test://t/{id}", "t")
        .step(|cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), "text"));
    built(
        blank()
            .limits(limits)
            .tool(
                Tool::new("echo").step(|_: &mut Cx, arguments: Value| text(arguments.to_string())),
            )
            .tool(Tool::new("crowd").step(crowd))
            .tool(Tool::new("keep").step(keep))
            .tool(Tool::new("log").step(log))
            .tool(tool("book", |cx| {
                let (day, seats) = (ask(cx, "day", "Day?")?, ask(cx, "seats", "Seats?")?);
                text(format!("{seats} on {day}"))
            }))
            .resource_template(template),
    )
}

fn count_of(arguments: &Value) -> u64 {
    arguments["count"].as_u64().unwrap()
}

/// Puts so many questions in one round.
fn crowd(cx: &mut Cx, arguments: Value) -> Outcome {
    let questions = (0..count_of(&arguments)).map(|_| Question::form::<Value>("q", form("?")));
    cx.ask(questions.collect::<Vec<_>>())?;
    text("done")
}

/// Keeps an outcome of so many bytes of JSON, its quotes counted.
fn keep(cx: &mut Cx, arguments: Value) -> Outcome {
    let length = usize::try_from(count_of(&arguments)).unwrap() - 2;
    let kept = cx.once_blocking("kept", |_| Ok::<_, String>("x".repeat(length)));
    match kept {
        Ok(kept) => text(kept),
        Err(OnceError::Stopped(error)) => Err(error),
        Err(OnceError::Failed(error)) => Err(ToolError::internal(error)),
    }
}

/// Logs so many messages, and tells its progress last if it is asked to.
fn log(cx: &mut Cx, arguments: Value) -> Outcome {
    for number in 0..count_of(&arguments) {
        cx.log(LoggingLevel::Info, number.to_string());
    }
    cx.progress(1);
    text("done")
}

/// A body that was refused before its id was to be trusted.
fn assert_unread(round: &Round, status: u16, words: &str) {
    assert_eq!((round.status, round.code()), (status, -32600));
    let message = round.error()["message"].as_str().unwrap();
    assert!(message.starts_with(words), "{message}");
    assert!(round.message.get("id").is_none(), "{}", round.message);
    let [Observation::Rejected { reason, .. }] = round.observations.as_slice() else {
        panic!("{:?}", round.observations);
    };
    assert_eq!(reason, message);
}

/// A request that was refused, under its id.
fn assert_refused(round: &Round, code: i64, words: &str) {
    assert_eq!((round.status, round.code()), (200, code));
    assert_eq!(round.error()["message"], words);
    assert!(round.message["id"].is_number(), "{}", round.message);
    assert!(!round.ran);
}

fn assert_failed(round: &Round, kind: FailureKind, cause: &str) {
    assert_eq!(round.status, 200);
    let words = match kind {
        FailureKind::TooManyAsks | FailureKind::TooManyRounds => {
            "The call was given up because its questions were not answered."
        }
        _ => "The call failed because of an error in the server.",
    };
    assert_eq!(round.failure(), words);
    assert_eq!(round.cause(), (kind, cause));
}

/// A new field needs a test, and this is how it is not forgotten.
#[test]
fn every_limit_has_a_test_of_its_name() {
    let read = |file: &str| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(root.join(file)).unwrap()
    };
    let tests = read("tests/limits.rs") + &read("tests/limits/sessions.rs");
    let source = read("src/limits.rs");
    let fields: Vec<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("    pub ")?.split(':').next())
        .collect();
    assert!(fields.len() > 25, "{fields:?}");
    for field in fields {
        let test = format!("#[test]\nfn {field}() {{");
        assert!(tests.contains(&test), "no test is named {field}");
    }
}

/// A list over HTTP, with so many header lines and a body padded to so many bytes.
fn over_http(server: &Server, headers: usize, bytes: usize, said: Option<usize>) -> (u16, Value) {
    let mut request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/list");
    if let Some(said) = said {
        request = request.header("content-length", said);
    }
    for number in request.headers_ref().unwrap().len()..headers {
        request = request.header("x-more", number);
    }
    let mut body = Client::of(server).body("tools/list", &json!({}));
    body.push_str(&" ".repeat(bytes.saturating_sub(body.len())));
    let request = request.body(body.into_bytes()).unwrap();
    let endpoint = Endpoint::new(server.clone());
    let moment = Client::of(server).moment();
    let turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment);
    let [Action::Respond { response, .. }] = turn.actions.as_slice() else {
        panic!("{turn:?}");
    };
    let message = serde_json::from_slice(response.message.as_deref().unwrap()).unwrap();
    (response.status.as_u16(), message)
}

#[test]
fn body_bytes() {
    let server = limited(|limits| {
        limits.body_bytes = 1_000;
        limits.journal_bytes = 100;
    });
    let long = json!({
        "jsonrpc": "2.0",
        "error": { "code": -32600, "message": "The message is longer than the limit" },
    });
    // Over HTTP, told by the body and told by its head.
    for (bytes, said, status) in [
        (1_000, None, 200),
        (1_001, None, 413),
        (0, Some(1_000), 200),
        (0, Some(1_001), 413),
    ] {
        let (answered, message) = over_http(&server, 0, bytes, said);
        assert_eq!(answered, status);
        assert!(answered == 200 || message == long, "{message}");
    }
    // Without any envelope.
    let mut client = Client::of(&server);
    let body = client.body("tools/list", &json!({}));
    let padded = |bytes: usize| format!("{body:<bytes$}");
    assert_eq!(client.send(padded(1_000).as_bytes()).status, 200);
    let refused = client.send(padded(1_001).as_bytes());
    assert_unread(&refused, 413, "The message is longer than the limit");
    // Over lines, where the line break is not counted, and the next line is read all the same.
    let mut connection = Connection::new(server);
    let mut out = Vec::new();
    for (bytes, ending) in [
        (1_000, "\n"),
        (1_001, "\n"),
        (1_000, "\r\n"),
        (1_001, "\r\n"),
    ] {
        connection.feed(format!("{}{ending}", padded(bytes)).as_bytes());
        let turn = connection.next_turn(Exchange(1), Caller::anonymous(), &client.moment());
        for action in turn.unwrap().actions {
            connection.write(action, &mut out);
        }
    }
    let lines = String::from_utf8(out).unwrap();
    let are_long: Vec<bool> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap() == long)
        .collect();
    assert_eq!(are_long, [false, true, false, true], "{lines}");
}

fn depth_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth_of).max().unwrap_or(0),
        Value::Object(items) => 1 + items.values().map(depth_of).max().unwrap_or(0),
        _ => 0,
    }
}

fn members_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len() + items.iter().map(members_of).sum::<usize>(),
        Value::Object(items) => items.len() + items.values().map(members_of).sum::<usize>(),
        _ => 0,
    }
}

/// The longest string or key as it is written.
fn longest_in(value: &Value) -> usize {
    let written = |text: &str| Value::from(text).to_string().len() - 2;
    match value {
        Value::String(text) => written(text),
        Value::Array(items) => items.iter().map(longest_in).max().unwrap_or(0),
        Value::Object(items) => {
            let longer = |(key, value): (&String, &Value)| written(key).max(longest_in(value));
            items.iter().map(longer).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Sends one call under the limit it just keeps, and under one less.
fn at_the_edge(measure: fn(&Value) -> usize, set: fn(&mut Limits, usize), words: &str) {
    let arguments = json!({ "a": [[{ "b": [1, 2, 3] }]], "c": "\u{1}".repeat(80) });
    let params = json!({ "name": "echo", "arguments": arguments });
    let body = Client::of(&limited(|_| {})).body("tools/call", &params);
    let least = measure(&serde_json::from_str(&body).unwrap());
    let send = |limit| Client::of(&limited(|limits| set(limits, limit))).send(body.as_bytes());
    assert_eq!(send(least).text(), arguments.to_string());
    assert_unread(&send(least - 1), 400, words);
}

#[test]
fn depth() {
    at_the_edge(
        depth_of,
        |limits, most| limits.depth = most,
        "nested too deep at byte ",
    );
}

#[test]
fn members() {
    at_the_edge(
        members_of,
        |limits, most| limits.members = most,
        "too many members at byte ",
    );
}

#[test]
fn string_bytes() {
    at_the_edge(
        longest_in,
        |limits, most| {
            limits.string_bytes = most;
            limits.journal_bytes = 100;
        },
        "string too long at byte ",
    );
}

#[test]
fn headers() {
    let server = limited(|limits| limits.headers = 20);
    assert_eq!(over_http(&server, 20, 0, None).0, 200);
    let (status, message) = over_http(&server, 21, 0, None);
    assert_eq!(status, 431);
    let error = json!({ "code": -32600, "message": "The request has too many headers" });
    assert_eq!(message, json!({ "jsonrpc": "2.0", "error": error }));
}

#[test]
fn arguments_bytes() {
    let arguments = json!({ "film": "Stalker" });
    let length = arguments.to_string().len();
    let call = |most| {
        let server = limited(|limits| limits.arguments_bytes = most);
        Client::of(&server).tool("echo", arguments.clone())
    };
    assert_eq!(call(length).text(), arguments.to_string());
    assert_refused(&call(length - 1), -32602, "params.arguments is too long");
}

#[test]
fn questions_per_round() {
    let server = limited(|limits| limits.questions_per_round = 3);
    let call = |count: u64| Client::of(&server).tool("crowd", json!({ "count": count }));
    assert_eq!(call(3).keys().len(), 3);
    let cause = "4 questions in one round";
    assert_failed(&call(4), FailureKind::TooManyQuestions, cause);
}

#[test]
fn asks_per_question() {
    let mut client = Client::of(&limited(|limits| limits.asks_per_question = 2));
    let once = client.call("book");
    let twice = client.refresh(&once);
    assert_eq!(twice.keys(), ["day"]);
    assert_eq!(client.answer_all(&twice).keys(), ["seats"]);
    let cause = r#""day" was put 2 times"#;
    assert_failed(&client.refresh(&twice), FailureKind::TooManyAsks, cause);
}

#[test]
fn rounds() {
    for (most, played) in [(3, true), (2, false)] {
        let mut client = Client::of(&limited(|limits| limits.rounds = most));
        let first = client.call("book");
        let second = client.answer_all(&first);
        let third = client.answer_all(&second);
        assert_eq!(third.ran, played);
        if played {
            assert_eq!(third.text(), "v-seats on v-day");
        } else {
            assert_failed(&third, FailureKind::TooManyRounds, "round 3");
        }
    }
}

#[test]
fn outcome_bytes() {
    let server = limited(|limits| limits.outcome_bytes = 10);
    let call = |count: u64| Client::of(&server).tool("keep", json!({ "count": count }));
    assert_eq!(call(10).text(), "xxxxxxxx");
    let cause = r#""kept" came out 11 bytes long, 10 at most"#;
    assert_failed(&call(11), FailureKind::Outcome, cause);
}

#[test]
fn journal_bytes() {
    let call = |most| Client::of(&limited(|limits| limits.journal_bytes = most)).call("book");
    // How long it is, the log says.
    let none = call(0);
    let (_, cause) = none.cause();
    let length: usize = cause.split(' ').next().unwrap().parse().unwrap();
    assert!(call(length).is_asking());
    let cause = format!("{length} bytes, {} at most", length - 1);
    assert_failed(&call(length - 1), FailureKind::JournalFull, &cause);
}

/// All refusals of a state are the same to the client; the log knows.
fn assert_state_refused(round: &Round, reason: StateRefusal) {
    assert_refused(round, -32602, "The request state is not valid");
    assert_eq!(round.state_refusal(), Some(reason));
}

#[test]
fn state_chars() {
    let mut client = Client::of(&limited(|_| {}));
    let asked = client.call("book");
    let long = json!({ "day": typed(&"Sunday".repeat(50)) });
    let asked = client.answer(&asked, long);
    let length = asked.state().chars().count();
    // A server that would seal states as long as that is not built with less: another one may be.
    let answered = |most| {
        let server = limited(|limits| {
            limits.state_chars = most;
            limits.journal_bytes = 100;
        });
        client.clone().moves_to(&server).answer_all(&asked)
    };
    assert!(
        answered(length)
            .text()
            .starts_with(|c: char| c.is_ascii_digit() || c.is_alphabetic())
    );
    assert_state_refused(&answered(length - 1), StateRefusal::TooLong);
}

/// Answers so many milliseconds after the question was put: each request is a second of its own.
fn after(client: &Client, asked: &Round, millis: u64) -> Round {
    client.clone().later(millis - 1_000).answer_all(asked)
}

#[test]
fn state_ttl() {
    let mut client = Client::of(&limited(|limits| {
        limits.state_ttl = Duration::from_secs(60)
    }));
    let asked = client.call("book");
    assert_eq!(after(&client, &asked, 59_999).keys(), ["seats"]);
    assert_state_refused(&after(&client, &asked, 60_000), StateRefusal::Lapsed);
}

#[test]
fn call_age() {
    let mut client = Client::of(&limited(|limits| limits.call_age = Duration::from_secs(60)));
    let asked = client.call("book");
    client.later(29_000);
    let resealed = client.refresh(&asked);
    assert_eq!(after(&client, &resealed, 29_999).keys(), ["seats"]);
    assert_state_refused(&after(&client, &resealed, 30_000), StateRefusal::CallTooOld);
}

#[test]
fn pending_reports() {
    let mut client = Client::of(&limited(|limits| limits.pending_reports = 3));
    client.log_level = Some(LoggingLevel::Info);
    let mut log = |token: Option<Value>, count: u64| {
        client.progress_token = token;
        client.tool("log", json!({ "count": count }))
    };
    let (full, over) = (log(None, 3), log(None, 4));
    assert_eq!((full.logs().len(), full.dropped), (3, 0));
    assert_eq!((over.logs(), over.dropped), (full.logs(), 1));
    // Progress says more than what is dropped for it.
    let (full, over) = (log(Some(1.into()), 2), log(Some(1.into()), 3));
    assert_eq!((full.pushes.len(), full.dropped), (3, 0));
    assert_eq!((over.pushes.len(), over.dropped), (3, 1));
    assert_eq!((over.logs(), over.progress()), (full.logs(), vec![1.0]));
}

/// What a listener is told that it hears of, and the whole turn.
fn listen(server: &Server, uris: &[&str]) -> (Value, Turn) {
    let mut client = Client::of(server);
    let params = json!({ "notifications": { "resourceSubscriptions": uris } });
    let body = client.body("subscriptions/listen", &params);
    let turn = client.receive(body.as_bytes());
    let message = match &turn.actions[0] {
        Action::Push { message, .. } => message,
        Action::Respond { response, .. } => response.message.as_ref().unwrap(),
        other => panic!("{other:?}"),
    };
    (serde_json::from_slice(message).unwrap(), turn)
}

#[test]
fn subscription_uris() {
    let server = limited(|limits| limits.subscription_uris = 2);
    let (told, turn) = listen(&server, &["test://t/1", "test://t/2"]);
    assert_eq!(told["method"], "notifications/subscriptions/acknowledged");
    assert!(matches!(turn.actions[1], Action::Listen(_)));
    let (refused, turn) = listen(&server, &["test://t/1", "test://t/2", "test://t/2"]);
    assert_eq!(refused["error"]["code"], -32602);
    assert_eq!(
        refused["error"]["message"],
        "params.notifications.resourceSubscriptions is too long"
    );
    assert_eq!(turn.actions.len(), 1);
    // And so many bytes together: eight times the longest.
    let server = limited(|limits| limits.uri_bytes = 10);
    let long = "x".repeat(40);
    let (told, _) = listen(&server, &[&long, &long]);
    assert_eq!(told["method"], "notifications/subscriptions/acknowledged");
    let (refused, _) = listen(&server, &[&long, &format!("{long}x")]);
    assert_eq!(refused["error"]["code"], -32602);
}

#[test]
fn uri_bytes() {
    let (at, past) = ("test://t/12", "test://t/123");
    let server = limited(|limits| limits.uri_bytes = at.len());
    let mut client = Client::of(&server);
    let mut read = |uri: &str| client.request("resources/read", json!({ "uri": uri }));
    assert_eq!(read(at).result()["contents"][0]["uri"], at);
    let refused = read(past);
    assert_refused(&refused, -32602, "Resource not found");
    assert_eq!(refused.error()["data"]["uri"], past);
    // A listener is told which it hears of.
    let (told, _) = listen(&server, &[at, past]);
    let heard = &told["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(*heard, json!([at]));
}

#[test]
fn page_items() {
    let page = |most| {
        let server = limited(|limits| limits.page_items = most);
        Client::of(&server).request("tools/list", json!({}))
    };
    let (at, past) = (page(5), page(4));
    assert_eq!(at.result()["tools"].as_array().unwrap().len(), 5);
    assert!(at.result().get("nextCursor").is_none());
    assert_eq!(past.result()["tools"].as_array().unwrap().len(), 4);
    assert!(past.result()["nextCursor"].is_string());
}

#[test]
fn open_requests() {
    let server = limited(|limits| limits.open_requests = 2);
    let mut client = Client::of(&server);
    let mut connection = Connection::new(server);
    let mut send = |connection: &mut Connection| {
        let body = client.body("tools/call", &json!({ "name": "echo" }));
        connection.feed(format!("{body}\n").as_bytes());
        let exchange = Exchange(client.next_id);
        let turn = connection.next_turn(exchange, Caller::anonymous(), &client.moment());
        turn.unwrap()
    };
    let written = |connection: &mut Connection, turn: Turn| {
        let mut out = Vec::new();
        for action in turn.actions {
            assert!(connection.write(action, &mut out).is_none());
        }
        String::from_utf8(out).unwrap()
    };
    let mut first = send(&mut connection);
    let second = send(&mut connection);
    assert_eq!((first.steps.len(), second.steps.len()), (1, 1));
    let third = send(&mut connection);
    assert!(third.steps.is_empty());
    let refused =
        r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Too many requests are open"}}"#;
    assert_eq!(written(&mut connection, third), format!("{refused}\n"));
    let finished = first.steps.remove(0).run(&Sink::default());
    let answered = connection.server().finish(finished);
    assert!(written(&mut connection, answered).contains("\"result\""));
    assert_eq!(send(&mut connection).steps.len(), 1);
}

#[test]
fn keep_alive() {
    let server = limited(|limits| limits.keep_alive = Duration::from_secs(5));
    let at = |millis| Timestamp::from_millis(DAWN + millis);
    let mut reply = Reply::new(server.limits().keep_alive);
    let (_, mut turn) = listen(&server, &[]);
    assert!(matches!(
        reply.act(turn.actions.remove(0), at(0)).as_slice(),
        [Part::Open(_), Part::Data(_)]
    ));
    assert_eq!(reply.deadline(), Some(at(5_000)));
    assert!(reply.tick(at(4_999)).is_none());
    assert!(matches!(reply.tick(at(5_000)), Some(Part::Data(_))));
}

#[test]
fn list_ttl() {
    const MOST: u64 = (1 << 53) - 1;
    for (ttl, told) in [
        (Duration::ZERO, 0),
        (Duration::from_millis(1_500), 1_500),
        (Duration::from_millis(MOST), MOST),
        (Duration::from_millis(MOST + 1), MOST),
    ] {
        let mut client = Client::of(&limited(|limits| limits.list_ttl = ttl));
        for method in ["tools/list", "server/discover"] {
            assert_eq!(client.request(method, json!({})).result()["ttlMs"], told);
        }
    }
}
