//! What the wire refuses over HTTP: a row a hostile form.
//!
//! Each row changes one thing of a request that is served, and says what comes of it.

mod page;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use mcp_reprise::http::Endpoint;
use mcp_reprise::protocol::{CallToolResult, GetPromptResult, PromptMessage, ReadResourceResult};
use mcp_reprise::{
    Action, Caller, Cx, Exchange, Limits, Moment, Prompt, Resource, ResourceTemplate, Response,
    Server, Sink, Timestamp, Tool,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn server() -> Server {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "count": { "type": "integer", "x-mcp-header": "Count" },
            "deep": {
                "type": "object",
                "properties": { "dry": { "type": "boolean", "x-mcp-header": "Dry" } },
            },
        },
    });
    let echo = |_: &mut Cx, arguments: Value| CallToolResult::text(arguments.to_string());
    Server::builder("wire", "1.0.0")
        .single_process([7; 32])
        .limits(Limits {
            body_bytes: 4_000,
            journal_bytes: 1_000,
            ..Limits::default()
        })
        .tool(Tool::new("region").input_schema(schema).step(echo))
        .tool(Tool::new("plain").step(echo))
        .tool(Tool::new("é").step(echo))
        .prompt(
            Prompt::new("greet")
                .step(|_: &mut Cx, _: Value| GetPromptResult::new([PromptMessage::user("Hello")])),
        )
        .resource(Resource::new("test://a", "a").step(read))
        .resource_template(ResourceTemplate::new("test://t/{id}", "t").step(read))
        .build()
        .unwrap()
}

