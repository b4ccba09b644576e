//! One playing of a journal: where the run is in it, and what it finds there.

use super::Journal;
use super::entry::{Attempt, Divergence, Entry, EntryKind, Told};
use super::fingerprint::Hasher;

/// The run asked something else than its journal recorded, and the tail holds a `once`: dropping
/// the tail would do that effect again, so the call fails.
#[derive(Debug)]
pub(crate) struct Diverged;

/// What the journal says to a question.
#[derive(Debug)]
pub(crate) enum QuestionSeen<'a> {
    /// Told in an earlier round.
    Told(Told<'a>),
    /// Open: asked so many times before.
    Open { asks: u32 },
    /// Not asked before in this history.
    New,
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

    /// Whether the entry at the cursor is the one the run is after. Another is dropped, with all
    /// that follow it.
    fn matches(&mut self, attempt: &Attempt<'_>) -> Result<bool, Diverged> {
        let is = self.journal.is(self.cursor, attempt);
        if is == Some(false) {
            self.diverge(Some(attempt))?;
        }
        Ok(is == Some(true))
    }

    /// Whether the question so many places on has been told already.
    pub(crate) fn is_told(&self, offset: usize, attempt: &Attempt<'_>) -> bool {
        let at = self.cursor.saturating_add(offset);
        self.journal.is(at, attempt) == Some(true) && !self.journal.is_open(at)
    }

    /// Looks a question up without passing it.
    pub(crate) fn question(&mut self, attempt: &Attempt<'_>) -> Result<QuestionSeen<'_>, Diverged> {
        if !self.matches(attempt)? {
            return Ok(QuestionSeen::New);
        }
        Ok(match self.told() {
            Some(Told::Open { asks }) => QuestionSeen::Open { asks },
            Some(told) => QuestionSeen::Told(told),
            None => QuestionSeen::New,
        })
    }

    /// Looks a `once` up without passing it: `None` where it was done, and else the idempotency
    /// key to do it under.
    pub(crate) fn once(
        &mut self,
        attempt: &Attempt<'_>,
        hasher: &mut Hasher,
    ) -> Result<Option<[u8; 16]>, Diverged> {
        if self.matches(attempt)? {
            return Ok(None);
        }
        let chain = self.chain(hasher);
        Ok(Some(hasher.once(&chain, attempt.key)))
    }

    /// What was told at the cursor.
    pub(crate) fn told(&self) -> Option<Told<'_>> {
        self.journal.get(self.cursor).map(|entry| entry.told)
    }

    /// The chain over all that was passed. What was passed changes no more.
    fn chain(&mut self, hasher: &mut Hasher) -> [u8; 16] {
        while self.linked < self.cursor {
            if let Some(entry) = self.journal.get(self.linked) {
                self.chain = hasher.link(&self.chain, &entry);
            }
            self.linked += 1;
        }
        self.chain
    }

    /// Passes the entry at the cursor as it is.
    pub(crate) fn pass_known(&mut self) {
        self.cursor += 1;
    }

    /// Passes the entry at the cursor, writing it if it is new or if it was open until now.
    pub(crate) fn pass(&mut self, entry: &Entry<'_>) {
        self.journal.put(self.cursor, entry);
        self.cursor += 1;
    }

    /// Drops what the journal holds from the cursor on.
    ///
    /// # Errors
    ///
    /// [`Diverged`] when a `once` would be dropped; the journal is then left as it is.
    pub(crate) fn diverge(&mut self, attempted: Option<&Attempt<'_>>) -> Result<(), Diverged> {
        let Some(recorded) = self.journal.get(self.cursor) else {
            return Ok(());
        };
        self.divergence.get_or_insert_with(|| Divergence {
            at: self.cursor,
            recorded: recorded.mark(),
            attempted: attempted.map(Attempt::mark),
        });
        let once = |entry: Entry<'_>| entry.kind == EntryKind::Once;
        if self.journal.entries().skip(self.cursor).any(once) {
            return Err(Diverged);
        }
        self.journal.truncate(self.cursor);
        Ok(())
    }

    /// Notes that the run ended here: entries it did not read are a divergence.
    pub(crate) fn end(&mut self) {
        if let Some(recorded) = self.journal.get(self.cursor) {
            self.divergence.get_or_insert_with(|| Divergence {
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
