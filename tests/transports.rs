//! One tool, one script, one result: by the core alone, by both bindings, by every adapter, and
//! with two servers of one key taking turns.

#![cfg(all(feature = "stdio", feature = "tokio", feature = "tower"))]

#[cfg(unix)]
use std::io::{BufRead, BufReader, Write};

use http_body_util::{BodyExt, Full};
use mcp_reprise::adapters::tower::McpService;
use mcp_reprise::adapters::{self, Live};
use mcp_reprise::http::{Endpoint, Part, Reply};
use mcp_reprise::lines::Connection;
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Action, Answer, Caller, Cx, Exchange, Form, Moment, Outcome, Progress, Server, Sink, Timestamp,
    Tool, ToolError, Turn,
};
use serde_json::{Value, json};
use tower_service::Service;

const META: &str = "io.modelcontextprotocol";

async fn book(cx: &mut Cx, arguments: Value) -> Outcome {
    cx.progress(Progress::new(1.0).of(3.0));
    let day = cx
        .elicit::<Value>("day", Form::new("Which day?").text("day"))?
        .accepted()?;
    cx.progress(Progress::new(2.0).of(3.0));
    let seats: Answer<Value> = cx.elicit("seats", Form::new("How many seats?").integer("seats"))?;
    let Answer::Accepted(seats) = seats else {
        return Err(ToolError::say("no seats"));
    };
    cx.progress(Progress::new(3.0).of(3.0));
    let film = &arguments["film"];
    Ok(CallToolResult::json(
        &json!({ "film": film, "day": day, "seats": seats }),
    ))
}

fn plain_book(cx: &mut Cx, arguments: Value) -> Outcome {
    let day = cx
        .elicit::<Value>("day", Form::new("Which day?").text("day"))?
        .accepted()?;
    let seats: Value = cx
        .elicit("seats", Form::new("How many seats?").integer("seats"))?
        .accepted()?;
    let film = &arguments["film"];
    Ok(CallToolResult::json(
        &json!({ "film": film, "day": day, "seats": seats }),
    ))
}

fn server() -> Server {
    Server::builder("cinema", "1.0.0")
        .single_process([7; 32])
        .tool(Tool::new("book").step(book))
        .tool(Tool::new("plain_book").step(plain_book))
        .build()
        .unwrap()
}

fn moment() -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32])
}

fn request(id: u64, tool: &str, state: Option<&Value>, answers: Value) -> Value {
    let mut params = json!({
        "name": tool,
        "arguments": { "film": "Heat" },
        "inputResponses": answers,
        "_meta": {
            format!("{META}/protocolVersion"): "2026-07-28",
            format!("{META}/clientCapabilities"): { "elicitation": {} },
            "progressToken": id,
        },
    });
    if let Some(state) = state {
        params["requestState"] = state.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// Plays the script: two questions, asked one after the other, and the result.
fn play(tool: &str, mut send: impl FnMut(Value) -> Vec<Value>) -> Value {
    let mut last = |request: Value| {
        let mut messages = send(request);
        messages.pop().expect("an answer")
    };
    let first = last(request(1, tool, None, json!({})));
    assert_eq!(first["result"]["resultType"], "input_required", "{first}");
    assert!(
        first["result"]["inputRequests"]["day"].is_object(),
        "{first}"
    );
    let state = &first["result"]["requestState"];
    let answer = json!({ "day": { "action": "accept", "content": { "day": "Friday" } } });
    let second = last(request(2, tool, Some(state), answer));
    assert!(
        second["result"]["inputRequests"]["seats"].is_object(),
        "{second}"
    );
    assert!(
        second["result"]["inputRequests"]["day"].is_null(),
        "{second}"
    );
    let state = &second["result"]["requestState"];
    let answer = json!({ "seats": { "action": "accept", "content": { "seats": 2 } } });
    let third = last(request(3, tool, Some(state), answer));
    third["result"].clone()
}

fn expected() -> Value {
    json!({ "film": "Heat", "day": { "day": "Friday" }, "seats": { "seats": 2 } })
}

fn check(mut send: impl FnMut(Value) -> Vec<Value>) {
    for tool in ["book", "plain_book"] {
        let result = play(tool, &mut send);
        assert_eq!(result["resultType"], "complete", "{result}");
        assert_eq!(result["structuredContent"], expected());
    }
}

fn parse(message: &[u8]) -> Value {
    serde_json::from_slice(message).unwrap()
}

/// Runs the steps of a turn, and gives all messages in order.
fn messages(server: &Server, mut turn: Turn) -> Vec<Value> {
    while let Some(step) = turn.steps.pop() {
        let sink = Sink::default();
        let finished = step.run(&sink);
        for report in sink.drain() {
            turn.extend(server.report(report));
        }
        turn.extend(server.finish(finished));
    }
    let message = |action| match action {
        Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
            parse(&response.message.unwrap())
        }
        Action::Push { message, .. } => parse(&message),
        other => panic!("{other:?}"),
    };
    turn.actions.into_iter().map(message).collect()
}

#[test]
fn by_the_core_alone() {
    let server = server();
    check(|request| {
        let body = request.to_string();
        let turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment());
        messages(&server, turn)
    });
}

