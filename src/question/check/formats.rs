//! The four formats of the spec's text fields.

use iri_string::types::UriStr;

/// An e-mail address as mail servers take it: a local part of dot-separated
/// atoms and a domain of letters, digits and hyphens (RFC 5321 without quoted
/// local parts, address literals and comments).
pub(super) fn is_email(text: &str) -> bool {
    // 254 octets is what fits in a mail server's angle brackets.
    let Some((local, domain)) = text.split_once('@').filter(|_| text.len() <= 254) else {
        return false;
    };
    local.len() <= 64 && local.split('.').all(is_atom) && domain.split('.').all(is_label)
}

fn is_atom(text: &str) -> bool {
    let special = |byte| b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || special(b))
}

fn is_label(text: &str) -> bool {
    let known = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let edge = text.starts_with('-') || text.ends_with('-');
    (1..=63).contains(&text.len()) && !edge && text.bytes().all(known)
}

/// A URI of RFC 3986, with its scheme.
pub(super) fn is_uri(text: &str) -> bool {
    UriStr::new(text).is_ok()
}

/// A `full-date` of RFC 3339: a day that the calendar has.
pub(super) fn is_date(text: &str) -> bool {
    date(text).is_some()
}

fn date(text: &str) -> Option<()> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = digits(parts.next()?, 2)?;
    let real = parts.next().is_none() && (1..=days(year, month)).contains(&day);
    real.then_some(())
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

/// A `date-time` of RFC 3339. A 60th second is taken only in the last minute
/// of a day in UTC, where leap seconds are.
pub(super) fn is_date_time(text: &str) -> bool {
    date_time(text).is_some()
}

fn date_time(text: &str) -> Option<()> {
    let (day, rest) = text.split_once(['T', 't'])?;
    date(day)?;
    let (clock, ahead) = match rest.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, 0),
        None => {
            let (clock, offset) = rest.split_at_checked(rest.rfind(['+', '-'])?)?;
            (clock, minutes_ahead(offset)?)
        }
    };
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let digits_only = |f: &str| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit());
    if !fraction.is_none_or(digits_only) {
        return None;
    }
    let mut parts = clock.split(':');
    let hour = digits(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = digits(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = digits(parts.next()?, 2)?;
    let utc = i64::from(hour * 60 + minute) - ahead;
    let last = second == 60 && utc.rem_euclid(24 * 60) == 24 * 60 - 1;
    (parts.next().is_none() && (second < 60 || last)).then_some(())
}

/// The minutes that `+hh:mm` is ahead of UTC.
fn minutes_ahead(offset: &str) -> Option<i64> {
    let (sign, rest) = match offset.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, offset.strip_prefix('+')?),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let hours = digits(hours, 2).filter(|hours| *hours < 24)?;
    let minutes = digits(minutes, 2).filter(|minutes| *minutes < 60)?;
    Some(sign * i64::from(hours * 60 + minutes))
}

/// Exactly `count` ASCII digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    let all = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}
