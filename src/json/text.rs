//! Resolving the escapes of a string.

use std::borrow::Cow;

/// The content of a string, given the text between its quotes. Borrowed when
/// it has no escape.
///
/// The reader has already refused every malformed escape; should one stand
/// here all the same, it becomes U+FFFD.
#[inline]
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    match raw.split_once('\\') {
        None => Cow::Borrowed(raw),
        Some((plain, rest)) => Cow::Owned(resolve(plain, rest)),
    }
}

/// `plain`, then what `rest` means, where `rest` begins just after a backslash.
fn resolve(plain: &str, rest: &str) -> String {
    // Resolving only ever shortens, so this never grows.
    let mut out = String::with_capacity(plain.len() + rest.len() + 1);
    out.push_str(plain);
    let mut rest = rest;
    loop {
        let (character, after) = escape(rest);
        out.push(character);
        match after.split_once('\\') {
            None => {
                out.push_str(after);
                return out;
            }
            Some((plain, next)) => {
                out.push_str(plain);
                rest = next;
            }
        }
    }
}

/// The character that the text after a backslash stands for, and what is left.
fn escape(rest: &str) -> (char, &str) {
    let mut characters = rest.chars();
    let character = match characters.next() {
        Some(same @ ('"' | '\\' | '/')) => same,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unicode(characters.as_str()),
        _ => char::REPLACEMENT_CHARACTER,
    };
    (character, characters.as_str())
}

/// The same for the text after `\u`.
fn unicode(rest: &str) -> (char, &str) {
    let Some((high, after)) = hex4(rest) else {
        return (char::REPLACEMENT_CHARACTER, rest);
    };
    if let Some(character) = char::from_u32(high) {
        return (character, after);
    }
    let low = after.strip_prefix("\\u").and_then(hex4);
    match low.and_then(|(low, after)| Some((pair(high, low)?, after))) {
        Some(found) => found,
        None => (char::REPLACEMENT_CHARACTER, after),
    }
}

fn hex4(text: &str) -> Option<(u32, &str)> {
    let (digits, after) = text.split_at_checked(4)?;
    Some((hex_value(digits.as_bytes())?, after))
}

/// The value of hexadecimal digits, at most eight of them.
pub(super) fn hex_value(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &digit| {
        Some(value << 4 | char::from(digit).to_digit(16)?)
    })
}

/// The character of a surrogate pair; `None` when it is not one.
pub(super) fn pair(high: u32, low: u32) -> Option<char> {
    if !(0xd800..0xdc00).contains(&high) || !(0xdc00..0xe000).contains(&low) {
        return None;
    }
    char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
}
