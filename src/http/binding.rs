//! The binding check: what the headers say is what the body says.
//!
//! A gateway routes by the headers and this server acts by the body, so the two must not differ
//! by a byte. See [Server Validation](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation).

use std::borrow::Cow;

use ::http::header::{HeaderMap, HeaderName};

use super::sentinel;
use crate::json::{Json, Kind, Number, ReadLimits};
use crate::question::is_integer;
use crate::tool::{HeaderParam, HeaderParamKind};

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// A header and what is wrong with it. Its value is never repeated: it may hold anything.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mismatch<'a> {
    header: &'a str,
    fault: Fault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Missing,
    Twice,
    Characters,
    Base64,
    Differs,
    NothingToMirror,
}

impl std::fmt::Display for Mismatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fault = match self.fault {
            Fault::Missing => "is missing",
            Fault::Twice => "is given more than once",
            Fault::Characters => "holds characters that a header may not hold",
            Fault::Base64 => "is not valid Base64 of UTF-8",
            Fault::Differs => "differs from the body",
            Fault::NothingToMirror => "mirrors a parameter that the body does not have",
        };
        write!(f, "Header mismatch: {} {fault}", self.header)
    }
}

fn fault(header: &str, fault: Fault) -> Mismatch<'_> {
    Mismatch { header, fault }
}

/// Whether the version header says what the body says.
pub(super) fn version(headers: &HeaderMap, body: &str) -> Result<(), Mismatch<'static>> {
    plain(headers, &VERSION, "MCP-Protocol-Version", body)
}

/// Whether the method header says what the body says.
pub(super) fn method(headers: &HeaderMap, body: &str) -> Result<(), Mismatch<'static>> {
    plain(headers, &METHOD, "Mcp-Method", body)
}

fn plain<'a>(
    headers: &HeaderMap,
    name: &HeaderName,
    shown: &'a str,
    body: &str,
) -> Result<(), Mismatch<'a>> {
    let value = one(headers, name, shown)?.ok_or(fault(shown, Fault::Missing))?;
    if value == body {
        Ok(())
    } else {
        Err(fault(shown, Fault::Differs))
    }
}

/// Whether the name header says what the method executes: the name of a tool or a prompt, the URI
/// of a resource, and nothing else that stands beside it.
pub(super) fn name(headers: &HeaderMap, body: &str) -> Result<(), Mismatch<'static>> {
    let shown = "Mcp-Name";
    let value = decoded(headers, &NAME, shown)?.ok_or(fault(shown, Fault::Missing))?;
    if value == body {
        Ok(())
    } else {
        Err(fault(shown, Fault::Differs))
    }
}

/// Whether the headers of a tool's annotated parameters say what its arguments say.
///
/// A value of another type than its schema allows is compared by its own type: the header says
/// what the body says, and whether that is a good argument is for the tool to tell. An array or
/// an object has no form in a header, and is refused here. So is an integer beyond what every reader
/// has exactly, where an integer is mirrored.
pub(super) fn params<'a>(
    headers: &HeaderMap,
    params: &'a [HeaderParam],
    arguments: Json<'_>,
) -> Result<(), Mismatch<'a>> {
    params
        .iter()
        .try_for_each(|param| self::param(headers, param, arguments))
}

fn param<'a>(
    headers: &HeaderMap,
    param: &'a HeaderParam,
    arguments: Json<'_>,
) -> Result<(), Mismatch<'a>> {
    let shown = param.display.as_str();
    let mut path = param.path.iter();
    let value = path.try_fold(arguments, |value, name| value.get(name));
    let Some(value) = value.filter(|value| !value.is_null()) else {
        return match headers.contains_key(&param.header) {
            true => Err(fault(shown, Fault::NothingToMirror)),
            false => Ok(()),
        };
    };
    let sent = decoded(headers, &param.header, shown)?;
    let sent = sent.ok_or(fault(shown, Fault::Missing))?;
    let same = match value.kind() {
        Kind::String => value.as_str().is_some_and(|text| text == sent),
        Kind::Bool => value.text() == sent,
        Kind::Number => value
            .as_number()
            .is_some_and(|number| is_same(number, &sent, param.kind)),
        Kind::Null | Kind::Array | Kind::Object => false,
    };
    if same {
        Ok(())
    } else {
        Err(fault(shown, Fault::Differs))
    }
}

/// Whether a header says this number, in JSON's own spelling of numbers.
fn is_same(number: Number<'_>, sent: &str, kind: HeaderParamKind) -> bool {
    let limits = ReadLimits {
        depth: 1,
        members: 1,
        string: 1,
    };
    // No white space is part of a number.
    let sent = Json::read(sent.as_bytes(), &limits)
        .ok()
        .filter(|json| json.text().len() == sent.len())
        .and_then(Json::as_number);
    let Some(sent) = sent else { return false };
    match (number.safe_integer(), sent.safe_integer()) {
        (Some(recorded), Some(attempted)) => recorded == attempted,
        // The argument is refused further on, as is any of a wrong type.
        (None, None) => {
            let too_large = kind == HeaderParamKind::Integer && is_integer(number);
            number.text() == sent.text() && !too_large
        }
        _ => false,
    }
}

fn decoded<'a, 'b>(
    headers: &'b HeaderMap,
    name: &HeaderName,
    shown: &'a str,
) -> Result<Option<Cow<'b, str>>, Mismatch<'a>> {
    match one(headers, name, shown)? {
        None => Ok(None),
        Some(value) => match sentinel::decode(value) {
            Some(text) => Ok(Some(text)),
            None => Err(fault(shown, Fault::Base64)),
        },
    }
}

/// The value of a header that may stand once, without the white space around it.
fn one<'a, 'b>(
    headers: &'b HeaderMap,
    name: &HeaderName,
    shown: &'a str,
) -> Result<Option<&'b str>, Mismatch<'a>> {
    let mut lines = headers.get_all(name).iter();
    let Some(line) = lines.next() else {
        return Ok(None);
    };
    if lines.next().is_some() {
        return Err(fault(shown, Fault::Twice));
    }
    match line.to_str() {
        Ok(text) => Ok(Some(text.trim_matches([' ', '\t']))),
        Err(_) => Err(fault(shown, Fault::Characters)),
    }
}
