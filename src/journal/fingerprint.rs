//! What makes a question exactly this question, and a call exactly this call.

use serde::{Deserialize, Serialize};

use super::entry::{Entry, EntryKind};
use crate::canonical::canonical_text;
use crate::seal::Mac;

/// The secret of one call: the dice of its first round, sealed in its state ever after.
///
/// Fingerprints and idempotency keys are keyed by it, so that a client who can shape a question's
/// words can still not make two questions with one fingerprint.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seed(pub(crate) [u8; 32]);

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(..)")
    }
}

impl Seed {
    /// The seed of a call that begins again because its tool is of another revision now.
    pub(crate) fn again(&self, revision: &str) -> Self {
        let mut seed = [0; 32];
        let halves = seed
            .chunks_exact_mut(16)
            .zip(["again, first", "again, second"]);
        for (half, label) in halves {
            half.copy_from_slice(&self.hash(label, &[revision.as_bytes()]));
        }
        Self(seed)
    }

    /// A keyed hash with a label of its own, so that no two uses can meet.
    pub(crate) fn hash(&self, label: &str, fields: &[&[u8]]) -> [u8; 16] {
        self.hasher().hash(label, fields)
    }

    /// The seed made ready, for who hashes more than once.
    pub(crate) fn hasher(&self) -> Hasher {
        Hasher(Mac::new(&self.0))
    }
}

/// The keyed hashes of one call.
pub(crate) struct Hasher(Mac);

impl std::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hasher(..)")
    }
}

impl Hasher {
    /// As [`Seed::hash`].
    pub(crate) fn hash(&mut self, label: &str, fields: &[&[u8]]) -> [u8; 16] {
        self.0.of(label.as_bytes(), fields)
    }

    /// The fingerprint of a question: its kind, its key, what the client is sent, and what the
    /// author pinned to it.
    pub(crate) fn question(
        &mut self,
        kind: EntryKind,
        key: &str,
        params: &str,
        about: Option<&str>,
    ) -> [u8; 16] {
        let pinned: &[u8] = if about.is_some() { b"about" } else { b"" };
        // By value: what is pinned may be a map that is written in another order each time.
        let mut value = Vec::new();
        if let Some(about) = about {
            canonical_text(about, &mut value);
        }
        let fields = [
            &[kind.code()],
            key.as_bytes(),
            params.as_bytes(),
            pinned,
            &value,
        ];
        self.hash("question", &fields)
    }

    /// The chain over a history, one link further.
    ///
    /// Answers count by their value, not by their spelling: a client that writes the members of
    /// the same answer in another order has told the same history.
    pub(crate) fn link(&mut self, chain: &[u8; 16], entry: &Entry<'_>) -> [u8; 16] {
        let mut told = Vec::new();
        canonical_text(entry.told.text(), &mut told);
        let codes = [entry.kind.code(), entry.told.kind().code()];
        let fields = [chain, &codes[..], entry.key.as_bytes(), &entry.print, &told];
        self.hash("entry", &fields)
    }

    /// The idempotency key of a `once` after a history.
    pub(crate) fn once(&mut self, chain: &[u8; 16], name: &str) -> [u8; 16] {
        self.hash("once", &[chain, name.as_bytes()])
    }
}
