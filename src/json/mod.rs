//! The one reader of client bytes.
//!
//! A body is read once, by [`Json::read`]: one pass over the bytes that either
//! refuses the whole body or hands back a [`Json`], a borrowed piece of text
//! that is known to be well-formed. Everything else in the crate walks that
//! text; nothing parses client bytes a second way. Two readers of one body
//! must never see two methods, two names or two sets of arguments, so this
//! reader is stricter than the JSON grammar: a key that stands twice in one
//! object is refused wherever it stands, however it is spelled.
//!
//! ```
//! use mcp_reprise::json::{Json, Kind, ReadLimits};
//!
//! let body = br#" {"method": "tools/call", "params": {"name": "sum", "n": 4.2e1}} "#;
//! let json = Json::read(body, &ReadLimits::default())?;
//! assert_eq!(json.kind(), Kind::Object);
//! assert_eq!(json.get("method").and_then(|m| m.as_str()).as_deref(), Some("tools/call"));
//! let n = json.get("params").and_then(|p| p.get("n")).and_then(|n| n.as_number());
//! assert_eq!(n.and_then(|n| n.safe_integer()), Some(42));
//! # Ok::<(), mcp_reprise::json::ReadError>(())
//! ```

mod bytes;
mod error;
mod keys;
mod number;
mod outline;
mod scalar;
mod scan;
mod text;
mod walk;

#[cfg(test)]
pub(crate) mod spell;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use outline::Node;

pub(crate) use bytes::is_plain;
pub use error::ReadError;
pub use number::Number;
pub(crate) use outline::Outline;
pub use walk::{Elements, Members};

/// How large a body [`Json::read`] accepts. A body at a limit is read; one
/// beyond it is refused.
///
/// ```
/// use mcp_reprise::json::{Json, ReadError, ReadLimits};
///
/// let limits = ReadLimits { depth: 1, ..ReadLimits::default() };
/// assert!(Json::read(b"[1]", &limits).is_ok());
/// assert_eq!(Json::read(b"[[1]]", &limits).err(), Some(ReadError::TooDeep { at: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// The most arrays and objects that may be open at once; a bare scalar
    /// has depth 0. Default 64. Beyond 127, [`Json::parse`] refuses what
    /// `read` accepted, because `serde_json` has a bound of its own.
    pub depth: usize,
    /// The most object members and array elements in the whole body, counted
    /// together. Default 100,000.
    pub members: usize,
    /// The longest string or key, in bytes as written between its quotes,
    /// escapes not resolved. Default 4 MiB (4,194,304).
    pub string: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        ReadLimits {
            depth: 64,
            members: 100_000,
            string: 4 << 20,
        }
    }
}

/// What a JSON value is.
///
/// ```
/// use mcp_reprise::json::{Json, Kind, ReadLimits};
///
/// let json = Json::read(b"[]", &ReadLimits::default())?;
/// assert_eq!(json.kind(), Kind::Array);
/// # Ok::<(), mcp_reprise::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A borrowed JSON value that is known to be well-formed: its text, without
/// the white space around it. Copying it copies four words.
///
/// Only [`Json::read`] and the methods below make one. `Debug` shows the kind
/// and the length, never the text, because the text is a client's.
///
/// ```
/// use mcp_reprise::json::{Json, ReadLimits};
///
/// let json = Json::read(b" [1, 2] ", &ReadLimits::default())?;
/// assert_eq!(json.text(), "[1, 2]");
/// assert_eq!(format!("{json:?}"), "Json(Array, 6 bytes)");
/// # Ok::<(), mcp_reprise::json::ReadError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Json<'a> {
    text: &'a str,
    /// Where it and all that is in it stand, if that was kept when it was read: then nothing of it
    /// need be walked over to be found.
    nodes: &'a [Node],
}

impl<'a> Json<'a> {
    /// `{}`: what a member that was left out stands for where it is an object.
    pub const EMPTY_OBJECT: Json<'static> = Json::known("{}");

