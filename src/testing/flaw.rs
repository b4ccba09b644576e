//! What the prover finds, and what the author should change.

use std::fmt;

use crate::journal::Mark;
use crate::observation::FailureKind;

/// A lane of the server: the code that serves an era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Lane {
    /// Revision 2026-07-28: the round ends, and the client calls again.
    Modern,
    /// Revision 2025-11-25: the server puts the question itself, in a session.
    Session,
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Modern => "modern",
            Self::Session => "session",
        })
    }
}

/// What is wrong with a tool's rounds. Its text says what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flaw {
    /// The same journal came to another question or another result: a clock, a counter, dice, an
    /// environment read, the order of a hash map.
    Unstable {
        /// The round, counted from 1.
        round: u32,
        /// What came of it the first time.
        recorded: String,
        /// What came of it another time.
        attempted: String,
    },
    /// Every replay asked something else than the round before had recorded.
    Diverged {
        /// The round that was played again, counted from 1.
        round: u32,
        /// The entry's place in the journal, counted from 0.
        at: usize,
        /// What the journal holds there.
        recorded: Mark,
        /// What the run did there; `None` when it ended without coming so far.
        attempted: Option<Mark>,
    },
    /// An effect happened in two rounds of one call.
    Repeated {
        /// What was noted in [`Effects`](super::Effects).
        effect: String,
        /// The round it happened in first, counted from 1.
        recorded: u32,
        /// The round it happened in again.
        attempted: u32,
    },
    /// The tool took the error that ends a round for an answer, and went on without one.
    Swallowed {
        /// The round, counted from 1.
        round: u32,
    },
    /// The tool panicked, or a valid answer did not fit the type it was read into.
    Failed {
        /// The round, counted from 1.
        round: u32,
        /// Which of the two.
        failure: FailureKind,
        /// What the log is told.
        cause: String,
    },
    /// In no case did the tool take its arguments, so nothing was proved.
    Unreached {
        /// What the last case came to.
        attempted: String,
    },
    /// The tool asked something the script does not answer, or did not ask what it does.
    OffScript {
        /// The round, counted from 1.
        round: u32,
        /// The script's next answer; `None` when it has no more.
        recorded: Option<String>,
        /// What the tool asked; empty when the call had ended.
        attempted: Vec<String>,
    },
    /// The call took more than eight rounds: a warning, in [`Proof::warnings`](super::Proof).
    TooManyRounds {
        /// How many.
        rounds: u32,
    },
    /// A message was sent twice over the rounds of one call.
    Noisy {
        /// The notification.
        message: String,
        /// The round it was sent in first, counted from 1.
        recorded: u32,
        /// The round it was sent in again.
        attempted: u32,
    },
    /// Two lanes came to different results.
    EraDisagreement {
        /// One lane, and its result.
        recorded: (Lane, String),
        /// Another, and its own.
        attempted: (Lane, String),
    },
    /// The tool cannot be registered, so nothing could be proved.
    Unregistered {
        /// Why.
        reason: String,
    },
}

