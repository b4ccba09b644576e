//! `WWW-Authenticate`: what a client is told that may not do what it asks for.
//!
//! See [RFC 6750, section 3](https://www.rfc-editor.org/rfc/rfc6750#section-3).

use http::header::{HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use crate::scope::is_scope;

/// Why a request is refused for want of a good access token, for the `WWW-Authenticate` header.
///
/// ```
/// use mcp_reprise::http::Challenge;
///
/// let challenge = Challenge::invalid_token("The token has expired");
/// assert_eq!(challenge.status(), 401);
/// assert_eq!(
///     challenge.to_string(),
///     r#"Bearer error="invalid_token", error_description="The token has expired""#,
/// );
/// let challenge = Challenge::insufficient_scope(["files:read", "files:write"]);
/// assert_eq!(challenge.status(), 403);
/// assert_eq!(
///     challenge.to_string(),
///     r#"Bearer error="insufficient_scope", scope="files:read files:write""#,
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    fault: Fault,
    description: String,
    scope: String,
    metadata: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// No token came: nothing is told but that one is needed.
    Unauthorized,
    InvalidRequest,
    InvalidToken,
    InsufficientScope,
}

impl Challenge {
    /// No token came, or one of another scheme: 401, and no error, since nothing was tried.
    ///
    /// ```
    /// use mcp_reprise::http::Challenge;
    ///
    /// let challenge = Challenge::unauthorized();
    /// assert_eq!((challenge.status().as_u16(), challenge.error()), (401, None));
    /// ```
    pub fn unauthorized() -> Self {
        Self::of(Fault::Unauthorized, "")
    }

    /// The request says its token in a way that is none: 400, `invalid_request`.
    ///
    /// ```
    /// use mcp_reprise::http::Challenge;
    ///
    /// let challenge = Challenge::invalid_request("There are two tokens");
    /// assert_eq!((challenge.status().as_u16(), challenge.error()), (400, Some("invalid_request")));
    /// ```
    pub fn invalid_request(description: &str) -> Self {
        Self::of(Fault::InvalidRequest, description)
    }

    /// The token has expired, was revoked, is for another server, or is none at all: 401,
    /// `invalid_token`.
    ///
    /// ```
    /// use mcp_reprise::http::Challenge;
    ///
    /// let challenge = Challenge::invalid_token("The token is for another server");
    /// assert_eq!((challenge.status().as_u16(), challenge.error()), (401, Some("invalid_token")));
    /// ```
    pub fn invalid_token(description: &str) -> Self {
        Self::of(Fault::InvalidToken, description)
    }

    /// The token is good, and does not allow this: 403, `insufficient_scope`. `scopes` are all
    /// that the request needs, so that the client has to ask its user only once.
    ///
    /// ```
    /// use mcp_reprise::http::Challenge;
    ///
    /// let challenge = Challenge::insufficient_scope(["files:write"]);
    /// assert_eq!(challenge.error(), Some("insufficient_scope"));
    /// ```
    pub fn insufficient_scope(scopes: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self::of(Fault::InsufficientScope, "").scopes(scopes)
    }

    fn of(fault: Fault, description: &str) -> Self {
        Self {
            fault,
            description: plain(description),
            scope: String::new(),
            metadata: String::new(),
        }
    }

