//! Every embedding over HTTP, each as a process of its own.

#[path = "../../../tests/client/mod.rs"]
mod client;
mod process;

use client::http::{self, Site};
use process::Process;

/// Has one served, and checks both lanes.
fn check(program: &str) {
    let mut process = Process::start(program);
    let site = Site::new(process.address());
    http::check(&site);
    http::check_session(&site);
}

#[test]
fn raw_hyper() {
    check(env!("CARGO_BIN_EXE_hyper_raw"));
}

#[test]
fn tiny_http() {
    check(env!("CARGO_BIN_EXE_tiny"));
}

#[test]
fn actix_web() {
    check(env!("CARGO_BIN_EXE_actix"));
}

#[test]
fn smol() {
    check(env!("CARGO_BIN_EXE_smol_http"));
}

/// With a token all is as without one; without, nothing is to be had, nor from another page.
#[test]
fn axum_behind_bearer_tokens_and_cors() {
    let mut process = Process::start(env!("CARGO_BIN_EXE_axum_layers"));
    let address = process.address();
    let stranger = Site::new(address);
    for token in [None, Some("Bearer mallorys-token"), Some("Basic YTpi")] {
        let headers = token.map(|token| ("authorization", token));
        let refused = stranger.send("POST", headers.as_slice(), "{}");
        assert_eq!(refused.status, 401, "{token:?}");
        assert!(refused.head["www-authenticate"].contains("resource_metadata="));
    }

    let page = "https://app.example.com";
    let preflight = [
        ("origin", page),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,mcp-method"),
    ];
    let allowed = stranger.send("OPTIONS", &preflight, "");
    assert_eq!(allowed.status, 200);
    assert_eq!(allowed.head["access-control-allow-origin"], page);
    assert!(allowed.head["access-control-allow-headers"].contains("mcp-method"));

    let alice = Site::new(address).header("authorization", "Bearer alices-token");
    let elsewhere = alice.send("POST", &[("origin", "https://evil.example.com")], "{}");
    assert_eq!(elsewhere.status, 403);
    http::check(&alice);
    http::check_session(&alice);
    http::check(
        &Site::new(address)
            .header("authorization", "Bearer alices-token")
            .header("origin", page),
    );
}