    /// Reads a whole body: one value, with white space around it at most.
    ///
    /// The work is linear in the body (with one sort of the keys of each
    /// object that has more than eight), no deeper in the call stack for
    /// deeper input, and the memory it takes is bounded by `limits` and by
    /// the body.
    ///
    /// # Errors
    ///
    /// A [`ReadError`] for the first thing wrong that the pass meets; a
    /// duplicate key is met where its object closes. Besides text that is not
    /// JSON in UTF-8, it refuses a byte order mark, an escape that is half of
    /// a surrogate pair, a duplicate key (escapes resolved) in any object,
    /// and whatever exceeds `limits`.
    ///
    /// ```
    /// use mcp_reprise::json::{Json, ReadError, ReadLimits};
    ///
    /// let limits = ReadLimits::default();
    /// let twice = Json::read(br#"{"name":1,"na\u006de":2}"#, &limits);
    /// assert_eq!(twice.err(), Some(ReadError::DuplicateKey { at: 10 }));
    /// let cut = Json::read(br#"{"name":1"#, &limits);
    /// assert!(cut.is_err_and(|error| error.is_syntax()));
    /// ```
    pub fn read(bytes: &'a [u8], limits: &ReadLimits) -> Result<Json<'a>, ReadError> {
        Outline::read(bytes, limits).map(|outline| Json::known(outline.text()))
    }

    /// Wraps text this module has already found to be well-formed.
    const fn known(text: &'a str) -> Json<'a> {
        Json { text, nodes: &[] }
    }

    /// The value's text exactly as the client wrote it, inner white space and
    /// escapes included.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"{ \"a\" : 1.0 }\n", &ReadLimits::default())?;
    /// assert_eq!(json.text(), "{ \"a\" : 1.0 }");
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn text(self) -> &'a str {
        self.text
    }

    /// What the value is.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, Kind, ReadLimits};
    /// let json = Json::read(b"-1", &ReadLimits::default())?;
    /// assert_eq!(json.kind(), Kind::Number);
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn kind(self) -> Kind {
        match self.text.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// The members of an object in the order written, each key with its
    /// escapes resolved; nothing when the value is not an object.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(br#"{"b":1,"\u0061":[]}"#, &ReadLimits::default())?;
    /// let keys: Vec<_> = json.members().map(|(key, _)| key).collect();
    /// assert_eq!(keys, ["b", "a"]);
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn members(self) -> Members<'a> {
        Members::of(self)
    }

    /// The elements of an array in order; nothing when the value is not an
    /// array.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"[1, [2], 3]", &ReadLimits::default())?;
    /// let texts: Vec<_> = json.elements().map(Json::text).collect();
    /// assert_eq!(texts, ["1", "[2]", "3"]);
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn elements(self) -> Elements<'a> {
        Elements::of(self)
    }

    /// The value of an object's member, by its key with escapes resolved;
    /// `None` when there is none or the value is not an object. It walks the
    /// object, so to take several members use [`Json::members`] once.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(br#"{"na\u006de":"sum"}"#, &ReadLimits::default())?;
    /// assert_eq!(json.get("name").map(Json::text), Some("\"sum\""));
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn get(self, name: &str) -> Option<Json<'a>> {
        self.members().find_value(name)
    }

    /// A string's content, escapes resolved; `None` for any other kind. It is
    /// borrowed when the string was written without escapes.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(br#""a\tb""#, &ReadLimits::default())?;
    /// assert_eq!(json.as_str().as_deref(), Some("a\tb"));
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let raw = self.text.strip_prefix('"')?.strip_suffix('"')?;
        match self.nodes.first() {
            Some(node) if !node.escaped => Some(Cow::Borrowed(raw)),
            _ => Some(text::unescape(raw)),
        }
    }

    /// The number; `None` for any other kind.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"1.50", &ReadLimits::default())?;
    /// assert_eq!(json.as_number().map(|n| n.text()), Some("1.50"));
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn as_number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then_some(Number::known(self.text))
    }

    /// The truth value; `None` for any other kind.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"true", &ReadLimits::default())?;
    /// assert_eq!(json.as_bool(), Some(true));
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn as_bool(self) -> Option<bool> {
        match self.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Whether the value is `null`.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"null", &ReadLimits::default())?;
    /// assert!(json.is_null());
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Deserializes the value with `serde_json`; what is borrowed is borrowed
    /// from the body.
    ///
    /// # Errors
    ///
    /// Whatever `serde_json` says: the value is not of the shape of `T`, a
    /// number is beyond an `f64`, or it is nested deeper than 127 levels. The
    /// error may quote client text, so it is not for the wire.
    ///
    /// ```
    /// # use mcp_reprise::json::{Json, ReadLimits};
    /// let json = Json::read(b"[1, 2]", &ReadLimits::default())?;
    /// assert_eq!(json.parse::<Vec<u8>>().ok(), Some(vec![1, 2]));
    /// # Ok::<(), mcp_reprise::json::ReadError>(())
    /// ```
    pub fn parse<T: Deserialize<'a>>(self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text)
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({:?}, {} bytes)", self.kind(), self.text.len())
    }
}
