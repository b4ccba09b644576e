use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// The largest integer an id or token may have on the wire: 2^53 − 1. The
/// smallest is its negative. Beyond it, a reader that holds numbers as floats
/// would mix up two ids.
///
/// ```
/// use mcp_reprise::protocol::MAX_SAFE_INTEGER;
///
/// assert_eq!(MAX_SAFE_INTEGER, 9_007_199_254_740_991);
/// ```
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// An integer too large or too small to be an id or a token.
///
/// ```
/// use mcp_reprise::protocol::RequestId;
///
/// assert!(RequestId::try_from(1_i64 << 53).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is outside the range of safe integers")]
pub struct UnsafeInteger(pub i64);

fn safe(integer: i64) -> Result<i64, UnsafeInteger> {
    if (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(&integer) {
        Ok(integer)
    } else {
        Err(UnsafeInteger(integer))
    }
}

/// Reads a string or a safe integer and nothing else.
fn read<'de, D: Deserializer<'de>, T>(
    from: D,
    text: fn(String) -> T,
    integer: fn(i64) -> T,
) -> Result<T, D::Error> {
    match Value::deserialize(from)? {
        Value::String(value) => Ok(text(value)),
        Value::Number(number) => match number.as_i64().map(safe) {
            Some(Ok(value)) => Ok(integer(value)),
            _ => Err(D::Error::custom(format_args!(
                "the number {number} is not a safe integer"
            ))),
        },
        _ => Err(D::Error::custom("expected a string or an integer")),
    }
}

/// The id that ties a response to its request: a string or an integer.
///
/// Reading refuses fractions and integers beyond [`MAX_SAFE_INTEGER`].
///
/// Schema: [`RequestId`](https://modelcontextprotocol.io/specification/2026-07-28/schema#requestid).
/// Spec: [Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#requests).
///
/// ```
/// use mcp_reprise::protocol::RequestId;
///
/// let id: RequestId = serde_json::from_str("7")?;
/// assert_eq!(id, RequestId::from(7));
/// assert_ne!(id, RequestId::from("7"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestId {
    /// A string.
    String(String),
    /// An integer of at most [`MAX_SAFE_INTEGER`], either sign.
    Integer(i64),
}

/// The token a client chooses to be told of a request's progress: a string or
/// an integer, by the same rules as a [`RequestId`].
///
/// Schema: [`ProgressToken`](https://modelcontextprotocol.io/specification/2026-07-28/schema#progresstoken).
/// Spec: [Progress flow](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress#progress-flow).
///
/// ```
/// use mcp_reprise::protocol::ProgressToken;
///
/// assert_eq!(ProgressToken::from("upload").to_string(), "upload");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgressToken {
    /// A string.
    String(String),
    /// An integer of at most [`MAX_SAFE_INTEGER`], either sign.
    Integer(i64),
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, Self::String, Self::Integer)
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(value) => to.serialize_str(value),
            Self::Integer(value) => to.serialize_i64(*value),
        }
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::String(value) => f.write_str(value),
            Self::Integer(value) => value.fmt(f),
        }
    }
}

impl From<&str> for RequestId {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for RequestId {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<i32> for RequestId {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for RequestId {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl TryFrom<i64> for RequestId {
    type Error = UnsafeInteger;

    fn try_from(value: i64) -> Result<Self, UnsafeInteger> {
        safe(value).map(Self::Integer)
    }
}

impl<'de> Deserialize<'de> for ProgressToken {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, Self::String, Self::Integer)
    }
}

impl Serialize for ProgressToken {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(value) => to.serialize_str(value),
            Self::Integer(value) => to.serialize_i64(*value),
        }
    }
}

impl std::fmt::Display for ProgressToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::String(value) => f.write_str(value),
            Self::Integer(value) => value.fmt(f),
        }
    }
}

impl From<&str> for ProgressToken {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for ProgressToken {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<i32> for ProgressToken {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for ProgressToken {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl TryFrom<i64> for ProgressToken {
    type Error = UnsafeInteger;

    fn try_from(value: i64) -> Result<Self, UnsafeInteger> {
        safe(value).map(Self::Integer)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SAFE_INTEGER, ProgressToken, RequestId};

    #[test]
    fn what_is_an_id() {
        for (text, id) in [
            ("\"a\"", RequestId::from("a")),
            ("\"\"", RequestId::from("")),
            ("0", RequestId::Integer(0)),
            ("-3", RequestId::Integer(-3)),
            ("9007199254740991", RequestId::Integer(MAX_SAFE_INTEGER)),
            ("-9007199254740991", RequestId::Integer(-MAX_SAFE_INTEGER)),
        ] {
            assert_eq!(serde_json::from_str::<RequestId>(text).unwrap(), id);
            assert_eq!(serde_json::to_string(&id).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_id() {
        for text in [
            "null",
            "true",
            "1.5",
            "1.0",
            "1e3",
            "[]",
            "{}",
            "9007199254740992",
            "-9007199254740992",
            "18446744073709551615",
        ] {
            assert!(serde_json::from_str::<RequestId>(text).is_err(), "{text}");
            assert!(
                serde_json::from_str::<ProgressToken>(text).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn ids_from_wide_integers() {
        assert_eq!(RequestId::try_from(5_i64), Ok(RequestId::Integer(5)));
        assert!(RequestId::try_from(i64::MIN).is_err());
        assert!(ProgressToken::try_from(i64::MAX).is_err());
    }
}
