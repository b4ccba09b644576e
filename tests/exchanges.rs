//! All exchanges of an endpoint in one value: what a driver of HTTP is told to do.

use http::{Method, Request};
use mcp_reprise::http::{Endpoint, Exchanges, Part, Todo};
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Caller, Change, Cx, Exchange, Form, Limits, Moment, Outcome, Progress, Server, Sink, Timestamp,
    Tool,
};
use serde_json::{Value, json};

fn moment(millis: u64) -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000 + millis), [9; 32])
}

fn ask(cx: &mut Cx, _: Value) -> Outcome {
    cx.progress(Progress::new(1).of(2));
    let sure: Value = cx
        .elicit("sure", Form::new("Sure?").boolean("sure"))?
        .accepted()?;
    Ok(CallToolResult::text(sure.to_string()))
}

fn echo(_: &mut Cx, arguments: Value) -> Outcome {
    Ok(CallToolResult::text(arguments.to_string()))
}

fn exchanges() -> Exchanges {
    let server = Server::builder("exchanges", "1.0.0")
        .single_process([7; 32])
        .tool(Tool::new("echo").step(echo))
        .tool(Tool::new("ask").step(ask))
        .tool(Tool::new("ask_once").single_use().step(ask));
    #[cfg(feature = "legacy")]
    let server = server.legacy();
    Exchanges::new(Endpoint::new(server.build().unwrap()))
}

fn request(method: &str, mut params: Value) -> Request<Vec<u8>> {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "progressToken": 1,
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = head(Method::POST)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if !name.is_empty() {
        request = request.header("mcp-name", name);
    }
    request.body(body.to_string().into_bytes()).unwrap()
}

