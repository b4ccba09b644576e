//! The clock and the dice of this machine.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::moment::{Moment, Timestamp};

/// This moment: the system's clock, and fresh dice from the system's source of randomness.
///
/// ```
/// use mcp_reprise::adapters::moment;
///
/// # fn main() -> std::io::Result<()> {
/// assert_ne!(moment()?.dice, moment()?.dice);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// When the system gives no randomness. Nothing that seals may go on without.
pub fn moment() -> io::Result<Moment> {
    Ok(Moment::new(now(), dice()?))
}

/// 32 bytes from the system's source of randomness.
///
/// # Errors
///
/// When the system gives none.
pub fn dice() -> io::Result<[u8; 32]> {
    let mut dice = [0; 32];
    getrandom::fill(&mut dice).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(dice)
}

/// How long it is until then.
#[cfg(any(feature = "stdio", feature = "tokio"))]
pub(super) fn until(then: Timestamp) -> std::time::Duration {
    then.since(now())
}

/// The system's clock.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    });
    Timestamp::from_millis(millis)
}
