//! The four lists: prepared when the server was built, and spliced here.

use std::time::Duration;

use super::{Incoming, Refusal, cursor, params};
use crate::action::Turn;
use crate::tool::Offer;
use crate::wire;

pub(super) fn serve(incoming: &Incoming<'_>) -> Result<Turn, Refusal> {
    let catalog = &incoming.offering.catalog;
    let result = match &*incoming.request.method {
        "tools/list" => page(incoming, "tools", &catalog.tools),
        "prompts/list" => page(incoming, "prompts", &catalog.prompts),
        "resources/list" => page(incoming, "resources", &catalog.resources),
        _ => page(incoming, "resourceTemplates", &catalog.templates),
    }?;
    Ok(Turn::respond(
        incoming.exchange,
        wire::result(&incoming.request.id, &result),
    ))
}

/// One page: the caller's own part of the list, in the order of registration.
fn page(incoming: &Incoming<'_>, member: &str, all: &[impl Offer]) -> Result<String, Refusal> {
    let Incoming {
        offering,
        caller,
        request,
        ..
    } = incoming;
    let principal = caller.principal.as_deref();
    let start = match params::optional_string(request.params, "cursor")? {
        None => 0,
        Some(text) => cursor::read(offering, &request.method, principal, &text)
            .and_then(|name| all.iter().position(|offer| *offer.listed().name == *name))
            .map(|place| place + 1)
            .ok_or_else(|| Refusal::invalid_params("The cursor is not one of this list"))?,
    };
    let mut shown = all
        .iter()
        .skip(start)
        .map(Offer::listed)
        .filter(|listed| !listed.unlisted && listed.is_visible(caller));
    let mut out = open(offering, is_private(all));
    out.push_str(",\"");
    out.push_str(member);
    out.push_str("\":[");
    let mut last = None;
    for (count, listed) in shown
        .by_ref()
        .take(offering.limits().page_items)
        .enumerate()
    {
        if count > 0 {
            out.push(',');
        }
        out.push_str(&listed.json);
        last = Some(&*listed.name);
    }
    out.push(']');
    if let (Some(last), Some(_)) = (last, shown.next()) {
        let next = cursor::after(offering, &request.method, principal, last);
        out.push_str(",\"nextCursor\":\"");
        // A cursor is base64: nothing in it needs escaping.
        out.push_str(&next);
        out.push('"');
    }
    out.push('}');
    Ok(out)
}

/// A list in which anything depends on the caller is private, on every page alike.
fn is_private(all: &[impl Offer]) -> bool {
    all.iter().any(|offer| offer.listed().visible.is_some())
}

fn open(offering: &crate::offering::Offering, private: bool) -> String {
    let scope = if private { "private" } else { "public" };
    let ttl = millis(offering.limits().list_ttl);
    let info = &offering.server_info;
    format!(r#"{{"resultType":"complete","_meta":{{{info}}},"ttlMs":{ttl},"cacheScope":"{scope}""#)
}

/// Whole milliseconds, as many as the wire can hold.
pub(super) fn millis(duration: Duration) -> u64 {
    const MOST: u64 = (1 << 53) - 1;
    u64::try_from(duration.as_millis()).map_or(MOST, |millis| millis.min(MOST))
}
