//! `subscriptions/listen`: the stream of changes.
//!
//! See [Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions).

use super::{Incoming, Refusal};
use crate::action::{Action, Turn};
use crate::listener::Listener;
use crate::protocol::SubscriptionFilter;

pub(super) fn serve(incoming: &Incoming<'_>) -> Result<Turn, Refusal> {
    let Incoming {
        offering,
        caller,
        request,
        ..
    } = incoming;
    let exchange = incoming.exchange;
    let filter = request
        .params
        .get("notifications")
        .ok_or_else(|| Refusal::invalid_params("params.notifications is missing"))?;
    let wanted: SubscriptionFilter = filter
        .parse()
        .map_err(|_| Refusal::invalid_params("params.notifications is not a filter"))?;
    let limits = offering.limits();
    let uris = wanted.resource_subscriptions.as_deref().unwrap_or_default();
    let bytes = uris
        .iter()
        .fold(0, |sum: usize, uri| sum.saturating_add(uri.len()));
    // A listener keeps them for as long as it is open.
    if uris.len() > limits.subscription_uris || bytes > limits.uri_bytes.saturating_mul(8) {
        return Err(Refusal::invalid_params(
            "params.notifications.resourceSubscriptions is too long",
        ));
    }
    let agreed = agree(offering, caller, wanted);
    let (listener, acknowledged) =
        Listener::new(exchange, request.id.clone(), &agreed, &offering.server_info);
    let mut turn = Turn::act(Action::push(exchange, acknowledged));
    turn.actions.push(Action::Listen(listener));
    Ok(turn)
}

/// What the server has and the caller may see, of what the client wants.
fn agree(
    offering: &crate::offering::Offering,
    caller: &crate::caller::Caller,
    wanted: SubscriptionFilter,
) -> SubscriptionFilter {
    let capabilities = &offering.capabilities;
    let tools = capabilities
        .tools
        .as_ref()
        .and_then(|tools| tools.list_changed);
    let prompts = capabilities
        .prompts
        .as_ref()
        .and_then(|prompts| prompts.list_changed);
    let resources = capabilities.resources.as_ref();
    let mut agreed = SubscriptionFilter::new();
    let both = |wanted: Option<bool>, offered: Option<bool>| {
        (wanted == Some(true) && offered == Some(true)).then_some(true)
    };
    agreed.tools_list_changed = both(wanted.tools_list_changed, tools);
    agreed.prompts_list_changed = both(wanted.prompts_list_changed, prompts);
    agreed.resources_list_changed = both(
        wanted.resources_list_changed,
        resources.and_then(|resources| resources.list_changed),
    );
    if resources.and_then(|resources| resources.subscribe) == Some(true) {
        agreed.resource_subscriptions = wanted.resource_subscriptions.map(|uris| {
            uris.into_iter()
                .filter(|uri| {
                    uri.len() <= offering.limits().uri_bytes
                        && crate::calling::readable(offering, caller, uri)
                })
                .collect()
        });
    }
    agreed
}
