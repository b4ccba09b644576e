//! Walking text that the reader has accepted.
//!
//! Where the reader's notes were kept, they are followed instead. Nothing here checks the grammar again; it only finds where things end.
//! Should the text be malformed all the same, the walk ends early: every
//! access is checked, and every step moves forward.

use std::borrow::Cow;
use std::iter::FusedIterator;

use super::bytes::{past_space, string_stop};
use super::outline::Node;
use super::text::unescape;
use super::{Json, Kind};

/// The members of an object: each key, escapes resolved, with its value.
///
/// ```
/// use mcp_reprise::json::{Json, ReadLimits};
///
/// let json = Json::read(br#"{"a":1,"b":2}"#, &ReadLimits::default())?;
/// assert_eq!(json.members().map(|(key, _)| key).collect::<String>(), "ab");
/// # Ok::<(), mcp_reprise::json::ReadError>(())
/// ```
#[derive(Clone)]
pub struct Members<'a> {
    text: &'a str,
    way: Way<'a>,
}

/// The elements of an array.
///
/// ```
/// use mcp_reprise::json::{Json, ReadLimits};
///
/// let json = Json::read(b"[1,2]", &ReadLimits::default())?;
/// assert_eq!(json.elements().count(), 2);
/// # Ok::<(), mcp_reprise::json::ReadError>(())
/// ```
#[derive(Clone)]
pub struct Elements<'a> {
    text: &'a str,
    way: Way<'a>,
}

/// The way from one item of a container to the next.
#[derive(Clone)]
enum Way<'a> {
    /// Over the text, from there on.
    Walked { at: usize },
    /// By the notes that are left. The container's text begins at that offset of the body.
    Noted { nodes: &'a [Node], base: usize },
}

impl<'a> Way<'a> {
    fn into(json: Json<'a>) -> Self {
        match json.nodes.split_first() {
            None => Way::Walked { at: 1 },
            Some((own, nodes)) => Way::Noted {
                nodes,
                base: own.start,
            },
        }
    }
}

/// The next value by the notes.
#[inline]
fn noted<'a>(text: &'a str, nodes: &mut &'a [Node], base: usize) -> Option<Json<'a>> {
    let own = nodes.first()?;
    let (value, rest) = nodes.split_at_checked(own.size)?;
    *nodes = rest;
    let text = text.get(own.start.checked_sub(base)?..own.end.checked_sub(base)?)?;
    Some(Json { text, nodes: value })
}

/// The value of the member of that key by the notes. Keys of another length are passed unread.
fn noted_value<'a>(
    text: &'a str,
    mut nodes: &'a [Node],
    base: usize,
    name: &str,
) -> Option<Json<'a>> {
    while let Some((key, mut rest)) = nodes.split_first() {
        // With its quotes; an escape makes it longer than what it means.
        let length = key.end - key.start;
        if length == name.len() + 2 || key.escaped {
            let raw = text.get(key.start - base + 1..key.end - base - 1)?;
            if raw == name && !key.escaped || key.escaped && unescape(raw) == name {
                return noted(text, &mut rest, base);
            }
        }
        nodes = rest.get(rest.first()?.size..)?;
    }
    None
}

impl<'a> Members<'a> {
    pub(super) fn of(json: Json<'a>) -> Self {
        match json.kind() {
            Kind::Object => Members {
                text: json.text,
                way: Way::into(json),
            },
            _ => Members {
                text: "",
                way: Way::Walked { at: 0 },
            },
        }
    }

