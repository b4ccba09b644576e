//! Cursors: sealed, so that one which is not ours is refused.
//!
//! See [Pagination](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination).

use crate::offering::Offering;
use crate::seal;

/// The longest cursor looked at, in characters: ours are far shorter.
const LONGEST: usize = 16 << 10;

fn bound<T>(
    offering: &Offering,
    method: &str,
    principal: Option<&str>,
    then: impl FnOnce(&[&[u8]]) -> T,
) -> T {
    let somebody: &[u8] = if principal.is_some() {
        b"principal"
    } else {
        b"nobody"
    };
    then(&[
        b"mcp-reprise cursor",
        offering.identity.name.as_bytes(),
        method.as_bytes(),
        somebody,
        principal.unwrap_or_default().as_bytes(),
    ])
}

/// The cursor of the page that follows the entry of this name.
pub(super) fn after(
    offering: &Offering,
    method: &str,
    principal: Option<&str>,
    name: &str,
) -> String {
    bound(offering, method, principal, |fields| {
        seal::seal(&offering.keys, fields, name.as_bytes())
    })
}

/// The name a cursor was made for.
pub(super) fn read(
    offering: &Offering,
    method: &str,
    principal: Option<&str>,
    cursor: &str,
) -> Option<String> {
    let name = bound(offering, method, principal, |fields| {
        seal::open(&offering.keys, fields, cursor, LONGEST)
    })?;
    String::from_utf8(name).ok()
}
