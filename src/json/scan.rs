//! The one pass over a body: grammar, limits and duplicate keys together.
//!
//! Open arrays and objects are remembered on an explicit stack, whose height
//! is checked against the limit before it grows, so depth costs the call
//! stack nothing.

use super::ReadLimits;
use super::bytes::{past_space, string_stop};
use super::error::ReadError;
use super::keys::Keys;
use super::outline::Node;
use super::text::{hex_value, pair, unescape};

/// An array or object that is open.
#[derive(Clone, Copy)]
struct Open {
    /// The place of its node.
    node: usize,
    object: bool,
    /// How many keys it has so far.
    keys: usize,
    /// Whether one of them has an escape.
    escaped: bool,
}

struct Scanner<'a, 'l> {
    bytes: &'a [u8],
    at: usize,
    /// How many more members and elements the body may have.
    left: usize,
    limits: &'l ReadLimits,
    open: Vec<Open>,
    nodes: Vec<Node>,
}

/// Checks a whole body, and hands back its value's text and where everything in it stands. Of a
/// bare scalar nothing is noted.
pub(super) fn scan<'a>(
    text: &'a str,
    limits: &ReadLimits,
) -> Result<(&'a str, Vec<Node>), ReadError> {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: past_space(text.as_bytes(), 0),
        left: limits.members,
        limits,
        open: Vec::new(),
        nodes: Vec::new(),
    };
    let start = scanner.at;
    while scanner.value()? || scanner.after_value()? {}
    let end = scanner.at;
    let at = past_space(scanner.bytes, end);
    if at < scanner.bytes.len() {
        return Err(ReadError::TrailingBytes { at });
    }
    // Both offsets lie beside ASCII bytes, so this cut cannot fail.
    let value = text
        .get(start..end)
        .ok_or(ReadError::UnexpectedEnd { at: end })?;
    Ok((value, scanner.nodes))
}

