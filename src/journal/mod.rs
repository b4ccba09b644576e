//! The journal: what one call has asked and been told, in order.
//!
//! A call is played from the top every round. The journal is what makes the second playing agree
//! with the first: each question and each `once` takes the next entry, and an entry answers only
//! the question it was written for. [`Replay`] is one playing of it.

mod codec;
mod entry;
mod fingerprint;
mod replay;

pub(crate) use codec::{Reader, Writer};
pub use entry::{Divergence, EntryKind, Mark};
pub(crate) use entry::{Entry, Told};
pub(crate) use fingerprint::{Seed, fingerprint};
pub(crate) use replay::{OnceSeen, QuestionSeen, Replay};

/// What one call has asked and been told, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Journal {
    pub(crate) entries: Vec<Entry>,
}

impl Journal {
    /// Where the last round stopped: the first entry nobody has answered.
    pub(crate) fn first_open(&self) -> Option<usize> {
        self.entries.iter().position(Entry::is_open)
    }

    /// The keys of the questions that wait for an answer.
    pub(crate) fn open_keys(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .filter(|entry| entry.is_open())
            .map(|entry| &*entry.key)
    }
}
