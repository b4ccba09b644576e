use std::collections::BTreeMap;

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, text_member};
use super::tag::{PromptRefTag, ResourceRefTag};
use super::{JsonRpcRequest, JsonRpcResultResponse, Meta, ResultType};

/// A prompt, by its name.
///
/// Schema: [`PromptReference`](https://modelcontextprotocol.io/specification/2026-07-28/schema#promptreference).
/// Spec: [Reference types](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#reference-types).
///
/// ```
/// use mcp_reprise::protocol::PromptReference;
///
/// assert_eq!(PromptReference::new("review").name, "review");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptReference {
    #[serde(rename = "type")]
    kind: PromptRefTag,
    /// The prompt's name.
    pub name: String,
    /// The name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl PromptReference {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            kind: Default::default(),
            name: name.into(),
            title: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

/// A resource or a family of resources, by its URI.
///
/// Schema: [`ResourceTemplateReference`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourcetemplatereference).
/// Spec: [Reference types](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#reference-types).
///
/// ```
/// use mcp_reprise::protocol::ResourceTemplateReference;
///
/// assert_eq!(ResourceTemplateReference::new("file:///{path}").uri, "file:///{path}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplateReference {
    #[serde(rename = "type")]
    kind: ResourceRefTag,
    /// The URI or the template.
    pub uri: String,
}

impl ResourceTemplateReference {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            kind: Default::default(),
            uri: uri.into(),
        }
    }
}

/// What is being filled in: the `ref` of a completion request.
///
/// Spec: [Reference types](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#reference-types).
///
/// ```
/// use mcp_reprise::protocol::{CompletionReference, PromptReference};
///
/// let text = r#"{"type":"ref/prompt","name":"review"}"#;
/// let reference: CompletionReference = serde_json::from_str(text)?;
/// assert_eq!(reference, PromptReference::new("review").into());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum CompletionReference {
    /// A prompt.
    Prompt(PromptReference),
    /// A resource or a family of resources.
    Resource(ResourceTemplateReference),
}

impl<'de> Deserialize<'de> for CompletionReference {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        match text_member(&value, "type") {
            Some("ref/prompt") => convert(value).map(Self::Prompt),
            Some("ref/resource") => convert(value).map(Self::Resource),
            _ => Err(D::Error::custom("a reference of an unknown type")),
        }
    }
}

impl From<PromptReference> for CompletionReference {
    fn from(reference: PromptReference) -> Self {
        Self::Prompt(reference)
    }
}

impl From<ResourceTemplateReference> for CompletionReference {
    fn from(reference: ResourceTemplateReference) -> Self {
        Self::Resource(reference)
    }
}

/// The half-typed argument.
///
/// Schema: [`CompleteRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequestparams).
///
/// ```
/// use mcp_reprise::protocol::CompletionArgument;
///
/// assert_eq!(CompletionArgument::new("language", "py").value, "py");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompletionArgument {
    /// The argument's name.
    pub name: String,
    /// What is typed so far.
    pub value: String,
}

impl CompletionArgument {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// What is known besides the half-typed argument.
///
/// Schema: [`CompleteRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequestparams).
///
/// ```
/// use mcp_reprise::protocol::CompletionContext;
///
/// assert_eq!(CompletionContext::new().arguments, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompletionContext {
    /// The arguments that are settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, String>>,
}

impl CompletionContext {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `arguments`.
    pub fn arguments(mut self, arguments: BTreeMap<String, String>) -> Self {
        self.arguments = Some(arguments);
        self
    }
}

/// Which argument to complete.
///
/// Schema: [`CompleteRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequestparams).
/// Spec: [Requesting completions](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#requesting-completions).
///
/// ```
/// use mcp_reprise::protocol::{CompleteRequestParams, CompletionArgument, PromptReference};
///
/// let params = CompleteRequestParams::new(
///   PromptReference::new("review"),
///   CompletionArgument::new("language", "py"),
/// );
/// assert_eq!(params.argument.value, "py");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompleteRequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// What is being filled in: `ref` on the wire.
    #[serde(rename = "ref")]
    pub reference: CompletionReference,
    /// The half-typed argument.
    pub argument: CompletionArgument,
    /// What else is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<CompletionContext>,
}

impl CompleteRequestParams {
    /// With only what is required; every optional member is absent.
    pub fn new(reference: impl Into<CompletionReference>, argument: CompletionArgument) -> Self {
        Self {
            meta: None,
            reference: reference.into(),
            argument,
            context: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `context`.
    pub fn context(mut self, context: CompletionContext) -> Self {
        self.context = Some(context);
        self
    }
}

/// A request to complete an argument.
///
/// Schema: [`CompleteRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completerequest).
pub type CompleteRequest = JsonRpcRequest<CompleteRequestParams>;

/// The most values one completion may hold.
///
/// Spec: [Completion results](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results).
pub const MAX_COMPLETION_VALUES: usize = 100;

/// How an argument might go on.
///
/// Schema: [`CompleteResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completeresult).
/// Spec: [Completion results](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results).
///
/// ```
/// use mcp_reprise::protocol::Completion;
///
/// let completion = Completion::new((0..150).map(|n| n.to_string()));
/// assert_eq!(completion.values.len(), 100);
/// assert_eq!(completion.total, Some(150));
/// assert_eq!(completion.has_more, Some(true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completion {
    /// The values, best first. At most [`MAX_COMPLETION_VALUES`].
    pub values: Vec<String>,
    /// How many there are altogether.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are more than these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}

impl Completion {
    /// These values. Only the first [`MAX_COMPLETION_VALUES`] are kept; if
    /// there were more, `total` and `hasMore` say so.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut values: Vec<String> = values.into_iter().map(Into::into).collect();
        let given = values.len();
        values.truncate(MAX_COMPLETION_VALUES);
        let cut = given > values.len();
        Self {
            values,
            total: u64::try_from(given).ok().filter(|_| cut),
            has_more: cut.then_some(true),
        }
    }

    /// Sets `total`.
    pub fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// Sets `hasMore`.
    pub fn has_more(mut self, has_more: bool) -> Self {
        self.has_more = Some(has_more);
        self
    }
}

/// The answer to a completion request.
///
/// Schema: [`CompleteResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completeresult).
/// Spec: [Completion results](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results).
///
/// ```
/// use mcp_reprise::protocol::{Completion, CompleteResult};
///
/// let result = CompleteResult::new(Completion::new(["python", "pytorch"]).total(10));
/// assert_eq!(result.completion.total, Some(10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompleteResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// How the argument might go on.
    pub completion: Completion,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CompleteResult {
    /// With only what is required; every optional member is absent.
    pub fn new(completion: Completion) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            completion,
            meta: None,
        }
    }

    /// A result of these values, as by [`Completion::new`].
    pub fn values(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::new(Completion::new(values))
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A response with a completion.
///
/// Schema: [`CompleteResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#completeresultresponse).
pub type CompleteResultResponse = JsonRpcResultResponse<CompleteResult>;
