use serde::{Deserialize, Serialize};

use super::{
    BlobResourceContents, CacheScope, Cursor, InputResponses, JsonRpcNotification, JsonRpcRequest,
    JsonRpcResultResponse, MaybeInputRequired, Meta, NotificationParams, PaginatedRequestParams,
    Resource, ResourceContents, ResourceTemplate, ResultType, TextResourceContents,
};

/// Which page of the resources to list.
///
/// Schema: [`ListResourcesRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcesrequest).
pub type ListResourcesRequest = JsonRpcRequest<PaginatedRequestParams>;

/// A page of the resources.
///
/// Schema: [`ListResourcesResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcesresult).
/// Spec: [Listing resources](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources).
///
/// ```
/// use mcp_reprise::protocol::{ListResourcesResult, Resource};
///
/// let page = ListResourcesResult::new([Resource::new("file:///a", "a")]);
/// assert_eq!(page.next_cursor, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListResourcesResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The resources.
    pub resources: Vec<Resource>,
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

impl ListResourcesResult {
    /// A last page with these resources.
    pub fn new(resources: impl IntoIterator<Item = Resource>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            resources: resources.into_iter().collect(),
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

/// A response with a page of the resources.
///
/// Schema: [`ListResourcesResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcesresultresponse).
pub type ListResourcesResultResponse = JsonRpcResultResponse<ListResourcesResult>;

/// Which page of the resource templates to list.
///
/// Schema: [`ListResourceTemplatesRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcetemplatesrequest).
pub type ListResourceTemplatesRequest = JsonRpcRequest<PaginatedRequestParams>;

/// A page of the resource templates.
///
/// Schema: [`ListResourceTemplatesResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcetemplatesresult).
/// Spec: [Resource templates](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates).
///
/// ```
/// use mcp_reprise::protocol::{ListResourceTemplatesResult, ResourceTemplate};
///
/// let page = ListResourceTemplatesResult::new([ResourceTemplate::new("file:///{p}", "files")]);
/// assert_eq!(page.resource_templates.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListResourceTemplatesResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The templates.
    pub resource_templates: Vec<ResourceTemplate>,
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

impl ListResourceTemplatesResult {
    /// A last page with these templates.
    pub fn new(resource_templates: impl IntoIterator<Item = ResourceTemplate>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            resource_templates: resource_templates.into_iter().collect(),
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

/// A response with a page of the resource templates.
///
/// Schema: [`ListResourceTemplatesResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listresourcetemplatesresultresponse).
pub type ListResourceTemplatesResultResponse = JsonRpcResultResponse<ListResourceTemplatesResult>;

/// Which resource to read.
///
/// Schema: [`ReadResourceRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourcerequestparams).
/// Spec: [Reading resources](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources).
///
/// ```
/// use mcp_reprise::protocol::ReadResourceRequestParams;
///
/// assert_eq!(ReadResourceRequestParams::new("file:///a").uri, "file:///a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReadResourceRequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The resource's URI.
    pub uri: String,
    /// The client's answers to what an earlier round asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// What an earlier round gave the client to hand back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
}

impl ReadResourceRequestParams {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            meta: None,
            uri: uri.into(),
            input_responses: None,
            request_state: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
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

/// A request to read a resource.
///
/// Schema: [`ReadResourceRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourcerequest).
pub type ReadResourceRequest = JsonRpcRequest<ReadResourceRequestParams>;

/// What a resource holds.
///
/// Schema: [`ReadResourceResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourceresult).
/// Spec: [Reading resources](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources).
///
/// ```
/// use mcp_reprise::protocol::{CacheScope, ReadResourceResult};
///
/// let result = ReadResourceResult::text("file:///a.md", "# A")
///   .mime_type("text/markdown")
///   .cache_scope(CacheScope::Private);
/// assert_eq!(result.contents.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReadResourceResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The contents: one item, or one for each part.
    pub contents: Vec<ResourceContents>,
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

impl ReadResourceResult {
    /// A result of these contents.
    pub fn new(contents: impl IntoIterator<Item = impl Into<ResourceContents>>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            contents: contents.into_iter().map(Into::into).collect(),
            ttl_ms: None,
            cache_scope: None,
            meta: None,
        }
    }

    /// A result of one text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new([TextResourceContents::new(uri, text)])
    }

    /// A result of bytes.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new([BlobResourceContents::new(uri, bytes)])
    }

    /// Sets the `mimeType` of every item.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        let mime_type = mime_type.into();
        self.contents = self
            .contents
            .into_iter()
            .map(|contents| contents.mime_type(mime_type.clone()))
            .collect();
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

/// A response with what a resource holds, or with what the server must be told
/// first.
///
/// Schema: [`ReadResourceResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#readresourceresultresponse).
pub type ReadResourceResultResponse = JsonRpcResultResponse<MaybeInputRequired<ReadResourceResult>>;

/// News that the list of resources changed.
///
/// Schema: [`ResourceListChangedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourcelistchangednotification).
/// Spec: [List changed notification](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#list-changed-notification).
pub type ResourceListChangedNotification = JsonRpcNotification<NotificationParams>;

/// Which resource changed.
///
/// Schema: [`ResourceUpdatedNotificationParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotificationparams).
/// Spec: [Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#subscriptions).
///
/// ```
/// use mcp_reprise::protocol::ResourceUpdatedNotificationParams;
///
/// assert_eq!(ResourceUpdatedNotificationParams::new("file:///a").uri, "file:///a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceUpdatedNotificationParams {
    /// Metadata about this notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The resource's URI, or that of a part of what was subscribed to.
    pub uri: String,
}

impl ResourceUpdatedNotificationParams {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            meta: None,
            uri: uri.into(),
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// News that a resource changed.
///
/// Schema: [`ResourceUpdatedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotification).
pub type ResourceUpdatedNotification = JsonRpcNotification<ResourceUpdatedNotificationParams>;
