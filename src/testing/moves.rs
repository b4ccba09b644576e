//! What a client can do: the moves of a schedule.

use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};

use super::tape::tapes;

/// The most moves of a generated schedule.
const MOVES: usize = 16;

/// One move of a client, or of what stands between it and the server.
///
/// Numbers are taken modulo what there is to choose from, so every sequence of moves can be
/// played. `back` counts states from the newest: 0 is where a sound client goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Move {
    /// Begins a call.
    Call {
        /// Which tool.
        tool: u8,
        /// Who calls.
        principal: u8,
        /// The arguments, as choices along the tool's input schema.
        arguments: Vec<u32>,
    },
    /// Answers what is open: some of it or all, well or badly, in this order or the other.
    Answer {
        /// Which call.
        call: u8,
        /// Which of its states.
        back: u8,
        /// The answers, as choices.
        answers: Vec<u32>,
    },
    /// Sends a state back without any answer.
    Refresh {
        /// Which call.
        call: u8,
        /// Which of its states.
        back: u8,
    },
    /// The last response was lost: the same message is sent again.
    Repeat,
    /// Sends a state of one call in another: of another principal, tool, or other arguments.
    Swap {
        /// Whose state.
        of: u8,
        /// In whose message.
        into: u8,
        /// The answers, as choices.
        answers: Vec<u32>,
    },
    /// Answers, and hangs up: before the step runs, while it runs, or before its answer arrives.
    HangUp {
        /// Which call.
        call: u8,
        /// The answers, as choices.
        answers: Vec<u32>,
        /// When.
        when: u8,
    },
    /// Time passes: an instant, up to the last instant of a state, to its expiry, to the end of a
    /// call's age.
    Wait {
        /// How long.
        long: u8,
    },
    /// The servers start again with a new key; the old ones still open, or are forgotten.
    Rotate {
        /// Whether the old keys are forgotten.
        forget: bool,
    },
    /// The next messages reach a replica of another revision.
    Replica {
        /// Which.
        number: u8,
    },
}

/// Sequences of moves that begin with a call, which shrink to fewer and simpler ones.
///
/// ```
/// use mcp_reprise::testing::moves;
/// use proptest::{prop_assert, test_runner::TestRunner};
///
/// TestRunner::default().run(&moves(), |moves| Ok(prop_assert!(!moves.is_empty()))).unwrap();
/// ```
pub fn moves() -> impl Strategy<Value = Vec<Move>> {
    (call(), vec(one(), 0..MOVES)).prop_map(|(first, mut moves)| {
        moves.insert(0, first);
        moves
    })
}

fn call() -> impl Strategy<Value = Move> {
    (0u8..4, 0u8..4, tapes()).prop_map(|(tool, principal, arguments)| Move::Call {
        tool,
        principal,
        arguments,
    })
}

fn one() -> impl Strategy<Value = Move> {
    let small = || 0u8..4;
    // Mostly the newest state.
    let back = || prop_oneof![3 => Just(0u8), 1 => 0u8..5];
    prop_oneof![
        2 => call(),
        8 => (small(), back(), tapes()).prop_map(|(call, back, answers)| Move::Answer {
            call,
            back,
            answers,
        }),
        1 => (small(), back()).prop_map(|(call, back)| Move::Refresh { call, back }),
        1 => Just(Move::Repeat),
        1 => (small(), small(), tapes()).prop_map(|(of, into, answers)| Move::Swap {
            of,
            into,
            answers,
        }),
        1 => (small(), tapes(), 0u8..3).prop_map(|(call, answers, when)| Move::HangUp {
            call,
            answers,
            when,
        }),
        1 => (0u8..8).prop_map(|long| Move::Wait { long }),
        1 => proptest::bool::weighted(0.25).prop_map(|forget| Move::Rotate { forget }),
        1 => small().prop_map(|number| Move::Replica { number }),
    ]
}
