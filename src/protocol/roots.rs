use serde::{Deserialize, Serialize};

use super::tag::ListRootsTag;
use super::{Meta, RequestParams};

/// A question for the client's roots.
///
/// Schema: [`ListRootsRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listrootsrequest).
/// Spec: [Listing roots](https://modelcontextprotocol.io/specification/2026-07-28/client/roots#listing-roots).
///
/// ```
/// use mcp_reprise::protocol::ListRootsRequest;
///
/// assert_eq!(serde_json::to_string(&ListRootsRequest::new())?, r#"{"method":"roots/list"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListRootsRequest {
    method: ListRootsTag,
    /// Its metadata, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<RequestParams>,
}

impl ListRootsRequest {
    /// The question, without metadata.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `params`.
    pub fn params(mut self, params: RequestParams) -> Self {
        self.params = Some(params);
        self
    }
}

/// A folder or file the server may work on.
///
/// Schema: [`Root`](https://modelcontextprotocol.io/specification/2026-07-28/schema#root).
/// Spec: [Root](https://modelcontextprotocol.io/specification/2026-07-28/client/roots#root).
///
/// ```
/// use mcp_reprise::protocol::Root;
///
/// let root = Root::new("file:///home/me/project").name("Project");
/// assert_eq!(root.uri, "file:///home/me/project");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Root {
    /// Its URI, which starts with `file://`.
    pub uri: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Metadata about this root.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Root {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: None,
            meta: None,
        }
    }

    /// Sets `name`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// The client's roots.
///
/// Schema: [`ListRootsResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listrootsresult).
/// Spec: [Listing roots](https://modelcontextprotocol.io/specification/2026-07-28/client/roots#listing-roots).
///
/// ```
/// use mcp_reprise::protocol::{ListRootsResult, Root};
///
/// assert_eq!(ListRootsResult::new([Root::new("file:///a")]).roots.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListRootsResult {
    /// The roots.
    pub roots: Vec<Root>,
}

impl ListRootsResult {
    /// With only what is required; every optional member is absent.
    pub fn new(roots: impl IntoIterator<Item = Root>) -> Self {
        Self {
            roots: roots.into_iter().collect(),
        }
    }
}
