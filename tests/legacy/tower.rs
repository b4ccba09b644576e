//! Sessions in a service, over real responses.

use std::time::Duration;

use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use mcp_reprise::adapters::tower::{Body, McpService};
use mcp_reprise::adapters::{Live, Notifier};
use mcp_reprise::{Caller, Change};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{able, accept, initialize, server, text};

struct Site {
    service: TowerToHyperService<McpService>,
    notifier: Notifier,
    session: String,
}

/// One event: its id, its retry, its data.
#[derive(Debug, Default, Clone, PartialEq)]
struct Event {
    id: String,
    retry: String,
    data: Value,
}

/// A response that is read event by event.
struct Stream {
    body: Body,
    text: String,
}

impl Site {
    async fn new() -> Self {
        let notifier = Notifier::default();
        let live = Live::new(server(), notifier.clone());
        let service = McpService::builder(live)
            .caller(|head| match head.headers.get("authorization") {
                Some(name) => Caller::principal(name.to_str().unwrap_or_default()),
                None => Caller::anonymous(),
            })
            .build();
        let mut site = Self {
            service: TowerToHyperService::new(service),
            notifier,
            session: String::new(),
        };
        let opened = site
            .send(Method::POST, &[], &initialize("2025-11-25", able()))
            .await;
        assert_eq!(opened.status(), 200);
        site.session = opened.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(site.post(&ready).await.status(), 202);
        site
    }

    async fn send(&self, method: Method, more: &[(&str, &str)], body: &Value) -> Response<Body> {
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if !self.session.is_empty() {
            request = request.header("mcp-session-id", &self.session);
        }
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        self.service.call(request).await.unwrap()
    }

    async fn post(&self, body: &Value) -> Response<Body> {
        self.send(Method::POST, &[], body).await
    }

    async fn get(&self, last: Option<&str>) -> Response<Body> {
        let last: Vec<(&str, &str)> = last.map(|id| ("last-event-id", id)).into_iter().collect();
        self.send(Method::GET, &last, &Value::Null).await
    }

    async fn call(&self, id: u64, tool: &str) -> Stream {
        let response = self
            .post(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": tool, "_meta": {"progressToken": id}}}))
            .await;
        stream(response)
    }
}

fn stream(response: Response<Body>) -> Stream {
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    Stream {
        body: response.into_body(),
        text: String::new(),
    }
}

impl Stream {
    /// The next event, `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let mut event = Event::default();
                for line in block.lines() {
                    match line.split_once(": ") {
                        Some(("id", id)) => event.id = id.to_owned(),
                        Some(("retry", retry)) => event.retry = retry.to_owned(),
                        Some(("data", data)) if !data.is_empty() => {
                            event.data = serde_json::from_str(data).unwrap();
                        }
                        _ => {}
                    }
                }
                self.text = rest.to_owned();
                return Some(event);
            }
            let frame = timeout(Duration::from_secs(5), self.body.frame())
                .await
                .unwrap();
            let data = frame?.unwrap().into_data().unwrap();
            self.text.push_str(std::str::from_utf8(&data).unwrap());
        }
    }

    /// The next event with data.
    async fn message(&mut self) -> Option<Value> {
        loop {
            let event = self.next().await?;
            if !event.data.is_null() {
                return Some(event.data);
            }
        }
    }
}

#[tokio::test]
async fn an_answer_on_one_exchange_resumes_the_step_of_another() {
    let site = Site::new().await;
    let mut call = site.call(1, "book").await;
    assert!(!call.next().await.unwrap().id.is_empty());
    let question = call.message().await.unwrap();
    let answer =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": accept(json!({"day": "Friday"}))});
    assert_eq!(site.post(&answer).await.status(), 202);
    let question = call.message().await.unwrap();
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "cancel"}});
    assert_eq!(site.post(&answer).await.status(), 202);
    assert_eq!(text(&call.message().await.unwrap()), "cancelled");
    assert!(call.next().await.is_none());
}

#[tokio::test]
async fn a_step_runs_on_when_its_client_has_hung_up() {
    let site = Site::new().await;
    let mut call = site.call(1, "wait").await;
    let mark = call.next().await.unwrap();
    drop(call);
    tokio::time::sleep(Duration::from_millis(250)).await;
    let mut resumed = stream(site.get(Some(&mark.id)).await);
    assert_eq!(resumed.message().await.unwrap()["params"]["progress"], 1);
    assert_eq!(text(&resumed.message().await.unwrap()), "waited");
    assert!(resumed.next().await.is_none());
}

#[tokio::test]
async fn a_connection_that_is_let_go_is_closed_with_a_retry() {
    let site = Site::new().await;
    let mut call = site.call(1, "leave").await;
    let mut last = Event::default();
    let mut retry = String::new();
    while let Some(event) = call.next().await {
        retry.push_str(&event.retry);
        if !event.id.is_empty() {
            last = event;
        }
    }
    assert_eq!(retry, "500");
    let mut resumed = stream(site.get(Some(&last.id)).await);
    assert_eq!(resumed.message().await.unwrap()["params"]["progress"], 2);
    assert_eq!(text(&resumed.message().await.unwrap()), "left");
}

#[tokio::test]
async fn one_notify_reaches_sessions_and_listeners() {
    let site = Site::new().await;
    let mut get = stream(site.get(None).await);
    get.next().await.unwrap();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let listen = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {"_meta": meta, "notifications": {"toolsListChanged": true}}});
    let modern = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "subscriptions/listen"),
    ];
    let mut listener = stream(site.send(Method::POST, &modern, &listen).await);
    listener.message().await.unwrap();
    site.notifier.notify(Change::ToolsList);
    let told = "notifications/tools/list_changed";
    assert_eq!(get.message().await.unwrap()["method"], told);
    assert_eq!(listener.message().await.unwrap()["method"], told);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off_and_comes_back() {
    let site = Site::new().await;
    let mut call = site.call(1, "chatter").await;
    let mark = call.next().await.unwrap();
    // Nobody reads for as long as it takes.
    let mut seen = 0;
    let mut last = mark.id;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut done = false;
    while let Some(event) = call.next().await {
        seen += 1;
        done |= event.data.get("result").is_some();
        if !event.id.is_empty() {
            last = event.id;
        }
    }
    assert!(seen <= 1_200, "{seen}");
    if !done {
        let mut resumed = stream(site.get(Some(&last)).await);
        let mut message = Value::Null;
        while let Some(next) = resumed.message().await {
            message = next;
        }
        assert_eq!(text(&message), "chatted");
    }
}

#[tokio::test]
async fn a_delete_ends_the_session_with_all_its_streams() {
    let site = Site::new().await;
    let mut get = stream(site.get(None).await);
    let mut call = site.call(1, "book").await;
    let stranger = [("authorization", "mallory")];
    let ended = site.send(Method::DELETE, &stranger, &Value::Null).await;
    assert_eq!(ended.status(), StatusCode::NOT_FOUND);
    let ended = site.send(Method::DELETE, &[], &Value::Null).await;
    assert!(ended.status().is_success());
    while get.next().await.is_some() {}
    while call.next().await.is_some() {}
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(site.post(&ping).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(site.get(None).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_cancelled_step_is_stopped() {
    let site = Site::new().await;
    let mut call = site.call(1, "wait").await;
    call.next().await.unwrap();
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(site.post(&cancel).await.status(), 202);
    while let Some(event) = call.next().await {
        assert!(event.data.get("result").is_none());
    }
}
