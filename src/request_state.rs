//! `requestState`: the journal of a call, sealed so that the client can carry it.
//!
//! A state opens only where it belongs: at the server of the same name, for the same method, the
//! same name, the same principal and the same arguments, while neither it nor its call is too
//! old. The JSON-RPC id and `_meta` are not bound, for they differ in every round. All refusals
//! look alike to the client; the reason is for the log.
//!
//! See [Multi round-trip requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow).

use std::fmt;

use crate::canonical::canonical_text;
use crate::journal::{Journal, Reader, Seed, Writer};
use crate::limits::Limits;
use crate::moment::Timestamp;
use crate::seal::{self, KeyRing};

/// The layout below. A state of another layout is refused like any other foreign text.
const LAYOUT: u8 = 1;

/// What a call carries from round to round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallState {
    pub(crate) seed: Seed,
    /// The start of the call.
    pub(crate) began: Timestamp,
    /// The rounds played so far.
    pub(crate) rounds: u32,
    /// How often the call was claimed: a state can be used up only once.
    pub(crate) claims: u32,
    /// The revision of the tool that wrote the journal.
    pub(crate) revision: Box<str>,
    pub(crate) journal: Journal,
}

/// The arguments of a call in their canonical text: they are bound by value.
#[derive(Clone)]
pub(crate) struct Canonical(Vec<u8>);

impl Canonical {
    pub(crate) fn of(arguments: &str) -> Self {
        let mut text = Vec::with_capacity(arguments.len());
        canonical_text(arguments, &mut text);
        Self(text)
    }
}

impl fmt::Debug for Canonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Canonical(..)")
    }
}

/// What a state is bound to.
#[derive(Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) server: &'a str,
    pub(crate) method: &'a str,
    pub(crate) name: &'a str,
    pub(crate) principal: Option<&'a str>,
    pub(crate) arguments: Canonical,
}

/// Why a state was refused. For the log alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateRefusal {
    /// Longer than [`Limits::state_chars`].
    #[error("the request state is longer than the limit")]
    TooLong,
    /// Not sealed by us, or for another server, method, name, principal or other arguments.
    #[error("the request state was not sealed for this request")]
    NotOurs,
    /// Older than [`Limits::state_ttl`].
    #[error("the request state has lapsed")]
    Lapsed,
    /// Its call is older than [`Limits::call_age`].
    #[error("the call of the request state is too old")]
    CallTooOld,
    /// It was used before, and the tool is single-use.
    #[error("the call was claimed before")]
    Claimed,
}

impl Binding<'_> {
    fn with_fields<T>(&self, then: impl FnOnce(&[&[u8]]) -> T) -> T {
        // Nobody and the principal of the empty name are two.
        let (somebody, principal): (&[u8], &[u8]) = match self.principal {
            Some(principal) => (b"principal", principal.as_bytes()),
            None => (b"nobody", b""),
        };
        then(&[
            b"mcp-reprise request state",
            self.server.as_bytes(),
            self.method.as_bytes(),
            self.name.as_bytes(),
            somebody,
            principal,
            &self.arguments.0,
        ])
    }
}

/// Seals a call's state.
///
/// # Errors
///
/// The length of the journal in bytes, where it is over [`Limits::journal_bytes`].
pub(crate) fn seal(
    keys: &KeyRing,
    binding: &Binding<'_>,
    state: &CallState,
    now: Timestamp,
    limits: &Limits,
) -> Result<String, usize> {
    // A journal of a few answers, and its seal.
    let mut out = Writer::with_room(512);
    out.byte(LAYOUT);
    out.number(now.as_millis());
    out.number(state.began.as_millis());
    out.bytes(&state.seed.0);
    out.number(u64::from(state.rounds));
    out.number(u64::from(state.claims));
    out.text(&state.revision);
    let before = out.0.len();
    out.journal(&state.journal);
    let length = out.0.len() - before;
    if length > limits.journal_bytes {
        return Err(length);
    }
    Ok(binding.with_fields(|fields| seal::seal(keys, fields, &out.0)))
}

/// The most characters of a state whose journal is so long, for a revision of so many bytes.
pub(crate) fn longest(journal: usize, revision: usize) -> usize {
    /// The layout, two times, the seed, two counts, and the length of the revision, each at its
    /// longest.
    const HEAD: usize = 1 + 2 * 10 + 32 + 2 * 5 + 10;
    seal::chars(HEAD.saturating_add(revision).saturating_add(journal))
}

/// Opens a state for a request.
///
/// # Errors
///
/// The reason, for the log.
pub(crate) fn open(
    keys: &KeyRing,
    binding: &Binding<'_>,
    text: &str,
    now: Timestamp,
    limits: &Limits,
) -> Result<CallState, StateRefusal> {
    if text.len() > limits.state_chars {
        return Err(StateRefusal::TooLong);
    }
    let bytes = binding
        .with_fields(|fields| seal::open(keys, fields, text, limits.state_chars))
        .ok_or(StateRefusal::NotOurs)?;
    let (sealed_at, state) = read(&bytes).ok_or(StateRefusal::NotOurs)?;
    if now.since(state.began) >= limits.call_age {
        return Err(StateRefusal::CallTooOld);
    }
    if now.since(sealed_at) >= limits.state_ttl {
        return Err(StateRefusal::Lapsed);
    }
    Ok(state)
}

fn read(bytes: &[u8]) -> Option<(Timestamp, CallState)> {
    let mut input = Reader(bytes);
    if input.byte()? != LAYOUT {
        return None;
    }
    let sealed_at = Timestamp::from_millis(input.number()?);
    let began = Timestamp::from_millis(input.number()?);
    let state = CallState {
        seed: Seed(input.array()?),
        began,
        rounds: u32::try_from(input.number()?).ok()?,
        claims: u32::try_from(input.number()?).ok()?,
        revision: input.text()?.into(),
        journal: input.journal()?,
    };
    input.0.is_empty().then_some((sealed_at, state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::StateKey;

    /// The bound is exact: a state of the largest times and counts is as long as it says, but for
    /// the revision's length, which takes one byte here and ten at the most.
    #[test]
    fn the_longest_state_is_as_long_as_it_is_said_to_be() {
        let keys = KeyRing::new(StateKey::new(&[7; 32]).unwrap());
        let binding = Binding {
            server: "server",
            method: "tools/call",
            name: "tool",
            principal: None,
            arguments: Canonical::of("{}"),
        };
        for revision in 0..100 {
            let state = CallState {
                seed: Seed([1; 32]),
                began: Timestamp::from_millis(u64::MAX),
                rounds: u32::MAX,
                claims: u32::MAX,
                revision: "r".repeat(revision + 9).into(),
                journal: Journal::default(),
            };
            let now = Timestamp::from_millis(u64::MAX);
            let text = seal(&keys, &binding, &state, now, &Limits::default()).unwrap();
            // The empty journal is one byte.
            assert_eq!(longest(1, revision), text.len(), "{revision}");
        }
    }

    #[test]
    fn arguments_are_not_shown() {
        assert_eq!(format!("{:?}", Canonical::of("[1]")), "Canonical(..)");
    }
}
