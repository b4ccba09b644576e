use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::present;
use super::{
    ContentBlock, InputResponses, JsonObject, JsonRpcRequest, JsonRpcResultResponse,
    MaybeInputRequired, Meta, ResultType,
};

/// Which tool to call, and with what.
///
/// Schema: [`CallToolRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolrequestparams).
/// Spec: [Calling tools](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools).
///
/// ```
/// use mcp_reprise::protocol::CallToolRequestParams;
///
/// let params: CallToolRequestParams = serde_json::from_str(r#"{"name":"add"}"#)?;
/// assert_eq!(params, CallToolRequestParams::new("add"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallToolRequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The tool's name.
    pub name: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<JsonObject>,
    /// The client's answers to what an earlier round asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// What an earlier round gave the client to hand back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
}

impl CallToolRequestParams {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            meta: None,
            name: name.into(),
            arguments: None,
            input_responses: None,
            request_state: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `arguments`.
    pub fn arguments(mut self, arguments: JsonObject) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Sets `inputResponses`.
    pub fn input_responses(mut self, input_responses: InputResponses) -> Self {
        self.input_responses = Some(input_responses);
        self
    }

    /// Sets `requestState`.
    pub fn request_state(mut self, request_state: impl Into<String>) -> Self {
        self.request_state = Some(request_state.into());
        self
    }
}

/// A call of a tool.
///
/// Schema: [`CallToolRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolrequest).
pub type CallToolRequest = JsonRpcRequest<CallToolRequestParams>;

/// What a tool says.
///
/// Schema: [`CallToolResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresult).
/// Spec: [Tool result](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result).
///
/// ```
/// use mcp_reprise::protocol::CallToolResult;
///
/// let result = CallToolResult::text("3").block("and a second block");
/// assert_eq!(result.content.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallToolResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// What it says, for the model.
    pub content: Vec<ContentBlock>,
    /// What it says, for programs. `Some(Value::Null)` is an explicit `null`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub structured_content: Option<Value>,
    /// Whether the tool failed. Absent means it didn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CallToolResult {
    /// A result of these blocks.
    pub fn content(content: impl IntoIterator<Item = impl Into<ContentBlock>>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            content: content.into_iter().map(Into::into).collect(),
            structured_content: None,
            is_error: None,
            meta: None,
        }
    }

    /// A result of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::content([ContentBlock::text(text)])
    }

    /// A value as structured content, and its JSON as text for clients that
    /// read only that. A value without a JSON form gives a tool error instead.
    ///
    /// Spec: [Structured content](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content).
    ///
    /// ```
    /// use mcp_reprise::protocol::CallToolResult;
    ///
    /// let result = CallToolResult::json(&[1, 2]);
    /// assert_eq!(result.content, ["[1,2]".into()]);
    /// assert_eq!(result.structured_content, Some(vec![1, 2].into()));
    /// ```
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Self {
        let written = serde_json::to_value(value)
            .and_then(|value| serde_json::to_string(&value).map(|text| (value, text)));
        match written {
            Ok((value, text)) => Self::text(text).structured_content(value),
            Err(_) => Self::error("the result could not be written as JSON"),
        }
    }

    /// A failure of the tool, for the model to read.
    pub fn error(text: impl Into<String>) -> Self {
        Self::text(text).is_error(true)
    }

    /// Adds a block.
    pub fn block(mut self, block: impl Into<ContentBlock>) -> Self {
        self.content.push(block.into());
        self
    }

    /// Sets `structuredContent`.
    pub fn structured_content(mut self, structured_content: Value) -> Self {
        self.structured_content = Some(structured_content);
        self
    }

    /// Sets `isError`.
    pub fn is_error(mut self, is_error: bool) -> Self {
        self.is_error = Some(is_error);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A response with what a tool says, or with what it must be told first.
///
/// Schema: [`CallToolResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresultresponse).
pub type CallToolResultResponse = JsonRpcResultResponse<MaybeInputRequired<CallToolResult>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_structured_content_is_kept_apart_from_none() {
        let text = r#"{"resultType":"complete","content":[],"structuredContent":null}"#;
        let result: CallToolResult = serde_json::from_str(text).unwrap();
        assert_eq!(result.structured_content, Some(Value::Null));
        assert_eq!(serde_json::to_string(&result).unwrap(), text);

        let text = r#"{"resultType":"complete","content":[]}"#;
        let result: CallToolResult = serde_json::from_str(text).unwrap();
        assert_eq!(result.structured_content, None);
        assert_eq!(serde_json::to_string(&result).unwrap(), text);
    }

    #[test]
    fn json_gives_both_forms() {
        let result = CallToolResult::json(&());
        assert_eq!(result.content, ["null".into()]);
        assert_eq!(result.structured_content, Some(Value::Null));
        assert_eq!(result.is_error, None);
    }

    #[test]
    fn what_has_no_json_form_is_a_tool_error() {
        struct Odd;
        impl Serialize for Odd {
            fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(serde::ser::Error::custom("odd"))
            }
        }
        let result = CallToolResult::json(&Odd);
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content, None);
        assert_eq!(
            result.content,
            ["the result could not be written as JSON".into()]
        );
    }
}
