//! `server/discover`: what the server is and what it can do.
//!
//! See [Discovery](https://modelcontextprotocol.io/specification/2026-07-28/server/discover).

use super::{Incoming, Refusal, VERSIONS};
use crate::action::Turn;
use crate::protocol::{CacheScope, DiscoverResult};

pub(super) fn serve(incoming: &Incoming<'_>) -> Result<Turn, Refusal> {
    let offering = incoming.offering;
    let mut result = DiscoverResult::new(VERSIONS.iter().copied(), offering.capabilities.clone())
        .ttl_ms(crate::calling::millis(offering.limits().list_ttl))
        .cache_scope(CacheScope::Public);
    result.instructions.clone_from(&offering.instructions);
    result.result_type = None;
    let id = &incoming.request.id;
    let response = super::finish::written(id, &result, None, &offering.server_info)?;
    Ok(Turn::respond(incoming.exchange, response))
}