#[test]
fn by_two_servers_of_one_key_taking_turns() {
    let mut servers = [server(), server()].into_iter().cycle();
    check(|request| {
        let server = servers.next().unwrap();
        let body = request.to_string();
        let turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment());
        messages(&server, turn)
    });
}

#[test]
fn by_steps_that_another_process_runs() {
    let (server, worker) = (server(), server());
    check(|request| {
        let body = request.to_string();
        let mut turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment());
        let data = serde_json::to_string(&turn.steps.pop().unwrap().into_data()).unwrap();
        let step = worker.rejoin(serde_json::from_str(&data).unwrap()).unwrap();
        let finished = serde_json::to_string(&step.run(&Sink::default())).unwrap();
        messages(
            &server,
            server.finish(serde_json::from_str(&finished).unwrap()),
        )
    });
}

fn http_request(request: &Value) -> http::Request<Full<&'static [u8]>> {
    let builder = http::Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", request["params"]["name"].as_str().unwrap());
    let body: &'static [u8] = request.to_string().into_bytes().leak();
    builder.body(Full::new(body)).unwrap()
}

/// The messages of a response, whole or a stream.
fn of_body(head: &http::HeaderMap, body: &[u8]) -> Vec<Value> {
    if head["content-type"] == "application/json" {
        return vec![parse(body)];
    }
    assert_eq!(head["content-type"], "text/event-stream");
    assert_eq!(head["x-accel-buffering"], "no");
    let text = std::str::from_utf8(body).unwrap();
    let events = text.split("\n\n").filter(|event| !event.is_empty());
    events
        .map(|event| parse(event.strip_prefix("data: ").unwrap().as_bytes()))
        .collect()
}

#[test]
fn by_the_http_binding() {
    let endpoint = Endpoint::new(server());
    check(|request| {
        let (parts, body) = http_request(&request).into_parts();
        let body = futures_now(body.collect()).unwrap().to_bytes();
        let request = http::Request::from_parts(parts, body);
        let mut turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment());
        let sink = Sink::default();
        let finished = turn.steps.pop().unwrap().run(&sink);
        for report in sink.drain() {
            turn.extend(endpoint.server().report(report));
        }
        turn.extend(endpoint.server().finish(finished));
        let mut reply = Reply::new(endpoint.server().limits().keep_alive);
        let mut head = http::HeaderMap::new();
        let mut body = Vec::new();
        for part in turn
            .actions
            .into_iter()
            .flat_map(|action| reply.act(action, moment().now))
        {
            match part {
                Part::Whole(response) => {
                    head = response.headers().clone();
                    body = response.into_body();
                }
                Part::Open(opened) => head = opened.headers().clone(),
                Part::Data(data) => body.extend(data),
                _ => {}
            }
        }
        assert!(reply.is_ended());
        of_body(&head, &body)
    });
}

/// What is left of a step whose client hung up.
struct Guard(std::sync::mpsc::Sender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[test]
fn a_client_that_hangs_up_over_http_cancels_its_call() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (dropped, was_dropped) = std::sync::mpsc::channel();
    let wait = async move |cx: &mut Cx, _: Value| -> Outcome {
        let _guard = Guard(dropped.clone());
        cx.progress(1);
        std::future::pending::<()>().await;
        Ok(CallToolResult::text("never"))
    };
    let server = Server::builder("waiting", "1.0.0").single_process([7; 32]);
    let server = server.tool(Tool::new("wait").step(wait)).build().unwrap();
    let mut service = McpService::new(server);
    runtime.block_on(async {
        let request = request(1, "wait", None, json!({}));
        let response = service.call(http_request(&request)).await.unwrap();
        let mut body = response.into_body();
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(first.starts_with(b"data: {"), "{first:?}");
        assert!(was_dropped.try_recv().is_err());
        drop(body);
        assert_eq!(was_dropped.try_recv(), Ok("dropped"));
    });
}

