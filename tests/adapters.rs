//! What an adapter owes its process: bounded threads, claims that all connections share, and
//! nothing kept or run for a client that went away.

#![cfg(all(unix, feature = "stdio", feature = "tokio", feature = "tower"))]
#![allow(
    clippy::disallowed_methods,
    reason = "threads stand for clients, and for what blocks"
)]

use std::future::poll_fn;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread::JoinHandle;

use http_body_util::{BodyExt, Full};
use mcp_reprise::adapters::tower::McpService;
use mcp_reprise::adapters::{Live, stdio, tokio as over_tokio};
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Caller, Cx, Form, Limits, Outcome, Server, ServerBuilder, Tool};
use serde_json::{Value, json};
use tower_service::Service;

const META: &str = "io.modelcontextprotocol";

fn builder() -> ServerBuilder {
    Server::builder("adapters", "1.0.0").single_process([7; 32])
}

fn call(id: u64, tool: &str, state: Option<&Value>, answers: Value) -> Value {
    let mut params = json!({
        "name": tool,
        "inputResponses": answers,
        "_meta": {
            format!("{META}/protocolVersion"): "2026-07-28",
            format!("{META}/clientCapabilities"): { "elicitation": {} },
        },
    });
    if let Some(state) = state {
        params["requestState"] = state.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn cancel(id: u64) -> Value {
    let params = json!({ "requestId": id });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
}

/// A client of the stdio adapter.
struct Client {
    writer: UnixStream,
    reader: BufReader<UnixStream>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn of(live: Live) -> Self {
        let (input, writer) = UnixStream::pair().unwrap();
        let (reader, output) = UnixStream::pair().unwrap();
        let serving = std::thread::spawn(move || stdio::serve_on(live, input, output, |_| {}));
        let reader = BufReader::new(reader);
        Self {
            writer,
            reader,
            serving,
        }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.writer, "{message}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn end(self) {
        self.writer.shutdown(std::net::Shutdown::Write).unwrap();
        self.serving.join().unwrap().unwrap();
    }
}

/// A tool that blocks its thread until it is told to go on, whatever becomes of its client, and
/// counts its runs.
struct Stubborn {
    begun: Receiver<()>,
    go_on: Sender<()>,
    runs: Arc<AtomicUsize>,
}

fn stubborn() -> (Tool, Stubborn) {
    let (begins, begun) = channel();
    let (go_on, may_go_on) = channel::<()>();
    let may_go_on = Arc::new(Mutex::new(may_go_on));
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let tool = Tool::new("stubborn").step(move |_: &mut Cx, _: Value| -> Outcome {
        counted.fetch_add(1, Ordering::SeqCst);
        let _ = begins.send(());
        let _ = may_go_on.lock().unwrap().recv();
        Ok(CallToolResult::text("done"))
    });
    let held = Stubborn { begun, go_on, runs };
    (tool, held)
}

#[test]
fn threads_of_cancelled_calls_count_on_stdio() {
    let (tool, stubborn) = stubborn();
    let limits = Limits {
        open_requests: 2,
        ..Limits::default()
    };
    let server = builder().limits(limits).tool(tool).build().unwrap();
    let mut client = Client::of(server.into());
    for id in 1..=2 {
        client.send(&call(id, "stubborn", None, json!({})));
        stubborn.begun.recv().unwrap();
        client.send(&cancel(id));
    }
    client.send(&call(3, "stubborn", None, json!({})));
    let answer = client.receive();
    assert_eq!(answer["id"], 3);
    assert_eq!(answer["result"]["isError"], true);
    let text = "The server is too busy to run this now. Try again later.";
    assert_eq!(answer["result"]["content"][0]["text"], text);
    assert_eq!(stubborn.runs.load(Ordering::SeqCst), 2);

    // There is room again once they have come to an end.
    drop(stubborn.go_on);
    let mut id = 4;
    loop {
        client.send(&call(id, "stubborn", None, json!({})));
        let answer = client.receive();
        assert_eq!(answer["id"], id);
        if answer["result"]["content"][0]["text"] == "done" {
            break;
        }
        id += 1;
    }
    client.end();
}

#[test]
fn what_runs_when_the_output_breaks_is_cancelled_on_stdio() {
    let (begins, begun) = channel();
    let (ends, ended) = channel();
    let tool = Tool::new("patient").step(move |cx: &mut Cx, _: Value| -> Outcome {
        let _ = begins.send(());
        while !cx.is_cancelled() {
            std::thread::yield_now();
        }
        let _ = ends.send(());
        Ok(CallToolResult::text("done"))
    });
    let server = builder().tool(tool).build().unwrap();
    let mut client = Client::of(server.into());
    client.send(&call(1, "patient", None, json!({})));
    begun.recv().unwrap();
    drop(client.reader);
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    // A broken pipe is told of at the second writing at the latest.
    for _ in 0..2 {
        let _ = writeln!(client.writer, "{ping}");
    }
    assert!(client.serving.join().unwrap().is_err());
    ended.recv().unwrap();
}

fn http_request(request: &Value) -> http::Request<Full<&'static [u8]>> {
    let body: &'static [u8] = request.to_string().into_bytes().leak();
    http::Request::post("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", request["params"]["name"].as_str().unwrap())
        .body(Full::new(body))
        .unwrap()
}

async fn over_http(service: &mut McpService, request: &Value) -> Value {
    let response = service.call(http_request(request)).await.unwrap();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&body).unwrap()
}

