use serde::{Deserialize, Serialize};

use super::{
    CacheScope, JsonRpcRequest, JsonRpcResultResponse, Meta, RequestParams, ResultType,
    ServerCapabilities,
};

/// A request for what the server can do.
///
/// Schema: [`DiscoverRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverrequest).
pub type DiscoverRequest = JsonRpcRequest<RequestParams>;

/// What a server can do.
///
/// Schema: [`DiscoverResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverresult).
/// Spec: [DiscoverResult](https://modelcontextprotocol.io/specification/2026-07-28/server/discover#discoverresult).
///
/// ```
/// use mcp_reprise::protocol::{DiscoverResult, PROTOCOL_VERSION, ServerCapabilities};
///
/// let result = DiscoverResult::new([PROTOCOL_VERSION], ServerCapabilities::new());
/// assert_eq!(result.supported_versions, ["2026-07-28"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DiscoverResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The protocol revisions it speaks.
    pub supported_versions: Vec<String>,
    /// What it offers.
    pub capabilities: ServerCapabilities,
    /// How to use it well, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
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

impl DiscoverResult {
    /// With only what is required; every optional member is absent.
    pub fn new(
        supported_versions: impl IntoIterator<Item = impl Into<String>>,
        capabilities: ServerCapabilities,
    ) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            supported_versions: supported_versions.into_iter().map(Into::into).collect(),
            capabilities,
            instructions: None,
            ttl_ms: None,
            cache_scope: None,
            meta: None,
        }
    }

    /// Sets `instructions`.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
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

/// A response with what the server can do.
///
/// Schema: [`DiscoverResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverresultresponse).
pub type DiscoverResultResponse = JsonRpcResultResponse<DiscoverResult>;