    /// Names the scopes to ask for. What is no scope is left out: it could not be asked for.
    ///
    /// ```
    /// use mcp_reprise::http::Challenge;
    ///
    /// let challenge = Challenge::unauthorized().scopes(["mail:read", "no scope"]);
    /// assert_eq!(challenge.to_string(), r#"Bearer scope="mail:read""#);
    /// ```
    #[must_use]
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.scope.clear();
        for scope in scopes {
            let scope = scope.as_ref();
            if !is_scope(scope) {
                continue;
            }
            if !self.scope.is_empty() {
                self.scope.push(' ');
            }
            self.scope.push_str(scope);
        }
        self
    }

    /// Names the URL of the metadata document, which is a URL by the hands of our own.
    #[must_use]
    pub(crate) fn metadata(mut self, url: &str) -> Self {
        url.clone_into(&mut self.metadata);
        self
    }

    /// The status it travels under.
    pub fn status(&self) -> StatusCode {
        match self.fault {
            Fault::Unauthorized | Fault::InvalidToken => StatusCode::UNAUTHORIZED,
            Fault::InvalidRequest => StatusCode::BAD_REQUEST,
            Fault::InsufficientScope => StatusCode::FORBIDDEN,
        }
    }

    /// The `error` it names, if any.
    pub fn error(&self) -> Option<&'static str> {
        match self.fault {
            Fault::Unauthorized => None,
            Fault::InvalidRequest => Some("invalid_request"),
            Fault::InvalidToken => Some("invalid_token"),
            Fault::InsufficientScope => Some("insufficient_scope"),
        }
    }

    /// What it says in words, for the body and for the log.
    pub(crate) fn sentence(&self) -> &str {
        match self.fault {
            _ if !self.description.is_empty() => &self.description,
            Fault::Unauthorized => "An access token is needed",
            Fault::InvalidRequest => "The access token is not well put",
            Fault::InvalidToken => "The access token is not valid",
            Fault::InsufficientScope => "The access token does not allow this",
        }
    }

    /// The value of the `WWW-Authenticate` header.
    pub(crate) fn header(&self) -> HeaderValue {
        // Every part was checked to be visible ASCII, so this is no more than a way to say so.
        HeaderValue::from_str(&self.to_string()).unwrap_or(HeaderValue::from_static("Bearer"))
    }

    /// The response to a request that is refused by this, without a body: for a driver's own
    /// middleware.
    ///
    /// ```
    /// use mcp_reprise::http::Challenge;
    ///
    /// let response = Challenge::unauthorized().response();
    /// assert_eq!(response.status(), 401);
    /// assert_eq!(response.headers()["www-authenticate"], "Bearer");
    /// ```
    pub fn response(&self) -> Response<Vec<u8>> {
        let mut response = Response::new(Vec::new());
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(WWW_AUTHENTICATE, self.header());
        response
    }
}

impl std::fmt::Display for Challenge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bearer")?;
        let mut comma = "";
        for (name, value) in [
            ("error", self.error().unwrap_or_default()),
            ("error_description", &*self.description),
            ("scope", &*self.scope),
            ("resource_metadata", &*self.metadata),
        ] {
            if !value.is_empty() {
                write!(f, "{comma} {name}=\"{value}\"")?;
                comma = ",";
            }
        }
        Ok(())
    }
}

/// Adds to a challenge that is written already where the metadata document is.
pub(crate) fn point(headers: &mut HeaderMap, url: &str) {
    let Some(written) = headers.get(WWW_AUTHENTICATE) else {
        return;
    };
    let text = written.to_str().unwrap_or("Bearer");
    let comma = if text.contains(' ') { "," } else { "" };
    let pointed = format!("{text}{comma} resource_metadata=\"{url}\"");
    if let Ok(pointed) = HeaderValue::from_str(&pointed) {
        headers.insert(WWW_AUTHENTICATE, pointed);
    }
}

/// A description as the header may hold it. Quotes and backslashes are not allowed in it, not
/// even escaped; a quote becomes an apostrophe, and anything else a question mark.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '"' => '\'',
            ' '..='~' if c != '\\' => c,
            _ => '?',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_cannot_leave_its_quotes() {
        let challenge = Challenge::invalid_token("no \"x\", realm=\"\\\r\nSet-Cookie: ü");
        assert_eq!(
            challenge.to_string(),
            r#"Bearer error="invalid_token", error_description="no 'x', realm='???Set-Cookie: ?""#
        );
        assert_eq!(
            challenge.header().to_str().ok(),
            Some(&*challenge.to_string())
        );
    }

    #[test]
    fn a_pointer_stands_behind_what_is_written() {
        for (challenge, pointed) in [
            (
                Challenge::unauthorized(),
                r#"Bearer resource_metadata="https://a.example/m""#,
            ),
            (
                Challenge::insufficient_scope(["a"]),
                r#"Bearer error="insufficient_scope", scope="a", resource_metadata="https://a.example/m""#,
            ),
        ] {
            let mut headers = HeaderMap::new();
            point(&mut headers, "https://a.example/m");
            assert!(headers.is_empty(), "there is nothing to add to");
            headers.insert(WWW_AUTHENTICATE, challenge.header());
            point(&mut headers, "https://a.example/m");
            assert_eq!(headers[WWW_AUTHENTICATE], pointed);
            let whole = challenge.metadata("https://a.example/m");
            assert_eq!(whole.to_string(), pointed);
        }
    }
}
