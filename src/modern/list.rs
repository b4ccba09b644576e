//! The four lists: prepared when the server was built, and spliced here.

use super::{Incoming, Refusal};
use crate::action::Turn;
use crate::calling::{Page, millis};
use crate::wire;

/// Answers with a page, and the caching hints that this era adds.
///
/// See [Caching](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching).
pub(super) fn serve(incoming: &Incoming<'_>, page: &Page<'_>) -> Result<Turn, Refusal> {
    let Page {
        member,
        items,
        next_cursor,
        private,
    } = page;
    let scope = if *private { "private" } else { "public" };
    let ttl = millis(incoming.offering.limits().list_ttl);
    let info = &incoming.offering.server_info;
    let cursor = next_cursor.as_deref().unwrap_or_default();
    let room = info.len() + items.len() + cursor.len() + 192;
    let mut out = wire::open_result(&incoming.request.id, room);
    let head = format!(
        r#"{{"resultType":"complete","_meta":{{{info}}},"ttlMs":{ttl},"cacheScope":"{scope}","{member}":"#
    );
    let mut write = |text: &str| out.extend_from_slice(text.as_bytes());
    write(&head);
    // The one long piece: copied once.
    write(items);
    if next_cursor.is_some() {
        write(r#","nextCursor":""#);
        // A cursor is base64: nothing in it needs escaping.
        write(cursor);
        write("\"");
    }
    write("}");
    Ok(Turn::respond(incoming.exchange, wire::close_result(out)))
}
