use std::collections::BTreeMap;

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, text_member};
use super::tag::{ElicitTag, UrlTag};
use super::{JsonNumber, JsonObject, RequestedSchema};

/// The `mode` of a form. It may be left out.
///
/// Schema: [`ElicitRequestFormParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestformparams).
///
/// ```
/// use mcp_reprise::protocol::FormMode;
///
/// assert_eq!(serde_json::to_string(&FormMode::Form)?, "\"form\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormMode {
    /// A form.
    Form,
}

/// A form for the user to fill in.
///
/// Schema: [`ElicitRequestFormParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestformparams).
/// Spec: [Form mode](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests).
///
/// ```
/// use mcp_reprise::protocol::{ElicitRequestFormParams, RequestedSchema, StringSchema};
///
/// let schema = RequestedSchema::new().required("name", StringSchema::new());
/// let form = ElicitRequestFormParams::new("Who are you?", schema);
/// assert_eq!(form.message, "Who are you?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitRequestFormParams {
    /// Always a form. Absent means the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<FormMode>,
    /// What the user is asked.
    pub message: String,
    /// The fields of the form.
    pub requested_schema: RequestedSchema,
}

impl ElicitRequestFormParams {
    /// With only what is required; every optional member is absent.
    pub fn new(message: impl Into<String>, requested_schema: RequestedSchema) -> Self {
        Self {
            mode: Some(FormMode::Form),
            message: message.into(),
            requested_schema,
        }
    }
}

/// A page for the user to visit. What is said there, the client doesn't see.
///
/// Schema: [`ElicitRequestURLParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequesturlparams).
/// Spec: [URL mode](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests).
///
/// ```
/// use mcp_reprise::protocol::ElicitRequestUrlParams;
///
/// let visit = ElicitRequestUrlParams::new("Please sign in.", "https://example.com/sign-in");
/// assert_eq!(visit.url, "https://example.com/sign-in");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitRequestUrlParams {
    mode: UrlTag,
    /// Why the user should go there.
    pub message: String,
    /// Where to go.
    pub url: String,
}

impl ElicitRequestUrlParams {
    /// With only what is required; every optional member is absent.
    pub fn new(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            mode: Default::default(),
            message: message.into(),
            url: url.into(),
        }
    }
}

/// Either way of asking the user. Which one it is, is told by `mode`.
///
/// Schema: [`ElicitRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestparams).
///
/// ```
/// use mcp_reprise::protocol::ElicitRequestParams;
///
/// let text = r#"{"mode":"url","message":"Sign in.","url":"https://example.com/"}"#;
/// let params: ElicitRequestParams = serde_json::from_str(text)?;
/// assert!(matches!(params, ElicitRequestParams::Url(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ElicitRequestParams {
    /// A form.
    Form(ElicitRequestFormParams),
    /// A page to visit.
    Url(ElicitRequestUrlParams),
}

impl<'de> Deserialize<'de> for ElicitRequestParams {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if text_member(&value, "mode") == Some("url") {
            convert(value).map(Self::Url)
        } else {
            convert(value).map(Self::Form)
        }
    }
}

impl From<ElicitRequestFormParams> for ElicitRequestParams {
    fn from(params: ElicitRequestFormParams) -> Self {
        Self::Form(params)
    }
}

impl From<ElicitRequestUrlParams> for ElicitRequestParams {
    fn from(params: ElicitRequestUrlParams) -> Self {
        Self::Url(params)
    }
}

/// A question for the user.
///
/// Schema: [`ElicitRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequest).
/// Spec: [Elicitation requests](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#elicitation-requests).
///
/// ```
/// use mcp_reprise::protocol::{ElicitRequest, RequestedSchema};
///
/// let ask = ElicitRequest::form("Sure?", RequestedSchema::new());
/// let visit = ElicitRequest::url("Please sign in.", "https://example.com/sign-in");
/// assert_ne!(ask, visit);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitRequest {
    method: ElicitTag,
    /// The question.
    pub params: ElicitRequestParams,
}

impl ElicitRequest {
    /// With only what is required; every optional member is absent.
    pub fn new(params: impl Into<ElicitRequestParams>) -> Self {
        Self {
            method: Default::default(),
            params: params.into(),
        }
    }

    /// A form to fill in.
    pub fn form(message: impl Into<String>, requested_schema: RequestedSchema) -> Self {
        Self::new(ElicitRequestFormParams::new(message, requested_schema))
    }

    /// A page to visit.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(ElicitRequestUrlParams::new(message, url))
    }
}

