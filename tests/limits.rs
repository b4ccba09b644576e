//! Each limit at its edge, and one past it.
//!
//! Those of sessions are held in `tests/legacy/`: `session_idle` in `lifecycle.rs`, `sessions` in
//! `table.rs`, `session_streams`, `stream_events`, `stream_bytes` and `stream_retry` in
//! `streams.rs`, `session_assigns` in `assigns.rs`.

use std::time::Duration;

use http::Request;
use mcp_reprise::http::{Endpoint, Reply};
use mcp_reprise::lines::Connection;
use mcp_reprise::protocol::{CallToolResult, ReadResourceResult};
use mcp_reprise::{
    Action, Caller, Cx, Exchange, FailureKind, Form, Limits, Moment, Observation, Outcome,
    Question, Resource, Server, Sink, StateRefusal, Timestamp, Tool,
};
use serde_json::{Value, json};

fn moment(millis: u64) -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000 + millis), [9; 32])
}

fn echo(_: &mut Cx, arguments: Value) -> Outcome {
    Ok(CallToolResult::text(arguments.to_string()))
}

/// Puts `together` questions at once, and then `after`, one after the other.
fn ask(cx: &mut Cx, arguments: Value) -> Outcome {
    let count = |name: &str| arguments[name].as_u64().unwrap_or(0);
    let form = || Form::new("A word?").text("word");
    let questions: Vec<_> = (0..count("together"))
        .map(|n| Question::form::<Value>(format!("t{n}").as_str(), form()))
        .collect();
    cx.ask(questions)?;
    for n in 0..count("after") {
        cx.elicit::<Value>(format!("a{n}").as_str(), form())?
            .accepted()?;
    }
    Ok(CallToolResult::text("done"))
}

/// Keeps a text of so many letters, then asks.
fn keep(cx: &mut Cx, arguments: Value) -> Outcome {
    let letters = arguments["letters"].as_u64().unwrap_or(0);
    let text = "x".repeat(usize::try_from(letters).unwrap_or(0));
    cx.once_ok_blocking("keep", |_| Ok::<_, std::fmt::Error>(text))?;
    cx.elicit::<Value>("word", Form::new("A word?").text("word"))?;
    Ok(CallToolResult::text("done"))
}

fn talk(cx: &mut Cx, arguments: Value) -> Outcome {
    for n in 0..arguments["times"].as_u64().unwrap_or(0) {
        cx.log(mcp_reprise::protocol::LoggingLevel::Error, n);
    }
    Ok(CallToolResult::text("done"))
}

fn read(cx: &mut Cx, _: Value) -> ReadResourceResult {
    ReadResourceResult::text(cx.name(), "text")
}

fn server(limits: Limits) -> Server {
    let long = |letters: usize| format!("test://{}", "x".repeat(letters - 7));
    let mut server = Server::builder("limits", "1.0.0")
        .single_process([7; 32])
        .limits(limits)
        .tool(Tool::new("echo").step(echo))
        .tool(Tool::new("ask").step(ask))
        .tool(Tool::new("keep").step(keep))
        .tool(Tool::new("talk").step(talk));
    for letters in [30, 31, 32] {
        server = server.resource(Resource::new(long(letters), "long").step(read));
    }
    server.build().unwrap()
}

fn default() -> Limits {
    Limits::default()
}

fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/logLevel": "debug",
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn call(tool: &str, arguments: Value) -> Value {
    message(
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

/// The response to a message, and what the log was told.
fn send(server: &Server, body: &str, millis: u64) -> (Value, Vec<Observation>) {
    let moment = moment(millis);
    let mut turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment);
    while let Some(step) = turn.steps.pop() {
        turn.extend(server.finish(step.run(&Sink::default())));
    }
    let response = turn.actions.into_iter().find_map(|action| match action {
        Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
            response.message
        }
        Action::Push { message, .. } => Some(message),
        _ => None,
    });
    let response = serde_json::from_slice(&response.unwrap()).unwrap();
    (response, turn.observations)
}

/// A call that goes on from a response that asked.
fn again(call: &Value, asked: &Value, answers: Value) -> Value {
    let mut call = call.clone();
    call["params"]["requestState"] = asked["result"]["requestState"].clone();
    call["params"]["inputResponses"] = answers;
    call
}

fn word(word: &str) -> Value {
    json!({ "action": "accept", "content": { "word": word } })
}

fn code(response: &Value) -> i64 {
    response["error"]["code"].as_i64().unwrap_or(0)
}

fn failure(observations: &[Observation]) -> Option<FailureKind> {
    observations.iter().find_map(|seen| match seen {
        Observation::Failed { failure, .. } => Some(*failure),
        _ => None,
    })
}