impl Scanner<'_, '_> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        self.at = past_space(self.bytes, self.at);
    }

    /// The refusal for whatever stands at `at`.
    #[cold]
    fn unexpected(&self) -> ReadError {
        match self.bytes.get(self.at) {
            Some(_) => ReadError::UnexpectedByte { at: self.at },
            None => ReadError::UnexpectedEnd { at: self.at },
        }
    }

    /// Reads a scalar, an empty container, or the opening of one that is not
    /// empty. True when a value inside it comes next.
    #[inline]
    fn value(&mut self) -> Result<bool, ReadError> {
        let start = self.at;
        let mut escaped = false;
        match self.peek() {
            Some(b'"') => escaped = self.string()?,
            Some(b'{') => return self.object(),
            Some(b'[') => return self.array(),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word(b"true")?,
            Some(b'f') => self.word(b"false")?,
            Some(b'n') => self.word(b"null")?,
            _ => return Err(self.unexpected()),
        }
        if !self.open.is_empty() {
            self.note(start, escaped);
        }
        Ok(false)
    }

    /// Notes a string, a key, a number or a word that began there and ends here.
    #[inline]
    fn note(&mut self, start: usize, escaped: bool) {
        self.nodes.push(Node {
            start,
            end: self.at,
            size: 1,
            escaped,
        });
    }

    /// Reads what follows a value, up to the next one. False when the
    /// outermost value is complete.
    #[inline]
    fn after_value(&mut self) -> Result<bool, ReadError> {
        while let Some(&open) = self.open.last() {
            self.skip_space();
            match (self.peek(), open.object) {
                (Some(b','), false) => {
                    self.at += 1;
                    self.skip_space();
                    self.count()?;
                    return Ok(true);
                }
                (Some(b','), true) => {
                    self.at += 1;
                    self.skip_space();
                    self.key()?;
                    return Ok(true);
                }
                (Some(b']'), false) => {}
                (Some(b'}'), true) => {
                    let keys = Keys {
                        body: self.bytes,
                        nodes: self.nodes.get(open.node + 1..).unwrap_or_default(),
                    };
                    if let Some(at) = keys.twin(open.keys, open.escaped) {
                        return Err(ReadError::DuplicateKey { at });
                    }
                }
                _ => return Err(self.unexpected()),
            }
            self.leave(open.node);
        }
        Ok(false)
    }

    fn object(&mut self) -> Result<bool, ReadError> {
        let node = self.enter(true)?;
        if self.peek() == Some(b'}') {
            self.leave(node);
            return Ok(false);
        }
        self.key()?;
        Ok(true)
    }

    fn array(&mut self) -> Result<bool, ReadError> {
        let node = self.enter(false)?;
        if self.peek() == Some(b']') {
            self.leave(node);
            return Ok(false);
        }
        self.count()?;
        Ok(true)
    }

    /// Opens a container, and gives the place of its node.
    #[inline]
    fn enter(&mut self, object: bool) -> Result<usize, ReadError> {
        if self.open.len() >= self.limits.depth {
            return Err(ReadError::TooDeep { at: self.at });
        }
        if self.open.is_empty() {
            // A typical message has no more than that.
            self.open.reserve(8);
            self.nodes.reserve(32);
        }
        let node = self.nodes.len();
        self.open.push(Open {
            node,
            object,
            keys: 0,
            escaped: false,
        });
        self.note(self.at, false);
        self.at += 1;
        self.skip_space();
        Ok(node)
    }

    /// Closes the container of that node, whose bracket stands here.
    #[inline]
    fn leave(&mut self, node: usize) {
        self.at += 1;
        self.open.pop();
        let size = self.nodes.len() - node;
        if let Some(node) = self.nodes.get_mut(node) {
            node.end = self.at;
            node.size = size;
        }
    }

    /// Counts one member or element, which begins here.
    #[inline]
    fn count(&mut self) -> Result<(), ReadError> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(ReadError::TooManyMembers { at: self.at }),
        }
    }

    /// Reads a key and its colon, up to the value.
    #[inline]
    fn key(&mut self) -> Result<(), ReadError> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected());
        }
        self.count()?;
        let at = self.at;
        let escaped = self.string()?;
        // `at` is behind the closing quote now.
        let raw = self.bytes.get(at + 1..self.at - 1).unwrap_or_default();
        if is_reserved(raw, escaped) {
            return Err(ReadError::ReservedKey { at });
        }
        self.note(at, escaped);
        if let Some(open) = self.open.last_mut() {
            open.keys += 1;
            open.escaped |= escaped;
        }
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected());
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    /// Reads a string, whose opening quote stands here. True when it has an
    /// escape. Nearly all have none, so that case alone is worth inlining.
    #[inline(always)]
    fn string(&mut self) -> Result<bool, ReadError> {
        let quote = self.at;
        let stop = string_stop(self.bytes, quote + 1);
        if self.bytes.get(stop) == Some(&b'"') && stop - quote - 1 <= self.limits.string {
            self.at = stop + 1;
            return Ok(false);
        }
        self.at = self.long_string(quote, stop)?;
        Ok(true)
    }

    /// Where the string of that quote ends, given that it has an escape at
    /// `stop` or is long or wrong.
    fn long_string(&self, quote: usize, stop: usize) -> Result<usize, ReadError> {
        let mut at = stop;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at = self.escape(at)?,
                Some(_) => return Err(ReadError::ControlCharacter { at }),
                None => return Err(ReadError::UnexpectedEnd { at }),
            }
            at = string_stop(self.bytes, at);
        }
        if at - quote - 1 > self.limits.string {
            return Err(ReadError::StringTooLong { at: quote });
        }
        Ok(at + 1)
    }

    /// Checks the escape whose backslash stands at `at`; where it ends.
    fn escape(&self, at: usize) -> Result<usize, ReadError> {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => self.unicode_escape(at),
            Some(_) => Err(ReadError::BadEscape { at }),
            None => Err(ReadError::UnexpectedEnd { at: at + 1 }),
        }
    }

    fn unicode_escape(&self, at: usize) -> Result<usize, ReadError> {
        let unit = |at: usize| self.bytes.get(at..at + 4).and_then(hex_value);
        let Some(high) = unit(at + 2) else {
            // Cut short by the end of the body, or simply wrong.
            let digits = self.bytes.get(at + 2..).unwrap_or_default();
            let cut = digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit);
            return Err(match cut {
                true => ReadError::UnexpectedEnd {
                    at: self.bytes.len(),
                },
                false => ReadError::BadEscape { at },
            });
        };
        if char::from_u32(high).is_some() {
            return Ok(at + 6);
        }
        let second = self.bytes.get(at + 6..at + 8) == Some(b"\\u");
        match unit(at + 8).filter(|_| second) {
            Some(low) if pair(high, low).is_some() => Ok(at + 12),
            _ => Err(ReadError::LoneSurrogate { at }),
        }
    }

    fn number(&mut self) -> Result<(), ReadError> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// One digit or more.
    #[inline]
    fn digits(&mut self) -> Result<(), ReadError> {
        let first = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > first {
            return Ok(());
        }
        Err(match self.peek() {
            Some(_) => ReadError::BadNumber { at: self.at },
            None => ReadError::UnexpectedEnd { at: self.at },
        })
    }

    /// One of the three words.
    fn word(&mut self, word: &[u8]) -> Result<(), ReadError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        Err(if word.starts_with(rest) {
            ReadError::UnexpectedEnd {
                at: self.bytes.len(),
            }
        } else {
            ReadError::UnexpectedByte { at: self.at }
        })
    }
}

/// Whether `serde_json` would take a key for a sign of its own: it marks values of its private
/// types by them, and so reads an object that has one as something else.
#[inline]
fn is_reserved(raw: &[u8], escaped: bool) -> bool {
    const SIGN: &[u8] = b"$serde_json::private::";
    match raw.first() {
        Some(b'$') | Some(b'\\') => {}
        _ => return false,
    }
    if !escaped {
        return raw.starts_with(SIGN);
    }
    let raw = std::str::from_utf8(raw).unwrap_or_default();
    unescape(raw).as_bytes().starts_with(SIGN)
}
