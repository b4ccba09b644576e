use std::collections::BTreeMap;

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, text_member};
use super::{
    CreateMessageRequest, CreateMessageResult, ElicitRequest, ElicitResult, ListRootsRequest,
    ListRootsResult, Meta, ResultType,
};

/// One thing a server asks a client in the middle of a request.
///
/// Spec: [InputRequests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequests).
///
/// ```
/// use mcp_reprise::protocol::{InputRequest, ListRootsRequest};
///
/// let ask = InputRequest::from(ListRootsRequest::new());
/// assert_eq!(ask.method(), "roots/list");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum InputRequest {
    /// A question for the client's model.
    CreateMessage(CreateMessageRequest),
    /// A question for the client's roots.
    ListRoots(ListRootsRequest),
    /// A question for the user.
    Elicit(ElicitRequest),
}

impl InputRequest {
    /// The method's name.
    pub fn method(&self) -> &'static str {
        match self {
            Self::CreateMessage(_) => super::method::SAMPLING_CREATE_MESSAGE,
            Self::ListRoots(_) => super::method::ROOTS_LIST,
            Self::Elicit(_) => super::method::ELICITATION_CREATE,
        }
    }
}

impl<'de> Deserialize<'de> for InputRequest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        match text_member(&value, "method") {
            Some(super::method::SAMPLING_CREATE_MESSAGE) => convert(value).map(Self::CreateMessage),
            Some(super::method::ROOTS_LIST) => convert(value).map(Self::ListRoots),
            Some(super::method::ELICITATION_CREATE) => convert(value).map(Self::Elicit),
            _ => Err(D::Error::custom("an input request of an unknown method")),
        }
    }
}

impl From<CreateMessageRequest> for InputRequest {
    fn from(request: CreateMessageRequest) -> Self {
        Self::CreateMessage(request)
    }
}

impl From<ListRootsRequest> for InputRequest {
    fn from(request: ListRootsRequest) -> Self {
        Self::ListRoots(request)
    }
}

impl From<ElicitRequest> for InputRequest {
    fn from(request: ElicitRequest) -> Self {
        Self::Elicit(request)
    }
}

/// What a server asks a client in the middle of a request, each under a key of
/// the server's choice.
///
/// Schema: [`InputRequests`](https://modelcontextprotocol.io/specification/2026-07-28/schema#inputrequests).
/// Spec: [InputRequests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequests).
///
/// ```
/// use mcp_reprise::protocol::{ElicitRequest, InputRequests, RequestedSchema};
///
/// let ask = ElicitRequest::form("Sure?", RequestedSchema::new());
/// assert_eq!(InputRequests::new().with("sure", ask).0.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputRequests(pub BTreeMap<String, InputRequest>);

impl InputRequests {
    /// No questions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more question.
    pub fn with(mut self, key: impl Into<String>, request: impl Into<InputRequest>) -> Self {
        self.0.insert(key.into(), request.into());
        self
    }
}

/// A client's answer to one question. It is kept whole: only who asked knows
/// what shape it should have.
///
/// Spec: [InputResponses](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputresponses).
///
/// ```
/// use mcp_reprise::protocol::{ElicitAction, InputResponse};
///
/// let answer: InputResponse = serde_json::from_str(r#"{"action":"decline"}"#)?;
/// assert_eq!(answer.as_elicit()?.action, ElicitAction::Decline);
/// assert!(answer.as_list_roots().is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputResponse(pub Value);

impl InputResponse {
    /// The answer to a question for the user.
    ///
    /// # Errors
    ///
    /// When the answer doesn't have that shape.
    pub fn as_elicit(&self) -> Result<ElicitResult, serde_json::Error> {
        ElicitResult::deserialize(&self.0)
    }

    /// The answer to a question for the client's model.
    ///
    /// # Errors
    ///
    /// When the answer doesn't have that shape.
    pub fn as_create_message(&self) -> Result<CreateMessageResult, serde_json::Error> {
        CreateMessageResult::deserialize(&self.0)
    }