impl std::error::Error for Flaw {}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstable {
                round,
                recorded,
                attempted,
            } => write!(
                f,
                "unstable: round {round}, played again over the same journal, went another way\n  \
                 recorded:  {recorded}\n  attempted: {attempted}\n\
                 Something from outside shapes the run. Take the time from cx.began() and dice from cx.dice(), \
                 which are the same in every round; read whatever else changes inside cx.once(..), which keeps \
                 what it read; sort what comes out of a hash map; pin what the words do not show with .about(..). \
                 A service that is called twice under one idempotency key must answer twice the same."
            ),
            Self::Diverged {
                round,
                at,
                recorded,
                attempted,
            } => {
                write!(
                    f,
                    "diverged: round {round} was played again, and asked something else\n  \
                     at entry {at}\n  recorded:  {recorded}\n  attempted: "
                )?;
                match attempted {
                    Some(attempted) => write!(f, "{attempted}")?,
                    None => f.write_str("nothing more")?,
                }
                f.write_str(
                    "\nAn answer counts only for the very question it was given to, so what was asked must be \
                     asked again: the same questions, in the same order, in the same words, about the same \
                     values. Decide what to ask by the arguments, by the answers so far and by what cx.once(..) \
                     kept, and by nothing that changes between two rounds.",
                )
            }
            Self::Repeated {
                effect,
                recorded,
                attempted,
            } => write!(
                f,
                "repeated: {effect} happened in round {recorded} and again in round {attempted}\n\
                 Whatever stands before a question happens in every round. Move it behind the last question, or into cx.once(..)."
            ),
            Self::Swallowed { round } => write!(
                f,
                "swallowed: in round {round} the tool went on after a question nobody had answered\n\
                 What it came to is dropped, and what it does there happens in every round. Pass the error of a \
                 question on with `?`; a decline and a cancel are no errors, but values of `Answer`."
            ),
            Self::Failed {
                round,
                failure: FailureKind::AnswerType,
                cause,
            } => write!(
                f,
                "failed: in round {round} a valid answer could not be read: {cause}\n\
                 The type that an answer is read into must take whatever its form lets through: give its \
                 fields the names of the form's, and make an `Option` of what is optional there."
            ),
            Self::Failed { round, cause, .. } => write!(
                f,
                "failed: in round {round} the tool panicked: {cause}\n\
                 What a client can bring about is no panic: return an error for it, with ToolError::say(..) \
                 where the model should read it."
            ),
            Self::Unreached { attempted } => write!(
                f,
                "nothing was proved: in no case did the tool take its arguments\n  \
                 attempted: {attempted}\n\
                 Give it arguments that it takes, by the schema that it is registered with."
            ),
            Self::OffScript {
                round,
                recorded,
                attempted,
            } => off_script(f, *round, recorded.as_deref(), attempted),
            Self::TooManyRounds { rounds } => write!(
                f,
                "too many rounds: the call took {rounds}, and automatic clients give up after about ten\n\
                 Put questions that do not depend on each other in one round, with cx.ask((.., ..))."
            ),
            Self::Noisy {
                message,
                recorded,
                attempted,
            } => write!(
                f,
                "noisy: a message was sent in round {recorded} and again in round {attempted}\n  {message}\n\
                 What an earlier round has said is not said again, so these are two calls with the same words. \
                 Say in each what is new, or say it once."
            ),
            Self::EraDisagreement {
                recorded,
                attempted,
            } => write!(
                f,
                "the eras disagree\n  recorded:  {}: {}\n  attempted: {}: {}\n\
                 Look in the tool for what only one lane can know: the era, the request's id, its _meta, the \
                 number of rounds. A tool must not branch on those.",
                recorded.0, recorded.1, attempted.0, attempted.1
            ),
            Self::Unregistered { reason } => {
                write!(
                    f,
                    "nothing to prove: the tool cannot be registered: {reason}"
                )
            }
        }
    }
}

fn off_script(
    f: &mut fmt::Formatter<'_>,
    round: u32,
    recorded: Option<&str>,
    attempted: &[String],
) -> fmt::Result {
    let asked = attempted.join(", ");
    match (recorded, attempted) {
        (Some(answer), []) => write!(
            f,
            "off script: the call ended in round {round}, and the script goes on\n  \
             recorded:  {answer}\n  attempted: nothing more\n\
             Take the answer out of the script, or find out why the tool did not ask."
        ),
        (Some(answer), _) => write!(
            f,
            "off script: in round {round} the tool asked something else\n  \
             recorded:  {answer}\n  attempted: {asked}\n\
             Bring the script's answers into the order in which the tool asks, under the names it asks by."
        ),
        (None, _) => write!(
            f,
            "off script: in round {round} the tool asked more than the script answers\n  \
             recorded:  nothing more\n  attempted: {asked}\n\
             Add an answer to the script, or a decline."
        ),
    }
}