#[test]
fn a_panic_in_a_step_is_one_plain_sentence() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let boom = |_: &mut Cx, _: Value| -> Outcome { panic!("the secret is 42") };
    let server = Server::builder("panics", "1.0.0").single_process([7; 32]);
    let server = server.tool(Tool::new("boom").step(boom)).build().unwrap();
    let mut service = McpService::new(server);
    let (head, body) = runtime.block_on(async {
        let request = request(1, "boom", None, json!({}));
        let response = service.call(http_request(&request)).await.unwrap();
        let (head, body) = response.into_parts();
        (head, body.collect().await.unwrap().to_bytes())
    });
    let message = of_body(&head.headers, &body).pop().unwrap();
    assert_eq!(message["result"]["isError"], true);
    assert!(!message.to_string().contains("secret"), "{message}");
}

/// A future that is ready at once.
fn futures_now<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

#[test]
fn by_the_tower_adapter() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut service = McpService::new(server());
    check(|request| {
        runtime.block_on(async {
            let response = service.call(http_request(&request)).await.unwrap();
            let (head, body) = response.into_parts();
            assert_eq!(head.status, 200);
            of_body(&head.headers, &body.collect().await.unwrap().to_bytes())
        })
    });
}

#[test]
fn by_the_lines_binding() {
    let mut connection = Connection::new(server());
    check(|request| {
        connection.feed(request.to_string().as_bytes());
        connection.feed(b"\r\n");
        let mut turn = connection
            .next_turn(Exchange(1), Caller::anonymous(), &moment())
            .unwrap();
        let sink = Sink::default();
        let finished = turn.steps.pop().unwrap().run(&sink);
        for report in sink.drain() {
            turn.extend(connection.server().report(report));
        }
        turn.extend(connection.server().finish(finished));
        let mut out = Vec::new();
        for action in turn.actions {
            connection.write(action, &mut out);
        }
        lines(&out)
    });
}

fn lines(out: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(out).unwrap();
    text.lines().map(|line| parse(line.as_bytes())).collect()
}

/// Reads lines until the answer to the request.
fn answer(request: &Value, mut read: impl FnMut() -> String) -> Vec<Value> {
    let mut messages = Vec::new();
    loop {
        let message = parse(read().as_bytes());
        let last = message["id"] == request["id"];
        messages.push(message);
        if last {
            return messages;
        }
    }
}

#[cfg(unix)]
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the adapter blocks the thread it serves on"
)]
fn by_the_stdio_adapter() {
    use std::os::unix::net::UnixStream;
    let (input, mut to_server) = UnixStream::pair().unwrap();
    let (from_server, output) = UnixStream::pair().unwrap();
    let serving = std::thread::spawn(move || {
        adapters::stdio::serve_on(Live::from(server()), input, output, |_| {})
    });
    let mut from_server = BufReader::new(from_server);
    check(|request| {
        writeln!(to_server, "{request}").unwrap();
        answer(&request, || {
            let mut line = String::new();
            from_server.read_line(&mut line).unwrap();
            line
        })
    });
    to_server.shutdown(std::net::Shutdown::Write).unwrap();
    serving.join().unwrap().unwrap();
}

#[test]
fn by_the_tokio_adapter() {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (client, service) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(service);
    let live = Live::from(server());
    let serving = runtime.spawn(adapters::tokio::serve(
        live,
        Caller::anonymous(),
        reader,
        writer,
        |_| {},
    ));
    let (reader, mut writer) = tokio::io::split(client);
    let mut reader = tokio::io::BufReader::new(reader).lines();
    check(|request| {
        runtime.block_on(async {
            writer
                .write_all(format!("{request}\n").as_bytes())
                .await
                .unwrap();
        });
        answer(&request, || {
            runtime.block_on(reader.next_line()).unwrap().unwrap()
        })
    });
    runtime.block_on(writer.shutdown()).unwrap();
    runtime.block_on(serving).unwrap().unwrap();
}
