//! The Base64 sentinel of header values.
//!
//! See [Value Encoding](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding).

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What a header value means: itself, or the text that its wrapper holds.
///
/// `None` for a wrapper that holds no canonical Base64 of UTF-8. What looks like a wrapper is one:
/// a client must wrap a text that looks like a wrapped one.
pub(super) fn decode(value: &str) -> Option<Cow<'_, str>> {
    let inner = match value.strip_prefix("=?base64?") {
        // Of `=?base64?=` both ends are there, though they share a mark: nothing is in it.
        Some(rest) if value.ends_with("?=") => rest.strip_suffix("?=")?,
        _ => return Some(Cow::Borrowed(value)),
    };
    // The engine takes only padded text without stray bits at its end.
    let bytes = STANDARD.decode(inner).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_the_canonical_wrapper_is_taken() {
        assert_eq!(decode("us").as_deref(), Some("us"));
        assert_eq!(decode("=?base64?dXM=?=").as_deref(), Some("us"));
        assert_eq!(decode("=?base64??=").as_deref(), Some(""));
        // What begins and ends as a wrapper is one, even where the two ends meet.
        assert_eq!(decode("=?base64?="), None);
        // A beginning alone is no wrapper, nor is one in another case.
        for itself in ["=?base64?", "=?base64?dXM=", "?=", "=?base64=?="] {
            assert_eq!(decode(itself).as_deref(), Some(itself));
        }
        assert_eq!(
            decode("=?BASE64?dXM=?=").as_deref(),
            Some("=?BASE64?dXM=?=")
        );
        for broken in [
            "dXM", "dXM==", "dXN=", "d XM=", "fn5-Pz8_", "literal", "/w==", "%%%",
        ] {
            assert_eq!(decode(&format!("=?base64?{broken}?=")), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn what_is_wrapped_is_read_back(text in any::<String>()) {
            let wrapped = format!("=?base64?{}?=", STANDARD.encode(&text));
            let read = decode(&wrapped);
            prop_assert_eq!(read.as_deref(), Some(&*text));
        }
    }
}
