use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::convert;
use super::tag::JsonRpcTag;
use super::{ErrorObject, RequestId};

/// The JSON-RPC version every message names.
///
/// ```
/// use mcp_reprise::protocol::JSONRPC_VERSION;
///
/// assert_eq!(JSONRPC_VERSION, "2.0");
/// ```
pub const JSONRPC_VERSION: &str = "2.0";

/// A request: a message that is owed a response.
///
/// `P` is the shape of `params`. The method isn't compared with it: see
/// [`method`](super::method) for the names.
///
/// Schema: [`JSONRPCRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcrequest).
/// Spec: [Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#requests).
///
/// ```
/// use mcp_reprise::protocol::{CallToolRequestParams, JsonRpcRequest, method};
///
/// let request = JsonRpcRequest::new(1, method::TOOLS_CALL, CallToolRequestParams::new("add"));
/// assert_eq!(request.method, "tools/call");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcRequest<P> {
    jsonrpc: JsonRpcTag,
    /// What the response will carry too.
    pub id: RequestId,
    /// The method's name.
    pub method: String,
    /// What the method is asked to do.
    pub params: P,
}

impl<P> JsonRpcRequest<P> {
    /// A request with these params.
    pub fn new(id: impl Into<RequestId>, method: impl Into<String>, params: P) -> Self {
        Self {
            jsonrpc: JsonRpcTag::Only,
            id: id.into(),
            method: method.into(),
            params,
        }
    }
}

/// A notification: a message that gets no response.
///
/// `P` is the shape of `params`, which may be absent.
///
/// Schema: [`JSONRPCNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcnotification).
/// Spec: [Notifications](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#notifications).
///
/// ```
/// use mcp_reprise::protocol::{JsonRpcNotification, NotificationParams, method};
///
/// let changed: JsonRpcNotification<NotificationParams> =
///     JsonRpcNotification::without_params(method::TOOLS_LIST_CHANGED);
/// assert!(changed.params.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcNotification<P> {
    jsonrpc: JsonRpcTag,
    /// The method's name.
    pub method: String,
    /// What is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<P>,
}

impl<P> JsonRpcNotification<P> {
    /// A notification with these params.
    pub fn new(method: impl Into<String>, params: P) -> Self {
        Self {
            jsonrpc: JsonRpcTag::Only,
            method: method.into(),
            params: Some(params),
        }
    }

    /// A notification that says all it has to say by its name.
    pub fn without_params(method: impl Into<String>) -> Self {
        Self {
            jsonrpc: JsonRpcTag::Only,
            method: method.into(),
            params: None,
        }
    }
}

/// A response to a request that went well. `R` is the shape of the result.
///
/// Schema: [`JSONRPCResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcresultresponse).
/// Spec: [Result responses](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#result-responses).
///
/// ```
/// use mcp_reprise::protocol::{CallToolResult, JsonRpcResultResponse};
///
/// let response = JsonRpcResultResponse::new(1, CallToolResult::text("3"));
/// assert_eq!(response.id, 1.into());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcResultResponse<R> {
    jsonrpc: JsonRpcTag,
    /// The request's id.
    pub id: RequestId,
    /// What came of it.
    pub result: R,
}

impl<R> JsonRpcResultResponse<R> {
    /// A response with this result.
    pub fn new(id: impl Into<RequestId>, result: R) -> Self {
        Self {
            jsonrpc: JsonRpcTag::Only,
            id: id.into(),
            result,
        }
    }
}

/// A response to a request that failed.
///
/// Schema: [`JSONRPCErrorResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcerrorresponse).
/// Spec: [Error responses](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-responses).
///
/// ```
/// use mcp_reprise::protocol::{ErrorObject, JsonRpcErrorResponse};
///
/// let response = JsonRpcErrorResponse::new(None, ErrorObject::parse_error("not JSON"));
/// assert_eq!(response.id, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcErrorResponse {
    jsonrpc: JsonRpcTag,
    /// The request's id, where it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<RequestId>,
    /// Why it failed.
    pub error: ErrorObject,
}

impl JsonRpcErrorResponse {
    /// A response with this error.
    pub fn new(id: Option<RequestId>, error: ErrorObject) -> Self {
        Self {
            jsonrpc: JsonRpcTag::Only,
            id,
            error,
        }
    }
}

/// Either response. Which one it is, is told by the member `error`.
///
/// Schema: [`JSONRPCResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcresponse).
/// Spec: [Responses](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#responses).
///
/// ```
/// use mcp_reprise::protocol::{EmptyResult, JsonRpcResponse};
///
/// let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}"#;
/// let response: JsonRpcResponse<EmptyResult> = serde_json::from_str(text)?;
/// assert!(matches!(response, JsonRpcResponse::Error(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum JsonRpcResponse<R> {
    /// The request went well.
    Result(JsonRpcResultResponse<R>),
    /// The request failed.
    Error(JsonRpcErrorResponse),
}

impl<'de, R: DeserializeOwned> Deserialize<'de> for JsonRpcResponse<R> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if value.get("error").is_some() {
            convert(value).map(Self::Error)
        } else {
            convert(value).map(Self::Result)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{EmptyResult, RequestParams};

    #[test]
    fn the_version_is_checked() {
        type Request = JsonRpcRequest<RequestParams>;
        let good = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#;
        assert!(serde_json::from_str::<Request>(good).is_ok());
        for bad in ["\"1.0\"", "2.0", "null"] {
            let text = good.replace("\"2.0\"", bad);
            assert!(serde_json::from_str::<Request>(&text).is_err(), "{bad}");
        }
        let absent = r#"{"id":1,"method":"server/discover","params":{}}"#;
        assert!(serde_json::from_str::<Request>(absent).is_err());
    }

    #[test]
    fn an_error_response_may_have_no_id() {
        for id in ["", "\"id\":null,"] {
            let text =
                format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32700,"message":"m"}}}}"#);
            let response: JsonRpcErrorResponse = serde_json::from_str(&text).unwrap();
            assert_eq!(response.id, None);
        }
    }

    #[test]
    fn null_error_data_is_kept() {
        let text = r#"{"code":1,"message":"m","data":null}"#;
        let error: ErrorObject = serde_json::from_str(text).unwrap();
        assert_eq!(error.data, Some(Value::Null));
        assert_eq!(serde_json::to_string(&error).unwrap(), text);
        let error: ErrorObject = serde_json::from_str(r#"{"code":1,"message":"m"}"#).unwrap();
        assert_eq!(error.data, None);
    }

    #[test]
    fn a_response_is_one_of_two() {
        let text = r#"{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete"}}"#;
        let response: JsonRpcResponse<EmptyResult> = serde_json::from_str(text).unwrap();
        assert!(matches!(response, JsonRpcResponse::Result(_)));
        assert_eq!(serde_json::to_string(&response).unwrap(), text);
    }
}
