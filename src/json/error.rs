//! Why a body was refused.

/// Why [`Json::read`](super::Json::read) refused a body: a kind and a byte
/// offset (`at`, counted from 0). It never carries client text.
///
/// Two families, told apart by [`ReadError::is_syntax`]: text that is not JSON
/// in UTF-8, which the protocol answers with `-32700`, and well-formed text
/// that is refused all the same, which it answers with `-32600`.
///
/// ```
/// use mcp_reprise::json::{Json, ReadError, ReadLimits};
///
/// let error = Json::read(b"[1,]", &ReadLimits::default()).err();
/// assert_eq!(error, Some(ReadError::UnexpectedByte { at: 3 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A byte that cannot be part of UTF-8 text.
    #[error("not UTF-8 at byte {at}")]
    NotUtf8 {
        /// Offset of the first byte that is not UTF-8.
        at: usize,
    },
    /// The body begins with a byte order mark.
    #[error("byte order mark at byte {at}")]
    ByteOrderMark {
        /// Offset of the mark: always 0.
        at: usize,
    },
    /// The body ends before its value does, or holds no value.
    #[error("body ends early at byte {at}")]
    UnexpectedEnd {
        /// The body's length.
        at: usize,
    },
    /// A byte that the grammar does not allow where it stands.
    #[error("unexpected byte at byte {at}")]
    UnexpectedByte {
        /// Offset of that byte; of the first letter for a misspelled
        /// `true`, `false` or `null`.
        at: usize,
    },
    /// Something other than white space follows the value.
    #[error("more than one value: byte {at}")]
    TrailingBytes {
        /// Offset of the first byte after the value and its white space.
        at: usize,
    },
    /// A number that lacks a digit where the grammar asks for one.
    #[error("malformed number at byte {at}")]
    BadNumber {
        /// Offset of the byte that stands in the digit's place.
        at: usize,
    },
    /// A backslash that no known escape follows.
    #[error("malformed escape at byte {at}")]
    BadEscape {
        /// Offset of the backslash.
        at: usize,
    },
    /// An escape for one half of a surrogate pair without the other.
    #[error("lone surrogate at byte {at}")]
    LoneSurrogate {
        /// Offset of the backslash.
        at: usize,
    },
    /// A raw control character (below U+0020) inside a string.
    #[error("control character in a string at byte {at}")]
    ControlCharacter {
        /// Offset of the character.
        at: usize,
    },
    /// One object has one key twice.
    #[error("duplicate key at byte {at}")]
    DuplicateKey {
        /// Offset of the later key's opening quote.
        at: usize,
    },
    /// A key that `serde_json` takes for a sign between its own types.
    ///
    /// A parser behind this reader would put another value in the place of the one that was
    /// checked. Whether it does so depends on features of `serde_json` that any crate in the
    /// build can switch on.
    #[error("reserved key at byte {at}")]
    ReservedKey {
        /// Offset of the key's opening quote.
        at: usize,
    },
    /// More open arrays and objects than `ReadLimits::depth`.
    #[error("nested too deep at byte {at}")]
    TooDeep {
        /// Offset of the bracket or brace that opens one too many.
        at: usize,
    },
    /// More members and elements than `ReadLimits::members`.
    #[error("too many members at byte {at}")]
    TooManyMembers {
        /// Offset of the first member or element beyond the limit.
        at: usize,
    },
    /// A string or key longer than `ReadLimits::string`.
    #[error("string too long at byte {at}")]
    StringTooLong {
        /// Offset of the opening quote.
        at: usize,
    },
}

impl ReadError {
    /// Whether the body is not JSON text at all (`-32700`), rather than
    /// well-formed as far as it was read but refused (`-32600`).
    ///
    /// ```
    /// use mcp_reprise::json::ReadError;
    ///
    /// assert!(ReadError::LoneSurrogate { at: 3 }.is_syntax());
    /// assert!(!ReadError::DuplicateKey { at: 3 }.is_syntax());
    /// ```
    pub fn is_syntax(&self) -> bool {
        !matches!(
            self,
            ReadError::DuplicateKey { .. }
                | ReadError::ReservedKey { .. }
                | ReadError::TooDeep { .. }
                | ReadError::TooManyMembers { .. }
                | ReadError::StringTooLong { .. }
        )
    }

    /// The byte offset in the body, counted from 0.
    ///
    /// ```
    /// use mcp_reprise::json::ReadError;
    ///
    /// assert_eq!(ReadError::BadNumber { at: 7 }.at(), 7);
    /// ```
    pub fn at(&self) -> usize {
        match *self {
            ReadError::NotUtf8 { at }
            | ReadError::ByteOrderMark { at }
            | ReadError::UnexpectedEnd { at }
            | ReadError::UnexpectedByte { at }
            | ReadError::TrailingBytes { at }
            | ReadError::BadNumber { at }
            | ReadError::BadEscape { at }
            | ReadError::LoneSurrogate { at }
            | ReadError::ControlCharacter { at }
            | ReadError::DuplicateKey { at }
            | ReadError::ReservedKey { at }
            | ReadError::TooDeep { at }
            | ReadError::TooManyMembers { at }
            | ReadError::StringTooLong { at } => at,
        }
    }
}
