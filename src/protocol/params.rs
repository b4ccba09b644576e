use serde::{Deserialize, Serialize};

use super::Meta;

/// A place in a paged list. Only the server that made it knows what it means.
///
/// Schema: [`Cursor`](https://modelcontextprotocol.io/specification/2026-07-28/schema#cursor).
/// Spec: [Pagination model](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#pagination-model).
///
/// ```
/// use mcp_reprise::protocol::Cursor;
///
/// assert_eq!(Cursor::from("page-2").as_str(), "page-2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(String);

impl Cursor {
    /// The text of the cursor.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text of the cursor, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl From<&str> for Cursor {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Cursor {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// The params of a request that carries nothing but its metadata.
///
/// Schema: [`RequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#requestparams).
///
/// ```
/// use mcp_reprise::protocol::RequestParams;
///
/// assert!(RequestParams::new().meta.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl RequestParams {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// The params of a request for one page of a list.
///
/// Schema: [`PaginatedRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#paginatedrequestparams).
/// Spec: [Request format](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#request-format).
///
/// ```
/// use mcp_reprise::protocol::PaginatedRequestParams;
///
/// let params = PaginatedRequestParams::new().cursor("page-2");
/// assert!(params.cursor.is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PaginatedRequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// Where the page starts. Absent for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

impl PaginatedRequestParams {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `cursor`.
    pub fn cursor(mut self, cursor: impl Into<Cursor>) -> Self {
        self.cursor = Some(cursor.into());
        self
    }
}

/// The params of a notification that carries nothing but its metadata.
///
/// Schema: [`NotificationParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#notificationparams).
///
/// ```
/// use mcp_reprise::protocol::NotificationParams;
///
/// let params: NotificationParams = serde_json::from_str("{}")?;
/// assert_eq!(params, NotificationParams::new());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NotificationParams {
    /// Metadata about this notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl NotificationParams {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}
