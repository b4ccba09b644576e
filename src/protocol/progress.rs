use serde::{Deserialize, Serialize};

use super::{JsonNumber, JsonRpcNotification, Meta, ProgressToken, RequestId};

/// How far a request has come.
///
/// Schema: [`ProgressNotificationParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#progressnotificationparams).
/// Spec: [Progress flow](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress#progress-flow).
///
/// ```
/// use mcp_reprise::protocol::ProgressNotificationParams;
///
/// let params = ProgressNotificationParams::new("t", 50).total(100).message("half done");
/// assert_eq!(params.total, Some(100.into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProgressNotificationParams {
    /// Metadata about this notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The token the request carried.
    pub progress_token: ProgressToken,
    /// How far it is. It only grows.
    pub progress: JsonNumber,
    /// How far it will go, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<JsonNumber>,
    /// What it is doing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl ProgressNotificationParams {
    /// With only what is required; every optional member is absent.
    pub fn new(progress_token: impl Into<ProgressToken>, progress: impl Into<JsonNumber>) -> Self {
        Self {
            meta: None,
            progress_token: progress_token.into(),
            progress: progress.into(),
            total: None,
            message: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `total`.
    pub fn total(mut self, total: impl Into<JsonNumber>) -> Self {
        self.total = Some(total.into());
        self
    }

    /// Sets `message`.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

/// News of how far a request has come.
///
/// Schema: [`ProgressNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#progressnotification).
pub type ProgressNotification = JsonRpcNotification<ProgressNotificationParams>;

/// Which request is no longer wanted.
///
/// Schema: [`CancelledNotificationParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#cancellednotificationparams).
/// Spec: [Cancellation flow](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#cancellation-flow).
///
/// ```
/// use mcp_reprise::protocol::CancelledNotificationParams;
///
/// let params = CancelledNotificationParams::new(7).reason("too slow");
/// assert_eq!(params.request_id, 7.into());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CancelledNotificationParams {
    /// Metadata about this notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The request's id.
    pub request_id: RequestId,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl CancelledNotificationParams {
    /// With only what is required; every optional member is absent.
    pub fn new(request_id: impl Into<RequestId>) -> Self {
        Self {
            meta: None,
            request_id: request_id.into(),
            reason: None,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `reason`.
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// News that a request is no longer wanted.
///
/// Schema: [`CancelledNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#cancellednotification).
pub type CancelledNotification = JsonRpcNotification<CancelledNotificationParams>;
