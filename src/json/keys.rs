//! The duplicate-key check.
//!
//! Every open object's keys lie on one stack, the innermost object's on top,
//! so that a body costs one growing allocation, not one for each object.

use std::borrow::Cow;

use super::text::unescape;

/// Up to this many keys are compared each with each; beyond it, sorting is
/// cheaper and, unlike comparing, not quadratic.
const FEW: usize = 8;

#[derive(Clone, Copy)]
struct Key<'a> {
    /// Between the quotes, escapes not resolved.
    raw: &'a [u8],
    /// Offset of the opening quote in the body.
    at: usize,
    /// Whether `raw` may hold an escape.
    escaped: bool,
}

/// The keys of all objects that are open.
pub(super) struct Keys<'a> {
    stack: Vec<Key<'a>>,
}

impl<'a> Keys<'a> {
    pub(super) fn new() -> Self {
        Keys { stack: Vec::new() }
    }

    /// Where the keys of an object that opens now will begin.
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.stack.len()
    }

    #[inline]
    pub(super) fn push(&mut self, raw: &'a [u8], at: usize, escaped: bool) {
        if self.stack.is_empty() {
            // A typical body holds no more keys than this at once.
            self.stack.reserve(16);
        }
        self.stack.push(Key { raw, at, escaped });
    }

    /// Drops the keys from `mark` on, as their object closes, and says where a
    /// key stands that an earlier one of them equals.
    #[inline]
    pub(super) fn close(&mut self, mark: usize) -> Option<usize> {
        let keys = self.stack.get_mut(mark..)?;
        let twin = if keys.len() < 2 {
            None
        } else if keys.iter().any(|key| key.escaped) {
            escaped_twin(keys)
        } else if keys.len() <= FEW {
            twin_of_few(keys)
        } else {
            // They are dropped below, so their order is free.
            keys.sort_unstable_by(|a, b| a.raw.cmp(b.raw));
            twin_of_sorted(keys.iter().map(|key| (key.raw, key.at)))
        };
        self.stack.truncate(mark);
        twin
    }
}

/// Compares each with each.
fn twin_of_few(keys: &[Key<'_>]) -> Option<usize> {
    let mut rest = keys;
    while let [first, later @ ..] = rest {
        if let Some(twin) = later.iter().find(|key| key.raw == first.raw) {
            return Some(twin.at);
        }
        rest = later;
    }
    None
}

/// Compares keys of which at least one has escapes: all are decoded once.
#[cold]
fn escaped_twin(keys: &[Key<'_>]) -> Option<usize> {
    let mut keys: Vec<(Cow<'_, str>, usize)> =
        keys.iter().map(|key| (decoded(key.raw), key.at)).collect();
    keys.sort_unstable();
    twin_of_sorted(keys.iter().map(|(key, at)| (key.as_bytes(), *at)))
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
