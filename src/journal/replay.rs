//! One playing of a journal: where the run is in it, and what it finds there.

use super::Journal;
use super::entry::{Divergence, Entry, EntryKind, Mark, Told};
use super::fingerprint::{Seed, link};

/// The run asked something else than its journal recorded, and the tail holds a `once`: dropping
/// the tail would do that effect again, so the call fails.
#[derive(Debug)]
pub(crate) struct Diverged;

/// What the journal says to a question.
#[derive(Debug)]
pub(crate) enum QuestionSeen {
    /// Told in an earlier round.
    Told(Told),
    /// Open: asked so many times before.
    Open { asks: u32 },
    /// Not asked before in this history.
    New,
}

/// What the journal says to a `once`.
#[derive(Debug)]
pub(crate) enum OnceSeen {
    Told(Told),
    /// Not done before in this history: the idempotency key to do it under.
    New([u8; 16]),
}

/// One playing of a journal.
#[derive(Debug)]
pub(crate) struct Replay {
    journal: Journal,
    cursor: usize,
    /// Messages before this place were sent by the round that first came here.
    silent_to: Option<usize>,
    /// The chain over the entries that were linked: it is made longer when a `once` asks for it.
    chain: [u8; 16],
    linked: usize,
    divergence: Option<Divergence>,
}

impl Replay {
    pub(crate) fn new(journal: Journal) -> Self {
        let silent_to = journal.first_open();
        Self {
            journal,
            cursor: 0,
            silent_to,
            chain: [0; 16],
            linked: 0,
            divergence: None,
        }
    }

    /// Whether the run is still in the part that an earlier round has played.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent_to.is_some_and(|to| self.cursor <= to)
    }

    /// Notes that the run goes on past the open question without putting it: what it says from
    /// here was never said.
    pub(crate) fn speak(&mut self) {
        self.silent_to = self.silent_to.filter(|to| *to != self.cursor);
    }

    /// The entry at the cursor, where it is the one the run is after.
    fn matching(&mut self, mark: &Mark) -> Result<Option<&Entry>, Diverged> {
        let Some(entry) = self.journal.entries.get(self.cursor) else {
            return Ok(None);
        };
        if !entry.is(mark) {
            self.diverge(Some(mark.clone()))?;
            return Ok(None);
        }
        Ok(self.journal.entries.get(self.cursor))
    }

    /// Whether the question so many places on has been told already.
    pub(crate) fn is_told(&self, offset: usize, mark: &Mark) -> bool {
        self.journal
            .entries
            .get(self.cursor + offset)
            .is_some_and(|entry| entry.is(mark) && !entry.is_open())
    }

    /// Looks a question up without passing it.
    pub(crate) fn question(&mut self, mark: &Mark) -> Result<QuestionSeen, Diverged> {
        Ok(match self.matching(mark)?.map(|entry| &entry.told) {
            None => QuestionSeen::New,
            Some(Told::Open { asks }) => QuestionSeen::Open { asks: *asks },
            Some(told) => QuestionSeen::Told(told.clone()),
        })
    }

    /// Looks a `once` up without passing it.
    pub(crate) fn once(&mut self, mark: &Mark, seed: &Seed) -> Result<OnceSeen, Diverged> {
        Ok(match self.matching(mark)? {
            Some(entry) => OnceSeen::Told(entry.told.clone()),
            None => {
                let chain = self.chain(seed);
                OnceSeen::New(seed.hash("once", &[&chain, mark.key.as_bytes()]))
            }
        })
    }

    /// The chain over all that was passed. What was passed changes no more.
    fn chain(&mut self, seed: &Seed) -> [u8; 16] {
        let passed = self.journal.entries.get(self.linked..self.cursor);
        for entry in passed.unwrap_or_default() {
            self.chain = link(seed, &self.chain, entry);
        }
        self.linked = self.cursor;
        self.chain
    }

    /// Passes the entry at the cursor as it is.
    pub(crate) fn pass_known(&mut self) {
        self.cursor += 1;
    }

    /// Passes the entry at the cursor, writing it if it is new or if it was open until now.
    pub(crate) fn pass(&mut self, entry: Entry) {
        match self.journal.entries.get_mut(self.cursor) {
            Some(slot) => *slot = entry,
            None => self.journal.entries.push(entry),
        }
        self.cursor += 1;
    }

    /// Drops what the journal holds from the cursor on.
    ///
    /// # Errors
    ///
    /// [`Diverged`] when a `once` would be dropped; the journal is then left as it is.
    pub(crate) fn diverge(&mut self, attempted: Option<Mark>) -> Result<(), Diverged> {
        let Some(recorded) = self.journal.entries.get(self.cursor) else {
            return Ok(());
        };
        self.divergence.get_or_insert(Divergence {
            at: self.cursor,
            recorded: recorded.mark(),
            attempted,
        });
        let tail = self.journal.entries.get(self.cursor..).unwrap_or_default();
        if tail.iter().any(|entry| entry.kind == EntryKind::Once) {
            return Err(Diverged);
        }
        self.journal.entries.truncate(self.cursor);
        Ok(())
    }

    /// Notes that the run ended here: entries it did not read are a divergence.
    pub(crate) fn end(&mut self) {
        if let Some(recorded) = self.journal.entries.get(self.cursor) {
            self.divergence.get_or_insert(Divergence {
                at: self.cursor,
                recorded: recorded.mark(),
                attempted: None,
            });
        }
    }

    /// The journal as the run leaves it, and the divergence it met first.
    pub(crate) fn into_parts(self) -> (Journal, Option<Divergence>) {
        (self.journal, self.divergence)
    }
}
