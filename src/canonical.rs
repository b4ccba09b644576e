//! Canonical JSON text: one text for one value, however it was written.
//!
//! Object keys are sorted by Unicode code point, white space is gone, strings
//! have one escaping, and numbers are written by their exact decimal value, so
//! that `1`, `1.0` and `10e-1` are one text and `-0` is `0`. The bindings of
//! sealed state and the journal's fingerprints are taken over this text: a
//! client that spells the same arguments another way is asking for the same
//! call.
//!
//! The text is itself JSON, and its canonical text is itself.

use std::borrow::Cow;
use std::io::Write as _;

use crate::json::{Json, Kind, Number, Outline, ReadLimits};

/// How many levels are put in order. The reader's depth limit is far below it;
/// it stands here so that no caller's mistake can exhaust the stack.
const LEVELS: usize = 512;

/// Appends the canonical text of `value` to `out`.
///
/// A number whose exponent as written does not fit an `i64` (and whose value
/// is not zero) keeps its own text, lower-cased: such numbers are one only
/// when written alike. What lies deeper than 512 levels keeps its own text
/// likewise.
///
/// Time is at most the length of the text times its depth, because without the
/// notes of an [`Outline`] each level finds its members' ends anew, and a sort of
/// each object's keys.
pub(crate) fn canonical(value: Json<'_>, out: &mut Vec<u8>) {
    append(value, LEVELS, out);
}

/// Appends the canonical text of a text the crate itself kept or wrote. With a
/// [`Json`] at hand, [`canonical`] saves reading it again.
///
/// A text the reader refuses is appended as it is. It cannot be taken for any
/// value's canonical text, since that is always a text the reader accepts.
pub(crate) fn canonical_text(text: &str, out: &mut Vec<u8>) {
    // Whoever let the text in has bounded its size; depth bounds itself here.
    let limits = ReadLimits {
        depth: LEVELS,
        members: usize::MAX,
        string: usize::MAX,
    };
    match Outline::read(text.as_bytes(), &limits) {
        Ok(outline) => canonical(outline.json(), out),
        Err(_) => out.extend_from_slice(text.as_bytes()),
    }
}

fn append(value: Json<'_>, levels: usize, out: &mut Vec<u8>) {
    let Some(levels) = levels.checked_sub(1) else {
        out.extend_from_slice(value.text().as_bytes());
        return;
    };
    match value.kind() {
        Kind::Null | Kind::Bool => out.extend_from_slice(value.text().as_bytes()),
        Kind::Number => {
            if let Some(number) = value.as_number() {
                append_number(number, out);
            }
        }
        Kind::String => append_string(value.as_str().unwrap_or_default(), out),
        Kind::Array => {
            out.push(b'[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                append(element, levels, out);
            }
            out.push(b']');
        }
        Kind::Object => append_object(value, levels, out),
    }
}

fn append_object(value: Json<'_>, levels: usize, out: &mut Vec<u8>) {
    let mut members: Vec<(Cow<'_, str>, Json<'_>)> = value.members().collect();
    // Bytes of UTF-8 sort as the code points do. The reader refuses duplicate
    // keys, so equal ones need no order.
    members.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    out.push(b'{');
    for (index, (key, member)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        append_string(key, out);
        out.push(b':');
        append(member, levels, out);
    }
    out.push(b'}');
}

/// Escapes what JSON says must be escaped and nothing else: the quote and the
/// backslash by a backslash, control characters as `\u00xx`.
fn append_string(text: Cow<'_, str>, out: &mut Vec<u8>) {
    out.push(b'"');
    match text {
        // Written without escapes, so nothing in it needs one.
        Cow::Borrowed(plain) => out.extend_from_slice(plain.as_bytes()),
        Cow::Owned(text) => append_escaped(&text, out),
    }
    out.push(b'"');
}

fn append_escaped(text: &str, out: &mut Vec<u8>) {
    for plain in text
        .as_bytes()
        .chunk_by(|a, b| !special(*a) && !special(*b))
    {
        match plain {
            [byte @ (b'"' | b'\\')] => out.extend_from_slice(&[b'\\', *byte]),
            [byte] if special(*byte) => append_display(format_args!("\\u{byte:04x}"), out),
            plain => out.extend_from_slice(plain),
        }
    }
}

