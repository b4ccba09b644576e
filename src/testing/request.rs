//! Requests as a client writes them: JSON values, so that any malformed one can be built as well.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::protocol::{META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION, PROTOCOL_VERSION};

/// The fields that every request carries under `params._meta`: the protocol version, and a client
/// that can do nothing, so that a tool's question cannot be put.
///
/// ```
/// use mcp_reprise::testing::protocol_fields;
///
/// let fields = protocol_fields();
/// assert_eq!(fields["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
/// assert_eq!(fields["io.modelcontextprotocol/clientCapabilities"], serde_json::json!({}));
/// ```
pub fn protocol_fields() -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert(META_PROTOCOL_VERSION.to_owned(), PROTOCOL_VERSION.into());
    fields.insert(META_CLIENT_CAPABILITIES.to_owned(), json!({}));
    fields
}

/// A JSON-RPC request with id 1 and the [`protocol_fields`].
///
/// A `_meta` in `params` is laid over the protocol fields key by key: what it names wins, a `null`
/// stays `null`, and the rest stays. A `_meta` that is no object replaces the fields whole, and
/// `params` that are no object are sent as they are, so that a test can build what it wants to see
/// refused. What no merge can do is to take a field away: remove it from the result.
///
/// ```
/// use mcp_reprise::testing::{protocol_fields, request};
/// use serde_json::json;
///
/// let list = request("tools/list", json!({}));
/// assert_eq!(list["id"], 1);
/// assert_eq!(list["params"]["_meta"], json!(protocol_fields()));
///
/// let version = "io.modelcontextprotocol/protocolVersion";
/// let capabilities = "io.modelcontextprotocol/clientCapabilities";
/// let able = request("tools/list", json!({ "_meta": { capabilities: { "elicitation": {} } } }));
/// assert_eq!(able["params"]["_meta"][capabilities], json!({ "elicitation": {} }));
/// assert_eq!(able["params"]["_meta"][version], "2026-07-28");
///
/// let null = request("tools/list", json!({ "_meta": { version: null } }));
/// assert_eq!(null["params"]["_meta"][version], json!(null));
/// assert_eq!(request("tools/list", json!({ "_meta": "x" }))["params"]["_meta"], "x");
/// assert_eq!(request("tools/list", json!([1]))["params"], json!([1]));
/// ```
pub fn request(method: &str, params: Value) -> Value {
    let params = match params {
        Value::Object(mut params) => {
            let meta = match params.remove("_meta") {
                None => Value::Object(protocol_fields()),
                Some(Value::Object(given)) => {
                    let mut fields = protocol_fields();
                    fields.extend(given);
                    Value::Object(fields)
                }
                Some(other) => other,
            };
            params.insert("_meta".to_owned(), meta);
            Value::Object(params)
        }
        other => other,
    };
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// A `tools/call` of a tool.
///
/// ```
/// use mcp_reprise::testing::{call_request, protocol_fields};
/// use serde_json::json;
///
/// let call = call_request("book", json!({ "film": "Stalker" }));
/// assert_eq!(call["method"], "tools/call");
/// assert_eq!(call["params"]["name"], "book");
/// assert_eq!(call["params"]["_meta"], json!(protocol_fields()));
/// ```
pub fn call_request(tool: &str, arguments: Value) -> Value {
    request(
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

/// A `tools/call` of a tool that is told by `action` what to do. Empty `data`, an empty object or
/// `null`, is left out.
///
/// ```
/// use mcp_reprise::testing::action_request;
/// use serde_json::json;
///
/// let get = action_request("tasks", "get", json!({ "id": "7" }));
/// assert_eq!(get["params"]["arguments"], json!({ "action": "get", "data": { "id": "7" } }));
///
/// let list = action_request("tasks", "list", json!({}));
/// assert_eq!(list["params"]["arguments"], json!({ "action": "list" }));
/// ```
pub fn action_request(tool: &str, action: &str, data: Value) -> Value {
    let empty = data.is_null() || data.as_object().is_some_and(Map::is_empty);
    let arguments = if empty {
        json!({ "action": action })
    } else {
        json!({ "action": action, "data": data })
    };
    call_request(tool, arguments)
}

/// The headers that mirror a body, as the transport over HTTP wants them: `MCP-Protocol-Version`,
/// `Mcp-Method`, and `Mcp-Name` for the methods that name something.
///
/// They are read off the body, so they cannot say anything else than it does. A header whose field
/// is absent or no string is left out: a test of just that refusal wants it so. A name that no
/// header can carry is written in base64, as the specification has it. Headers for single
/// arguments (`x-mcp-header`) are not among them.
///
/// See [Streamable HTTP, headers](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#standard-request-headers).
///
/// ```
/// use mcp_reprise::testing::{action_request, mirrored_headers};
/// use serde_json::json;
///
/// let body = action_request("tasks", "get", json!(null));
/// assert_eq!(mirrored_headers(&body), [
///     ("mcp-protocol-version", "2026-07-28".to_owned()),
///     ("mcp-method", "tools/call".to_owned()),
///     ("mcp-name", "tasks".to_owned()),
/// ]);
/// assert_eq!(mirrored_headers(&json!({ "method": "tools/list" })), [("mcp-method", "tools/list".to_owned())]);
/// ```
pub fn mirrored_headers(body: &Value) -> Vec<(&'static str, String)> {
    let params = body.get("params");
    let version = params
        .and_then(|params| params.get("_meta"))
        .and_then(|meta| meta.get(META_PROTOCOL_VERSION));
    let method = body.get("method");
    let name = match method.and_then(Value::as_str) {
        Some("tools/call" | "prompts/get") => params.and_then(|params| params.get("name")),
        Some("resources/read") => params.and_then(|params| params.get("uri")),
        _ => None,
    };
    [
        ("mcp-protocol-version", version),
        ("mcp-method", method),
        ("mcp-name", name),
    ]
    .into_iter()
    .filter_map(|(header, field)| Some((header, header_text(field?.as_str()?))))
    .collect()
}

/// A text as a header can carry it.
fn header_text(text: &str) -> String {
    let plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

/// What takes the headers of [`mirrored_headers`]: an [`http::Request`] or its builder.
///
/// ```
/// use mcp_reprise::testing::{MirrorHeaders as _, call_request};
/// use serde_json::json;
///
/// # fn main() -> Result<(), http::Error> {
/// let body = call_request("book", json!({}));
/// let built = http::Request::post("/mcp").with_mirrored_headers(&body).body(body.to_string())?;
/// assert_eq!(built.headers()["mcp-name"], "book");
///
/// let whole = http::Request::new(body.to_string()).with_mirrored_headers(&body);
/// assert_eq!(whole.headers()["mcp-method"], "tools/call");
/// # Ok(())
/// # }
/// ```
pub trait MirrorHeaders: Sized {
    /// Puts every header that mirrors the body, in the place of one that is there.
    #[must_use]
    fn with_mirrored_headers(self, body: &Value) -> Self;
}

impl<B> MirrorHeaders for http::Request<B> {
    fn with_mirrored_headers(mut self, body: &Value) -> Self {
        mirror(self.headers_mut(), body);
        self
    }
}

impl MirrorHeaders for http::request::Builder {
    fn with_mirrored_headers(mut self, body: &Value) -> Self {
        // A builder that has gone wrong has no headers, and says so when it is used.
        if let Some(headers) = self.headers_mut() {
            mirror(headers, body);
        }
        self
    }
}

fn mirror(headers: &mut http::HeaderMap, body: &Value) {
    for (name, text) in mirrored_headers(body) {
        if let Ok(value) = http::HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    }
}