fn read(cx: &mut Cx, _: Value) -> ReadResourceResult {
    ReadResourceResult::text(cx.name(), "text")
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn body(method: &str, mut params: Value) -> String {
    params["_meta"] = meta();
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

/// A request with the headers that mirror its method and name, and those that are added.
struct Sent {
    method: Method,
    uri: &'static str,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Sent {
    fn new(method: &str, name: Option<&str>, params: Value) -> Self {
        let mut sent = Self {
            method: Method::POST,
            uri: "/mcp",
            headers: HeaderMap::new(),
            body: body(method, params).into_bytes(),
        };
        let both = "application/json, text/event-stream";
        for (header, value) in [
            ("host", "localhost:8000"),
            ("content-type", "application/json"),
            ("accept", both),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ] {
            sent = sent.with(header, value);
        }
        match name {
            Some(name) => sent.with("mcp-name", name),
            None => sent,
        }
    }

    /// A call of the tool whose parameters are mirrored.
    fn call(arguments: &str) -> Self {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let params = json!({ "name": "region", "arguments": arguments });
        Self::new("tools/call", Some("region"), params)
    }

    fn list() -> Self {
        Self::new("tools/list", None, json!({}))
    }

    fn with(mut self, header: &str, value: impl AsRef<[u8]>) -> Self {
        let name: HeaderName = header.parse().unwrap();
        self.headers
            .insert(name, HeaderValue::from_bytes(value.as_ref()).unwrap());
        self
    }

    fn and(mut self, header: &str, value: &str) -> Self {
        let name: HeaderName = header.parse().unwrap();
        self.headers.append(name, value.parse().unwrap());
        self
    }

    fn without(mut self, header: &str) -> Self {
        self.headers.remove(header);
        self
    }

    fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    fn response(&self, endpoint: &Endpoint) -> Response {
        let mut request = Request::builder().method(&self.method).uri(self.uri);
        *request.headers_mut().unwrap() = self.headers.clone();
        let request = request.body(self.body.clone()).unwrap();
        let moment = Moment::new(Timestamp::from_millis(0), [9; 32]);
        let mut turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment);
        while let Some(step) = turn.steps.pop() {
            turn.extend(endpoint.server().finish(step.run(&Sink::default())));
        }
        assert_eq!(turn.actions.len(), 1);
        match turn.actions.remove(0) {
            Action::Respond { response, .. } => response,
            other => panic!("{other:?}"),
        }
    }

    /// The status, and the code of the error; 0 where there is none.
    fn answer(&self, endpoint: &Endpoint) -> (u16, i64, String) {
        let response = self.response(endpoint);
        let text = String::from_utf8(response.message.unwrap_or_default()).unwrap();
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        let code = message["error"]["code"].as_i64().unwrap_or(0);
        (response.status.as_u16(), code, text)
    }
}

const OK: (u16, i64) = (200, 0);
const MISMATCH: (u16, i64) = (400, -32020);

/// Sends each row, and holds the page of the docs to those that are refused.
fn check(test: &str, rows: Vec<(&str, Sent, (u16, i64))>) {
    let endpoint = Endpoint::new(server());
    let mut refused = Vec::new();
    for (row, sent, expected) in rows {
        let (status, code, text) = sent.answer(&endpoint);
        assert_eq!((status, code), expected, "{row}: {text}");
        if code != 0 {
            let id = page::id_of(&text);
            refused.push(format!("| {row} | {status} | {code} | {id} |"));
        }
    }
    page::holds("tests/http_binding.rs", test, &refused);
}

#[test]
fn the_standard_headers() {
    check(
        "the_standard_headers",
        vec![
            ("a list", Sent::list(), OK),
            (
                "no version",
                Sent::list().without("mcp-protocol-version"),
                MISMATCH,
            ),
            ("no method", Sent::list().without("mcp-method"), MISMATCH),
            (
                "an empty method",
                Sent::list().with("mcp-method", ""),
                MISMATCH,
            ),
            (
                "the version twice",
                Sent::list().and("mcp-protocol-version", "2026-07-28"),
                MISMATCH,
            ),
            (
                "the method twice, alike",
                Sent::list().and("mcp-method", "tools/list"),
                MISMATCH,
            ),
            (
                "the method twice, unlike",
                Sent::list().and("mcp-method", "tools/call"),
                MISMATCH,
            ),
            (
                "two methods in one line",
                Sent::list().with("mcp-method", "tools/list, tools/list"),
                MISMATCH,
            ),
            (
                "another case of the value",
                Sent::list().with("mcp-method", "Tools/List"),
                MISMATCH,
            ),
            (
                "white space around",
                Sent::list().with("mcp-method", " \ttools/list\t "),
                OK,
            ),
            (
                "white space inside",
                Sent::list().with("mcp-method", "tools /list"),
                MISMATCH,
            ),
            (
                "letters that are no ASCII",
                Sent::list().with("mcp-method", "tools/líst"),
                MISMATCH,
            ),
            (
                "a wrapped method",
                Sent::list().with("mcp-method", "=?base64?dG9vbHMvbGlzdA==?="),
                MISMATCH,
            ),
            (
                "another version in the header",
                Sent::list().with("mcp-protocol-version", "2025-11-25"),
                MISMATCH,
            ),
            (
                "another version in the body",
                Sent::list()
                    .body(body("tools/list", json!({})).replace("2026-07-28", "2025-11-25")),
                MISMATCH,
            ),
            (
                "one unknown version in both",
                Sent::list()
                    .with("mcp-protocol-version", "2099-01-01")
                    .body(body("tools/list", json!({})).replace("2026-07-28", "2099-01-01")),
                (400, -32022),
            ),
            (
                "an unknown method",
                Sent::new("tools/nap", None, json!({})),
                (404, -32601),
            ),
            (
                "a method that is gone",
                Sent::new("ping", None, json!({})),
                (404, -32601),
            ),
            (
                "a notification",
                Sent::list().body(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#),
                (202, 0),
            ),
        ],
    );
}

#[test]
fn the_name_is_what_the_method_executes_and_nothing_else() {
    let plain = || Sent::new("tools/call", Some("plain"), json!({ "name": "plain" }));
    let resource = |params| Sent::new("resources/read", Some("test://a"), params);
    let accented = |header: &str| Sent::new("tools/call", Some(header), json!({ "name": "é" }));
    check(
        "the_name_is_what_the_method_executes_and_nothing_else",
        vec![
            ("the name", plain(), OK),
            ("no name", plain().without("mcp-name"), MISMATCH),
            ("another name", plain().with("mcp-name", "region"), MISMATCH),
            ("the name twice", plain().and("mcp-name", "plain"), MISMATCH),
            ("the URI", resource(json!({ "uri": "test://a" })), OK),
            (
                "the URI beside a stray name",
                resource(json!({ "uri": "test://a", "name": "x" })),
                OK,
            ),
            (
                "a stray name in the URI's place",
                resource(json!({ "uri": "test://t/1", "name": "test://a" })),
                MISMATCH,
            ),
            (
                "a stray URI in the name's place",
                Sent::new(
                    "tools/call",
                    Some("test://a"),
                    json!({ "name": "plain", "uri": "test://a" }),
                ),
                MISMATCH,
            ),
            (
                "a prompt",
                Sent::new("prompts/get", Some("greet"), json!({ "name": "greet" })),
                OK,
            ),
            (
                "another prompt",
                Sent::new("prompts/get", Some("x"), json!({ "name": "greet" })),
                MISMATCH,
            ),
            (
                "a name where none belongs",
                Sent::list().with("mcp-name", "whatever"),
                OK,
            ),
            ("a wrapped name", accented("=?base64?w6k=?="), OK),
            ("a name that had to be wrapped", accented("é"), MISMATCH),
            (
                "a wrapper without its padding",
                accented("=?base64?w6k?="),
                MISMATCH,
            ),
            (
                "a wrapper in the other alphabet",
                Sent::new(
                    "tools/call",
                    Some("=?base64?fn5-?="),
                    json!({ "name": "~~~" }),
                ),
                MISMATCH,
            ),
            (
                "a wrapper with stray bits",
                accented("=?base64?w6l=?="),
                MISMATCH,
            ),
            (
                "a wrapper around what is no UTF-8",
                accented("=?base64?/w==?="),
                MISMATCH,
            ),
            (
                "another case of the wrapper",
                accented("=?BASE64?w6k=?="),
                MISMATCH,
            ),
            (
                "a wrapper that is not closed",
                accented("=?base64?w6k="),
                MISMATCH,
            ),
            (
                "a wrapper whose ends meet",
                Sent::new(
                    "tools/call",
                    Some("=?base64?="),
                    json!({ "name": "=?base64?=" }),
                ),
                MISMATCH,
            ),
            (
                "a name that begins like a wrapper: there is no such tool",
                Sent::new(
                    "tools/call",
                    Some("=?base64?w6k="),
                    json!({ "name": "=?base64?w6k=" }),
                ),
                (200, -32602),
            ),
        ],
    );
}

fn not_arguments() -> Sent {
    let params = json!({ "name": "region", "arguments": "us" });
    Sent::new("tools/call", Some("region"), params).with("mcp-param-region", "us")
}

/// The check of arguments ends at some depth; the check of headers does not.
#[test]
fn a_parameter_far_down_is_bound_all_the_same() {
    let mut schema = json!({ "type": "string", "x-mcp-header": "Region" });
    for _ in 0..25 {
        schema = json!({ "type": "object", "properties": { "a": schema } });
    }
    let server = Server::builder("wire", "1.0.0")
        .single_process([7; 32])
        .tool(
            Tool::new("region")
                .input_schema(schema)
                .step(|_: &mut Cx, _: Value| CallToolResult::text("ran")),
        )
        .build()
        .unwrap();
    let endpoint = Endpoint::new(server);
    for (value, header, status) in [
        (r#""us""#, "us", 200),
        (r#""us""#, "eu", 400),
        ("5", "eu", 400),
        ("true", "eu", 400),
        (r#"["us"]"#, "us", 400),
    ] {
        let arguments = format!("{}{value}{}", r#"{"a":"#.repeat(25), "}".repeat(25));
        let sent = Sent::call(&arguments).with("mcp-param-region", header);
        assert_eq!(sent.answer(&endpoint).0, status, "{value} {header}");
    }
}

#[test]
fn the_parameters() {
    let region = |value: &str| Sent::call(r#"{"region":"us"}"#).with("mcp-param-region", value);
    let count = |body: &str, header: &str| {
        // The number is put in as text, so that no double comes between.
        let sent = Sent::call(r#"{"count":0}"#).with("mcp-param-count", header);
        let text = String::from_utf8(sent.body.clone()).unwrap();
        sent.body(text.replace("\"count\":0", &format!("\"count\":{body}")))
    };
    let dry = |value: &str| Sent::call(r#"{"deep":{"dry":true}}"#).with("mcp-param-dry", value);
    check(
        "the_parameters",
        vec![
            ("equal", region("us"), OK),
            ("another value", region("eu"), MISMATCH),
            ("no header", Sent::call(r#"{"region":"us"}"#), MISMATCH),
            (
                "twice, one equal",
                region("eu").and("mcp-param-region", "us"),
                MISMATCH,
            ),
            ("in another case", region("US"), MISMATCH),
            ("absent in both", Sent::call("{}"), OK),
            (
                "null in the body",
                Sent::call(r#"{"region":null}"#).with("mcp-param-region", "us"),
                MISMATCH,
            ),
            (
                "absent in the body",
                Sent::call("{}").with("mcp-param-region", "us"),
                MISMATCH,
            ),
            (
                "empty in both",
                Sent::call(r#"{"region":""}"#).with("mcp-param-region", ""),
                OK,
            ),
            (
                "padded and not wrapped",
                Sent::call(r#"{"region":" us"}"#).with("mcp-param-region", " us"),
                MISMATCH,
            ),
            (
                "padded and wrapped",
                Sent::call(r#"{"region":" us"}"#).with("mcp-param-region", "=?base64?IHVz?="),
                OK,
            ),
            (
                "a literal that looks wrapped",
                Sent::call(r#"{"region":"=?base64?x?="}"#).with("mcp-param-region", "=?base64?x?="),
                MISMATCH,
            ),
            (
                "an unknown one",
                Sent::call("{}").with("mcp-param-other", "x"),
                OK,
            ),
            (
                "an unknown one of another tool",
                Sent::new("tools/call", Some("plain"), json!({ "name": "plain" }))
                    .with("mcp-param-region", "x"),
                OK,
            ),
            ("a nested one", dry("true"), OK),
            ("a nested one, unlike", dry("false"), MISMATCH),
            ("a boolean in another case", dry("True"), MISMATCH),
            ("a number", count("42", "42"), OK),
            ("with a fraction of nothing", count("42.0", "42"), OK),
            ("with an exponent", count("42", "4.2e1"), OK),
            ("a number with a plus", count("42", "+42"), MISMATCH),
            ("a number in base 16", count("42", "0x2A"), MISMATCH),
            (
                "a number with a zero in front",
                count("42", "042"),
                MISMATCH,
            ),
            (
                "a number with a space wrapped in",
                count("42", "=?base64?IDQy?="),
                MISMATCH,
            ),
            (
                "the largest",
                count("9007199254740991", "9007199254740991"),
                OK,
            ),
            (
                "a number past the largest, alike",
                count("9007199254740993", "9007199254740993"),
                MISMATCH,
            ),
            (
                "a number past the largest, as one double",
                count("9007199254740993", "9007199254740992"),
                MISMATCH,
            ),
            (
                "a number of 3,000 digits",
                count(&"9".repeat(3_000), "9"),
                MISMATCH,
            ),
            (
                "of another type",
                Sent::call(r#"{"region":5}"#).with("mcp-param-region", "5"),
                OK,
            ),
            (
                "a value of another type, unlike",
                Sent::call(r#"{"region":5}"#).with("mcp-param-region", "eu"),
                MISMATCH,
            ),
            (
                "a value of another type, in the body only",
                Sent::call(r#"{"region":5}"#),
                MISMATCH,
            ),
            (
                "a value of no type that a header can hold",
                Sent::call(r#"{"region":["us"]}"#).with("mcp-param-region", "us"),
                MISMATCH,
            ),
            ("a fraction, alike", count("1.5", "1.5"), OK),
            ("a fraction, unlike", count("1.5", "1"), MISMATCH),
            (
                "a text for a number, unlike",
                count(r#""5""#, "6"),
                MISMATCH,
            ),
            (
                "a text for a boolean, unlike",
                Sent::call(r#"{"deep":{"dry":"false"}}"#).with("mcp-param-dry", "true"),
                MISMATCH,
            ),
            (
                "an array on the way to it",
                Sent::call(r#"{"deep":[{"dry":true}]}"#).with("mcp-param-dry", "true"),
                MISMATCH,
            ),
            ("arguments that are none", not_arguments(), (200, -32602)),
        ],
    );
}

#[test]
fn the_body() {
    let refused = |body: &str| Sent::list().body(body);
    let list = body("tools/list", json!({}));
    let cut = &list[..list.len() - 1];
    check(
        "the_body",
        vec![
            (
                "a twin of a member",
                refused(&list.replacen('{', r#"{"id":1,"#, 1)),
                (400, -32600),
            ),
            (
                "a twin in disguise",
                refused(&list.replacen('{', r#"{"\u0069d":1,"#, 1)),
                (400, -32600),
            ),
            (
                "a twin among arguments",
                Sent::call("{}").body(
                    body("tools/call", json!({ "name": "region" }))
                        .replace(r#""name""#, r#""arguments":{"a":1,"a":2},"name""#),
                ),
                (400, -32600),
            ),
            (
                "a byte order mark",
                refused(&format!("\u{feff}{list}")),
                (400, -32700),
            ),
            (
                "bytes after it",
                refused(&format!("{list} {{}}")),
                (400, -32700),
            ),
            (
                "half a surrogate",
                refused(&list.replacen('{', r#"{"x":"\ud800","#, 1)),
                (400, -32700),
            ),
            ("no body", refused(""), (400, -32700)),
            ("a body cut short", refused(cut), (400, -32700)),
            (
                "bytes that are no UTF-8",
                Sent::list().body([list.as_bytes(), &[0xff]].concat()),
                (400, -32700),
            ),
            (
                "a control character in a string",
                refused(&list.replace("tools/list", "tools/\u{1}list")),
                (400, -32700),
            ),
            (
                "an escape that there is not",
                refused(&list.replace("tools/list", r"tools\/l\ist")),
                (400, -32700),
            ),
            (
                "a key that a parser takes for a sign of its own",
                refused(&list.replacen('{', r#"{"$serde_json::private::Number":"1","#, 1)),
                (400, -32600),
            ),
            ("too deep", refused(&"[".repeat(3_000)), (400, -32600)),
            ("a batch", refused(&format!("[{list}]")), (400, -32600)),
            ("too long", refused(&" ".repeat(4_001)), (413, -32600)),
        ],
    );
}

/// The request of a list, with one piece of its text replaced.
fn changed(from: &str, to: &str) -> Sent {
    let list = body("tools/list", json!({}));
    assert_eq!(list.matches(from).count(), 1, "{list}");
    Sent::list().body(list.replace(from, to))
}

#[test]
fn the_message() {
    let id = |value: &str| changed(r#""id":1"#, &format!(r#""id":{value}"#));
    check(
        "the_message",
        vec![
            ("a text for an id", id(r#""1""#), OK),
            ("an integer with a fraction of nothing", id("1.0"), OK),
            (
                "a number for a message",
                Sent::list().body("1"),
                (400, -32600),
            ),
            ("a null id", id("null"), (400, -32600)),
            ("a truth value for an id", id("true"), (400, -32600)),
            ("an array for an id", id("[1]"), (400, -32600)),
            ("an object for an id", id("{}"), (400, -32600)),
            ("an id with a fraction", id("1.5"), (400, -32600)),
            ("the largest id", id("9007199254740991"), OK),
            (
                "an id past the largest",
                id("9007199254740992"),
                (400, -32600),
            ),
            (
                "no jsonrpc",
                changed(r#""jsonrpc":"2.0","#, ""),
                (400, -32600),
            ),
            (
                "another jsonrpc",
                changed(r#""2.0""#, r#""1.0""#),
                (400, -32600),
            ),
            (
                "no method",
                changed(r#""method":"tools/list","#, ""),
                (400, -32600),
            ),
            (
                "a number for a method",
                changed(r#""tools/list""#, "1"),
                (400, -32600),
            ),
            (
                "an array for params",
                Sent::list().body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#),
                (400, -32600),
            ),
            (
                "a response",
                Sent::list().body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
                (400, -32600),
            ),
        ],
    );
}

#[test]
fn the_fields_of_every_request() {
    const VERSION: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    const ABLE: &str = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
    let with = |field: &str, value: &str| {
        let field = format!(r#"{ABLE},"io.modelcontextprotocol/{field}":{value}"#);
        changed(ABLE, &field)
    };
    check(
        "the_fields_of_every_request",
        vec![
            (
                "no params",
                Sent::list().body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
                (400, -32602),
            ),
            (
                "no _meta",
                Sent::list().body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#),
                (400, -32602),
            ),
            (
                "a _meta that is no object",
                Sent::list().body(
                    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":1}}"#,
                ),
                (400, -32602),
            ),
            (
                "no version in the body",
                changed(&format!(",{VERSION}"), ""),
                (400, -32602),
            ),
            (
                "a number for a version",
                changed(VERSION, &VERSION.replace(r#""2026-07-28""#, "20260728")),
                (400, -32602),
            ),
            (
                "no capabilities",
                changed(&format!("{ABLE},"), ""),
                (400, -32602),
            ),
            (
                "capabilities of another type",
                changed(ABLE, &ABLE.replace("{}", r#"{"roots":1}"#)),
                (400, -32602),
            ),
            (
                "client info without a name",
                with("clientInfo", r#"{"version":"1"}"#),
                (400, -32602),
            ),
            (
                "a log level that there is not",
                with("logLevel", r#""loud""#),
                (200, -32602),
            ),
            ("a log level", with("logLevel", r#""error""#), OK),
            (
                "a progress token with a fraction",
                changed(ABLE, &format!(r#"{ABLE},"progressToken":1.5"#)),
                (200, -32602),
            ),
            (
                "a cursor that is no text",
                Sent::new("tools/list", None, json!({ "cursor": 1 })),
                (200, -32602),
            ),
            (
                "an initialize of an earlier revision",
                Sent::new("initialize", None, json!({})).body(
                    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
                ),
                (400, -32022),
            ),
        ],
    );
}

#[test]
fn the_call() {
    let call = |params: Value| Sent::new("tools/call", Some("plain"), params);
    let of = |name: &str| Sent::new("tools/call", Some(name), json!({ "name": name }));
    let read = |uri: &str| Sent::new("resources/read", Some(uri), json!({ "uri": uri }));
    let get = |name: &str| Sent::new("prompts/get", Some(name), json!({ "name": name }));
    check(
        "the_call",
        vec![
            ("a tool that there is not", of("none"), (200, -32602)),
            ("a prompt that there is not", get("none"), (200, -32602)),
            (
                "a resource that there is not",
                read("test://b"),
                (200, -32602),
            ),
            (
                "no name of what is called",
                call(json!({})).without("mcp-name"),
                (200, -32602),
            ),
            (
                "a number for a name",
                call(json!({ "name": 1 })),
                (200, -32602),
            ),
            (
                "an array for arguments",
                call(json!({ "name": "plain", "arguments": [] })),
                (200, -32602),
            ),
            (
                "a state that is no text",
                call(json!({ "name": "plain", "requestState": 1 })),
                (200, -32602),
            ),
            (
                "a state that is not ours",
                call(json!({ "name": "plain", "requestState": "AAAA" })),
                (200, -32602),
            ),
            (
                "answers that are no object",
                call(json!({ "name": "plain", "inputResponses": [] })),
                (200, -32602),
            ),
            (
                "a cursor that is not ours",
                Sent::new("tools/list", None, json!({ "cursor": "AAAA" })),
                (200, -32602),
            ),
            (
                "a filter of changes that is none",
                Sent::new("subscriptions/listen", None, json!({ "notifications": 1 })),
                (200, -32602),
            ),
            (
                "a completion of what there is not",
                Sent::new(
                    "completion/complete",
                    None,
                    json!({
                        "ref": { "type": "ref/prompt", "name": "none" },
                        "argument": { "name": "a", "value": "" },
                    }),
                ),
                (200, -32602),
            ),
        ],
    );
}

#[test]
fn the_guards() {
    let host = |value: &str| Sent::list().with("host", value);
    let origin = |value: &str| Sent::list().with("origin", value);
    let kept_out = (403, -32600);
    check(
        "the_guards",
        vec![
            ("a name of this machine", host("localhost"), OK),
            ("an address of this machine", host("127.0.0.1:9"), OK),
            ("another of its addresses", host("127.8.8.8"), OK),
            ("its address of IPv6", host("[::1]:80"), OK),
            ("in another case", host("LocalHost"), OK),
            ("another host", host("example.com"), kept_out),
            (
                "a host that begins alike",
                host("localhost.example.com"),
                kept_out,
            ),
            ("a dot at the end", host("localhost."), kept_out),
            ("a user in front", host("localhost@example.com"), kept_out),
            (
                "a user that looks like a host",
                host("example.com:80@localhost"),
                kept_out,
            ),
            (
                "two hosts",
                host("localhost").and("host", "localhost"),
                kept_out,
            ),
            ("no host", Sent::list().without("host"), kept_out),
            ("a port that is none", host("localhost:"), kept_out),
            (
                "an origin of this machine",
                origin("http://localhost:3000"),
                OK,
            ),
            ("an origin of its address", origin("http://[::1]:3000"), OK),
            ("a foreign origin", origin("https://example.com"), kept_out),
            ("no origin at all, in words", origin("null"), kept_out),
            (
                "an origin with a path",
                origin("http://localhost/"),
                kept_out,
            ),
            (
                "an origin with a user",
                origin("http://localhost@example.com"),
                kept_out,
            ),
            (
                "an origin that begins alike",
                origin("http://localhost.example.com"),
                kept_out,
            ),
            (
                "two origins",
                origin("http://localhost").and("origin", "http://localhost"),
                kept_out,
            ),
            ("an empty origin", origin(""), kept_out),
        ],
    );
    let mut foreign = origin("https://example.com").body("{");
    foreign.method = Method::GET;
    let (status, code, _) = foreign.answer(&Endpoint::new(server()));
    assert_eq!(
        (status, code),
        (403, -32600),
        "the guards come before all else"
    );
}

#[test]
fn what_is_let_in_by_name() {
    let endpoint = Endpoint::new(server());
    let endpoint = endpoint.allow_host("mcp.example.com").unwrap();
    let endpoint = endpoint.allow_host("other.example.com:8443").unwrap();
    let endpoint = endpoint.allow_origin("https://app.example.com").unwrap();
    for (host, origin, status) in [
        ("mcp.example.com", "https://app.example.com", 200),
        ("MCP.example.com:9", "https://app.example.com:443", 200),
        ("other.example.com:8443", "HTTPS://App.Example.com", 200),
        ("other.example.com", "https://app.example.com", 403),
        ("mcp.example.com", "http://app.example.com", 403),
        ("mcp.example.com", "https://app.example.com:444", 403),
    ] {
        let sent = Sent::list().with("host", host).with("origin", origin);
        assert_eq!(sent.answer(&endpoint).0, status, "{host} {origin}");
    }
    assert!(
        Endpoint::new(server())
            .allow_host("https://example.com")
            .is_err()
    );
    assert!(Endpoint::new(server()).allow_origin("example.com").is_err());
}

#[test]
fn what_is_sent_and_what_is_taken() {
    let other = |method: Method| {
        let mut sent = Sent::list();
        sent.method = method;
        sent
    };
    let many = (0..200).fold(Sent::list(), |sent, number| {
        sent.with(&format!("x-{number}"), "x")
    });
    check(
        "what_is_sent_and_what_is_taken",
        vec![
            ("too many headers", many, (431, -32600)),
            ("a get", other(Method::GET), (405, -32600)),
            ("a delete", other(Method::DELETE), (405, -32600)),
            ("an options", other(Method::OPTIONS), (405, -32600)),
            (
                "no content type",
                Sent::list().without("content-type"),
                (415, -32600),
            ),
            (
                "another content type",
                Sent::list().with("content-type", "application/jsonp"),
                (415, -32600),
            ),
            (
                "two content types",
                Sent::list().and("content-type", "application/json"),
                (415, -32600),
            ),
            (
                "another charset",
                Sent::list().with("content-type", "application/json; charset=latin1"),
                (415, -32600),
            ),
            (
                "a content type in capitals",
                Sent::list().with("content-type", "APPLICATION/JSON"),
                OK,
            ),
            (
                "a coding",
                Sent::list().with("content-encoding", "gzip"),
                (415, -32600),
            ),
            (
                "a length past the limit",
                Sent::list().with("content-length", "4001"),
                (413, -32600),
            ),
            (
                "a length past all numbers",
                Sent::list().with("content-length", "9".repeat(40)),
                (413, -32600),
            ),
            ("no accept", Sent::list().without("accept"), OK),
            (
                "half an accept",
                Sent::list().with("accept", "application/json"),
                (406, -32600),
            ),
            (
                "an accept of the other half",
                Sent::list().with("accept", "text/event-stream"),
                (406, -32600),
            ),
            (
                "an accept with a weight of nothing",
                Sent::list().with("accept", "*/*, application/json;q=0.000"),
                (406, -32600),
            ),
            (
                "an accept with a weight that is none",
                Sent::list().with("accept", "application/json;q=x, text/event-stream"),
                (406, -32600),
            ),
            (
                "an accept that holds both in a quoted text",
                Sent::list().with("accept", r#"a/b;x="application/json, text/event-stream""#),
                (406, -32600),
            ),
            (
                "an accept of anything",
                Sent::list().with("accept", "*/*"),
                OK,
            ),
            (
                "an accept in two lines",
                Sent::list()
                    .with("accept", "text/event-stream")
                    .and("accept", "application/json"),
                OK,
            ),
        ],
    );
}

/// A client that is told no is told what would do.
#[test]
fn a_refusal_by_the_head_says_what_is_taken() {
    let endpoint = Endpoint::new(server());
    let mut get = Sent::list();
    get.method = Method::GET;
    for (sent, header, value) in [
        (get, "allow", "POST"),
        (
            Sent::list().with("content-type", "text/plain"),
            "accept-post",
            "application/json",
        ),
        (
            Sent::list().with("content-encoding", "gzip"),
            "accept-encoding",
            "identity",
        ),
    ] {
        let headers = sent.response(&endpoint).headers;
        assert_eq!(headers.len(), 1, "{headers:?}");
        assert_eq!(headers[header], value);
    }
}

#[test]
fn an_error_names_the_header_and_never_repeats_its_value() {
    let endpoint = Endpoint::new(server());
    let sent = Sent::call(r#"{"region":"us"}"#).with("mcp-param-region", "evil\tvalue");
    let (_, _, text) = sent.answer(&endpoint);
    assert!(
        text.contains("Mcp-Param-Region differs from the body"),
        "{text}"
    );
    assert!(!text.contains("evil"), "{text}");
}

/// A value as a client puts it into a header.
fn mirrored(text: &str) -> String {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && text.trim_matches(' ') == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

/// Texts that meet the rules where they are thin.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -~]{0,12}",
        "[ \t]{0,2}[a-c]{0,2}[ \t]{0,2}",
        "=\\?base64\\?[A-Za-z0-9+/=]{0,8}(\\?=)?",
    ]
}

const HEADERS: [&str; 6] = [
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-param-region",
    "mcp-param-count",
    "mcp-param-dry",
];

fn mirroring(region: &str, count: i64, dry: bool) -> Sent {
    let arguments = json!({ "region": region, "count": count, "deep": { "dry": dry } });
    Sent::call(&arguments.to_string())
        .with("mcp-param-region", mirrored(region))
        .with("mcp-param-count", count.to_string())
        .with("mcp-param-dry", dry.to_string())
}

proptest! {
    #[test]
    fn what_mirrors_the_body_passes_and_what_differs_does_not(
        region in text(),
        count in -9_007_199_254_740_991_i64..=9_007_199_254_740_991,
        dry in any::<bool>(),
        changed in 0..HEADERS.len(),
        other in text(),
        how in 0..4,
    ) {
        let endpoint = Endpoint::new(server());
        let sent = || mirroring(&region, count, dry);
        let (status, code, answer) = sent().answer(&endpoint);
        prop_assert_eq!((status, code), OK, "{}", answer);

        let header = HEADERS[changed];
        let value = sent().headers[header].to_str().unwrap().to_owned();
        let hostile = match how {
            0 => sent().without(header),
            1 => sent().and(header, &value),
            2 => sent().with(header, format!("{value}, {value}")),
            _ => {
                let other = mirrored(&other);
                let integer = |text: &str| text.parse::<i64>().ok();
                let same = other == value
                    || (header == "mcp-param-count" && integer(&other) == Some(count));
                prop_assume!(!same);
                sent().with(header, other)
            }
        };
        let (status, code, answer) = hostile.answer(&endpoint);
        prop_assert_eq!((status, code), MISMATCH, "{} {}", header, answer);
    }
}