fn http(limits: Limits, headers: usize, body: String) -> u16 {
    let mut request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "echo");
    for number in 5..headers {
        request = request.header(format!("x-{number}"), "x");
    }
    let request = request.body(body.into_bytes()).unwrap();
    let endpoint = Endpoint::new(server(limits));
    let turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment(0));
    match &*turn.actions {
        [] => 200,
        [Action::Respond { response, .. }] => response.status.as_u16(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn body_bytes() {
    let body = call("echo", json!({})).to_string();
    let limits = || Limits {
        body_bytes: body.len() + 1,
        ..default()
    };
    assert_eq!(http(limits(), 5, format!("{body} ")), 200);
    assert_eq!(http(limits(), 5, format!("{body}  ")), 413);

    // On lines the break is no part of the message.
    for (spaces, code) in [(1, 0), (2, -32600)] {
        let mut connection = Connection::new(server(limits()));
        connection.feed(format!("{body}{}\r\n", " ".repeat(spaces)).as_bytes());
        let turn = connection.next_turn(Exchange(1), Caller::anonymous(), &moment(0));
        let refused = turn
            .unwrap()
            .actions
            .into_iter()
            .find_map(|action| match action {
                Action::Respond { response, .. } => response.message,
                _ => None,
            });
        let refused = refused.map_or(Value::Null, |text| serde_json::from_slice(&text).unwrap());
        assert_eq!(refused["error"]["code"].as_i64().unwrap_or(0), code);
    }
}

#[test]
fn headers() {
    let body = call("echo", json!({})).to_string();
    let limits = || Limits {
        headers: 20,
        ..default()
    };
    assert_eq!(http(limits(), 20, body.clone()), 200);
    assert_eq!(http(limits(), 21, body), 431);
}

#[test]
fn depth() {
    // The message, its params and the arguments are three levels.
    let nested = |levels: usize| {
        let mut value = json!(1);
        for _ in 3..levels {
            value = json!([value]);
        }
        call("echo", json!({ "a": value })).to_string()
    };
    let server = server(Limits {
        depth: 10,
        ..default()
    });
    assert_eq!(code(&send(&server, &nested(10), 0).0), 0);
    assert_eq!(code(&send(&server, &nested(11), 0).0), -32600);
}

#[test]
fn members() {
    fn count(value: &Value) -> usize {
        match value {
            Value::Array(list) => list.iter().map(|value| 1 + count(value)).sum(),
            Value::Object(members) => members.values().map(|value| 1 + count(value)).sum(),
            _ => 0,
        }
    }
    let body = call("echo", json!({ "a": [1, 2, { "b": {} }] }));
    for (members, expected) in [(count(&body), 0), (count(&body) - 1, -32600)] {
        let server = server(Limits {
            members,
            ..default()
        });
        assert_eq!(code(&send(&server, &body.to_string(), 0).0), expected);
    }
}

#[test]
fn string_bytes() {
    let server = server(Limits {
        string_bytes: 100,
        ..default()
    });
    // As written: an escape counts by its letters.
    for (text, expected) in [
        ("x".repeat(100), 0),
        ("x".repeat(101), -32600),
        (format!("{}\\u0061", "x".repeat(94)), 0),
        (format!("{}\\u0061", "x".repeat(95)), -32600),
    ] {
        let body = call("echo", json!({ "a": "TEXT" })).to_string();
        let body = body.replace("TEXT", &text);
        assert_eq!(code(&send(&server, &body, 0).0), expected, "{text}");
    }
}

#[test]
fn arguments_bytes() {
    let server = server(Limits {
        arguments_bytes: 50,
        ..default()
    });
    for (letters, expected) in [(42, 0), (43, -32602)] {
        let arguments = json!({ "a": "x".repeat(letters) });
        assert_eq!(arguments.to_string().len(), letters + 8);
        let body = call("echo", arguments).to_string();
        assert_eq!(code(&send(&server, &body, 0).0), expected);
    }
}

#[test]
fn questions_per_round() {
    let server = server(Limits {
        questions_per_round: 3,
        ..default()
    });
    let (asked, _) = send(
        &server,
        &call("ask", json!({ "together": 3 })).to_string(),
        0,
    );
    assert_eq!(
        asked["result"]["inputRequests"].as_object().unwrap().len(),
        3
    );
    let (_, observations) = send(
        &server,
        &call("ask", json!({ "together": 4 })).to_string(),
        0,
    );
    assert_eq!(failure(&observations), Some(FailureKind::TooManyQuestions));
}

#[test]
fn asks_per_question() {
    let server = server(Limits {
        asks_per_question: 2,
        ..default()
    });
    let body = call("ask", json!({ "after": 1 }));
    let (first, _) = send(&server, &body.to_string(), 0);
    let (second, _) = send(&server, &again(&body, &first, json!({})).to_string(), 0);
    assert!(second["result"]["requestState"].is_string());
    let (_, told) = send(&server, &again(&body, &second, json!({})).to_string(), 0);
    assert_eq!(failure(&told), Some(FailureKind::TooManyAsks));
    // An answer to the last asking is as good as one to the first.
    let answered = again(&body, &second, json!({ "a0": word("yes") }));
    let (done, _) = send(&server, &answered.to_string(), 0);
    assert_eq!(done["result"]["content"][0]["text"], "done");
}

#[test]
fn rounds() {
    let server = server(Limits {
        rounds: 3,
        ..default()
    });
    for (questions, expected) in [(2, None), (3, Some(FailureKind::TooManyRounds))] {
        let body = call("ask", json!({ "after": questions }));
        let (mut response, mut told) = send(&server, &body.to_string(), 0);
        for n in 0..questions {
            let answers = json!({ format!("a{n}"): word("yes") });
            (response, told) = send(&server, &again(&body, &response, answers).to_string(), 0);
        }
        assert_eq!(failure(&told), expected, "{response}");
    }
}

#[test]
fn outcome_bytes() {
    let server = server(Limits {
        outcome_bytes: 100,
        ..default()
    });
    // With its two quotes.
    for (letters, expected) in [(98, None), (99, Some(FailureKind::Outcome))] {
        let body = call("keep", json!({ "letters": letters }));
        let (_, told) = send(&server, &body.to_string(), 0);
        assert_eq!(failure(&told), expected);
    }
}

#[test]
fn journal_bytes() {
    const MOST: u64 = 1_000;
    let server = server(Limits {
        journal_bytes: 1_000,
        ..default()
    });
    let fails = |letters: u64| {
        let body = call("keep", json!({ "letters": letters }));
        let (_, told) = send(&server, &body.to_string(), 0);
        match failure(&told) {
            None => false,
            Some(failure) => {
                assert_eq!(failure, FailureKind::JournalFull);
                true
            }
        }
    };
    // What stands around the text is less than a hundred bytes.
    let edges: Vec<u64> = (MOST - 150..=MOST)
        .filter(|letters| !fails(*letters) && fails(letters + 1))
        .collect();
    let [edge] = &*edges else {
        panic!("{edges:?}");
    };
    assert!((MOST - 100..MOST).contains(edge), "{edge}");
}

#[test]
fn state_chars() {
    let body = call("ask", json!({ "after": 1 }));
    let (asked, _) = send(&server(default()), &body.to_string(), 0);
    let length = asked["result"]["requestState"].as_str().unwrap().len();
    for (state_chars, expected) in [(length, 0), (length - 1, -32602)] {
        let server = server(Limits {
            state_chars,
            ..default()
        });
        let again = again(&body, &asked, json!({ "a0": word("yes") }));
        assert_eq!(code(&send(&server, &again.to_string(), 0).0), expected);
    }
}

fn refusal(observations: &[Observation]) -> Option<StateRefusal> {
    observations.iter().find_map(|seen| match seen {
        Observation::StateRefused { reason, .. } => Some(*reason),
        _ => None,
    })
}

#[test]
fn state_ttl() {
    let server = server(Limits {
        state_ttl: Duration::from_millis(500),
        ..default()
    });
    let body = call("ask", json!({ "after": 1 }));
    let (asked, _) = send(&server, &body.to_string(), 0);
    for (millis, expected) in [(499, None), (500, Some(StateRefusal::Lapsed))] {
        let again = again(&body, &asked, json!({}));
        let (_, told) = send(&server, &again.to_string(), millis);
        assert_eq!(refusal(&told), expected);
    }
}

#[test]
fn call_age() {
    let server = server(Limits {
        call_age: Duration::from_millis(500),
        ..default()
    });
    let body = call("ask", json!({ "after": 1 }));
    let (asked, _) = send(&server, &body.to_string(), 0);
    let (resealed, _) = send(&server, &again(&body, &asked, json!({})).to_string(), 400);
    for (millis, expected) in [(499, None), (500, Some(StateRefusal::CallTooOld))] {
        let again = again(&body, &resealed, json!({}));
        let (_, told) = send(&server, &again.to_string(), millis);
        assert_eq!(refusal(&told), expected);
    }
}

#[test]
fn pending_reports() {
    let server = server(Limits {
        pending_reports: 5,
        ..default()
    });
    for (times, waiting, dropped) in [(5, 5, 0), (6, 5, 1), (1_000, 5, 995)] {
        let body = call("talk", json!({ "times": times })).to_string();
        let caller = Caller::anonymous();
        let mut turn = server.receive(Exchange(1), caller, body.as_bytes(), &moment(0));
        let sink = Sink::default();
        turn.steps.pop().unwrap().run(&sink);
        assert_eq!((sink.drain().len(), sink.dropped()), (waiting, dropped));
    }
}

fn listen(server: &Server, uris: &[String]) -> Value {
    let filter = json!({ "resourceSubscriptions": uris });
    let body = message("subscriptions/listen", json!({ "notifications": filter }));
    send(server, &body.to_string(), 0).0
}

#[test]
fn subscription_uris() {
    let server = server(Limits {
        subscription_uris: 2,
        uri_bytes: 31,
        ..default()
    });
    let uris = |count: usize, letters: usize| vec!["x".repeat(letters); count];
    assert_eq!(code(&listen(&server, &uris(2, 4))), 0);
    assert_eq!(code(&listen(&server, &uris(3, 4))), -32602);
    // And of so many bytes together.
    assert_eq!(code(&listen(&server, &uris(2, 124))), 0);
    assert_eq!(code(&listen(&server, &uris(2, 125))), -32602);
}

#[test]
fn uri_bytes() {
    let server = server(Limits {
        uri_bytes: 31,
        ..default()
    });
    let uri = |letters: usize| format!("test://{}", "x".repeat(letters - 7));
    for (letters, expected) in [(31, 0), (32, -32602)] {
        let body = message("resources/read", json!({ "uri": uri(letters) }));
        assert_eq!(code(&send(&server, &body.to_string(), 0).0), expected);
    }
    // A subscription to one that is too long is left out of the acknowledgment.
    let told = listen(&server, &[uri(31), uri(32)]);
    let agreed = &told["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(*agreed, json!([uri(31)]), "{told}");
}

#[test]
fn page_items() {
    let tools = |page_items: usize| {
        let server = server(Limits {
            page_items,
            ..default()
        });
        let body = message("tools/list", json!({})).to_string();
        let (listed, _) = send(&server, &body, 0);
        let tools = listed["result"]["tools"].as_array().unwrap().len();
        (tools, listed["result"]["nextCursor"].is_string())
    };
    assert_eq!(tools(4), (4, false));
    assert_eq!(tools(3), (3, true));
}

#[test]
fn open_requests() {
    let mut connection = Connection::new(server(Limits {
        open_requests: 2,
        ..default()
    }));
    let mut steps = Vec::new();
    let mut refused = Vec::new();
    for id in 1..=3 {
        let mut body = call("echo", json!({}));
        body["id"] = id.into();
        connection.feed(format!("{body}\n").as_bytes());
        let exchange = Exchange(id);
        let turn = connection.next_turn(exchange, Caller::anonymous(), &moment(0));
        let turn = turn.unwrap();
        steps.extend(turn.steps);
        for action in turn.actions {
            connection.write(action, &mut refused);
        }
    }
    assert_eq!(steps.len(), 2);
    let refused: Value = serde_json::from_slice(&refused).unwrap();
    assert_eq!(refused["error"]["code"], -32603);
    // There is room again when one is answered.
    let mut out = Vec::new();
    let turn = connection.finish(steps.remove(0).run(&Sink::default()), &moment(0));
    for action in turn.actions {
        connection.write(action, &mut out);
    }
    connection.feed(format!("{}\n", call("echo", json!({}))).as_bytes());
    let turn = connection.next_turn(Exchange(4), Caller::anonymous(), &moment(0));
    assert_eq!(turn.unwrap().steps.len(), 1);
}

#[test]
fn keep_alive() {
    let mut reply = Reply::new(Duration::from_millis(500));
    assert_eq!(reply.deadline(), None, "a response that is not open yet");
    let server = server(default());
    let body = message("subscriptions/listen", json!({ "notifications": {} })).to_string();
    let turn = server.receive(
        Exchange(1),
        Caller::anonymous(),
        body.as_bytes(),
        &moment(0),
    );
    for action in &turn.actions {
        reply.act(action, moment(0).now);
    }
    assert_eq!(reply.deadline(), Some(moment(500).now));
    assert!(reply.tick(moment(499).now).is_none());
    assert!(reply.tick(moment(500).now).is_some());
    assert_eq!(reply.deadline(), Some(moment(1_000).now));
}

#[test]
fn list_ttl() {
    let server = server(Limits {
        list_ttl: Duration::from_millis(1_234),
        ..default()
    });
    for method in ["tools/list", "resources/list", "server/discover"] {
        let (told, _) = send(&server, &message(method, json!({})).to_string(), 0);
        assert_eq!(told["result"]["ttlMs"], 1_234, "{method}: {told}");
    }
}
