//! One response or stream, and the answer to one message.

use serde::{Deserialize, Serialize};

/// The driver's own name for one response or one stream. The core only hands it back.
///
/// ```
/// let exchange = mcp_reprise::Exchange(7);
/// assert_eq!(exchange.0, 7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Exchange(pub u64);

/// The answer to one message.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The HTTP status the specification ties to this answer. Lines have no use for it.
    pub status: http::StatusCode,
    /// Further HTTP headers, such as the `Allow` of a 405. Mostly empty.
    pub headers: http::HeaderMap,
    /// One JSON-RPC response as JSON text without line breaks. `None` for a notification that was
    /// accepted: the specification answers it with an empty 202, and not at all on lines.
    pub message: Option<Vec<u8>>,
}

impl Response {
    /// A response without further headers: for a driver that carries one from elsewhere.
    ///
    /// ```
    /// use http::StatusCode;
    /// use mcp_reprise::Response;
    ///
    /// let response = Response::new(StatusCode::OK, Some(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_vec()));
    /// assert!(response.headers.is_empty());
    /// ```
    pub fn new(status: http::StatusCode, message: Option<Vec<u8>>) -> Self {
        Self {
            status,
            headers: http::HeaderMap::new(),
            message,
        }
    }

    pub(crate) fn ok(message: Vec<u8>) -> Self {
        Self::new(http::StatusCode::OK, Some(message))
    }

    pub(crate) fn accepted() -> Self {
        Self::new(http::StatusCode::ACCEPTED, None)
    }
}

/// A message holds what users said, and what only they may know: `Debug` shows its length.
impl std::fmt::Debug for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let status = self.status.as_u16();
        match &self.message {
            None => write!(f, "Response({status})"),
            Some(message) => write!(f, "Response({status}, {} bytes)", message.len()),
        }
    }
}
