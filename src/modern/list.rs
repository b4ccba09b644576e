//! The four lists: prepared when the server was built, and spliced here.

use super::{Incoming, Refusal};
use crate::action::Turn;
use crate::calling::{Page, millis};
use crate::wire;

/// Answers with a page, and the caching hints that this era adds.
///
/// See [Caching](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching).
pub(super) fn serve(incoming: &Incoming<'_>, page: &Page) -> Result<Turn, Refusal> {
    let Page {
        member,
        items,
        next_cursor,
        private,
    } = page;
    let scope = if *private { "private" } else { "public" };
    let ttl = millis(incoming.offering.limits().list_ttl);
    let info = &incoming.offering.server_info;
    let mut result = format!(
        r#"{{"resultType":"complete","_meta":{{{info}}},"ttlMs":{ttl},"cacheScope":"{scope}","{member}":{items}"#
    );
    if let Some(cursor) = next_cursor {
        result.push_str(",\"nextCursor\":\"");
        // A cursor is base64: nothing in it needs escaping.
        result.push_str(cursor);
        result.push('"');
    }
    result.push('}');
    Ok(Turn::respond(
        incoming.exchange,
        wire::result(&incoming.request.id, &result),
    ))
}
