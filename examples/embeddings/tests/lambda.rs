//! The function in a runtime of Lambda that is made up here: it hands out what API Gateway sends,
//! and takes what comes back. Each round is played by a process of its own.

#[path = "../../../tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use client::{PATIENCE, check_progress, check_rounds, modern, text};
use serde_json::{Value, json};

const HTTP_API: &str = include_str!("events/http_api.json");
const REST_API: &str = include_str!("events/rest_api.json");

/// Has an instance that was just started handle one event, and gives what it sends back.
fn invoke(event: &Value) -> Value {
    let runtime = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut instance = Command::new(env!("CARGO_BIN_EXE_lambda"))
        .env(
            "AWS_LAMBDA_RUNTIME_API",
            runtime.local_addr().unwrap().to_string(),
        )
        .env("AWS_LAMBDA_FUNCTION_NAME", "mcp")
        .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128")
        .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
        .env("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/mcp")
        .env("AWS_LAMBDA_LOG_STREAM_NAME", "2026/03/10/[$LATEST]1")
        .env("STATE_KEY", "0123456789abcdef0123456789abcdef")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let answer = loop {
        let (stream, _) = runtime.accept().unwrap();
        if let Some(answer) = attend(stream, event) {
            break answer;
        }
    };
    instance.kill().unwrap();
    instance.wait().unwrap();
    answer
}

/// Serves one connection of an instance, until it has sent the answer.
fn attend(stream: TcpStream, event: &Value) -> Option<Value> {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut reader = BufReader::new(stream);
    loop {
        let (mut line, mut length, mut first) = (String::new(), 0, String::new());
        while reader.read_line(&mut line).ok()? > 2 {
            if first.is_empty() {
                first = line.clone();
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        if first.is_empty() {
            return None;
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        if first.starts_with("POST /2018-06-01/runtime/invocation/1/response ") {
            return Some(serde_json::from_slice(&body).unwrap());
        }
        assert!(
            first.starts_with("GET /2018-06-01/runtime/invocation/next "),
            "{first}"
        );
        let event = event.to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             lambda-runtime-aws-request-id: 1\r\nlambda-runtime-deadline-ms: 4102444800000\r\n\
             lambda-runtime-invoked-function-arn: arn:aws:lambda:us-east-2:123456789012:function:mcp\r\n\r\n",
            event.len(),
        );
        reader
            .get_mut()
            .write_all((head + &event).as_bytes())
            .unwrap();
    }
}

/// Sends a request by an HTTP API, and gives what is answered.
fn request(method: &str, name: &str, params: Value) -> Value {
    let body = modern(1, method, params).to_string();
    let mut event: Value = serde_json::from_str(HTTP_API).unwrap();
    event["headers"]["content-length"] = body.len().to_string().into();
    event["headers"]["mcp-method"] = method.into();
    event["headers"]["mcp-name"] = name.into();
    event["body"] = body.into();
    invoke(&event)
}

/// The messages of an answer, whole or gathered.
fn messages(answer: &Value) -> Vec<Value> {
    assert_eq!(answer["statusCode"], 200, "{answer}");
    assert_eq!(answer["isBase64Encoded"], false, "{answer}");
    let body = answer["body"].as_str().unwrap();
    // An HTTP API takes a header's value, a REST API all of them.
    let one = &answer["headers"]["content-type"];
    let media = one
        .as_str()
        .or(answer["multiValueHeaders"]["content-type"][0].as_str());
    if media == Some("application/json") {
        return vec![serde_json::from_str(body).unwrap()];
    }
    assert_eq!(media, Some("text/event-stream"), "{answer}");
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

#[test]
fn lambda() {
    let event: Value = serde_json::from_str(REST_API).unwrap();
    assert_eq!(text(&messages(&invoke(&event))[0]), r#"{"a":[1,"é"]}"#);

    check_rounds(|params| {
        messages(&request("tools/call", "book", params))
            .pop()
            .unwrap()
    });

    check_progress(&messages(&request(
        "tools/call",
        "count",
        json!({ "name": "count" }),
    )));

    // Nobody can listen here: the subscription is told to have ended, and the client knows.
    let wanted = json!({ "notifications": { "resourceSubscriptions": ["note://desk"] } });
    let told = messages(&request("subscriptions/listen", "", wanted));
    assert_eq!(
        told[0]["method"],
        "notifications/subscriptions/acknowledged"
    );
    assert!(told[1]["result"].is_object());

    let mut event: Value = serde_json::from_str(HTTP_API).unwrap();
    event["requestContext"]["http"]["method"] = "GET".into();
    assert_eq!(invoke(&event)["statusCode"], 405);
}
