//! The duplicate-key check.
//!
//! The keys of an object are among the nodes that the pass has noted: from each value one comes
//! to the next key without passing what is in the value.

use std::borrow::Cow;

use super::outline::Node;
use super::text::unescape;

/// Up to this many keys are compared each with each; beyond it, sorting is
/// cheaper and, unlike comparing, not quadratic.
const FEW: usize = 8;

/// The keys of one object: what is between their quotes, and where their opening quotes stand.
#[derive(Clone)]
pub(super) struct Keys<'a, 'n> {
    pub(super) body: &'a [u8],
    /// The nodes within the object.
    pub(super) nodes: &'n [Node],
}

impl<'a> Iterator for Keys<'a, '_> {
    type Item = (&'a [u8], usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, rest) = self.nodes.split_first()?;
        self.nodes = rest.get(rest.first()?.size..)?;
        let raw = self.body.get(key.start + 1..key.end - 1)?;
        Some((raw, key.start))
    }
}

impl<'a> Keys<'a, '_> {
    /// Where a key stands that an earlier one equals, escapes resolved. There are so many keys,
    /// and `escaped` says whether any of them may hold an escape.
    #[inline]
    pub(super) fn twin(self, count: usize, escaped: bool) -> Option<usize> {
        if count < 2 {
            None
        } else if escaped {
            self.escaped_twin()
        } else if count <= FEW {
            self.twin_of_few()
        } else {
            self.twin_of_many()
        }
    }

    /// Compares each with each.
    fn twin_of_few(mut self) -> Option<usize> {
        while let Some((first, _)) = self.next() {
            if let Some((_, at)) = self.clone().find(|(later, _)| *later == first) {
                return Some(at);
            }
        }
        None
    }

    fn twin_of_many(self) -> Option<usize> {
        let mut keys: Vec<(&[u8], usize)> = self.collect();
        keys.sort_unstable();
        twin_of_sorted(keys.into_iter())
    }

    /// Compares keys of which at least one has escapes: all are decoded once.
    #[cold]
    fn escaped_twin(self) -> Option<usize> {
        let mut keys: Vec<(Cow<'_, str>, usize)> =
            self.map(|(raw, at)| (decoded(raw), at)).collect();
        keys.sort_unstable();
        twin_of_sorted(keys.iter().map(|(key, at)| (key.as_bytes(), *at)))
    }
}

/// What a key means. It was cut from UTF-8 beside its quotes, so it is UTF-8.
fn decoded(raw: &[u8]) -> Cow<'_, str> {
    unescape(std::str::from_utf8(raw).unwrap_or_default())
}

/// The first two equal neighbours' later offset.
fn twin_of_sorted<'k>(keys: impl Iterator<Item = (&'k [u8], usize)>) -> Option<usize> {
    let mut before: Option<(&[u8], usize)> = None;
    for (key, at) in keys {
        if let Some((_, other)) = before.filter(|(earlier, _)| *earlier == key) {
            return Some(at.max(other));
        }
        before = Some((key, at));
    }
    None
}
