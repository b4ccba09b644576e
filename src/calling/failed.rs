//! What a client is told of a failure: one plain sentence, the same on both lanes.

use crate::observation::FailureKind;

/// The sentence for a client that cannot be asked.
pub(crate) const UNASKABLE: &str = "The call needs a capability that the client has not declared";

/// The one sentence a client is told of a failure that is not its business.
pub(crate) fn sentence(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::TooManyAsks
        | FailureKind::TooManyRounds
        | FailureKind::Unanswered
        | FailureKind::AnswerError => {
            "The call was given up because its questions were not answered."
        }
        FailureKind::Diverged => "The call cannot go on from this state. Start it again.",
        FailureKind::Busy => "The server is too busy to run this now. Try again later.",
        _ => "The call failed because of an error in the server.",
    }
}
