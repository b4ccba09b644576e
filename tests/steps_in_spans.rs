//! What a step logs itself belongs to the span of its call: in every adapter, in a plain step and
//! across the waits of an async one, on both lanes, and when its future is dropped.

#![cfg(all(
    feature = "tracing",
    feature = "stdio",
    feature = "tokio",
    feature = "tower",
    feature = "legacy"
))]

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;
use std::thread::{ThreadId, current};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use mcp_reprise::adapters::{Desk, Job, Live, stdio, tower::McpService};
use mcp_reprise::http::{Endpoint, Part};
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::tracing::Tracer;
use mcp_reprise::{Caller, Cx, Form, Outcome, Server, Tool};
use serde_json::{Value, json};
use tower_service::Service;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// What each span is of, which spans each thread is in, and what was said in which.
#[derive(Default)]
struct Seen {
    spans: Vec<String>,
    within: BTreeMap<String, Vec<u64>>,
    said: Vec<(String, Option<String>)>,
}

/// Steps run on threads of their own, so there is one subscriber for the process.
struct Global;

static SEEN: OnceLock<Mutex<Seen>> = OnceLock::new();

fn seen() -> MutexGuard<'static, Seen> {
    let seen = SEEN.get_or_init(Mutex::default);
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

fn here(thread: ThreadId) -> String {
    format!("{thread:?}")
}

