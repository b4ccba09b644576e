//! One `subscriptions/listen` stream, as a value the driver holds.

use std::collections::BTreeSet;

use crate::action::Action;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::message::Id;
use crate::protocol::SubscriptionFilter;
use crate::wire;

/// The key that marks every message of a subscription.
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// One `subscriptions/listen` stream.
///
/// A change is only noted here, at most once a kind and once a URI; the messages are written when
/// the client can be written to. So a client that reads slowly costs no more than what it asked
/// for, and misses nothing it could still read.
///
/// See [Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions).
#[derive(Clone)]
pub struct Listener {
    exchange: Exchange,
    id: Id,
    wanted: Kinds,
    pending: Kinds,
    /// The acknowledged URIs, in order, each with whether a change of it waits.
    uris: Box<[(Box<str>, bool)]>,
    /// The `_meta` member of the final result.
    server_info: Box<str>,
}

/// `Debug` shows how many resources are listened to, and not which.
impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listener")
            .field("exchange", &self.exchange)
            .field("wanted", &self.wanted)
            .field("uris", &self.uris.len())
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Kinds {
    tools: bool,
    prompts: bool,
    resources: bool,
}

impl Listener {
    /// A listener for what the server has agreed to of the client's filter, and its first message.
    pub(crate) fn new(
        exchange: Exchange,
        id: Id,
        agreed: &SubscriptionFilter,
        server_info: &str,
    ) -> (Self, Vec<u8>) {
        let wanted = Kinds {
            tools: agreed.tools_list_changed == Some(true),
            prompts: agreed.prompts_list_changed == Some(true),
            resources: agreed.resources_list_changed == Some(true),
        };
        let uris: BTreeSet<Box<str>> = agreed
            .resource_subscriptions
            .iter()
            .flatten()
            .map(|uri| uri.as_str().into())
            .collect();
        let listener = Self {
            exchange,
            id,
            wanted,
            pending: Kinds::default(),
            uris: uris.into_iter().map(|uri| (uri, false)).collect(),
            server_info: server_info.into(),
        };
        let filter = serde_json::to_string(agreed).unwrap_or_else(|_| "{}".to_owned());
        let acknowledged = listener.notification(
            "notifications/subscriptions/acknowledged",
            &format!(r#","notifications":{filter}"#),
        );
        (listener, acknowledged)
    }

    /// The exchange of the stream.
    pub fn exchange(&self) -> Exchange {
        self.exchange
    }

    /// The id of the request that opened the stream.
    pub(crate) fn id(&self) -> &Id {
        &self.id
    }

    /// Notes a change. Gives whether something waits to be sent on this stream.
    pub fn note(&mut self, change: &Change) -> bool {
        match change {
            Change::ToolsList => self.pending.tools |= self.wanted.tools,
            Change::PromptsList => self.pending.prompts |= self.wanted.prompts,
            Change::ResourcesList => self.pending.resources |= self.wanted.resources,
            Change::Resource(uri) => {
                let found = self.uris.binary_search_by(|(known, _)| (**known).cmp(uri));
                if let Some((_, pending)) = found.ok().and_then(|at| self.uris.get_mut(at)) {
                    *pending = true;
                }
            }
        }
        self.is_pending()
    }

    /// Whether something waits to be sent.
    pub fn is_pending(&self) -> bool {
        let Kinds {
            tools,
            prompts,
            resources,
        } = self.pending;
        tools || prompts || resources || self.uris.iter().any(|(_, pending)| *pending)
    }

    /// Takes one message that waits: to be called while the client can be written to.
    pub fn next_push(&mut self) -> Option<Action> {
        let message = if std::mem::take(&mut self.pending.tools) {
            self.notification("notifications/tools/list_changed", "")
        } else if std::mem::take(&mut self.pending.prompts) {
            self.notification("notifications/prompts/list_changed", "")
        } else if std::mem::take(&mut self.pending.resources) {
            self.notification("notifications/resources/list_changed", "")
        } else {
            let (uri, pending) = self.uris.iter_mut().find(|(_, pending)| *pending)?;
            *pending = false;
            let uri = serde_json::to_string(uri).unwrap_or_default();
            self.notification(
                "notifications/resources/updated",
                &format!(r#","uri":{uri}"#),
            )
        };
        Some(Action::push(self.exchange, message))
    }

    /// Ends the stream from the server's side: what waits, and the answer to the request that
    /// opened it.
    ///
    /// See [Graceful closure](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure).
    pub fn close(mut self) -> Vec<Action> {
        let mut actions: Vec<Action> = std::iter::from_fn(|| self.next_push()).collect();
        let mut meta = format!(r#""{SUBSCRIPTION_ID}":{}"#, self.id.as_json());
        if !self.server_info.is_empty() {
            meta.push(',');
            meta.push_str(&self.server_info);
        }
        actions.push(Action::Respond {
            exchange: self.exchange,
            response: wire::result(
                &self.id,
                &format!(r#"{{"resultType":"complete","_meta":{{{meta}}}}}"#),
            ),
        });
        actions
    }

    /// `more` is further members of the params, each after a comma.
    fn notification(&self, method: &str, more: &str) -> Vec<u8> {
        let id = self.id.as_json();
        format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"_meta":{{"{SUBSCRIPTION_ID}":{id}}}{more}}}}}"#
        )
        .into_bytes()
    }
}
