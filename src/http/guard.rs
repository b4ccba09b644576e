//! Who may talk to the endpoint: `Host` and `Origin`, against DNS rebinding.
//!
//! See [Security & Endpoint](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security--endpoint).

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
    hosts: Vec<Place>,
    origins: Vec<Origin>,
}

/// A host, and its port where that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    host: String,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    scheme: String,
    place: Place,
}

/// Why a request is kept out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptOut {
    Host,
    Origin,
}

impl Guards {
    pub(super) fn allow_host(&mut self, host: &str) -> Result<(), GuardError> {
        let place = Place::read(host).ok_or_else(|| GuardError::Host(host.to_owned()))?;
        self.hosts.push(place);
        Ok(())
    }

    pub(super) fn allow_origin(&mut self, origin: &str) -> Result<(), GuardError> {
        let read = Origin::read(origin).ok_or_else(|| GuardError::Origin(origin.to_owned()))?;
        self.origins.push(read);
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
        let listed = |known: &Place| {
            known.host == place.host && (known.port.is_none() || known.port == place.port)
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
            .is_some_and(|origin| origin.place.is_loopback() || self.origins.contains(&origin))
    }
}

/// The text of a header that stands exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut lines = headers.get_all(name).iter();
    let text = lines.next()?.to_str().ok()?;
    lines.next().is_none().then_some(text)
}

impl Place {
    /// Reads `host` or `host:port`; an address of IPv6 stands in brackets. Whoever writes a user
    /// in front of it wants the host to be taken for another.
    fn read(text: &str) -> Option<Self> {
        let authority: Authority = text.parse().ok()?;
        if text.contains('@') || authority.host().is_empty() {
            return None;
        }
        let after = text.get(authority.host().len()..)?;
        let port = match after.strip_prefix(':') {
            None => None,
            Some(_) => Some(authority.port_u16()?),
        };
        Some(Self {
            host: authority.host().to_ascii_lowercase(),
            port,
        })
    }

    /// Whether it is this machine by every resolver: a name with a dot at its end is not.
    fn is_loopback(&self) -> bool {
        let v6 = || {
            let inner = self.host.strip_prefix('[')?.strip_suffix(']')?;
            inner.parse::<Ipv6Addr>().ok()
        };
        self.host == "localhost"
            || self
                .host
                .parse::<Ipv4Addr>()
                .is_ok_and(|v4| v4.is_loopback())
            || v6().is_some_and(|v6| v6.is_loopback())
    }
}

impl Origin {
    /// Reads `scheme://host` or `scheme://host:port`, and nothing after it.
    fn read(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(good) {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let mut place = Place::read(rest)?;
        let usual = match &*scheme {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        place.port = place.port.or(usual);
        Some(Self { scheme, place })
    }
}