    /// The answer to a question for the client's roots.
    ///
    /// # Errors
    ///
    /// When the answer doesn't have that shape.
    pub fn as_list_roots(&self) -> Result<ListRootsResult, serde_json::Error> {
        ListRootsResult::deserialize(&self.0)
    }

    /// A shape of this module as an answer. Such a shape always has a JSON
    /// form; were there none, the answer would be `null`.
    fn of(value: &impl Serialize) -> Self {
        Self(serde_json::to_value(value).unwrap_or_default())
    }
}

impl From<ElicitResult> for InputResponse {
    fn from(result: ElicitResult) -> Self {
        Self::of(&result)
    }
}

impl From<CreateMessageResult> for InputResponse {
    fn from(result: CreateMessageResult) -> Self {
        Self::of(&result)
    }
}

impl From<ListRootsResult> for InputResponse {
    fn from(result: ListRootsResult) -> Self {
        Self::of(&result)
    }
}

/// A client's answers, each under the key of its question.
///
/// Schema: [`InputResponses`](https://modelcontextprotocol.io/specification/2026-07-28/schema#inputresponses).
/// Spec: [InputResponses](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputresponses).
///
/// ```
/// use mcp_reprise::protocol::{ElicitAction, ElicitResult, InputResponses};
///
/// let answers = InputResponses::new().with("sure", ElicitResult::new(ElicitAction::Cancel));
/// assert!(answers.get("sure").is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputResponses(pub BTreeMap<String, InputResponse>);

impl InputResponses {
    /// No answers.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more answer.
    pub fn with(mut self, key: impl Into<String>, response: impl Into<InputResponse>) -> Self {
        self.0.insert(key.into(), response.into());
        self
    }

    /// The answer under a key.
    pub fn get(&self, key: &str) -> Option<&InputResponse> {
        self.0.get(key)
    }
}

/// What a server must be told before it can finish. The client answers and
/// sends the request again. At least one of the two members is present.
///
/// Schema: [`InputRequiredResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#inputrequiredresult).
/// Spec: [InputRequiredResult](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequiredresult).
///
/// ```
/// use mcp_reprise::protocol::InputRequiredResult;
///
/// let result = InputRequiredResult::with_state("opaque");
/// assert_eq!(result.input_requests, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InputRequiredResult {
    /// Always [`ResultType::InputRequired`] when made here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_requests: Option<InputRequests>,
    /// What the client hands back unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl InputRequiredResult {
    /// These questions, and no state.
    pub fn with_requests(input_requests: InputRequests) -> Self {
        Self::of(Some(input_requests), None)
    }

    /// This state, and no questions.
    pub fn with_state(request_state: impl Into<String>) -> Self {
        Self::of(None, Some(request_state.into()))
    }

    fn of(input_requests: Option<InputRequests>, request_state: Option<String>) -> Self {
        Self {
            result_type: Some(ResultType::InputRequired),
            input_requests,
            request_state,
            meta: None,
        }
    }

    /// Sets `inputRequests`.
    pub fn input_requests(mut self, input_requests: InputRequests) -> Self {
        self.input_requests = Some(input_requests);
        self
    }

    /// Sets `requestState`.
    pub fn request_state(mut self, request_state: impl Into<String>) -> Self {
        self.request_state = Some(request_state.into());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_question_is_refused() {
        let text = r#"{"k":{"method":"tools/call","params":{}}}"#;
        assert!(serde_json::from_str::<InputRequests>(text).is_err());
    }

    #[test]
    fn an_answer_of_the_wrong_shape_waits_until_it_is_read() {
        let answers: InputResponses =
            serde_json::from_str(r#"{"k":null,"l":{"roots":1}}"#).unwrap();
        for key in ["k", "l"] {
            let answer = answers.get(key).unwrap();
            assert!(answer.as_elicit().is_err());
            assert!(answer.as_create_message().is_err());
            assert!(answer.as_list_roots().is_err());
        }
    }
}