/// The value of one field.
struct Read(&'static str, Option<String>);

impl Visit for Read {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == self.0 {
            self.1 = Some(format!("{value:?}"));
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

impl Subscriber for Global {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut id = Read("jsonrpc.request.id", None);
        span.record(&mut id);
        let mut seen = seen();
        seen.spans.push(id.1.unwrap_or_default());
        Id::from_u64(seen.spans.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut step = Read("step", None);
        event.record(&mut step);
        let Some(step) = step.1 else { return };
        let mut seen = seen();
        let span = seen.within.get(&here(current().id()));
        let span = span.and_then(|spans| spans.last().copied());
        let span = span.map(|span| seen.spans[span as usize - 1].clone());
        seen.said.push((step, span));
    }

    fn enter(&self, span: &Id) {
        let mut seen = seen();
        let within = seen.within.entry(here(current().id())).or_default();
        within.push(span.into_u64());
    }

    fn exit(&self, _: &Id) {
        let mut seen = seen();
        seen.within.get_mut(&here(current().id())).unwrap().pop();
    }
}

fn begin() {
    let _ = tracing::subscriber::set_global_default(Global);
}

/// What was said of a step, each with the id of the request in whose span it was.
fn said(step: &str) -> Vec<Option<String>> {
    let seen = seen();
    let of_step = seen.said.iter().filter(|(said, _)| said == step);
    of_step.map(|(_, span)| span.clone()).collect()
}

struct OnDrop(String);

impl Drop for OnDrop {
    fn drop(&mut self) {
        tracing::info!(step = self.0, "dropped");
    }
}

fn step(arguments: &Value) -> String {
    arguments["step"].as_str().unwrap().to_owned()
}

fn plain(_: &mut Cx, arguments: Value) -> Outcome {
    tracing::info!(step = step(&arguments), "in a plain step");
    Ok(CallToolResult::text("done"))
}

/// Waits between what it says, and asks.
async fn waits(cx: &mut Cx, arguments: Value) -> Outcome {
    let step = step(&arguments);
    tracing::info!(step, "before the wait");
    let mut waited = false;
    poll_fn(|context| match std::mem::replace(&mut waited, true) {
        true => Poll::Ready(()),
        false => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await;
    tracing::info!(step, "after the wait");
    if arguments["asks"] == true {
        let _: Value = cx
            .elicit("day", Form::new("Day?").text("day"))?
            .accepted()?;
    }
    Ok(CallToolResult::text("done"))
}

async fn stuck(_: &mut Cx, arguments: Value) -> Outcome {
    let _dropped = OnDrop(step(&arguments));
    std::future::pending().await
}

fn server() -> Server {
    Server::builder("traced", "1.0.0")
        .single_process([7; 32])
        .observe_calls()
        .legacy()
        .tool(Tool::new("plain").step(plain))
        .tool(Tool::new("waits").step(waits))
        .tool(Tool::new("stuck").step(stuck))
        .build()
        .unwrap()
}

/// Both halves of a tracer.
fn traced() -> (
    Live,
    impl Fn(&mcp_reprise::Observation) + Clone + Send + Sync,
) {
    let tracer = Tracer::default();
    let live = Live::from(server()).around({
        let tracer = tracer.clone();
        move |exchange| tracer.around(exchange)
    });
    (live, move |seen: &mcp_reprise::Observation| {
        tracer.observe(seen)
    })
}

fn call(id: &str, tool: &str, arguments: Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn line(message: &Value) -> String {
    format!("{message}\n")
}

fn of(id: &str, count: usize) -> Vec<Option<String>> {
    vec![Some(id.to_owned()); count]
}

#[test]
fn on_stdio() {
    begin();
    let (live, observe) = traced();
    let lines = line(&call("s1", "plain", json!({ "step": "stdio plain" })))
        + &line(&call("s2", "waits", json!({ "step": "stdio async" })));
    let input = std::io::Cursor::new(lines.into_bytes());
    stdio::serve_on(live, input, std::io::sink(), observe).unwrap();
    assert_eq!(said("stdio plain"), of("s1", 1));
    assert_eq!(said("stdio async"), of("s2", 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn on_tokio_in_a_session() {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    begin();
    let (live, observe) = traced();
    let (client, service) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(service);
    let caller = Caller::anonymous();
    let serving = mcp_reprise::adapters::tokio::serve(live, caller, reader, writer, observe);
    let serving = tokio::spawn(serving);
    let (reader, mut writer) = tokio::io::split(client);
    let mut lines = BufReader::new(reader).lines();
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "c", "version": "1" } } });
    let begun = line(&initialize)
        + &line(
            &json!({ "jsonrpc": "2.0", "id": "t1", "method": "tools/call",
            "params": { "name": "plain", "arguments": { "step": "tokio plain" } } }),
        )
        + &line(
            &json!({ "jsonrpc": "2.0", "id": "t2", "method": "tools/call",
            "params": { "name": "waits", "arguments": { "step": "tokio async", "asks": true } } }),
        );
    writer.write_all(begun.as_bytes()).await.unwrap();
    for _ in 0..4 {
        let message: Value =
            serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        if message["method"] == "elicitation/create" {
            let answer = json!({ "action": "accept", "content": { "day": "Sunday" } });
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": answer });
            writer.write_all(line(&answer).as_bytes()).await.unwrap();
        }
    }
    writer.shutdown().await.unwrap();
    serving.await.unwrap().unwrap();
    assert_eq!(said("tokio plain"), of("t1", 1));
    // It is played from its top again, with the answer.
    assert_eq!(said("tokio async"), of("t2", 4));
}

fn request(message: &Value) -> http::Request<Full<Bytes>> {
    http::Request::post("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", message["params"]["name"].as_str().unwrap())
        .body(Full::from(message.to_string()))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn on_tower_and_when_the_client_hangs_up() {
    begin();
    let (live, observe) = traced();
    let mut service = McpService::builder(live).observe(observe).build();
    for (id, tool, step) in [
        ("h1", "plain", "tower plain"),
        ("h2", "waits", "tower async"),
    ] {
        let message = call(id, tool, json!({ "step": step }));
        let response = service.call(request(&message)).await.unwrap();
        response.into_body().collect().await.unwrap();
    }
    assert_eq!(said("tower plain"), of("h1", 1));
    assert_eq!(said("tower async"), of("h2", 2));

    let message = call("h3", "stuck", json!({ "step": "tower dropped" }));
    let calling = service.call(request(&message));
    let wait = std::time::Duration::from_millis(50);
    assert!(tokio::time::timeout(wait, calling).await.is_err());
    assert_eq!(said("tower dropped"), of("h3", 1));
}

#[test]
fn at_a_desk() {
    begin();
    let (live, observe) = traced();
    let endpoint = Endpoint::new(live.server());
    let desk = Desk::new(live, endpoint, Job::run, observe);
    for (id, tool, step) in [("d1", "plain", "desk plain"), ("d2", "waits", "desk async")] {
        let message = call(id, tool, json!({ "step": step }));
        let request = request(&message).map(|_| message.to_string());
        let mut parts = desk.receive(Caller::anonymous(), &request).unwrap();
        assert!(matches!(parts.wait(), Some(Part::Whole(_))));
    }
    assert_eq!(said("desk plain"), of("d1", 1));
    assert_eq!(said("desk async"), of("d2", 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn on_tower_in_a_session() {
    begin();
    let (live, observe) = traced();
    let mut service = McpService::builder(live).observe(observe).build();
    let post = |session: Option<&str>, message: Value| {
        let mut request = http::Request::post("http://localhost/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        request
            .body(Full::<Bytes>::from(message.to_string()))
            .unwrap()
    };
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "c", "version": "1" } } });
    let response = service.call(post(None, initialize)).await.unwrap();
    let session = response.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    for (id, tool, step) in [
        ("l1", "plain", "session plain"),
        ("l2", "waits", "session async"),
    ] {
        let params = json!({ "name": tool, "arguments": { "step": step } });
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let response = service.call(post(Some(&session), message)).await.unwrap();
        response.into_body().collect().await.unwrap();
    }
    assert_eq!(said("session plain"), of("l1", 1));
    assert_eq!(said("session async"), of("l2", 2));
}
