//! The one pass over a body: grammar, limits and duplicate keys together.
//!
//! Open arrays and objects are remembered in their own nodes, each with the one
//! around it, so depth costs the call stack nothing; it is checked against the
//! limit before it grows.

use super::ReadLimits;
use super::bytes::past_space;
use super::error::ReadError;
use super::keys::Keys;
use super::outline::Node;
use super::text::unescape;

/// The innermost array or object that is open.
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

pub(super) struct Scanner<'a, 'l> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// How many more members and elements the body may have.
    left: usize,
    pub(super) limits: &'l ReadLimits,
    /// What is open around it waits in its node, as [`Scanner::enter`] left it.
    open: Option<Open>,
    depth: usize,
    nodes: Vec<Node>,
}

/// What stands in the node of the outermost container for the one around it.
const NONE: usize = usize::MAX;

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
        open: None,
        depth: 0,
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
    pub(super) fn peek(&self) -> Option<u8> {
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
        if self.open.is_some() {
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
        while let Some(open) = self.open {
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

    /// Opens a container, and gives the place of its node. While it is open, that has the place of
    /// the node around it for a size; and while another is open in it, the number of its keys for
    /// an end.
    #[inline]
    fn enter(&mut self, object: bool) -> Result<usize, ReadError> {
        if self.depth >= self.limits.depth {
            return Err(ReadError::TooDeep { at: self.at });
        }
        self.depth += 1;
        let around = match self.open {
            None => {
                // A typical message has no more than that.
                self.nodes.reserve(32);
                NONE
            }
            Some(open) => {
                if let Some(node) = self.nodes.get_mut(open.node) {
                    node.end = open.keys;
                    node.escaped = open.escaped;
                }
                open.node
            }
        };
        let node = self.nodes.len();
        self.nodes.push(Node {
            start: self.at,
            end: 0,
            size: around,
            escaped: false,
        });
        self.open = Some(Open {
            node,
            object,
            keys: 0,
            escaped: false,
        });
        self.at += 1;
        self.skip_space();
        Ok(node)
    }

    /// Closes the container of that node, whose bracket stands here, and goes on in the one around
    /// it.
    #[inline]
    fn leave(&mut self, node: usize) {
        self.at += 1;
        self.depth -= 1;
        let size = self.nodes.len() - node;
        let Some(closed) = self.nodes.get_mut(node) else {
            return;
        };
        let around = std::mem::replace(&mut closed.size, size);
        closed.end = self.at;
        closed.escaped = false;
        self.open = self.nodes.get(around).map(|outer| Open {
            node: around,
            object: self.bytes.get(outer.start) == Some(&b'{'),
            keys: outer.end,
            escaped: outer.escaped,
        });
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
        if let Some(open) = &mut self.open {
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
