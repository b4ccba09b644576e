//! The access token of a request.
//!
//! See [RFC 6750, section 2](https://www.rfc-editor.org/rfc/rfc6750#section-2), of whose three ways
//! [MCP](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#token-requirements)
//! has the header alone.

use ::http::header::{AUTHORIZATION, HeaderMap};
use ::http::request::Parts;
use ::http::uri::Uri;

use crate::challenge::Challenge;

/// The access token of a request, `None` where there is none: for the driver to check.
///
/// ```
/// use mcp_reprise::http::bearer;
///
/// # fn main() -> Result<(), http::Error> {
/// let request = http::Request::post("/mcp").header("authorization", "Bearer abc.def").body(())?;
/// assert_eq!(bearer(&request.into_parts().0), Ok(Some("abc.def")));
/// let request = http::Request::post("/mcp").body(())?;
/// assert_eq!(bearer(&request.into_parts().0), Ok(None));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The challenge to answer with. 401 where the credentials are of another scheme: the client did
/// not know what is asked for here. 400 where there are two `Authorization` lines, where the token
/// is no token, or where one is in the URI, which ends in logs.
pub fn bearer(head: &Parts) -> Result<Option<&str>, Challenge> {
    token(&head.uri, &head.headers)
}

pub(super) fn token<'a>(uri: &Uri, headers: &'a HeaderMap) -> Result<Option<&'a str>, Challenge> {
    if uri.query().is_some_and(has_token) {
        let fault = "An access token has no place in a URI";
        return Err(Challenge::invalid_request(fault));
    }
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    let Some(line) = lines.next() else {
        return Ok(None);
    };
    if lines.next().is_some() {
        return Err(Challenge::invalid_request(TWICE));
    }
    let malformed = || Challenge::invalid_request("The Authorization header holds no token");
    let line = line.to_str().map_err(|_| malformed())?;
    let line = line.trim_matches([' ', '\t']);
    let (scheme, token) = line.split_once(' ').unwrap_or((line, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Challenge::unauthorized());
    }
    let token = token.trim_start_matches(' ');
    if is_token(token) {
        Ok(Some(token))
    } else {
        Err(malformed())
    }
}

/// What is told of two lines: readers differ in which of them they take.
pub(super) const TWICE: &str = "The Authorization header is given more than once";

/// Whether the text is made as tokens are: some characters of base64 in either alphabet, and
/// then only its padding.
fn is_token(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let good = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
    };
    !body.is_empty() && body.bytes().all(good)
}

/// Whether a query has the parameter that other servers take a token in.
fn has_token(query: &str) -> bool {
    let mut names = query
        .split('&')
        .map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name));
    names.any(|name| name == "access_token")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::http::Request;

    fn told(uri: &str, lines: &[&[u8]]) -> Result<Option<String>, u16> {
        let mut request = Request::post(uri);
        for line in lines {
            request = request.header("authorization", *line);
        }
        let head = request.body(()).unwrap().into_parts().0;
        match bearer(&head) {
            Ok(token) => Ok(token.map(str::to_owned)),
            Err(challenge) => Err(challenge.status().as_u16()),
        }
    }

    #[test]
    fn tokens() {
        for good in [
            "Bearer a",
            "bearer a",
            "BEARER   a",
            " Bearer a ",
            "Bearer a\t",
        ] {
            let token = told("/", &[good.as_bytes()]);
            assert_eq!(token, Ok(Some("a".to_owned())), "{good:?}");
        }
        let token = told("/", &[b"Bearer mF_9.B5f-4.1JqM~+/=="]);
        assert_eq!(token, Ok(Some("mF_9.B5f-4.1JqM~+/==".to_owned())));
        assert_eq!(told("/", &[]), Ok(None));
    }

    #[test]
    fn another_scheme_is_as_no_token() {
        for other in ["Basic YTpi", "Bearerx a", "a", "", "DPoP a"] {
            assert_eq!(told("/", &[other.as_bytes()]), Err(401), "{other:?}");
        }
    }

    #[test]
    fn what_is_no_token_is_malformed() {
        for bad in [
            "Bearer",
            "Bearer ",
            "Bearer a b",
            "Bearer =",
            "Bearer a=b",
            "Bearer \"a\"",
            "Bearer a,b",
        ] {
            assert_eq!(told("/", &[bad.as_bytes()]), Err(400), "{bad:?}");
        }
        assert_eq!(told("/", &[b"Bearer \xff"]), Err(400));
    }

    #[test]
    fn two_lines_are_refused_whatever_they_say() {
        assert_eq!(told("/", &[b"Bearer a", b"Bearer a"]), Err(400));
        assert_eq!(told("/", &[b"Basic a", b"Bearer a"]), Err(400));
    }

    #[test]
    fn no_token_is_taken_from_the_uri() {
        for uri in ["/mcp?access_token=a", "/mcp?x&access_token"] {
            assert_eq!(told(uri, &[b"Bearer a"]), Err(400));
            assert_eq!(told(uri, &[]), Err(400));
        }
        assert_eq!(told("/mcp?my_access_token=a", &[]), Ok(None));
    }
}
