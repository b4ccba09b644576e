//! `Accept`, `Content-Type` and `Content-Encoding`.

use ::http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};

/// Whether the body says that it is JSON in UTF-8.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(CONTENT_TYPE).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else {
        return false;
    };
    // The plainest spelling is the commonest.
    if line.as_bytes() == b"application/json" {
        return true;
    }
    let Ok(text) = line.to_str() else {
        return false;
    };
    let mut parts = split(text, ';');
    let named = parts
        .next()
        .is_some_and(|name| name.eq_ignore_ascii_case("application/json"));
    named && parts.all(is_good_parameter)
}

/// Whether the body comes as it is. A client that is refused for a coding is told that none is
/// taken ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16)).
pub(super) fn is_plain(headers: &HeaderMap) -> bool {
    headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// JSON is UTF-8, whatever else is said of it.
fn is_good_parameter(parameter: &str) -> bool {
    match parameter.split_once('=') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
            let value = value.trim();
            let quoted = value.strip_prefix('"').map(|rest| rest.strip_suffix('"'));
            quoted
                .unwrap_or(Some(value))
                .is_some_and(|value| value.eq_ignore_ascii_case("utf-8"))
        }
        _ => true,
    }
}

/// How long the body says it is. A length past all numbers is the largest.
pub(super) fn length(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get(CONTENT_LENGTH)?.to_str().ok()?;
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Whether the client takes a stream of events.
pub(super) fn takes_events(headers: &HeaderMap) -> bool {
    !headers.contains_key(ACCEPT) || takes(headers, "text", "event-stream")
}

/// Whether the client takes both forms an answer may have.
///
/// Without an `Accept` header it takes anything
/// ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1)).
pub(super) fn takes_both_forms(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(ACCEPT).iter();
    match (lines.next(), lines.next()) {
        (None, _) => return true,
        // The plainest spelling is the commonest.
        (Some(line), None) if line == "application/json, text/event-stream" => return true,
        _ => {}
    }
    takes(headers, "application", "json") && takes(headers, "text", "event-stream")
}

/// Whether a media type is admitted: the range that fits it most closely decides.
fn takes(headers: &HeaderMap, kind: &str, subkind: &str) -> bool {
    let lines = headers.get_all(ACCEPT).iter();
    let ranges = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| split(line, ','));
    let mut closest = 0;
    let mut taken = false;
    for range in ranges {
        let mut parts = split(range, ';');
        let Some((ranged, subranged)) = parts.next().and_then(|name| name.split_once('/')) else {
            continue;
        };
        let closeness = match (ranged.trim(), subranged.trim()) {
            ("*", "*") => 1,
            (ranged, "*") if ranged.eq_ignore_ascii_case(kind) => 2,
            (ranged, subranged)
                if ranged.eq_ignore_ascii_case(kind) && subranged.eq_ignore_ascii_case(subkind) =>
            {
                3
            }
            _ => continue,
        };
        if closeness >= closest {
            // Of two that fit as closely, one that admits is enough.
            let admits = parts.find_map(admits).unwrap_or(true);
            taken = admits || (closeness == closest && taken);
            closest = closeness;
        }
    }
    taken
}

/// Whether a weight admits anything, of a parameter `q`. One that is no weight does not.
///
/// A weight is a number from 0 to 1 with at most three decimals
/// ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2)).
fn admits(parameter: &str) -> Option<bool> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let good = decimals.len() <= 3 && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let zero = decimals.bytes().all(|byte| byte == b'0');
    Some(match whole {
        "0" => good && !zero,
        "1" => good && zero,
        _ => false,
    })
}

/// The trimmed pieces of a list, whose quoted strings may hold the separator.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    text.split(move |c| {
        let was_escaped = std::mem::take(&mut escaped);
        if quoted && !was_escaped && c == '\\' {
            escaped = true;
        } else if c == '"' && !was_escaped {
            quoted = !quoted;
        }
        c == separator && !quoted
    })
    .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(lines: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT, line.parse().unwrap());
        }
        takes_both_forms(&headers)
    }

    #[test]
    fn both_forms_must_be_admitted() {
        assert!(accepts(&[]));
        assert!(accepts(&["application/json, text/event-stream"]));
        assert!(accepts(&[
            "text/event-stream;q=1 , application/json ; q=0.5"
        ]));
        assert!(accepts(&["Application/JSON", "TEXT/event-stream"]));
        assert!(accepts(&["*/*"]));
        assert!(accepts(&["application/*, text/*;q=0.1"]));
        assert!(accepts(&[
            r#"text/html;x="a,b", application/json, text/event-stream"#
        ]));
        assert!(!accepts(&["application/json"]));
        assert!(!accepts(&["text/event-stream"]));
        assert!(!accepts(&["*/*, application/json;q=0"]));
        assert!(!accepts(&["application/json, text/event-stream;q=0.000"]));
        assert!(!accepts(&[
            r#"text/html;x="application/json, text/event-stream""#
        ]));
        assert!(!accepts(&["application/jsonp, text/event-stream"]));
        assert!(!accepts(&["application/json, text/event-stream;q=x"]));
        assert!(!accepts(&[""]));
        assert!(accepts(&["*/*;q=0, application/json, text/event-stream"]));
        for weight in ["5", "inf", "NaN", "-1", "0.0001", "1.001", "0.5x", "", ".5"] {
            let ranges = format!("application/json;q={weight}, text/event-stream");
            assert!(!accepts(&[&ranges]), "{weight}");
        }
        for weight in ["1", "1.", "1.000", "0.001"] {
            let ranges = format!("application/json;q={weight}, text/event-stream");
            assert!(accepts(&[&ranges]), "{weight}");
        }
    }

    fn is_taken(types: &[&str], encoding: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        for line in types {
            headers.append(CONTENT_TYPE, line.parse().unwrap());
        }
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, encoding.parse().unwrap());
        }
        is_json(&headers) && is_plain(&headers)
    }

    #[test]
    fn the_body_must_be_plain_json_in_utf_8() {
        assert!(is_taken(&["application/json"], None));
        assert!(is_taken(&["Application/Json ; charset=UTF-8"], None));
        assert!(is_taken(
            &[r#"application/json;charset="utf-8""#],
            Some("identity")
        ));
        assert!(!is_taken(&[], None));
        assert!(!is_taken(&["application/json", "application/json"], None));
        assert!(!is_taken(&["application/jsonp"], None));
        assert!(!is_taken(&["application/json, text/plain"], None));
        assert!(!is_taken(&["application/json;charset=latin1"], None));
        assert!(!is_taken(&["text/plain"], None));
        assert!(!is_taken(&[r#"application/json;charset="utf-8"#], None));
        assert!(!is_taken(&[r#"application/json;charset=utf-8""#], None));
        assert!(!is_taken(&["application/json"], Some("gzip")));
    }
}
