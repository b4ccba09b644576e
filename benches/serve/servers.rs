//! The two servers, each with one thread.

use std::future::Future;
use std::io::Read as _;
use std::net::SocketAddr;

use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::serve::ListenerExt as _;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use mcp_reprise::adapters::tower::McpService;
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Cx, Server, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Serves until standard input ends.
pub fn run(name: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let (end, ended) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = end.send(());
    });
    runtime.unwrap().block_on(async {
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = TcpListener::bind(address).await.unwrap();
        println!("{}", listener.local_addr().unwrap());
        match name {
            "axum" => until(ended, bare(listener)).await,
            "reprise" => until(ended, reprise(listener, |tool| tool.step(echo))).await,
            "plain fn" => until(ended, reprise(listener, |tool| tool.step(plain))).await,
            other => panic!("no such server: {other}"),
        }
    });
}

async fn until(ended: tokio::sync::oneshot::Receiver<()>, serving: impl Future<Output = ()>) {
    tokio::select! {
        () = serving => {}
        _ = ended => {}
    }
}

/// What no server does without: it reads the body, and prints an answer.
async fn bare(listener: TcpListener) {
    let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
    let app = axum::Router::new().route("/mcp", post(answer));
    axum::serve(listener, app).await.unwrap();
}

async fn answer(body: Bytes) -> impl IntoResponse {
    let request: Value = serde_json::from_slice(&body).unwrap();
    let text = &request["params"]["arguments"]["text"];
    let answer = json!({
        "jsonrpc": "2.0",
        "id": request["id"],
        "result": {
            "resultType": "complete",
            "_meta": {
                "io.modelcontextprotocol/serverInfo": { "name": "bench", "version": "1.0.0" },
            },
            "content": [{ "type": "text", "text": text }],
        },
    });
    ([(CONTENT_TYPE, "application/json")], answer.to_string())
}

#[derive(Deserialize)]
struct Echo {
    text: String,
}

async fn echo(_: &mut Cx, echo: Echo) -> CallToolResult {
    CallToolResult::text(echo.text)
}

/// The same as a plain function, which may block and so is run on a thread of its own.
fn plain(_: &mut Cx, echo: Echo) -> CallToolResult {
    CallToolResult::text(echo.text)
}

async fn reprise(listener: TcpListener, tool: impl FnOnce(Tool) -> Tool) {
    let schema = json!({
        "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"],
    });
    let server = Server::builder("bench", "1.0.0")
        .single_process([7; 32])
        .legacy()
        .tool(tool(Tool::new("echo").input_schema(schema)))
        .build();
    let service = McpService::new(server.unwrap());
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
