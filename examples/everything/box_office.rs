//! A service with an effect: it stands for what would be another machine.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// How many seats there are, so that this demonstration stays small.
const SEATS: u32 = 10_000;

/// Holds seats. It knows a wish it has seen by its idempotency key.
#[derive(Clone, Default)]
pub struct BoxOffice(Arc<Mutex<Holds>>);

#[derive(Default)]
struct Holds {
    by_key: BTreeMap<String, u32>,
    taken: u32,
}

#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
#[error("no seats are left")]
pub struct SoldOut;

impl BoxOffice {
    /// Holds so many seats, and gives the first of them. The same key gives the same seats.
    pub fn hold(&self, key: &str, seats: u32) -> Result<u32, SoldOut> {
        let mut holds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = holds.by_key.get(key) {
            return Ok(*first);
        }
        let taken = holds.taken.saturating_add(seats);
        if taken > SEATS {
            return Err(SoldOut);
        }
        let first = holds.taken + 1;
        holds.taken = taken;
        holds.by_key.insert(key.to_owned(), first);
        Ok(first)
    }
}
