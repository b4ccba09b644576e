//! The header rules of the specification, written down slowly and plainly.
//!
//! It shares no code with the crate and knows nothing of speed. See
//! [Server validation](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A request as far as the rules look at it.
#[derive(Debug, Clone)]
pub struct Facts {
    pub version: String,
    pub method: String,
    /// `params.name`.
    pub name: Option<String>,
    /// `params.uri`.
    pub uri: Option<String>,
    /// The annotated parameters of the tool that is called: header name and value.
    pub params: Vec<(&'static str, Param)>,
}

/// The value of an annotated parameter in the body.
#[derive(Debug, Clone)]
pub enum Param {
    /// Absent or null.
    Absent,
    String(String),
    /// The number as it is written in the body.
    Integer(String),
    Boolean(bool),
}

/// Whether the headers say what the body says.
pub fn agree(headers: &[(String, Vec<u8>)], facts: &Facts) -> bool {
    if one(headers, "mcp-protocol-version").as_deref() != Some(&*facts.version) {
        return false;
    }
    if one(headers, "mcp-method").as_deref() != Some(&*facts.method) {
        return false;
    }
    let named = match &*facts.method {
        "tools/call" | "prompts/get" => Some(&facts.name),
        "resources/read" => Some(&facts.uri),
        _ => None,
    };
    if let Some(named) = named {
        let sent = one(headers, "mcp-name").and_then(|value| decode(&value));
        if sent.is_none() || sent != *named {
            return false;
        }
    }
    facts.params.iter().all(|(header, param)| {
        let lines = headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(header))
            .count();
        let sent = one(headers, header).and_then(|value| decode(&value));
        match (param, sent) {
            (Param::Absent, _) => lines == 0,
            (_, None) => false,
            (Param::String(value), Some(sent)) => sent == *value,
            (Param::Boolean(value), Some(sent)) => sent == value.to_string(),
            (Param::Integer(value), Some(sent)) => {
                let value = integer(value);
                value.is_some() && value == integer(&sent)
            }
        }
    })
}

/// The value of a header that stands exactly once, as text that a header may hold.
fn one(headers: &[(String, Vec<u8>)], wanted: &str) -> Option<String> {
    let mut lines = headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    let (_, value) = lines.next()?;
    if lines.next().is_some() {
        return None;
    }
    let value = String::from_utf8(value.clone()).ok()?;
    let value = value.trim_matches([' ', '\t']).to_owned();
    let plain = |c: char| c == '\t' || (' '..='~').contains(&c);
    value.chars().all(plain).then_some(value)
}

/// What a value means: itself, or what its Base64 holds.
fn decode(value: &str) -> Option<String> {
    if !(value.starts_with("=?base64?") && value.ends_with("?=")) {
        return Some(value.to_owned());
    }
    let inner = value.strip_prefix("=?base64?")?.strip_suffix("?=")?;
    let bytes = STANDARD.decode(inner).ok()?;
    // Only the canonical spelling of these bytes.
    (STANDARD.encode(&bytes) == inner).then_some(())?;
    String::from_utf8(bytes).ok()
}

/// The integer a JSON number is, within the range that every reader has exactly.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        None => (digits, 0),
        Some((mantissa, exponent)) => {
            let plain = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            (mantissa, exponent.parse::<i64>().ok()?)
        }
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        None => (mantissa, ""),
        Some((_, "")) => return None,
        Some(parts) => parts,
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let mut digits: Vec<u8> = whole
        .bytes()
        .chain(fraction.bytes())
        .map(|byte| byte - b'0')
        .collect();
    let mut exponent = exponent - fraction.len() as i64;
    if digits.iter().all(|digit| *digit == 0) {
        return Some(0);
    }
    while exponent < 0 {
        if digits.pop() != Some(0) {
            return None;
        }
        exponent += 1;
    }
    let mut value: i128 = 0;
    for digit in digits
        .into_iter()
        .map(i128::from)
        .chain((0..exponent.min(40)).map(|_| 0))
    {
        value = value.checked_mul(10)?.checked_add(digit)?;
        if value >= 1 << 53 {
            return None;
        }
    }
    let value = i64::try_from(value).ok()?;
    Some(if negative { -value } else { value })
}
