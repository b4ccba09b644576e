use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, text_member};
use super::{InputRequiredResult, JsonObject, Meta};

/// What kind of result a result is. An open set.
///
/// Schema: [`ResultType`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resulttype).
/// Spec: [ResultType](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#resulttype).
///
/// ```
/// use mcp_reprise::protocol::ResultType;
///
/// let kind: ResultType = serde_json::from_str("\"input_required\"")?;
/// assert_eq!(kind, ResultType::InputRequired);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResultType {
    /// The request is answered.
    Complete,
    /// The client must answer something first, then send the request again.
    InputRequired,
    /// A word this revision doesn't define.
    #[serde(untagged)]
    Other(String),
}

/// Who may share a kept copy of a result.
///
/// Spec: [Cache scope field](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cache-scope-field).
///
/// ```
/// use mcp_reprise::protocol::CacheScope;
///
/// assert_eq!(serde_json::to_string(&CacheScope::Private)?, "\"private\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CacheScope {
    /// Anyone: the result is the same for every user.
    Public,
    /// Only whoever asked, under the same authorization.
    Private,
}

/// A result with nothing of its own. It keeps members it doesn't know, so any
/// result can be read as one.
///
/// Schema: [`EmptyResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#emptyresult).
///
/// ```
/// use mcp_reprise::protocol::EmptyResult;
///
/// let any: EmptyResult = serde_json::from_str(r#"{"resultType":"complete","x":1}"#)?;
/// assert_eq!(any.extra.get("x"), Some(&1.into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EmptyResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// Members this type doesn't know.
    #[serde(flatten)]
    pub extra: JsonObject,
}

impl EmptyResult {
    /// A complete result.
    pub fn new() -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            meta: None,
            extra: JsonObject::new(),
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

impl Default for EmptyResult {
    fn default() -> Self {
        Self::new()
    }
}

/// The answer to a request that may ask the client for something first: the
/// final result, or an [`InputRequiredResult`].
///
/// Which one it is, is told by `resultType`.
///
/// Spec: [Multi round-trip requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr).
///
/// ```
/// use mcp_reprise::protocol::{CallToolResult, InputRequiredResult, MaybeInputRequired};
///
/// let asked: MaybeInputRequired<CallToolResult> =
///     InputRequiredResult::with_state("opaque").into();
/// assert!(matches!(asked, MaybeInputRequired::InputRequired(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum MaybeInputRequired<R> {
    /// The final result.
    Complete(R),
    /// What the client must answer first.
    InputRequired(InputRequiredResult),
}

impl<'de, R: serde::de::DeserializeOwned> Deserialize<'de> for MaybeInputRequired<R> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if text_member(&value, "resultType") == Some("input_required") {
            convert(value).map(Self::InputRequired)
        } else {
            convert(value).map(Self::Complete)
        }
    }
}

impl<R> From<InputRequiredResult> for MaybeInputRequired<R> {
    fn from(result: InputRequiredResult) -> Self {
        Self::InputRequired(result)
    }
}

#[cfg(test)]
mod tests {
    use super::{MaybeInputRequired, ResultType};
    use crate::protocol::CallToolResult;

    #[test]
    fn a_result_type_nobody_knows_is_kept() {
        let kind: ResultType = serde_json::from_str("\"task\"").unwrap();
        assert_eq!(kind, ResultType::Other("task".to_owned()));
        assert_eq!(serde_json::to_string(&kind).unwrap(), "\"task\"");
        assert!(serde_json::from_str::<ResultType>("1").is_err());
    }

    #[test]
    fn an_absent_result_type_is_none() {
        let result: CallToolResult = serde_json::from_str(r#"{"content":[]}"#).unwrap();
        assert_eq!(result.result_type, None);
        assert_eq!(serde_json::to_string(&result).unwrap(), r#"{"content":[]}"#);
    }

    #[test]
    fn the_result_type_chooses() {
        type Answer = MaybeInputRequired<CallToolResult>;
        let done: Answer =
            serde_json::from_str(r#"{"resultType":"complete","content":[]}"#).unwrap();
        assert!(matches!(done, Answer::Complete(_)));
        let asks: Answer =
            serde_json::from_str(r#"{"resultType":"input_required","requestState":"s"}"#).unwrap();
        assert!(matches!(asks, Answer::InputRequired(_)));
    }
}
