//! Who may talk to the endpoint: `Host` and `Origin`, against DNS rebinding.
//!
//! See [Security & Endpoint](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security--endpoint).

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use ::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use ::http::uri::Authority;

/// A host or an origin that cannot be allowed, since it is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuardError {
    /// Not a host with an optional port.
    #[error("{0:?} is not a host, as in example.com or example.com:8443")]
    Host(String),
    /// Not a scheme, a host and an optional port.
    #[error("{0:?} is not an origin, as in https://example.com")]
    Origin(String),
}

/// What the guards let in besides loopback.
#[derive(Debug, Clone, Default)]
pub(super) struct Guards {
    any_host: bool,
    any_origin: bool,
    hosts: Vec<Place<'static>>,
    origins: Vec<Origin<'static>>,
}

/// A host, and its port where that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place<'a> {
    host: Host<'a>,
    port: Option<u16>,
}

/// A host by what it is, so that two spellings of one address are one host.
#[derive(Debug, Clone)]
enum Host<'a> {
    V4(Ipv4Addr),
    V6(Ipv6Addr),
    Name(Cow<'a, str>),
}

impl PartialEq for Host<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::V4(one), Self::V4(other)) => one == other,
            (Self::V6(one), Self::V6(other)) => one == other,
            (Self::Name(one), Self::Name(other)) => one.eq_ignore_ascii_case(other),
            _ => false,
        }
    }
}

impl Eq for Host<'_> {}

#[derive(Debug, Clone)]
struct Origin<'a> {
    scheme: Cow<'a, str>,
    place: Place<'a>,
}

impl PartialEq for Origin<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.scheme.eq_ignore_ascii_case(&other.scheme) && self.place == other.place
    }
}

impl Eq for Origin<'_> {}

/// Why a request is kept out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptOut {
    Host,
    Origin,
}

impl Guards {
    pub(super) fn allow_host(&mut self, host: &str) -> Result<(), GuardError> {
        let place = Place::read(host).ok_or_else(|| GuardError::Host(host.to_owned()))?;
        self.hosts.push(place.into_owned());
        Ok(())
    }

    pub(super) fn allow_origin(&mut self, origin: &str) -> Result<(), GuardError> {
        let read = Origin::read(origin).ok_or_else(|| GuardError::Origin(origin.to_owned()))?;
        self.origins.push(Origin {
            scheme: Cow::Owned(read.scheme.into_owned()),
            place: read.place.into_owned(),
        });
        Ok(())
    }

    pub(super) fn allow_any_host(&mut self) {
        self.any_host = true;
    }

    pub(super) fn allow_any_origin(&mut self) {
        self.any_origin = true;
    }

    /// Whether a request may come in.
    pub(super) fn admit(&self, uri: &::http::Uri, headers: &HeaderMap) -> Result<(), KeptOut> {
        if !self.any_host && !self.host_is_good(uri, headers) {
            return Err(KeptOut::Host);
        }
        if !self.any_origin && !self.origin_is_good(headers) {
            return Err(KeptOut::Origin);
        }
        Ok(())
    }

    /// Every place that says which host is meant must mean a good one, and one must say it: the
    /// `Host` header, and in HTTP/2 the authority of the URI.
    fn host_is_good(&self, uri: &::http::Uri, headers: &HeaderMap) -> bool {
        let authority = uri.authority().map(Authority::as_str);
        if headers.contains_key(HOST) {
            let Some(host) = only(headers, &HOST) else {
                return false;
            };
            return self.is_good_host(host)
                && authority.is_none_or(|authority| self.is_good_host(authority));
        }
        authority.is_some_and(|authority| self.is_good_host(authority))
    }

