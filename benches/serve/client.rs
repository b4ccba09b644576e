//! The load: connections that are kept, each with one request at a time.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 32;

/// A modern `tools/call` of `echo`.
const BODY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"Hello, MCP"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

fn request(address: SocketAddr) -> Vec<u8> {
    let length = BODY.len();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n\
         mcp-method: tools/call\r\nmcp-name: echo\r\ncontent-length: {length}\r\n\r\n"
    );
    [head.as_bytes(), BODY.as_bytes()].concat()
}

/// Sends so many requests over all connections, and reads their answers.
pub fn load(address: SocketAddr, requests: usize) {
    let sent = request(address);
    run(async {
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|_| tokio::spawn(connection(address, sent.clone(), requests / CONNECTIONS)))
            .collect();
        for connection in connections {
            connection.await.unwrap();
        }
    });
}

/// One request: its answer has to be an echo.
pub fn check(address: SocketAddr) {
    let sent = request(address);
    let answer = run(async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let mut read = Vec::new();
        exchange(&mut stream, &sent, &mut read).await;
        String::from_utf8(read).unwrap()
    });
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains(r#""text":"Hello, MCP""#), "{answer}");
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(work)
}

async fn connection(address: SocketAddr, sent: Vec<u8>, requests: usize) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut read = Vec::new();
    for _ in 0..requests {
        exchange(&mut stream, &sent, &mut read).await;
    }
}

/// Sends a request and reads its whole answer.
async fn exchange(stream: &mut TcpStream, sent: &[u8], read: &mut Vec<u8>) {
    stream.write_all(sent).await.unwrap();
    read.clear();
    while !is_whole(read) {
        assert_ne!(
            stream.read_buf(read).await.unwrap(),
            0,
            "the server hung up"
        );
    }
}

fn is_whole(read: &[u8]) -> bool {
    let Some(head) = read.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    let text = std::str::from_utf8(&read[..head]).unwrap();
    let mut headers = text.split("\r\n").filter_map(|line| line.split_once(": "));
    let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = length
        .expect("an answer without a length")
        .1
        .parse()
        .unwrap();
    read.len() >= head + 4 + length
}