fn special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Sign, digits without zeros at either end, `e`, exponent: `25e-1`, `0e0`.
fn append_number(number: Number<'_>, out: &mut Vec<u8>) {
    let decimal = number.decimal();
    let Some(exponent) = decimal.exponent else {
        out.extend(number.text().bytes().map(|byte| byte.to_ascii_lowercase()));
        return;
    };
    if decimal.negative {
        out.push(b'-');
    }
    if decimal.head.is_empty() && decimal.tail.is_empty() {
        out.push(b'0');
    }
    out.extend_from_slice(decimal.head.as_bytes());
    out.extend_from_slice(decimal.tail.as_bytes());
    match exponent {
        // By far the commonest, and formatting is not cheap.
        0 => out.extend_from_slice(b"e0"),
        _ => append_display(format_args!("e{exponent}"), out),
    }
}

fn append_display(text: std::fmt::Arguments<'_>, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::json::spell::{rewritten, values};

    const WIDE: ReadLimits = ReadLimits {
        depth: 1000,
        members: usize::MAX,
        string: usize::MAX,
    };

    fn of(text: &str) -> String {
        let json = Json::read(text.as_bytes(), &WIDE).unwrap();
        let mut out = Vec::new();
        canonical(json, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_of_one_value_are_one() {
        for one in ["1", "1.0", "10e-1", "1E0", "1e+0", "0.1e1", "1.000e-0"] {
            assert_eq!(of(one), "1e0");
        }
        for zero in ["0", "-0", "0.0", "-0e5", "0e-99999999999999999999999"] {
            assert_eq!(of(zero), "0e0");
        }
        assert_eq!(of("-2.50"), "-25e-1");
        assert_eq!(of("1200.0340E2"), "1200034e-1");
        assert_eq!(of("0.00120"), "12e-4");
        assert_eq!(of("1200"), "12e2");
        assert_eq!(of("9007199254740993"), "9007199254740993e0");
    }

    #[test]
    fn far_exponents() {
        assert_eq!(of("10e9223372036854775807"), "1e9223372036854775808");
        assert_eq!(of("0.1e-9223372036854775808"), "1e-9223372036854775809");
        assert_eq!(of("1.50E9223372036854775808"), "1.50e9223372036854775808");
    }

    #[test]
    fn objects_and_strings() {
        assert_eq!(
            of(
                "{ \"b\" : [ 1 , true,null ],\n \"\\u0061\\/\" : {} , \"\":\"\\u00e9\\t\\\"\\\\\\u007f\" }"
            ),
            "{\"\":\"é\\u0009\\\"\\\\\u{7f}\",\"a/\":{},\"b\":[1e0,true,null]}"
        );
        // U+FFFD sorts before U+1F600, though its UTF-16 unit sorts after.
        assert_eq!(
            of("{\"\u{1f600}\":1,\"\u{fffd}\":2}"),
            "{\"\u{fffd}\":2e0,\"\u{1f600}\":1e0}"
        );
    }

    #[test]
    fn deep_text_is_kept() {
        let deep = format!("{}1.0{}", "[".repeat(600), "]".repeat(600));
        assert_eq!(of(&deep), deep);
        let shallow = format!("{}1.0{}", "[".repeat(500), "]".repeat(500));
        assert_eq!(of(&shallow), shallow.replace("1.0", "1e0"));
    }

    #[test]
    fn text_without_a_value_is_kept() {
        let text = |text: &str| {
            let mut out = Vec::new();
            canonical_text(text, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(" {\"b\":1.0, \"a\":[]} "), "{\"a\":[],\"b\":1e0}");
        for kept in ["", " {", "{\"a\":1, \"a\":1}"] {
            assert_eq!(text(kept), kept);
        }
    }

    proptest! {
        #[test]
        fn spelling_does_not_matter((value, seed) in (values(), any::<u64>())) {
            let plain = of(&value.to_string());
            let text = rewritten(&value, seed);
            let attempted: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&attempted, &value);
            prop_assert_eq!(of(&text), plain.clone());
            prop_assert_eq!(of(&plain), plain);
        }

        #[test]
        fn different_values_differ((a, b) in (values(), values())) {
            prop_assert_eq!(of(&a.to_string()) == of(&b.to_string()), a == b);
        }

        #[test]
        fn shifted_points_agree(digits in "[1-9][0-9]{0,20}", shift in 0usize..30, zeros in 0usize..5) {
            let whole = of(&digits);
            let point = format!("{}.{digits}{}e{}", "0", "0".repeat(zeros), digits.len());
            prop_assert_eq!(of(&point), whole.clone());
            let raised = format!("{digits}{}E-{shift}", "0".repeat(shift));
            prop_assert_eq!(of(&raised), whole.clone());
            let negative = format!("-{digits}.{}", "0".repeat(zeros + 1));
            prop_assert_eq!(of(&negative), format!("-{whole}"));
        }
    }
}