    fn is_good_host(&self, text: &str) -> bool {
        let Some(place) = Place::read(text) else {
            return false;
        };
        let listed = |known: &Place<'_>| {
            let same_port = match (known.port, place.port) {
                (None, _) => true,
                // Clients leave out the port that their scheme implies, and which scheme that is
                // the proxy in front knows better than we.
                (Some(port), None) => port == 80 || port == 443,
                (Some(known), Some(port)) => known == port,
            };
            known.host == place.host && same_port
        };
        place.is_loopback() || self.hosts.iter().any(listed)
    }

    /// A request without an origin comes from no web page.
    fn origin_is_good(&self, headers: &HeaderMap) -> bool {
        if !headers.contains_key(ORIGIN) {
            return true;
        }
        only(headers, &ORIGIN)
            .and_then(Origin::read)
            .is_some_and(|origin| origin.is_loopback() || self.origins.contains(&origin))
    }
}

/// Whether a text is `https://` and a host, or `http://` and one of this machine's.
pub(super) fn is_web(text: &str) -> bool {
    Origin::read(text).is_some_and(|origin| {
        origin.scheme.eq_ignore_ascii_case("https")
            || (origin.scheme.eq_ignore_ascii_case("http") && origin.place.is_loopback())
    })
}

/// The text of a header that stands exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut lines = headers.get_all(name).iter();
    let text = lines.next()?.to_str().ok()?;
    lines.next().is_none().then_some(text)
}

impl<'a> Place<'a> {
    /// Reads `host` or `host:port`, and nothing else: no user in front, no text between the
    /// bracket of an address and its port.
    fn read(text: &'a str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, after) = rest.split_once(']')?;
                let port = match after {
                    "" => None,
                    _ => Some(after.strip_prefix(':')?),
                };
                (Host::V6(address.parse().ok()?), port)
            }
            None => match text.split_once(':') {
                Some((host, port)) => (Host::read(host)?, Some(port)),
                None => (Host::read(text)?, None),
            },
        };
        let port = match port {
            None => None,
            // A number's own reader would take a sign.
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            Some(_) => return None,
        };
        Some(Self { host, port })
    }

    /// Whether it is this machine by every resolver.
    fn is_loopback(&self) -> bool {
        match &self.host {
            Host::V4(address) => address.is_loopback(),
            Host::V6(address) => address.is_loopback(),
            Host::Name(name) => name.eq_ignore_ascii_case("localhost"),
        }
    }

    fn into_owned(self) -> Place<'static> {
        Place {
            host: match self.host {
                Host::V4(address) => Host::V4(address),
                Host::V6(address) => Host::V6(address),
                Host::Name(name) => Host::Name(Cow::Owned(name.into_owned())),
            },
            port: self.port,
        }
    }
}

impl<'a> Host<'a> {
    /// Reads a name, or an address of IPv4 in four plain numbers. A name with a dot at its end is
    /// none: not every resolver takes it for the name without.
    fn read(text: &'a str) -> Option<Self> {
        if let Ok(address) = text.parse() {
            return Some(Self::V4(address));
        }
        let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let named = text
            .split('.')
            .all(|label| !label.is_empty() && label.bytes().all(good));
        named.then_some(Self::Name(Cow::Borrowed(text)))
    }
}

impl<'a> Origin<'a> {
    /// Reads `scheme://host` or `scheme://host:port`, and nothing after it.
    fn read(text: &'a str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(good) {
            return None;
        }
        let mut place = Place::read(rest)?;
        let usual = if scheme.eq_ignore_ascii_case("http") {
            Some(80)
        } else if scheme.eq_ignore_ascii_case("https") {
            Some(443)
        } else {
            None
        };
        place.port = place.port.or(usual);
        Some(Self {
            scheme: Cow::Borrowed(scheme),
            place,
        })
    }

    /// Whether it is a web page of this machine's. What other schemes call their host is theirs.
    fn is_loopback(&self) -> bool {
        let web = ["http", "https"];
        web.iter().any(|web| self.scheme.eq_ignore_ascii_case(web)) && self.place.is_loopback()
    }
}
