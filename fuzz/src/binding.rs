//! The header checks against the reference.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Request;
use mcp_reprise::http::Endpoint;
use mcp_reprise::{Action, Caller, Exchange};
use serde_json::{Value, json};

use super::fixture;
use super::input::Input;
use super::reference::{self, Facts, Param};

const TEXTS: [&str; 12] = [
    "us",
    "eu-west1",
    "",
    " padded ",
    "é",
    "=?base64?dXM=?=",
    "=?base64?",
    "line\nbreak",
    "true",
    "42",
    "a,b",
    "~",
];
const NUMBERS: [&str; 16] = [
    "42",
    "42.0",
    "4.2e1",
    "420e-1",
    "0",
    "-0",
    "-7",
    "0.5",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740991",
    "1e15",
    "1e16",
    "12345678901234567890",
    "1e-1",
];
const LITERALS: [&str; 10] = [
    "+42",
    "042",
    "0x2A",
    "4 2",
    "42,42",
    "TRUE",
    "False",
    "=?BASE64?dXM=?=",
    "=?base64?dXM?=",
    "1_0",
];

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let (facts, body) = request(&mut input);
    let mut headers = mirror(&facts);
    for _ in 0..input.pick(4) {
        mutate(&mut headers, &mut input);
    }
    let Some(request) = build(&headers, body.to_string()) else {
        return;
    };
    let endpoint = Endpoint::new(fixture::server());
    let turn = endpoint.receive(
        Exchange(1),
        Caller::anonymous(),
        &request,
        &fixture::moment(),
    );
    let code = turn.actions.iter().find_map(error_code);
    let agree = reference::agree(&headers, &facts);
    assert_eq!(
        code != Some(-32020),
        agree,
        "headers {headers:?}\nfacts {facts:?}\nturn {turn:?}"
    );
}

pub fn error_code(action: &Action) -> Option<i64> {
    let Action::Respond { response, .. } = action else {
        return None;
    };
    let message: Value = serde_json::from_slice(response.message.as_deref()?).ok()?;
    message["error"]["code"].as_i64()
}

/// A well-formed request, and what the rules look at in it.
fn request(input: &mut Input<'_>) -> (Facts, Value) {
    let method = *input.of(&[
        "tools/call",
        "tools/call",
        "tools/list",
        "prompts/get",
        "resources/read",
    ]);
    let mut params = json!({ "_meta": fixture::meta() });
    let mut facts = Facts {
        version: fixture::VERSION.to_owned(),
        method: method.to_owned(),
        name: None,
        uri: None,
        params: Vec::new(),
    };
    match method {
        "tools/call" => {
            facts.name = Some("region".to_owned());
            annotated(input, &mut params, &mut facts);
        }
        "prompts/get" => facts.name = Some("greet".to_owned()),
        "resources/read" => {
            facts.uri = Some((*input.of(&["test://a", "test://t/1", "test://é"])).to_owned());
            if input.pick(2) == 0 {
                facts.name = Some("stray".to_owned());
            }
        }
        _ => {}
    }
    if let Some(name) = &facts.name {
        params["name"] = name.as_str().into();
    }
    if let Some(uri) = &facts.uri {
        params["uri"] = uri.as_str().into();
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    (facts, body)
}

fn annotated(input: &mut Input<'_>, params: &mut Value, facts: &mut Facts) {
    let mut arguments = json!({});
    let region = match input.pick(3) {
        0 => Param::Absent,
        1 => {
            arguments["region"] = Value::Null;
            Param::Absent
        }
        _ => {
            let text = *input.of(&TEXTS);
            arguments["region"] = text.into();
            Param::String(text.to_owned())
        }
    };
    facts.params.push(("Mcp-Param-Region", region));
    let count = match input.pick(2) {
        0 => Param::Absent,
        _ => {
            // Only what serde_json writes back as it was read.
            let text = *input.of(&["42", "0", "-7", "9007199254740991", "9007199254740992"]);
            arguments["count"] = serde_json::from_str(text).expect("a number");
            Param::Integer(text.to_owned())
        }
    };
    facts.params.push(("Mcp-Param-Count", count));
    let dry = match input.pick(3) {
        0 => Param::Absent,
        truth => {
            arguments["deep"] = json!({ "dry": truth == 1 });
            Param::Boolean(truth == 1)
        }
    };
    facts.params.push(("Mcp-Param-Dry", dry));
    params["arguments"] = arguments;
}

/// The headers a good client sends.
fn mirror(facts: &Facts) -> Vec<(String, Vec<u8>)> {
    let mut headers = vec![
        (
            "MCP-Protocol-Version".to_owned(),
            facts.version.clone().into_bytes(),
        ),
        ("Mcp-Method".to_owned(), facts.method.clone().into_bytes()),
    ];
    let named = match &*facts.method {
        "resources/read" => &facts.uri,
        "tools/call" | "prompts/get" => &facts.name,
        _ => &None,
    };
    if let Some(named) = named {
        headers.push(("Mcp-Name".to_owned(), wrap(named).into_bytes()));
    }
    for (header, param) in &facts.params {
        let value = match param {
            Param::Absent => continue,
            Param::String(text) => wrap(text),
            Param::Integer(text) => text.clone(),
            Param::Boolean(value) => value.to_string(),
        };
        headers.push(((*header).to_owned(), value.into_bytes()));
    }
    headers
}

fn wrap(text: &str) -> String {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let literal = text.starts_with("=?base64?") && text.ends_with("?=");
    if plain && !literal && text.trim_matches([' ', '\t']) == text {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

fn mutate(headers: &mut Vec<(String, Vec<u8>)>, input: &mut Input<'_>) {
    let at = input.pick(headers.len().max(1));
    let value = match input.pick(5) {
        0 => (*input.of(&TEXTS)).as_bytes().to_vec(),
        1 => (*input.of(&NUMBERS)).as_bytes().to_vec(),
        2 => (*input.of(&LITERALS)).as_bytes().to_vec(),
        3 => format!("=?base64?{}?=", STANDARD.encode(input.of(&TEXTS))).into_bytes(),
        _ => input.bytes().to_vec(),
    };
    match input.pick(6) {
        0 if !headers.is_empty() => drop(headers.remove(at)),
        1 if !headers.is_empty() => headers[at].1 = value,
        2 if !headers.is_empty() => {
            let again = headers[at].clone();
            headers.push(again);
        }
        3 if !headers.is_empty() => headers[at].0 = headers[at].0.to_uppercase(),
        4 if !headers.is_empty() => {
            headers[at].1.insert(0, b' ');
            headers[at].1.push(b'\t');
        }
        _ => {
            let name = *input.of(&[
                "Mcp-Name",
                "Mcp-Param-Region",
                "Mcp-Param-Count",
                "Mcp-Param-Other",
            ]);
            headers.push((name.to_owned(), value));
        }
    }
}

fn build(headers: &[(String, Vec<u8>)], body: String) -> Option<Request<Vec<u8>>> {
    let mut builder = Request::post("http://localhost/mcp")
        .header("Host", "localhost")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
    for (name, value) in headers {
        builder = builder.header(name.as_str(), value.as_slice());
    }
    // What the `http` crate refuses never reaches an endpoint.
    builder.body(body.into_bytes()).ok()
}
