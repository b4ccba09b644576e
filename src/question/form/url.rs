//! A page to visit.

use iri_string::types::UriStr;
use serde::Serialize;

use super::pin::Pin;
use super::written::Written;

/// A question that is answered by visiting a page, outside the protocol: the
/// spec's [URL mode elicitation], for what must not pass through the client.
///
/// An accepted answer means that the user agreed to go there, not that they
/// are done.
///
/// ```
/// use mcp_reprise::UrlPrompt;
///
/// let prompt = UrlPrompt::new("Please connect your account.", "https://example.com/connect/7")?;
/// assert_eq!(prompt.url(), "https://example.com/connect/7");
/// # Ok::<(), mcp_reprise::UrlError>(())
/// ```
///
/// [URL mode elicitation]: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
#[derive(Clone, Debug)]
pub struct UrlPrompt {
    message: String,
    url: String,
    pin: Pin,
}

/// A [`UrlPrompt`]'s URL is not an absolute URI with a scheme.
///
/// ```
/// use mcp_reprise::UrlPrompt;
///
/// let error = UrlPrompt::new("Go there.", "/connect").unwrap_err();
/// assert_eq!(error.to_string(), "not a URL: a scheme and only the characters of RFC 3986 are needed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a URL: a scheme and only the characters of RFC 3986 are needed")]
pub struct UrlError(());

impl UrlPrompt {
    /// Asks the user to visit `url`, and says why.
    ///
    /// The spec forbids a URL that holds a user's data, or that lets in
    /// whoever has it.
    ///
    /// # Errors
    ///
    /// A [`UrlError`] when `url` is not an absolute URI with a scheme.
    ///
    /// ```
    /// # use mcp_reprise::UrlPrompt;
    /// assert!(UrlPrompt::new("Go there.", "https://example.com/a b").is_err());
    /// ```
    pub fn new(message: impl Into<String>, url: impl Into<String>) -> Result<Self, UrlError> {
        let url = url.into();
        if UriStr::new(&url).is_err() {
            return Err(UrlError(()));
        }
        Ok(UrlPrompt {
            message: message.into(),
            url,
            pin: Pin::default(),
        })
    }

    /// Pins the question to a value that neither its words nor its URL show,
    /// as [`Form::about`](super::Form::about) does.
    ///
    /// ```
    /// # use mcp_reprise::UrlPrompt;
    /// let prompt = UrlPrompt::new("Please pay.", "https://example.com/pay")?.about(&("order", 7));
    /// # Ok::<(), mcp_reprise::UrlError>(())
    /// ```
    pub fn about(mut self, value: &(impl Serialize + ?Sized)) -> Self {
        self.pin = Pin::to(value);
        self
    }

    /// Where the user is sent.
    ///
    /// ```
    /// # use mcp_reprise::UrlPrompt;
    /// let prompt = UrlPrompt::new("Please pay.", "https://example.com/pay")?;
    /// assert_eq!(prompt.url(), "https://example.com/pay");
    /// # Ok::<(), mcp_reprise::UrlError>(())
    /// ```
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The params of the `elicitation/create` request.
    pub(crate) fn params_json(&self) -> String {
        Written::object()
            .known(r#""mode":"url""#)
            .string("message", &self.message)
            .string("url", &self.url)
            .finish()
    }

    /// As for a form: what the question is pinned to.
    pub(crate) fn about_json(&self) -> Option<&str> {
        self.pin.json()
    }

    /// As for a form: what the author got wrong.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.pin.fault()
    }
}
