//! The wire keys of a run's questions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use crate::journal::EntryKind;

/// Hands out keys: the author's name, its nth use `name-n`, and by kind and place where no name
/// is given. No key is handed out twice in a run.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The keys that are taken, each with how often it was used as a name.
    uses: BTreeMap<Arc<str>, u32>,
}

/// A key that was looked up and not taken yet.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) text: Arc<str>,
    stem: Arc<str>,
    uses: u32,
}

impl Keys {
    /// The next key of a name, which stays free until it is [taken](Keys::take).
    pub(crate) fn peek(&self, name: Option<&Arc<str>>, kind: EntryKind) -> Key {
        let stem = match name {
            Some(name) => Arc::clone(name),
            // No key begins so but by its author's will, and then it is only counted on.
            None => format!("\u{0}{kind}").into(),
        };
        let mut uses = self.uses.get(&stem).copied().unwrap_or_default();
        loop {
            uses = uses.saturating_add(1);
            let text: Arc<str> = match name {
                Some(name) if uses == 1 => Arc::clone(name),
                Some(name) => format!("{name}-{uses}").into(),
                None => format!("{kind}-{uses}").into(),
            };
            if !self.uses.contains_key(&text) {
                return Key { text, stem, uses };
            }
        }
    }

    /// Takes a key: it is handed out no more.
    pub(crate) fn take(&mut self, key: Key) -> Arc<str> {
        self.uses.entry(Arc::clone(&key.text)).or_default();
        self.uses.insert(key.stem, key.uses);
        key.text
    }

    /// The next key of a name, taken.
    pub(crate) fn next(&mut self, name: Option<&Arc<str>>, kind: EntryKind) -> Arc<str> {
        // Most names are used once.
        if let Some(name) = name {
            if let Entry::Vacant(free) = self.uses.entry(Arc::clone(name)) {
                free.insert(1);
                return Arc::clone(name);
            }
        }
        self.take(self.peek(name, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_counted_and_never_handed_out_twice() {
        let mut keys = Keys::default();
        let mut next = |name: Option<&str>| {
            let name = name.map(Arc::from);
            keys.next(name.as_ref(), EntryKind::Elicit).to_string()
        };
        assert_eq!(next(Some("day-2")), "day-2");
        assert_eq!(next(Some("day")), "day");
        assert_eq!(next(Some("day")), "day-3");
        assert_eq!(next(None), "elicit-1");
        assert_eq!(next(None), "elicit-2");
        assert_eq!(next(Some("elicit-3")), "elicit-3");
        assert_eq!(next(None), "elicit-4");
    }
}