fn head(method: Method) -> http::request::Builder {
    Request::builder()
        .method(method)
        .uri("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
}

fn call(name: &str) -> Request<Vec<u8>> {
    request("tools/call", json!({ "name": name }))
}

/// Runs what is to be run, and gives all that came of it.
fn run(exchanges: &mut Exchanges, mut todo: Todo) -> Vec<(Exchange, Part)> {
    let mut parts = std::mem::take(&mut todo.parts);
    for step in todo.steps.drain(..) {
        let sink = Sink::default();
        let finished = step.run(&sink);
        for report in sink.drain() {
            parts.extend(exchanges.report(report, &moment(1)).parts);
        }
        let todo = exchanges.finish(finished, &moment(1));
        parts.extend(run(exchanges, todo));
    }
    parts
}

/// The names of the parts, and all messages in them.
fn shape(parts: Vec<(Exchange, Part)>) -> (String, Vec<Value>) {
    let mut names = String::new();
    let mut messages = Vec::new();
    for (exchange, part) in parts {
        let (name, body) = match part {
            Part::Whole(response) => ("whole", response.into_body()),
            Part::Open(_) => ("open", Vec::new()),
            Part::Data(data) => ("data", data),
            _ => ("end", Vec::new()),
        };
        names.push_str(&format!("{}:{name} ", exchange.0));
        let text = String::from_utf8(body).unwrap();
        let text = text.trim_start_matches(|c| c != '{').trim_end();
        messages.extend(serde_json::from_str::<Value>(text).ok());
    }
    (names.trim_end().to_owned(), messages)
}

#[test]
fn an_answer_before_which_nothing_was_said_is_whole() {
    let mut exchanges = exchanges();
    let todo = exchanges.receive(Exchange(1), Caller::anonymous(), &call("echo"), &moment(0));
    assert_eq!((exchanges.len(), todo.steps.len()), (1, 1));
    let parts = run(&mut exchanges, todo);
    let (names, messages) = shape(parts);
    assert_eq!(names, "1:whole");
    assert_eq!(messages[0]["result"]["content"][0]["text"], "{}");
    assert!(exchanges.is_empty());
}

#[test]
fn what_is_said_on_the_way_makes_it_a_stream_and_a_question_ends_it() {
    let mut exchanges = exchanges();
    let todo = exchanges.receive(Exchange(7), Caller::anonymous(), &call("ask"), &moment(0));
    let (names, messages) = {
        let parts = run(&mut exchanges, todo);
        shape(parts)
    };
    assert_eq!(names, "7:open 7:data 7:data 7:end");
    assert_eq!(messages[0]["method"], "notifications/progress");
    assert_eq!(messages[1]["result"]["resultType"], "input_required");
    assert!(exchanges.is_empty());
}

#[test]
fn a_refused_request_leaves_nothing_open() {
    let mut exchanges = exchanges();
    let get = head(Method::PUT).body(Vec::new()).unwrap();
    let todo = exchanges.receive(Exchange(1), Caller::anonymous(), &get, &moment(0));
    assert!(
        matches!(&*todo.parts, [(Exchange(1), Part::Whole(response))] if response.status() == 405)
    );
    assert_eq!(todo.observations.len(), 1);
    assert!(exchanges.is_empty());
}

#[test]
fn a_client_that_goes_stops_its_modern_call() {
    let mut exchanges = exchanges();
    let mut todo = exchanges.receive(Exchange(1), Caller::anonymous(), &call("ask"), &moment(0));
    let step = todo.steps.pop().unwrap();
    let todo = exchanges.disconnected(Exchange(1), &moment(1));
    assert_eq!(todo.stopped, [Exchange(1)]);
    // What it comes to all the same goes nowhere.
    let sink = Sink::default();
    let finished = step.run(&sink);
    for report in sink.drain() {
        assert!(exchanges.report(report, &moment(2)).parts.is_empty());
    }
    assert!(exchanges.finish(finished, &moment(2)).parts.is_empty());
    assert!(exchanges.is_empty());
    // It stops nothing twice, nor what has ended.
    assert!(
        exchanges
            .disconnected(Exchange(1), &moment(3))
            .stopped
            .is_empty()
    );
}

#[test]
fn a_listener_is_told_when_its_client_can_be_written_to() {
    let mut exchanges = exchanges();
    let listen = request(
        "subscriptions/listen",
        json!({ "notifications": { "toolsListChanged": true } }),
    );
    let todo = exchanges.receive(Exchange(1), Caller::anonymous(), &listen, &moment(0));
    let (names, messages) = shape(todo.parts);
    assert_eq!(names, "1:open 1:data");
    assert_eq!(
        messages[0]["method"],
        "notifications/subscriptions/acknowledged"
    );
    let other = exchanges.notify(&Change::PromptsList, moment(1).now);
    assert!(other.waiting.is_empty() && other.parts.is_empty());
    for _ in 0..100 {
        let told = exchanges.notify(&Change::ToolsList, moment(1).now);
        assert!(told.parts.is_empty());
        assert_eq!(told.waiting, [Exchange(1)]);
    }
    let drained = exchanges.drain(Exchange(1), moment(2).now);
    let (names, messages) = shape(drained.parts);
    assert_eq!(names, "1:data");
    assert_eq!(messages[0]["method"], "notifications/tools/list_changed");
    assert!(exchanges.drain(Exchange(1), moment(2).now).parts.is_empty());

    let closed = exchanges.close_listeners(moment(3).now);
    let (names, messages) = shape(closed.parts);
    assert_eq!(names, "1:data 1:end");
    assert!(messages[0]["result"].is_object());
    assert!(exchanges.is_empty());
}

#[test]
fn a_silent_stream_is_kept_open_by_comments_when_they_are_due() {
    let mut exchanges = exchanges();
    let keep_alive = Limits::default().keep_alive.as_millis() as u64;
    let listen = request("subscriptions/listen", json!({ "notifications": {} }));
    for exchange in [1, 2] {
        let at = moment(exchange);
        exchanges.receive(Exchange(exchange), Caller::anonymous(), &listen, &at);
    }
    let due = moment(1 + keep_alive);
    assert_eq!(exchanges.deadline(), Some(due.now));
    assert!(exchanges.tick(&moment(keep_alive)).parts.is_empty());
    let (names, _) = shape(exchanges.tick(&due).parts);
    assert_eq!(names, "1:data");
    assert_eq!(exchanges.deadline(), Some(moment(2 + keep_alive).now));
    let (names, _) = shape(exchanges.tick(&moment(10 * keep_alive)).parts);
    assert_eq!(names, "2:data 1:data");
    for exchange in [1, 2] {
        exchanges.disconnected(Exchange(exchange), &moment(0));
    }
    assert_eq!(exchanges.deadline(), None);
    assert!(exchanges.is_empty());
}

#[test]
fn a_claim_is_settled_by_the_driver() {
    let mut exchanges = exchanges();
    let todo = exchanges.receive(
        Exchange(1),
        Caller::anonymous(),
        &call("ask_once"),
        &moment(0),
    );
    let (_, messages) = {
        let parts = run(&mut exchanges, todo);
        shape(parts)
    };
    let answers = json!({ "sure": { "action": "accept", "content": { "sure": true } } });
    let again = request(
        "tools/call",
        json!({
            "name": "ask_once",
            "requestState": messages[1]["result"]["requestState"],
            "inputResponses": answers,
        }),
    );
    for (exchange, is_new) in [(2, true), (3, false)] {
        let exchange = Exchange(exchange);
        let mut todo = exchanges.receive(exchange, Caller::anonymous(), &again, &moment(1));
        assert!(todo.steps.is_empty());
        let claim = todo.claims.pop().unwrap();
        let todo = exchanges.claimed(claim, is_new, &moment(1));
        assert_eq!(todo.steps.len(), usize::from(is_new));
        let parts = run(&mut exchanges, todo);
        let (_, messages) = shape(parts);
        let last = messages.last().unwrap();
        assert_eq!(last["result"].is_object(), is_new, "{last}");
    }
    assert!(exchanges.is_empty());
}

#[cfg(feature = "legacy")]
mod sessions {
    use super::*;

    fn open(exchanges: &mut Exchanges) -> String {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "client", "version": "1" },
        } });
        let request = head(Method::POST)
            .body(body.to_string().into_bytes())
            .unwrap();
        let todo = exchanges.receive(Exchange(1), Caller::anonymous(), &request, &moment(0));
        let [(_, Part::Whole(response))] = &*todo.parts else {
            panic!("{todo:?}");
        };
        let id = response.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let request = in_session(&id)
            .body(ready.to_string().into_bytes())
            .unwrap();
        exchanges.receive(Exchange(2), Caller::anonymous(), &request, &moment(0));
        id
    }

    fn in_session(id: &str) -> http::request::Builder {
        head(Method::POST)
            .header("mcp-session-id", id)
            .header("mcp-protocol-version", "2025-11-25")
    }

    fn send(exchanges: &mut Exchanges, id: &str, exchange: u64, body: &Value) -> Todo {
        let request = in_session(id).body(body.to_string().into_bytes()).unwrap();
        exchanges.receive(
            Exchange(exchange),
            Caller::anonymous(),
            &request,
            &moment(exchange),
        )
    }

    #[test]
    fn a_question_is_answered_on_another_exchange() {
        let mut exchanges = exchanges();
        let id = open(&mut exchanges);
        let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": { "name": "ask" } });
        let todo = send(&mut exchanges, &id, 10, &call);
        let (names, messages) = {
            let parts = run(&mut exchanges, todo);
            shape(parts)
        };
        assert!(names.starts_with("10:open 10:data"), "{names}");
        let question = messages.last().unwrap();
        assert_eq!(question["method"], "elicitation/create");
        let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": {
            "action": "accept", "content": { "sure": true },
        } });
        let todo = send(&mut exchanges, &id, 11, &answer);
        let (names, messages) = {
            let parts = run(&mut exchanges, todo);
            shape(parts)
        };
        assert_eq!(names, "11:whole 10:data 10:end");
        assert_eq!(
            messages[0]["result"]["content"][0]["text"],
            "{\"sure\":true}"
        );
        assert!(exchanges.is_empty());
    }

    #[test]
    fn a_client_that_goes_stops_nothing() {
        let mut exchanges = exchanges();
        let id = open(&mut exchanges);
        let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": { "name": "echo" } });
        let mut todo = send(&mut exchanges, &id, 10, &call);
        let step = todo.steps.pop().unwrap();
        assert!(
            exchanges
                .disconnected(Exchange(10), &moment(11))
                .stopped
                .is_empty()
        );
        let finished = step.run(&Sink::default());
        assert!(exchanges.finish(finished, &moment(12)).parts.is_empty());
        // The client comes back for the rest.
        let resume = Request::builder()
            .method(Method::GET)
            .uri("http://localhost/mcp")
            .header("accept", "text/event-stream")
            .header("mcp-session-id", &id)
            .header("mcp-protocol-version", "2025-11-25")
            .header("last-event-id", last_event(&todo))
            .body(Vec::new())
            .unwrap();
        let todo = exchanges.receive(Exchange(12), Caller::anonymous(), &resume, &moment(13));
        let (names, messages) = shape(todo.parts);
        assert_eq!(names, "12:open 12:data 12:end");
        assert_eq!(messages[0]["id"], 5);
    }

    /// The id of the event that a stream began with.
    fn last_event(todo: &Todo) -> String {
        let data = todo.parts.iter().find_map(|(_, part)| match part {
            Part::Data(data) => Some(String::from_utf8(data.clone()).unwrap()),
            _ => None,
        });
        let data = data.unwrap();
        let id = data.lines().find_map(|line| line.strip_prefix("id: "));
        id.unwrap().to_owned()
    }
}

