//! Which states of single-use tools were gone on from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::moment::Timestamp;

/// Most claims kept in memory: about ten megabytes of them.
const KEPT: usize = 100_000;

type Claim = dyn Fn([u8; 16], Timestamp) -> bool + Send + Sync;

/// Where claims are made, shared by all connections of a process.
#[derive(Clone)]
pub(super) struct Claims(Arc<Claim>);

impl Claims {
    pub(super) fn new(claim: impl Fn([u8; 16], Timestamp) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(claim))
    }

    pub(super) fn in_memory() -> Self {
        let made = Mutex::new(Made::default());
        Self::new(move |id, until| {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            made.claim(id, until, super::moment::now())
        })
    }

    /// Gives whether nobody made this claim before.
    pub(super) fn claim(&self, id: [u8; 16], until: Timestamp) -> bool {
        (self.0)(id, until)
    }
}

impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Claims")
    }
}

/// The claims that still count, by id and by when they stop to count.
#[derive(Default)]
struct Made {
    until: BTreeMap<[u8; 16], Timestamp>,
    by_end: BTreeSet<(Timestamp, [u8; 16])>,
}

impl Made {
    fn claim(&mut self, id: [u8; 16], until: Timestamp, now: Timestamp) -> bool {
        while let Some((end, ended)) = self.by_end.first().copied() {
            if end > now {
                break;
            }
            self.by_end.remove(&(end, ended));
            self.until.remove(&ended);
        }
        // None is forgotten to make room, for its state could be used again. Rather none is made.
        if self.until.contains_key(&id) || self.until.len() >= KEPT {
            return false;
        }
        self.until.insert(id, until);
        self.by_end.insert((until, id));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn id(number: u64) -> [u8; 16] {
        u128::from(number).to_be_bytes()
    }

    #[test]
    fn a_claim_is_made_once_until_it_ends() {
        let mut made = Made::default();
        assert!(made.claim(id(1), at(10), at(0)));
        assert!(!made.claim(id(1), at(10), at(9)));
        assert!(made.claim(id(2), at(20), at(9)));
        assert!(made.claim(id(1), at(30), at(10)));
        assert_eq!((made.until.len(), made.by_end.len()), (2, 2));
    }

    #[test]
    fn when_there_is_no_room_no_claim_is_made_and_none_forgotten() {
        let mut made = Made::default();
        for number in 0..KEPT as u64 {
            assert!(made.claim(id(number), at(number + 1), at(0)));
        }
        assert!(!made.claim(id(1 << 40), at(9), at(0)));
        assert!(!made.claim(id(0), at(9), at(0)));
        assert!(made.claim(id(1 << 40), at(9), at(1)));
        assert_eq!(made.until.len(), KEPT);
    }
}
