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
    let inner = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    match inner {
        None => Some(Cow::Borrowed(value)),
        // The engine takes only padded text without stray bits at its end.
        Some(inner) => {
            let bytes = STANDARD.decode(inner).ok()?;
            String::from_utf8(bytes).ok().map(Cow::Owned)
        }
    }
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
        // A prefix alone is no wrapper, nor is one in another case.
        assert_eq!(decode("=?base64?=").as_deref(), Some("=?base64?="));
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
