use serde::{Deserialize, Serialize};

use super::{
    JsonRpcNotification, JsonRpcRequest, JsonRpcResultResponse, Meta, RequestId, ResultType,
};

/// Which changes a client wants to be told of. What it doesn't name, it isn't told.
///
/// Schema: [`SubscriptionFilter`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionfilter).
/// Spec: [Notification filter](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#notification-filter).
///
/// ```
/// use mcp_reprise::protocol::SubscriptionFilter;
///
/// let filter = SubscriptionFilter::new().resource_subscriptions(["file:///a"]);
/// assert_eq!(filter.tools_list_changed, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionFilter {
    /// Changes to the list of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools_list_changed: Option<bool>,
    /// Changes to the list of prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts_list_changed: Option<bool>,
    /// Changes to the list of resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources_list_changed: Option<bool>,
    /// Changes to the resources of these URIs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_subscriptions: Option<Vec<String>>,
}

impl SubscriptionFilter {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `toolsListChanged`.
    pub fn tools_list_changed(mut self, tools_list_changed: bool) -> Self {
        self.tools_list_changed = Some(tools_list_changed);
        self
    }

    /// Sets `promptsListChanged`.
    pub fn prompts_list_changed(mut self, prompts_list_changed: bool) -> Self {
        self.prompts_list_changed = Some(prompts_list_changed);
        self
    }

    /// Sets `resourcesListChanged`.
    pub fn resources_list_changed(mut self, resources_list_changed: bool) -> Self {
        self.resources_list_changed = Some(resources_list_changed);
        self
    }

    /// Sets `resourceSubscriptions`.
    pub fn resource_subscriptions(
        mut self,
        resource_subscriptions: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.resource_subscriptions =
            Some(resource_subscriptions.into_iter().map(Into::into).collect());
        self
    }
}

/// What to listen for.
///
/// Schema: [`SubscriptionsListenRequestParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenrequestparams).
/// Spec: [Opening a stream](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#opening-a-stream).
///
/// ```
/// use mcp_reprise::protocol::{SubscriptionFilter, SubscriptionsListenRequestParams};
///
/// let params = SubscriptionsListenRequestParams::new(SubscriptionFilter::new());
/// assert_eq!(params.meta, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionsListenRequestParams {
    /// Metadata about this request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// Which changes the client wants to be told of.
    pub notifications: SubscriptionFilter,
}

impl SubscriptionsListenRequestParams {
    /// With only what is required; every optional member is absent.
    pub fn new(notifications: SubscriptionFilter) -> Self {
        Self {
            meta: None,
            notifications,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A request to be told of changes. It stays open.
///
/// Schema: [`SubscriptionsListenRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenrequest).
pub type SubscriptionsListenRequest = JsonRpcRequest<SubscriptionsListenRequestParams>;

/// The end of a subscription, when the server ends it in good order.
///
/// Schema: [`SubscriptionsListenResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenresult).
/// Spec: [Graceful closure](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure).
///
/// ```
/// use mcp_reprise::protocol::SubscriptionsListenResult;
///
/// let result = SubscriptionsListenResult::new("listen-1");
/// let id = result.meta.and_then(|meta| meta.subscription_id().ok().flatten());
/// assert_eq!(id, Some("listen-1".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionsListenResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// Metadata, with the id of the subscription. Required on the wire.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SubscriptionsListenResult {
    /// The end of the subscription that the request of this id opened.
    pub fn new(subscription_id: impl Into<RequestId>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            meta: Some(Meta::new().with_subscription_id(subscription_id)),
        }
    }
}

/// A response that ends a subscription.
///
/// Schema: [`SubscriptionsListenResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenresultresponse).
pub type SubscriptionsListenResultResponse = JsonRpcResultResponse<SubscriptionsListenResult>;

/// Which of the changes asked for the server will tell of.
///
/// Schema: [`SubscriptionsAcknowledgedNotificationParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionsacknowledgednotificationparams).
/// Spec: [Acknowledgment](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment).
///
/// ```
/// use mcp_reprise::protocol::{SubscriptionFilter, SubscriptionsAcknowledgedNotificationParams};
///
/// let filter = SubscriptionFilter::new().tools_list_changed(true);
/// let params = SubscriptionsAcknowledgedNotificationParams::new(filter);
/// assert_eq!(params.notifications.tools_list_changed, Some(true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionsAcknowledgedNotificationParams {
    /// Metadata about this notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The changes.
    pub notifications: SubscriptionFilter,
}

impl SubscriptionsAcknowledgedNotificationParams {
    /// With only what is required; every optional member is absent.
    pub fn new(notifications: SubscriptionFilter) -> Self {
        Self {
            meta: None,
            notifications,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// News that a subscription has begun.
///
/// Schema: [`SubscriptionsAcknowledgedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionsacknowledgednotification).
pub type SubscriptionsAcknowledgedNotification =
    JsonRpcNotification<SubscriptionsAcknowledgedNotificationParams>;
