//! One endpoint for an HTTP server of any make: what it sends to whom, and what stops.

#![allow(clippy::disallowed_methods, reason = "steps run on threads")]

use std::sync::mpsc::{Receiver, channel};
use std::task::{Context, Poll, Waker};
use std::thread;

use http::{Request, Response};
use mcp_reprise::adapters::{Desk, Job, Live, Notifier, Parts};
use mcp_reprise::http::{Endpoint, Part};
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Caller, Change, Cx, Limits, Observation, Outcome, Progress, Server, Tool};
use serde_json::{Value, json};

fn request(method: &str, mut params: Value) -> Request<Vec<u8>> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": 1,
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = params["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    request.body(body.to_string().into_bytes()).unwrap()
}

fn call(name: &str) -> Request<Vec<u8>> {
    request("tools/call", json!({ "name": name }))
}

fn server() -> Server {
    Server::builder("desk", "1.0.0")
        .single_process([7; 32])
        .limits(Limits {
            keep_alive: std::time::Duration::from_millis(1),
            ..Limits::default()
        })
        .tool(Tool::new("count").step(|cx: &mut Cx, _: Value| {
            for n in 1..=3 {
                cx.progress(Progress::new(n));
            }
            CallToolResult::text("counted")
        }))
        .tool(Tool::new("flood").step(|cx: &mut Cx, _: Value| {
            for n in 1..=2_000 {
                cx.progress(Progress::new(n));
            }
            CallToolResult::text("flooded")
        }))
        .tool(
            Tool::new("hang")
                .step(async |_: &mut Cx, _: Value| -> Outcome { std::future::pending().await }),
        )
        .build()
        .unwrap()
}

/// A desk whose jobs wait to be run, and whose observations wait to be read.
fn desk() -> (Desk, Notifier, Receiver<Job>, Receiver<Observation>) {
    let (jobs, to_run) = channel();
    let (seen, to_read) = channel();
    let notifier = Notifier::default();
    let live = Live::new(server(), notifier.clone());
    let desk = Desk::new(
        live,
        Endpoint::new(server()),
        move |job| jobs.send(job).unwrap(),
        move |observation| seen.send(observation.clone()).unwrap(),
    );
    (desk, notifier, to_run, to_read)
}

fn receive(desk: &Desk, request: &Request<Vec<u8>>) -> Parts {
    desk.receive(Caller::anonymous(), request).unwrap()
}

fn poll(parts: &mut Parts) -> Poll<Option<Part>> {
    parts.poll_next(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn the_client_of_a_run_that_is_dropped_is_not_left_waiting() {
    let (desk, _, to_run, _) = desk();
    let mut parts = receive(&desk, &call("hang"));
    let mut run = Box::pin(to_run.recv().unwrap().run_async());
    let mut context = Context::from_waker(Waker::noop());
    assert!(run.as_mut().poll(&mut context).is_pending());
    assert!(poll(&mut parts).is_pending());
    drop(run);
    assert!(matches!(poll(&mut parts), Poll::Ready(None)));
}

fn whole(parts: &mut Parts) -> Response<Vec<u8>> {
    match parts.wait() {
        Some(Part::Whole(response)) => response,
        other => panic!("{other:?}"),
    }
}

fn data(part: Option<Part>) -> String {
    match part {
        Some(Part::Data(data)) => String::from_utf8(data).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_step_says_comes_before_what_it_ends_with() {
    let (desk, _, jobs, _) = desk();
    let mut parts = receive(&desk, &call("count"));
    assert!(poll(&mut parts).is_pending());
    thread::spawn(move || jobs.recv().unwrap().run());
    assert!(matches!(parts.wait(), Some(Part::Open(_))));
    let mut said = Vec::from_iter(std::iter::from_fn(|| parts.wait()).map(|part| data(Some(part))));
    said.retain(|data| data != ":\n\n");
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(
        said[..3]
            .iter()
            .all(|data| data.contains("notifications/progress"))
    );
    assert!(said[3].contains("counted"));
    assert!(parts.wait().is_none(), "the end stays the end");
}

#[test]
fn whoever_hangs_up_ends_the_call() {
    let (desk, _, jobs, _) = desk();
    let mut parts = receive(&desk, &call("hang"));
    assert!(poll(&mut parts).is_pending());
    let running = thread::spawn(move || jobs.recv().unwrap().run());
    drop(parts);
    // It would never end by itself.
    running.join().unwrap();
}

#[test]
fn a_job_that_is_not_run_is_turned_away() {
    let (desk, _, jobs, observations) = desk();
    let mut parts = receive(&desk, &call("count"));
    drop(jobs.recv().unwrap());
    let answer = whole(&mut parts);
    let message: Value = serde_json::from_slice(answer.body()).unwrap();
    assert_eq!(message["result"]["isError"], true, "{message}");
    assert!(observations.try_iter().count() > 0);
}

#[test]
fn a_listener_is_told_when_its_client_can_be_written_to_and_of_the_end() {
    let (desk, notifier, _, _) = desk();
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let mut parts = receive(&desk, &request("subscriptions/listen", listen));
    assert!(matches!(parts.wait(), Some(Part::Open(_))));
    assert!(data(parts.wait()).contains("acknowledged"));
    // However many there are while nobody reads, they are one.
    for _ in 0..5_000 {
        notifier.notify(Change::ToolsList);
    }
    assert!(data(parts.wait()).contains("tools/list_changed"));
    assert!(poll(&mut parts).is_pending());
    // Nothing else ticks the desk.
    assert_eq!(data(parts.wait()), ":\n\n");
    notifier.close_listeners();
    let mut last = data(parts.wait());
    while last == ":\n\n" {
        last = data(parts.wait());
    }
    assert!(last.contains("\"result\""), "{last}");
    assert!(parts.wait().is_none());
}

#[test]
fn a_client_that_reads_too_slowly_is_cut_off() {
    let (desk, _, jobs, _) = desk();
    let mut parts = receive(&desk, &call("flood"));
    // Nobody reads while it says so much.
    jobs.recv().unwrap().run();
    assert!(matches!(poll(&mut parts), Poll::Ready(None)));
    assert!(parts.wait().is_none());
}