    /// The value of the member of that key.
    pub(super) fn find_value(mut self, name: &str) -> Option<Json<'a>> {
        if let Way::Noted { nodes, base } = self.way {
            return noted_value(self.text, nodes, base, name);
        }
        while let Some((key, value)) = self.step() {
            // Only an escaped key can be longer than what it means.
            if key.raw == name && !key.has_escape()
                || key.raw.len() > name.len() && key.has_escape() && key.meaning() == name
            {
                return Some(value);
            }
        }
        None
    }

    /// The next key, escapes not resolved, and its value.
    #[inline]
    fn step(&mut self) -> Option<(Key<'a>, Json<'a>)> {
        match &mut self.way {
            Way::Noted { nodes, base } => {
                let escaped = nodes.first()?.escaped;
                let key = noted(self.text, nodes, *base)?;
                let raw = key.text.get(1..key.text.len().checked_sub(1)?)?;
                let value = noted(self.text, nodes, *base)?;
                Some((
                    Key {
                        raw,
                        escaped: Some(escaped),
                    },
                    value,
                ))
            }
            Way::Walked { at } => {
                let bytes = self.text.as_bytes();
                let quote = next_item(bytes, *at)?;
                if bytes.get(quote) != Some(&b'"') {
                    return None;
                }
                let behind = string_end(bytes, quote);
                let raw = self.text.get(quote + 1..behind.checked_sub(1)?)?;
                let colon = past_space(bytes, behind);
                let value = past_space(bytes, colon + 1);
                *at = value_end(bytes, value);
                let value = cut(self.text, value, *at)?;
                Some((Key { raw, escaped: None }, value))
            }
        }
    }
}

/// A key as it was written between its quotes.
struct Key<'a> {
    raw: &'a str,
    /// Whether it has an escape, where that was noted.
    escaped: Option<bool>,
}

impl<'a> Key<'a> {
    #[inline]
    fn has_escape(&self) -> bool {
        self.escaped.unwrap_or_else(|| self.raw.contains('\\'))
    }

    #[inline]
    fn meaning(&self) -> Cow<'a, str> {
        match self.escaped {
            Some(false) => Cow::Borrowed(self.raw),
            _ => unescape(self.raw),
        }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Json<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.step()?;
        Some((key.meaning(), value))
    }
}

impl FusedIterator for Members<'_> {}

impl<'a> Elements<'a> {
    pub(super) fn of(json: Json<'a>) -> Self {
        match json.kind() {
            Kind::Array => Elements {
                text: json.text,
                way: Way::into(json),
            },
            _ => Elements {
                text: "",
                way: Way::Walked { at: 0 },
            },
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Json<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.way {
            Way::Noted { nodes, base } => noted(self.text, nodes, *base),
            Way::Walked { at } => {
                let bytes = self.text.as_bytes();
                let value = next_item(bytes, *at)?;
                let end = value_end(bytes, value);
                let found = cut(self.text, value, end)?;
                *at = end;
                Some(found)
            }
        }
    }
}

impl FusedIterator for Elements<'_> {}

impl std::fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elements").finish_non_exhaustive()
    }
}

/// The value between two offsets; `None` when that is nothing.
#[inline]
fn cut(text: &str, from: usize, to: usize) -> Option<Json<'_>> {
    text.get(from..to)
        .filter(|value| !value.is_empty())
        .map(Json::known)
}

/// Where the next member or element begins; `None` at the closing bracket.
#[inline]
fn next_item(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = past_space(bytes, at);
    if bytes.get(at) == Some(&b',') {
        at = past_space(bytes, at + 1);
    }
    match bytes.get(at) {
        None | Some(b'}' | b']') => None,
        Some(_) => Some(at),
    }
}

/// Where the string ends whose opening quote stands at `quote`: behind its
/// closing quote.
#[inline]
fn string_end(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    loop {
        at = string_stop(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            // Whatever the escape, its second byte cannot end the string.
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Where the value that begins at `at` ends.
#[inline]
fn value_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"') => string_end(bytes, at),
        Some(b'{' | b'[') => container_end(bytes, at),
        _ => scalar_end(bytes, at),
    }
}

/// Where the array or object that opens at `at` ends: brackets are counted,
/// not told apart, since they are known to match.
fn container_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    let mut open: usize = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b'{' | b'[' => {
                open += 1;
                at += 1;
            }
            b'}' | b']' => {
                open = open.saturating_sub(1);
                at += 1;
                if open == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where the number or word at `at` ends.
#[inline]
fn scalar_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(byte) = bytes.get(at) {
        if let b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' = byte {
            break;
        }
        at += 1;
    }
    at
}