async fn over_lines(live: Live, request: &Value) -> Value {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (mut client, service) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(service);
    let serving = over_tokio::serve(live, Caller::anonymous(), reader, writer, |_| {});
    let serving = tokio::spawn(serving);
    client
        .write_all(format!("{request}\n").as_bytes())
        .await
        .unwrap();
    client.shutdown().await.unwrap();
    let mut out = String::new();
    client.read_to_string(&mut out).await.unwrap();
    serving.await.unwrap().unwrap();
    serde_json::from_str(&out).unwrap()
}

#[test]
fn a_state_is_used_once_whatever_connection_it_comes_by() {
    let tool = Tool::new("once").single_use();
    let tool = tool.step(|cx: &mut Cx, _: Value| -> Outcome {
        let form = Form::new("Sure?").boolean("yes");
        cx.elicit::<Value>("sure", form)?.accepted()?;
        Ok(CallToolResult::text("done"))
    });
    let live = Live::from(builder().tool(tool).build().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut one = McpService::new(live.clone());
    let mut other = McpService::new(live.clone());
    let asked = runtime.block_on(over_http(&mut one, &call(1, "once", None, json!({}))));
    let state = &asked["result"]["requestState"];
    assert!(state.is_string(), "{asked}");
    let answers = json!({ "sure": { "action": "accept", "content": { "yes": true } } });
    let again = call(2, "once", Some(state), answers);

    let first = runtime.block_on(over_http(&mut one, &again));
    assert_eq!(first["result"]["content"][0]["text"], "done", "{first}");
    let mut client = Client::of(live.clone());
    client.send(&again);
    let by_stdio = client.receive();
    client.end();
    for used in [
        runtime.block_on(over_http(&mut one, &again)),
        runtime.block_on(over_http(&mut other, &again)),
        runtime.block_on(over_lines(live.clone(), &again)),
        runtime.block_on(over_lines(live, &again)),
        by_stdio,
    ] {
        assert_eq!(used["error"]["code"], -32602, "{used}");
        let sentence = "The request state is not valid";
        assert_eq!(used["error"]["message"], sentence);
    }
}

#[test]
fn a_plain_step_that_waits_for_a_thread_goes_with_its_client() {
    let (tool, stubborn) = stubborn();
    let server = builder().tool(tool).build().unwrap();
    let held = Arc::new(());
    let kept = Arc::clone(&held);
    let mut service = McpService::builder(server)
        .caller(move |_| Caller::anonymous().extend(Arc::clone(&kept)))
        .build();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    let request = call(1, "stubborn", None, json!({}));
    let first = runtime.spawn(service.call(http_request(&request)));
    stubborn.begun.recv().unwrap();
    let with_first = Arc::strong_count(&held);

    runtime.block_on(async {
        for _ in 0..3 {
            let mut second = service.call(http_request(&request));
            let waits = poll_fn(|context| Poll::Ready(second.as_mut().poll(context).is_pending()));
            assert!(waits.await);
            assert!(Arc::strong_count(&held) > with_first);
            drop(second);
            assert_eq!(Arc::strong_count(&held), with_first);
        }
    });
    drop(stubborn.go_on);
    let answer = runtime.block_on(first).unwrap().unwrap();
    assert_eq!(answer.status(), 200);
    drop(runtime);
    assert_eq!(stubborn.runs.load(Ordering::SeqCst), 1);
}
