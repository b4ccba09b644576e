use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Text that should be base64 and isn't.
///
/// ```
/// use mcp_reprise::protocol::ImageContent;
///
/// let mut image = ImageContent::new([1, 2, 3], "image/png");
/// assert_eq!(image.bytes(), Ok(vec![1, 2, 3]));
/// image.data = "?".to_owned();
/// assert!(image.bytes().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed base64: {reason}")]
#[non_exhaustive]
pub struct BadBase64 {
    /// What is wrong with it.
    pub reason: String,
}

/// Writes bytes as padded base64 of the standard alphabet.
pub(super) fn encode(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// Reads padded base64 of the standard alphabet.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, BadBase64> {
    STANDARD.decode(text).map_err(|error| BadBase64 {
        reason: error.to_string(),
    })
}
