//! Two replicas and one Redis: what is asked at one is answered at the other, what is told at one is
//! heard at the other, and nothing that both change is lost.

#![allow(
    clippy::disallowed_methods,
    reason = "the tests start a Redis, and wait until it listens"
)]

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::{Request, Response};
use futures_util::StreamExt;
use http_body_util::BodyExt;
use mcp_reprise::protocol::{CallToolResult, ReadResourceResult};
use mcp_reprise::{
    Change, Cx, Form, KeyRing, Outcome, Progress, ResourceTemplate, Server, StateKey, Tool,
    ToolError,
};
use replicas::{Changes, Replica};
use serde_json::{Value, json};

/// A Redis of this test, which ends with it: on a socket in the file system, whose name is free.
struct Redis(Child, PathBuf);

impl Redis {
    fn start() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("mcp-replicas-{}-{number}.sock", std::process::id());
        let socket = std::env::temp_dir().join(name);
        let child = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no"])
            .arg("--unixsocket")
            .arg(&socket)
            .current_dir(std::env::temp_dir())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        for _ in 0..500 {
            if UnixStream::connect(&socket).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Self(child, socket)
    }

    fn url(&self) -> String {
        format!("redis+unix://{}", self.1.display())
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        let _ = std::fs::remove_file(&self.1);
    }
}

fn book(cx: &mut Cx, _: Value) -> Outcome {
    let form = Form::new("Which day?").text("day");
    let day: Value = cx.elicit("day", form)?.accepted()?;
    cx.progress(Progress::new(1));
    Ok(CallToolResult::text(format!("Booked for {}", day["day"])))
}

fn touch(cx: &mut Cx, arguments: Value) -> Outcome {
    let changes = cx
        .extension::<Changes>()
        .ok_or(ToolError::internal("none"))?;
    let uri = arguments["uri"].as_str().unwrap_or_default();
    changes.tell(Change::resource(uri));
    Ok(CallToolResult::text("touched"))
}

async fn replica(url: &str) -> Replica {
    let build = |changes: Changes| {
        let read = |cx: &mut Cx, _: Value| ReadResourceResult::text(cx.name(), "text");
        Server::builder("cinema", "1.0.0")
            .state_keys(KeyRing::new(StateKey::new(&[7; 32]).unwrap()))
            .value(changes)
            .tool(Tool::new("book").step(book))
            .tool(Tool::new("once").single_use().step(book))
            .tool(Tool::new("touch").step(touch))
            .resource_template(ResourceTemplate::new("test://t/{id}", "t").step(read))
            .legacy()
            .build()
            .unwrap()
    };
    Replica::new(url, build).await.unwrap()
}

/// The answer to a request of a session, or to the `initialize` that opens one.
async fn send(
    replica: &Replica,
    method: &str,
    session: Option<&str>,
    last: Option<&str>,
    message: Value,
) -> Response<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    for (name, value) in [("mcp-session-id", session), ("last-event-id", last)] {
        if let Some(value) = value {
            request = request.header(name, value);
        }
    }
    let body = match message {
        Value::Null => Body::empty(),
        message => Body::from(message.to_string()),
    };
    replica.serve(request.body(body).unwrap()).await
}

async fn post(replica: &Replica, session: &str, message: Value) -> Response<Body> {
    send(replica, "POST", Some(session), None, message).await
}

async fn open(replica: &Replica) -> String {
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "c", "version": "1" } } });
    let opened = send(replica, "POST", None, None, initialize).await;
    assert_eq!(opened.status(), 200);
    let session = opened.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(replica, &session, ready).await.status(), 202);
    session
}

/// A stream of events as it comes.
struct Events(BodyDataStream, String, Option<String>);

impl Events {
    fn of(response: Response<Body>) -> Self {
        assert_eq!(response.status(), 200);
        Self(response.into_body().into_data_stream(), String::new(), None)
    }

    /// The next message, within ten seconds.
    async fn next(&mut self) -> Value {
        let ten = Duration::from_secs(10);
        tokio::time::timeout(ten, self.read())
            .await
            .expect("nothing came")
    }

    async fn read(&mut self) -> Value {
        loop {
            if let Some((event, rest)) = self.1.split_once("\n\n") {
                let line = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()))
                };
                let (id, data) = (line("id:"), line("data:"));
                self.1 = rest.to_owned();
                self.2 = id.or(self.2.take());
                match data.filter(|data| !data.is_empty()) {
                    Some(data) => return serde_json::from_str(&data).unwrap(),
                    None => continue,
                }
            }
            let more = self.0.next().await.expect("the stream has ended").unwrap();
            self.1.push_str(std::str::from_utf8(&more).unwrap());
        }
    }
}

