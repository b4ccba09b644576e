use serde::{Deserialize, Serialize};

use super::{
    CacheScope, Cursor, Icon, JsonRpcNotification, JsonRpcRequest, JsonRpcResultResponse, Meta,
    NotificationParams, PaginatedRequestParams, ResultType,
};

/// A prompt the user may pick.
///
/// Schema: [`Prompt`](https://modelcontextprotocol.io/specification/2026-07-28/schema#prompt).
/// Spec: [Prompt](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt).
///
/// ```
/// use mcp_reprise::protocol::{Prompt, PromptArgument};
///
/// let prompt = Prompt::new("review").arguments([PromptArgument::new("code").required(true)]);
/// assert_eq!(prompt.name, "review");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Prompt {
    /// The name the client asks for.
    pub name: String,
    /// The name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the prompt is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it can be filled with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<PromptArgument>>,
    /// Icons a client may show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Metadata about this prompt.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Prompt {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            arguments: None,
            icons: None,
            meta: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `arguments`.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = PromptArgument>) -> Self {
        self.arguments = Some(arguments.into_iter().collect());
        self
    }

    /// Sets `icons`.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.icons = Some(icons.into_iter().collect());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// One thing a prompt can be filled with.
///
/// Schema: [`PromptArgument`](https://modelcontextprotocol.io/specification/2026-07-28/schema#promptargument).
/// Spec: [Prompt](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt).
///
/// ```
/// use mcp_reprise::protocol::PromptArgument;
///
/// assert_eq!(PromptArgument::new("code").required, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
}

impl PromptArgument {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            required: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `required`.
    pub fn required(mut self, required: bool) -> Self {
        self.required = Some(required);
        self
    }
}

/// Which page of the prompts to list.
///
/// Schema: [`ListPromptsRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listpromptsrequest).
pub type ListPromptsRequest = JsonRpcRequest<PaginatedRequestParams>;

/// A page of the prompts.
///
/// Schema: [`ListPromptsResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listpromptsresult).
/// Spec: [Listing prompts](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts).
///
/// ```
/// use mcp_reprise::protocol::{ListPromptsResult, Prompt};
///
/// let page = ListPromptsResult::new([Prompt::new("review")]).next_cursor("2");
/// assert_eq!(page.prompts.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListPromptsResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The prompts.
    pub prompts: Vec<Prompt>,
    /// Where the next page starts. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// How many milliseconds a client may keep this answer. Required on the wire in 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<u64>,
    /// Who may share a kept copy of this answer. Required on the wire in 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_scope: Option<CacheScope>,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ListPromptsResult {
    /// A last page with these prompts.
    pub fn new(prompts: impl IntoIterator<Item = Prompt>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            prompts: prompts.into_iter().collect(),
            next_cursor: None,
            ttl_ms: None,
            cache_scope: None,
            meta: None,
        }
    }

    /// Sets `nextCursor`.
    pub fn next_cursor(mut self, next_cursor: impl Into<Cursor>) -> Self {
        self.next_cursor = Some(next_cursor.into());
        self
    }

    /// Sets `ttlMs`.
    pub fn ttl_ms(mut self, ttl_ms: u64) -> Self {
        self.ttl_ms = Some(ttl_ms);
        self
    }

    /// Sets `cacheScope`.
    pub fn cache_scope(mut self, cache_scope: CacheScope) -> Self {
        self.cache_scope = Some(cache_scope);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A response with a page of the prompts.
///
/// Schema: [`ListPromptsResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listpromptsresultresponse).
pub type ListPromptsResultResponse = JsonRpcResultResponse<ListPromptsResult>;

/// News that the list of prompts changed.
///
/// Schema: [`PromptListChangedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#promptlistchangednotification).
/// Spec: [List changed notification](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#list-changed-notification).
pub type PromptListChangedNotification = JsonRpcNotification<NotificationParams>;
