//! The journal: what one call has asked and been told, in order.
//!
//! A call is played from the top every round. The journal is what makes the second playing agree
//! with the first: each question and each `once` takes the next entry, and an entry answers only
//! the question it was written for. [`Replay`] is one playing of it.

mod codec;
mod entry;
mod fingerprint;
mod replay;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

pub(crate) use codec::{Reader, Writer};
use entry::ToldKind;
pub(crate) use entry::{Attempt, Entry, Told};
pub use entry::{Divergence, EntryKind, Mark};
pub(crate) use fingerprint::{Hasher, Seed};
pub(crate) use replay::{QuestionSeen, Replay};

/// What one call has asked and been told, in order.
///
/// All its texts stand in one: a journal of a hundred entries takes two allocations.
#[derive(Clone, Default)]
pub(crate) struct Journal {
    texts: String,
    slots: Vec<Slot>,
}

/// An entry whose texts stand elsewhere.
#[derive(Clone)]
struct Slot {
    kind: EntryKind,
    key: Range<usize>,
    print: [u8; 16],
    told: ToldKind,
    text: Range<usize>,
}

impl Slot {
    fn is_open(&self) -> bool {
        matches!(self.told, ToldKind::Open { .. })
    }
}

impl Journal {
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(crate) fn get(&self, at: usize) -> Option<Entry<'_>> {
        self.slots.get(at).map(|slot| self.entry(slot))
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.slots.iter().map(|slot| self.entry(slot))
    }

    fn entry(&self, slot: &Slot) -> Entry<'_> {
        let text = |range: &Range<usize>| self.texts.get(range.clone()).unwrap_or_default();
        Entry {
            kind: slot.kind,
            key: text(&slot.key),
            print: slot.print,
            told: slot.told.with(text(&slot.text)),
        }
    }

    /// Whether the entry at a place is the record of just that; `None` where there is none.
    pub(crate) fn is(&self, at: usize, attempt: &Attempt<'_>) -> Option<bool> {
        let slot = self.slots.get(at)?;
        let key = || self.texts.get(slot.key.clone()).unwrap_or_default();
        Some(slot.kind == attempt.kind && slot.print == attempt.print && key() == attempt.key)
    }

    /// Whether the entry at a place waits for an answer.
    pub(crate) fn is_open(&self, at: usize) -> bool {
        self.slots.get(at).is_some_and(Slot::is_open)
    }

    /// Where the last round stopped: the first entry nobody has answered.
    pub(crate) fn first_open(&self) -> Option<usize> {
        self.slots.iter().position(Slot::is_open)
    }

    /// Whether it records an effect that must not be done again.
    pub(crate) fn has_once(&self) -> bool {
        self.slots.iter().any(|slot| slot.kind == EntryKind::Once)
    }

    /// Writes an entry at a place, over the one that is there; past the end it is the next one.
    pub(crate) fn put(&mut self, at: usize, entry: &Entry<'_>) {
        let Some(known) = self.slots.get(at) else {
            return self.push(entry);
        };
        let key = match self.entry(known).key == entry.key {
            // What is answered keeps its key.
            true => known.key.clone(),
            false => self.keep(entry.key),
        };
        let slot = self.slot(key, entry);
        if let Some(known) = self.slots.get_mut(at) {
            *known = slot;
        }
    }

    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        let key = self.keep(entry.key);
        let slot = self.slot(key, entry);
        self.slots.push(slot);
    }

    fn slot(&mut self, key: Range<usize>, entry: &Entry<'_>) -> Slot {
        Slot {
            kind: entry.kind,
            key,
            print: entry.print,
            told: entry.told.kind(),
            text: self.keep(entry.told.text()),
        }
    }

    fn keep(&mut self, text: &str) -> Range<usize> {
        let start = self.texts.len();
        self.texts.push_str(text);
        start..self.texts.len()
    }

    /// Drops the entries from a place on.
    pub(crate) fn truncate(&mut self, at: usize) {
        self.slots.truncate(at);
        let ends = self
            .slots
            .iter()
            .map(|slot| slot.key.end.max(slot.text.end));
        self.texts.truncate(ends.max().unwrap_or_default());
    }
}

impl PartialEq for Journal {
    fn eq(&self, other: &Self) -> bool {
        self.entries().eq(other.entries())
    }
}

impl Eq for Journal {}

/// Answers are what the user said in confidence: `Debug` shows that they are there.
impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}