#[test]
fn what_a_step_has_said_is_told_before_what_it_ended_with() {
    let mut exchanges = exchanges();
    let mut todo = exchanges.receive(Exchange(7), Caller::anonymous(), &call("ask"), &moment(0));
    let step = todo.steps.pop().unwrap();
    let sink = exchanges.sink(&step, || {});
    let finished = step.run(&sink);
    let (names, messages) = shape(exchanges.finish(finished, &moment(1)).parts);
    assert_eq!(names, "7:open 7:data 7:data 7:end");
    assert_eq!(messages[0]["method"], "notifications/progress");
    assert!(
        exchanges
            .reported(Exchange(7), moment(2).now)
            .parts
            .is_empty()
    );
}

#[test]
fn a_step_that_nobody_waits_for_is_cancelled_through_its_sink() {
    let mut exchanges = exchanges();
    let begin = |exchanges: &mut Exchanges, exchange| {
        let caller = Caller::anonymous();
        let mut todo = exchanges.receive(Exchange(exchange), caller, &call("ask"), &moment(0));
        exchanges.sink(&todo.steps.pop().unwrap(), || {})
    };
    let (gone, stays) = (begin(&mut exchanges, 1), begin(&mut exchanges, 2));
    exchanges.disconnected(Exchange(1), &moment(1));
    assert!(gone.is_cancelled() && !stays.is_cancelled());
    drop(exchanges);
    assert!(stays.is_cancelled());
}