fn call(id: u32, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn answer(question: &Value) -> Value {
    let answer = json!({ "action": "accept", "content": { "day": "Sunday" } });
    json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer })
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server, of Debian's package of that name; .ci/run has it"]
async fn an_answer_is_carried_to_where_its_call_waits() {
    let redis = Redis::start();
    let (here, there) = (replica(&redis.url()).await, replica(&redis.url()).await);
    let session = open(&here).await;
    let mut events = Events::of(post(&here, &session, call(1, "book", json!({}))).await);
    let question = events.next().await;
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(
        post(&there, &session, answer(&question)).await.status(),
        202
    );
    assert_eq!(events.next().await["method"], "notifications/progress");
    let result = events.next().await;
    assert_eq!(result["id"], 1);
    assert_eq!(
        result["result"]["content"][0]["text"],
        "Booked for \"Sunday\""
    );
    // What is over at one is over at the other.
    assert_eq!(
        send(&there, "DELETE", Some(&session), None, Value::Null)
            .await
            .status(),
        200
    );
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    assert_eq!(post(&here, &session, ping).await.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server, of Debian's package of that name; .ci/run has it"]
async fn a_call_survives_the_replica_it_waits_at() {
    let redis = Redis::start();
    let there = replica(&redis.url()).await;
    // The other one has a runtime of its own to die with.
    let dying = tokio::runtime::Runtime::new().unwrap();
    let url = redis.url();
    let begun = dying.spawn(async move {
        let here = replica(&url).await;
        let session = open(&here).await;
        let response = post(&here, &session, call(1, "book", json!({}))).await;
        (session, response)
    });
    let (session, response) = begun.await.unwrap();
    let mut events = Events::of(response);
    let question = events.next().await;
    let last = events.2.clone().unwrap();
    // It dies with its connections, and tells nobody.
    std::mem::forget(events);
    dying.shutdown_background();
    assert_eq!(
        post(&there, &session, answer(&question)).await.status(),
        202
    );
    let again = send(&there, "GET", Some(&session), Some(&last), Value::Null).await;
    let mut events = Events::of(again);
    let mut message = events.next().await;
    while message["method"] == "notifications/progress" {
        message = events.next().await;
    }
    assert_eq!(
        message["result"]["content"][0]["text"],
        "Booked for \"Sunday\""
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server, of Debian's package of that name; .ci/run has it"]
async fn a_notice_reaches_the_listeners_of_all() {
    let redis = Redis::start();
    let (here, there) = (replica(&redis.url()).await, replica(&redis.url()).await);
    // A session's listener at each, and a modern one at each.
    let mut listening = Vec::new();
    for at in [&here, &there] {
        let session = open(at).await;
        let subscribe = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe",
            "params": { "uri": "test://t/1" } });
        assert_eq!(post(at, &session, subscribe).await.status(), 200);
        listening.push(Events::of(
            send(at, "GET", Some(&session), None, Value::Null).await,
        ));
        let mut listener = Events::of(
            modern(
                at,
                1,
                "subscriptions/listen",
                json!({
            "notifications": { "resourceSubscriptions": ["test://t/1"] } }),
            )
            .await,
        );
        let first = listener.next().await;
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        listening.push(listener);
    }
    let touch = json!({ "name": "touch", "arguments": { "uri": "test://t/1" } });
    assert_eq!(modern(&there, 2, "tools/call", touch).await.status(), 200);
    for listener in &mut listening {
        let told = listener.next().await;
        assert_eq!(told["method"], "notifications/resources/updated");
        assert_eq!(told["params"]["uri"], "test://t/1");
    }
}

async fn modern(replica: &Replica, id: u32, method: &str, mut params: Value) -> Response<Body> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let mut request = Request::post("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = params["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    replica
        .serve(request.body(Body::from(message.to_string())).unwrap())
        .await
}

/// Both change one session at the same time, over and over; each change is there in the end.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server, of Debian's package of that name; .ci/run has it"]
async fn no_change_is_lost() {
    let redis = Redis::start();
    let replicas = [replica(&redis.url()).await, replica(&redis.url()).await];
    let session = open(&replicas[0]).await;
    let mut subscribing = Vec::new();
    for number in 0..40 {
        let (at, session) = (replicas[number % 2].clone(), session.clone());
        subscribing.push(tokio::spawn(async move {
            let subscribe = json!({ "jsonrpc": "2.0", "id": number + 1,
                "method": "resources/subscribe", "params": { "uri": format!("test://t/{number}") } });
            post(&at, &session, subscribe).await.status()
        }));
    }
    for subscribed in subscribing {
        assert_eq!(subscribed.await.unwrap(), 200);
    }
    let mut events = Events::of(send(&replicas[1], "GET", Some(&session), None, Value::Null).await);
    for number in 0..40 {
        let uri = format!("test://t/{number}");
        let touch = json!({ "name": "touch", "arguments": { "uri": uri } });
        assert_eq!(
            modern(&replicas[number % 2], 1, "tools/call", touch)
                .await
                .status(),
            200
        );
        assert_eq!(events.next().await["params"]["uri"], uri);
    }
}

/// A state of a single-use tool is taken once, whichever replica it is sent to.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server, of Debian's package of that name; .ci/run has it"]
async fn a_state_is_used_once() {
    let redis = Redis::start();
    let (here, there) = (replica(&redis.url()).await, replica(&redis.url()).await);
    let json = async |response: Response<Body>| {
        let body = response.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice::<Value>(&body).unwrap()
    };
    let params = json!({ "name": "once", "arguments": {} });
    let asked = json(modern(&here, 1, "tools/call", params.clone()).await).await;
    let mut params = params;
    params["requestState"] = asked["result"]["requestState"].clone();
    let day = json!({ "action": "accept", "content": { "day": "Sunday" } });
    params["inputResponses"] = json!({ "day": day });
    let once = json(modern(&there, 2, "tools/call", params.clone()).await).await;
    assert_eq!(
        once["result"]["content"][0]["text"],
        "Booked for \"Sunday\""
    );
    let twice = json(modern(&here, 3, "tools/call", params).await).await;
    assert_eq!(twice["error"]["code"], -32602);
}
