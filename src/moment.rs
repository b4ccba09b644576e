//! The clock and the dice of one input, by value.
//!
//! The core reads no clock and rolls no dice: whoever drives it hands both
//! over with each input. Equal inputs then give equal bytes out, and any
//! moment can be written into a test.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A point in time: whole milliseconds since the Unix epoch
/// (1970-01-01T00:00:00 UTC). As JSON it is that number.
///
/// ```
/// use mcp_reprise::Timestamp;
/// use std::time::Duration;
///
/// let noon = Timestamp::from_millis(43_200_000);
/// let later = noon.after(Duration::from_secs(30));
/// assert_eq!(later.as_millis(), 43_230_000);
/// assert_eq!(later.since(noon), Duration::from_secs(30));
/// assert!(later > noon);
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The point that many milliseconds after the Unix epoch.
    ///
    /// ```
    /// use mcp_reprise::Timestamp;
    ///
    /// assert_eq!(Timestamp::from_millis(0), Timestamp::default());
    /// ```
    pub const fn from_millis(millis: u64) -> Self {
        Timestamp(millis)
    }

    /// Milliseconds since the Unix epoch.
    ///
    /// ```
    /// use mcp_reprise::Timestamp;
    ///
    /// assert_eq!(Timestamp::from_millis(5).as_millis(), 5);
    /// ```
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// The point that much later, fractions of a millisecond dropped; the
    /// last one there is when it would be later than that.
    ///
    /// ```
    /// use mcp_reprise::Timestamp;
    /// use std::time::Duration;
    ///
    /// let end = Timestamp::from_millis(1).after(Duration::MAX);
    /// assert_eq!(end.as_millis(), u64::MAX);
    /// ```
    pub fn after(self, duration: Duration) -> Self {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Timestamp(self.0.saturating_add(millis))
    }

    /// How much later this point is than `earlier`; zero when it is not
    /// later, as when a clock was set back.
    ///
    /// ```
    /// use mcp_reprise::Timestamp;
    /// use std::time::Duration;
    ///
    /// let (a, b) = (Timestamp::from_millis(5), Timestamp::from_millis(7));
    /// assert_eq!(b.since(a), Duration::from_millis(2));
    /// assert_eq!(a.since(b), Duration::ZERO);
    /// ```
    pub const fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// As [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339) has it, in UTC. A year past 9999 is written
/// with all its digits, and a plus before them.
///
/// ```
/// use mcp_reprise::Timestamp;
///
/// let published = Timestamp::from_millis(1_785_196_800_000);
/// assert_eq!(published.to_string(), "2026-07-28T00:00:00.000Z");
/// ```
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: u64 = 24 * 60 * 60 * 1_000;
        let (days, milli) = (self.0 / DAY, self.0 % DAY);
        let (second, milli) = (milli / 1_000, milli % 1_000);
        let (minute, second) = (second / 60, second % 60);
        let (hour, minute) = (minute / 60, minute % 60);
        let (year, month, day) = civil(days);
        let plus = if year > 9_999 { "+" } else { "" };
        write!(
            f,
            "{plus}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"
        )
    }
}

/// The year, month and day of a day counted from 1970-01-01, in the Gregorian calendar. Years are
/// counted here from March, so that a leap day is the last day of one; 400 of them are an era.
fn civil(days: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097;
    /// From the first of March of the year 0 to the beginning of 1970.
    const BEFORE: u64 = 719_468;
    let days = days + BEFORE;
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let first = (153 * month + 2) / 5;
    let (month, next) = match month {
        0..=9 => (month + 3, 0),
        _ => (month - 9, 1),
    };
    (400 * era + year + next, month, day - first + 1)
}

/// What the driver hands over with each input: the time, and 32 random bytes.
///
/// **The driver must take the dice from a cryptographically secure random
/// number generator (the operating system's), afresh for each input.** Session
/// ids and the seeds of idempotency keys are made from them: who can guess
/// the dice can guess those. `Debug` therefore does not show them.
///
/// ```
/// use mcp_reprise::{Moment, Timestamp};
///
/// // In a test, any bytes will do.
/// let moment = Moment::new(Timestamp::from_millis(1_000), [7; 32]);
/// assert_eq!(moment.now.as_millis(), 1_000);
/// assert!(!format!("{moment:?}").contains('7'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The time at which the input arrived.
    pub now: Timestamp,
    /// 32 bytes from a cryptographically secure random number generator, used
    /// for this input alone.
    pub dice: [u8; 32],
}

impl Moment {
    /// A moment of that time and those dice.
    ///
    /// ```
    /// use mcp_reprise::{Moment, Timestamp};
    ///
    /// let moment = Moment::new(Timestamp::from_millis(3), [0; 32]);
    /// assert_eq!(moment.dice, [0; 32]);
    /// ```
    pub const fn new(now: Timestamp, dice: [u8; 32]) -> Self {
        Moment { now, dice }
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moment")
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_a_number() {
        let stamp = Timestamp::from_millis(u64::MAX);
        let text = serde_json::to_string(&stamp).unwrap();
        assert_eq!(text, "18446744073709551615");
        assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), stamp);
        assert!(serde_json::from_str::<Timestamp>("-1").is_err());
    }

    #[test]
    fn a_timestamp_is_written_as_a_date() {
        for (millis, date) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+10000-01-01T00:00:00.000Z"),
            (u64::MAX, "+584556019-04-03T14:25:51.615Z"),
        ] {
            assert_eq!(Timestamp::from_millis(millis).to_string(), date);
        }
    }

    #[test]
    fn arithmetic_stays_in_range() {
        let last = Timestamp::from_millis(u64::MAX);
        assert_eq!(last.after(Duration::from_millis(1)), last);
        assert_eq!(last.since(last), Duration::ZERO);
        let first = Timestamp::default();
        assert_eq!(first.after(Duration::from_micros(1_999)).as_millis(), 1);
        assert_eq!(first.since(last), Duration::ZERO);
    }

    #[test]
    fn debug_hides_the_dice() {
        let moment = Moment::new(Timestamp::from_millis(12), [0xab; 32]);
        assert_eq!(format!("{moment:?}"), "Moment { now: Timestamp(12), .. }");
    }
}
