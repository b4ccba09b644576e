//! Whose lane a request over HTTP is: told by the message itself.

use http::{HeaderMap, Method};

use super::lines::is_modern;
use super::version::LegacyVersion;
use crate::json::Kind;
use crate::limits::Limits;
use crate::message::{self, Message};
use crate::protocol::PROTOCOL_VERSION;

/// Whose lane a request over HTTP is. The whole table is in the [module](super).
///
/// ```
/// use http::{HeaderMap, Method};
/// use mcp_reprise::{Limits, legacy::Lane};
///
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
/// let lane = Lane::of(&Method::POST, &HeaderMap::new(), body, &Limits::default());
/// assert_eq!(lane, Lane::Opening);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lane {
    /// The modern lane serves it, or refuses it.
    Modern,
    /// It opens a session.
    Opening,
    /// It belongs to the session it names.
    Session,
    /// It contradicts itself, or lacks its session: a refusal under 400, for this reason.
    Refused(&'static str),
}

/// What the version header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    Modern,
    Legacy,
    /// No version that there is, or several.
    Else,
}

/// What the body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// A request with the field that all modern ones carry.
    Modern,
    Initialize,
    /// Any other message, also one that cannot be read.
    Other,
}

impl Lane {
    /// Whose lane a request is.
    pub fn of(method: &Method, headers: &HeaderMap, body: &[u8], limits: &Limits) -> Self {
        let said = said(headers);
        let names_session = headers.contains_key(super::open::SESSION_ID);
        // The commonest requests need no look at their body here.
        if said == Said::Modern {
            return Self::Modern;
        }
        let body = match *method {
            Method::POST => kind_of(body, limits),
            _ => Body::Other,
        };
        match (body, said, names_session) {
            (Body::Modern, ..) => Self::Modern,
            (_, Said::Else, true) | (Body::Initialize, Said::Else, _) => {
                Self::Refused("MCP-Protocol-Version is no version that this server speaks")
            }
            (Body::Initialize, _, true) => {
                Self::Refused("An initialize opens a session, and this one names one")
            }
            (Body::Initialize, ..) => Self::Opening,
            (_, _, true) => Self::Session,
            (_, Said::Legacy, false) => Self::Refused("Mcp-Session-Id is missing"),
            (_, Said::Nothing, false) if *method != Method::POST => {
                Self::Refused("Mcp-Session-Id is missing")
            }
            _ => Self::Modern,
        }
    }
}

fn said(headers: &HeaderMap) -> Said {
    let mut lines = headers.get_all("mcp-protocol-version").iter();
    let Some(line) = lines.next() else {
        return Said::Nothing;
    };
    let text = line.to_str().unwrap_or_default();
    match text.trim_matches([' ', '\t']) {
        _ if lines.next().is_some() => Said::Else,
        PROTOCOL_VERSION => Said::Modern,
        text if LegacyVersion::parse(text).is_some() => Said::Legacy,
        _ => Said::Else,
    }
}

fn kind_of(body: &[u8], limits: &Limits) -> Body {
    let Ok(outline) = message::outline(body, limits) else {
        return Body::Other;
    };
    let json = outline.json();
    if json.kind() != Kind::Object {
        return Body::Other;
    }
    if is_modern(json.get("params")) {
        return Body::Modern;
    }
    match message::envelope(json) {
        Ok(Message::Request(request)) if request.method == "initialize" => Body::Initialize,
        _ => Body::Other,
    }
}
