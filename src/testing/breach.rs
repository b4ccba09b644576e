//! What must hold in every schedule, and did not.

use std::fmt;

/// Something that must hold whatever a client does, and did not.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breach {
    /// An outcome is neither the right result nor the question that comes next.
    Outcome {
        /// The move, counted from 0.
        at: usize,
        /// What the same call comes to when it is played in a straight line with the same answers.
        recorded: String,
        /// What it came to here.
        attempted: String,
    },
    /// A state was refused that is good, or taken that is not.
    State {
        /// The move, counted from 0.
        at: usize,
        /// What was to happen to it, and why.
        recorded: String,
        /// What happened.
        attempted: String,
    },
    /// Two refusals of a state are not the same bytes.
    Refusals {
        /// The move, counted from 0.
        at: usize,
        /// One.
        recorded: String,
        /// The other.
        attempted: String,
    },
    /// What a state says was done once was done again.
    DoneAgain {
        /// The move, counted from 0.
        at: usize,
        /// The effect.
        effect: String,
    },
    /// One history led to two idempotency keys, or one key stands for two histories.
    Key {
        /// The move, counted from 0.
        at: usize,
        /// The history and its key.
        recorded: String,
        /// The other history, or the other key.
        attempted: String,
    },
}

impl std::error::Error for Breach {}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, what, recorded, attempted) = match self {
            Self::Outcome {
                at,
                recorded,
                attempted,
            } => (at, "the outcome is another", recorded, attempted),
            Self::State {
                at,
                recorded,
                attempted,
            } => (at, "a state was taken for another", recorded, attempted),
            Self::Refusals {
                at,
                recorded,
                attempted,
            } => (at, "two refusals differ", recorded, attempted),
            Self::Key {
                at,
                recorded,
                attempted,
            } => (
                at,
                "an idempotency key is not its history's",
                recorded,
                attempted,
            ),
            Self::DoneAgain { at, effect } => {
                return write!(
                    f,
                    "in move {at}: {effect} was done again, though the state says that it was done"
                );
            }
        };
        write!(
            f,
            "in move {at}: {what}\n  recorded:  {recorded}\n  attempted: {attempted}"
        )
    }
}