/// What the user did with a question.
///
/// Spec: [Response actions](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#response-actions).
///
/// ```
/// use mcp_reprise::protocol::ElicitAction;
///
/// assert_eq!(serde_json::to_string(&ElicitAction::Decline)?, "\"decline\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// Answered it.
    Accept,
    /// Said no.
    Decline,
    /// Closed it without a choice.
    Cancel,
}

/// The value of one field of a filled-in form.
///
/// Schema: [`ElicitResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitresult).
///
/// ```
/// use mcp_reprise::protocol::ElicitValue;
///
/// let value: ElicitValue = serde_json::from_str("30")?;
/// assert_eq!(value, 30.into());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ElicitValue {
    /// Text, or the one choice made.
    String(String),
    /// A number.
    Number(JsonNumber),
    /// Yes or no.
    Boolean(bool),
    /// The choices made.
    Strings(Vec<String>),
}

impl<'de> Deserialize<'de> for ElicitValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::String(text) => Ok(Self::String(text)),
            Value::Number(number) => Ok(Self::Number(number.into())),
            Value::Bool(flag) => Ok(Self::Boolean(flag)),
            list @ Value::Array(_) => convert(list).map(Self::Strings),
            _ => Err(D::Error::custom(
                "a form's value is a string, a number, a boolean or a list of strings",
            )),
        }
    }
}

impl From<ElicitValue> for Value {
    fn from(value: ElicitValue) -> Self {
        match value {
            ElicitValue::String(text) => text.into(),
            ElicitValue::Number(number) => Value::Number(number.as_number().clone()),
            ElicitValue::Boolean(flag) => flag.into(),
            ElicitValue::Strings(list) => list.into(),
        }
    }
}

impl From<&str> for ElicitValue {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for ElicitValue {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<i32> for ElicitValue {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<f64> for ElicitValue {
    fn from(number: f64) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for ElicitValue {
    fn from(flag: bool) -> Self {
        Self::Boolean(flag)
    }
}

impl From<Vec<String>> for ElicitValue {
    fn from(list: Vec<String>) -> Self {
        Self::Strings(list)
    }
}

/// What came of a question to the user.
///
/// Schema: [`ElicitResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitresult).
/// Spec: [Response actions](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#response-actions).
///
/// ```
/// use mcp_reprise::protocol::{ElicitAction, ElicitResult};
///
/// let result = ElicitResult::accept([("age", 30)]);
/// assert_eq!(result.action, ElicitAction::Accept);
/// assert_eq!(result.into_object().get("age"), Some(&30.into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitResult {
    /// What the user did.
    pub action: ElicitAction,
    /// The filled-in form, where a form was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<BTreeMap<String, ElicitValue>>,
}

impl ElicitResult {
    /// An action without form data.
    pub fn new(action: ElicitAction) -> Self {
        Self {
            action,
            content: None,
        }
    }

    /// An accepted form.
    pub fn accept<K: Into<String>, V: Into<ElicitValue>>(
        content: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        Self::new(ElicitAction::Accept).content(
            content
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    /// The filled-in form as a JSON object. It is empty where there is none.
    pub fn into_object(self) -> JsonObject {
        self.content
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| (name, value.into()))
            .collect()
    }

    /// Sets `content`.
    pub fn content(mut self, content: BTreeMap<String, ElicitValue>) -> Self {
        self.content = Some(content);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_chooses() {
        let form = r#""message":"m","requestedSchema":{"type":"object","properties":{}}"#;
        for mode in ["", "\"mode\":\"form\","] {
            let text = format!("{{{mode}{form}}}");
            let params: ElicitRequestParams = serde_json::from_str(&text).unwrap();
            assert!(matches!(params, ElicitRequestParams::Form(_)));
            assert_eq!(serde_json::to_string(&params).unwrap(), text);
        }
        let text = format!("{{\"mode\":\"voice\",{form}}}");
        assert!(serde_json::from_str::<ElicitRequestParams>(&text).is_err());
        let text = format!("{{\"mode\":\"url\",{form}}}");
        assert!(serde_json::from_str::<ElicitRequestParams>(&text).is_err());
    }

    #[test]
    fn what_a_form_may_hold() {
        for text in ["\"a\"", "3", "2.5", "true", "[]", "[\"a\",\"b\"]"] {
            let value: ElicitValue = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
            assert_eq!(Value::from(value).to_string(), text);
        }
        for text in ["null", "{}", "[1]", "[null]"] {
            assert!(serde_json::from_str::<ElicitValue>(text).is_err(), "{text}");
        }
    }
}
