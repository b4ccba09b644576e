//! What is wrong with one round, or with two of one history.

use super::flaw::Flaw;
use super::wire::Round;
use crate::observation::FailureKind;

/// Whether the tool did its part of a round: a result that it says itself is one, an error too.
pub(super) fn sound(round: u32, played: &Round) -> Result<(), Flaw> {
    if played.swallowed() {
        return Err(Flaw::Swallowed { round });
    }
    match played.failure() {
        Some((failure @ (FailureKind::Panic | FailureKind::AnswerType), cause)) => {
            Err(Flaw::Failed {
                round,
                failure,
                cause: cause.to_owned(),
            })
        }
        _ => Ok(()),
    }
}

/// Whether two results of one history are two. Where the runs left different journals, a `once`
/// came out differently, and the history is not one.
pub(super) fn differ(one: &Round, other: &Round) -> bool {
    one.visible() != other.visible() && one.journal.is_some() && one.journal == other.journal
}

pub(super) fn unstable(round: u32, recorded: &Round, attempted: &Round) -> Flaw {
    let (before, mut after) = (recorded.brief(), attempted.brief());
    if before == after {
        let why = attempted.divergence().or(recorded.divergence());
        after.push_str(&match why {
            Some(divergence) => format!(", but {divergence}"),
            None => ", but in other words".to_owned(),
        });
    }
    Flaw::Unstable {
        round,
        recorded: before,
        attempted: after,
    }
}

pub(super) fn diverged_in(round: u32, played: &Round) -> Flaw {
    let divergence = played.divergence().expect("the caller has seen one");
    Flaw::Diverged {
        round,
        at: divergence.at,
        recorded: divergence.recorded.clone(),
        attempted: divergence.attempted.clone(),
    }
}
