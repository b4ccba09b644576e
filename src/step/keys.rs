//! The wire keys of a run's questions.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::EntryKind;

/// Hands out keys: the author's name, its nth use `name-n`, and by kind and place where no name
/// is given. No key is handed out twice in a run.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    uses: BTreeMap<Box<str>, u32>,
    taken: BTreeSet<Box<str>>,
}

/// A key that was looked up and not taken yet.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) text: Box<str>,
    stem: Box<str>,
    uses: u32,
}

impl Keys {
    /// The next key of a name, which stays free until it is [taken](Keys::take).
    pub(crate) fn peek(&self, name: Option<&str>, kind: EntryKind) -> Key {
        let stem: Box<str> = match name {
            Some(name) => name.into(),
            None => format!("\u{0}{kind}").into(),
        };
        let mut uses = self.uses.get(&stem).copied().unwrap_or_default();
        loop {
            uses = uses.saturating_add(1);
            let text: Box<str> = match name {
                Some(name) if uses == 1 => name.into(),
                Some(name) => format!("{name}-{uses}").into(),
                None => format!("{kind}-{uses}").into(),
            };
            if !self.taken.contains(&text) {
                return Key { text, stem, uses };
            }
        }
    }

    /// Takes a key: it is handed out no more.
    pub(crate) fn take(&mut self, key: Key) -> Box<str> {
        self.uses.insert(key.stem, key.uses);
        self.taken.insert(key.text.clone());
        key.text
    }

    /// The next key of a name, taken.
    pub(crate) fn next(&mut self, name: Option<&str>, kind: EntryKind) -> Box<str> {
        self.take(self.peek(name, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_counted_and_never_handed_out_twice() {
        let mut keys = Keys::default();
        let mut next = |name| keys.next(name, EntryKind::Elicit).to_string();
        assert_eq!(next(Some("day-2")), "day-2");
        assert_eq!(next(Some("day")), "day");
        assert_eq!(next(Some("day")), "day-3");
        assert_eq!(next(None), "elicit-1");
        assert_eq!(next(None), "elicit-2");
        assert_eq!(next(Some("elicit-3")), "elicit-3");
        assert_eq!(next(None), "elicit-4");
    }
}
