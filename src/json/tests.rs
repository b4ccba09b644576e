//! Tests of the reader and the walker, most of them against `serde_json`.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::json::spell::{rewritten, values};

use super::*;

fn read(text: &str) -> Result<Json<'_>, ReadError> {
    Json::read(text.as_bytes(), &ReadLimits::default())
}

/// The value rebuilt by walking alone.
fn walked(json: Json<'_>) -> Value {
    match json.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => json.as_bool().unwrap().into(),
        Kind::Number => serde_json::from_str(json.as_number().unwrap().text()).unwrap(),
        Kind::String => json.as_str().unwrap().into_owned().into(),
        Kind::Array => json.elements().map(walked).collect::<Vec<_>>().into(),
        Kind::Object => {
            let members = json.members().map(|(k, v)| (k.into_owned(), walked(v)));
            members.collect::<Map<_, _>>().into()
        }
    }
}

#[test]
fn refusals_and_where() {
    use ReadError::*;
    let table: &[(&[u8], ReadError)] = &[
        (b"", UnexpectedEnd { at: 0 }),
        (b"  ", UnexpectedEnd { at: 2 }),
        (b"\xef\xbb\xbf{}", ByteOrderMark { at: 0 }),
        (b"{}\xef\xbb\xbf", TrailingBytes { at: 2 }),
        (b"[\"\xff\"]", NotUtf8 { at: 2 }),
        (b"\"\xed\xa0\x80\"", NotUtf8 { at: 1 }),
        (b"{} {}", TrailingBytes { at: 3 }),
        (b"1 \x00", TrailingBytes { at: 2 }),
        (b"01", TrailingBytes { at: 1 }),
        (b"+1", UnexpectedByte { at: 0 }),
        (b"-", UnexpectedEnd { at: 1 }),
        (b"-a", BadNumber { at: 1 }),
        (b"1.", UnexpectedEnd { at: 2 }),
        (b"[1.]", BadNumber { at: 3 }),
        (b"[.5]", UnexpectedByte { at: 1 }),
        (b"[1e+]", BadNumber { at: 4 }),
        (b"nul", UnexpectedEnd { at: 3 }),
        (b"nulL", UnexpectedByte { at: 0 }),
        (b"[true,truE]", UnexpectedByte { at: 6 }),
        (b"NaN", UnexpectedByte { at: 0 }),
        (b"[1,]", UnexpectedByte { at: 3 }),
        (b"[,1]", UnexpectedByte { at: 1 }),
        (b"[1 2]", UnexpectedByte { at: 3 }),
        (b"[1}", UnexpectedByte { at: 2 }),
        (b"{]", UnexpectedByte { at: 1 }),
        (b"{\"a\"}", UnexpectedByte { at: 4 }),
        (b"{\"a\":1,}", UnexpectedByte { at: 7 }),
        (b"{a:1}", UnexpectedByte { at: 1 }),
        (b"{\"a\":1", UnexpectedEnd { at: 6 }),
        (b"[", UnexpectedEnd { at: 1 }),
        (b"'a'", UnexpectedByte { at: 0 }),
        (b"\"a", UnexpectedEnd { at: 2 }),
        (b"\"a\nb\"", ControlCharacter { at: 2 }),
        (b"\"\\x\"", BadEscape { at: 1 }),
        (b"\"\\u12g4\"", BadEscape { at: 1 }),
        (b"\"\\u+123\"", BadEscape { at: 1 }),
        (b"\"\\u12\"", BadEscape { at: 1 }),
        (b"\"\\u12", UnexpectedEnd { at: 5 }),
        (b"\"\\", UnexpectedEnd { at: 2 }),
        (b"\"\\ud800\"", LoneSurrogate { at: 1 }),
        (b"\"\\udc00\"", LoneSurrogate { at: 1 }),
        (b"\"\\ud800\\n\"", LoneSurrogate { at: 1 }),
        (b"\"\\ud800\\ud800\"", LoneSurrogate { at: 1 }),
        (b"\"\\ud800xudc00\"", LoneSurrogate { at: 1 }),
        (b"// c\n1", UnexpectedByte { at: 0 }),
    ];
    for (body, recorded) in table {
        let error = Json::read(body, &ReadLimits::default()).unwrap_err();
        assert_eq!(error, *recorded, "{:?}", String::from_utf8_lossy(body));
        assert!(error.is_syntax());
        assert!(serde_json::from_slice::<Value>(body).is_err());
        assert!(error.to_string().ends_with(&error.at().to_string()));
    }
}

#[test]
fn twins() {
    let twin = |text: &str| match read(text) {
        Err(ReadError::DuplicateKey { at }) => Some(at),
        Ok(_) => None,
        Err(other) => panic!("{other}"),
    };
    assert_eq!(twin(r#"{"a":1,"a":2}"#), Some(7));
    assert_eq!(twin(r#"{"a":1,"\u0061":2}"#), Some(7));
    assert_eq!(twin(r#"{"\u0061":1,"\u0061":2}"#), Some(12));
    assert_eq!(twin(r#"{"\/":1,"/":2}"#), Some(8));
    assert_eq!(twin(r#"{"":1,"":2}"#), Some(6));
    assert_eq!(twin(r#"{"\ud83d\ude00":1,"😀":2}"#), Some(18));
    assert_eq!(twin(r#"[[{"x":{"a":1,"b":{},"a":2}}]]"#), Some(21));
    // The same key in two objects, nested or side by side, is no twin.
    assert_eq!(twin(r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#), None);
    assert_eq!(twin(r#"{"a":{"b":1},"b":2}"#), None);
    assert_eq!(twin(r#"{"a":1,"A":2,"a ":3,"\\u0061":4}"#), None);
    for count in [2, 7, 8, 9, 10, 100, 5000] {
        let keys: Vec<String> = (0..count).map(|n| format!("\"k{n}\":{n}")).collect();
        assert_eq!(twin(&format!("{{{}}}", keys.join(","))), None);
        for again in [0, count / 2, count - 1] {
            let text = format!("{{{},\"k{again}\":0}}", keys.join(","));
            assert_eq!(twin(&text), Some(text.len() - last(&text)));
            let text = format!("{{{},\"\\u006b{again}\":0}}", keys.join(","));
            assert_eq!(twin(&text), Some(text.len() - last(&text)));
        }
    }
}

/// How many bytes the last member of a flat object and its brace take.
fn last(text: &str) -> usize {
    text.len() - 1 - text.rfind(',').unwrap()
}

#[test]
fn limits_are_exact() {
    let limits = |depth, members, string| ReadLimits {
        depth,
        members,
        string,
    };
    let read = |text: &'static str, limits: ReadLimits| Json::read(text.as_bytes(), &limits).err();
    assert_eq!(read("1", limits(0, 0, 0)), None);
    assert_eq!(
        read("[]", limits(0, 0, 0)),
        Some(ReadError::TooDeep { at: 0 })
    );
    assert_eq!(read("[[],{}]", limits(2, 2, 0)), None);
    assert_eq!(
        read("[[],{}]", limits(1, 2, 0)),
        Some(ReadError::TooDeep { at: 1 })
    );
    let text = r#"{"a":[1,2],"b":{}}"#;
    assert_eq!(read(text, limits(2, 4, 1)), None);
    assert_eq!(
        read(text, limits(2, 3, 1)),
        Some(ReadError::TooManyMembers { at: 11 })
    );
    assert_eq!(
        read(text, limits(2, 2, 1)),
        Some(ReadError::TooManyMembers { at: 8 })
    );
    assert_eq!(
        read(text, limits(2, 4, 0)),
        Some(ReadError::StringTooLong { at: 1 })
    );
    assert_eq!(read(r#"["","\u0061"]"#, limits(1, 2, 6)), None);
    let long = read(r#"["","\u0061"]"#, limits(1, 2, 5));
    assert_eq!(long, Some(ReadError::StringTooLong { at: 4 }));
    assert!(long.is_some_and(|error| !error.is_syntax()));
}

#[test]
fn depth_costs_no_stack() {
    // A thread with a small stack, so that any recursion would show.
    let test = || {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(read(&deep).err(), Some(ReadError::TooDeep { at: 64 }));
        let deep = "{\"a\":".repeat(100_000);
        assert_eq!(read(&deep).err(), Some(ReadError::TooDeep { at: 320 }));
        let limits = ReadLimits {
            depth: 100_000,
            ..ReadLimits::default()
        };
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let json = Json::read(deep.as_bytes(), &limits).unwrap();
        assert_eq!(json.elements().next().unwrap().text().len(), 199_998);
        let mut out = Vec::new();
        crate::canonical::canonical(json, &mut out);
        assert_eq!(out, deep.as_bytes());
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "only a thread has a stack to measure"
    )]
    let small = std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(test);
    small.unwrap().join().unwrap();
}

#[test]
fn safe_integers() {
    let of = |text: &str| read(text).unwrap().as_number().unwrap().safe_integer();
    for text in [
        "42",
        "42.0",
        "4.2e1",
        "420E-1",
        "0.0042e+4",
        "42e0",
        "42.000e-00",
    ] {
        assert_eq!(of(text), Some(42), "{text}");
    }
    for text in ["0", "-0", "0.00", "-0e999999999999999999999", "0e-1"] {
        assert_eq!(of(text), Some(0), "{text}");
    }
    assert_eq!(of("9007199254740991"), Some(9_007_199_254_740_991));
    assert_eq!(of("-900719925474099.1e1"), Some(-9_007_199_254_740_991));
    assert_eq!(of("1e15"), Some(1_000_000_000_000_000));
    for text in [
        "9007199254740992",
        "-9007199254740992",
        "0.5",
        "42e-1",
        "1e16",
        "1e999999999",
        "1e-999999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "9007199254740991.0000000001",
        "10000000000000000000000e9223372036854775807",
    ] {
        assert_eq!(of(text), None, "{text}");
    }
    let long = format!(
        "{}.{}e-{}",
        "1".to_owned() + &"0".repeat(5000),
        "0".repeat(9),
        5000
    );
    assert_eq!(of(&long), Some(1));
}

#[test]
fn walking() {
    let json = read(" { \"a\\\"\" : [ 1 , \"]}\\\\\" , { } ] , \"b\" : null } ").unwrap();
    assert_eq!(json.get("a\"").unwrap().text(), "[ 1 , \"]}\\\\\" , { } ]");
    assert!(json.get("b").unwrap().is_null());
    assert!(json.get("a\\\"").is_none() && json.get("").is_none());
    let elements: Vec<&str> = json
        .get("a\"")
        .unwrap()
        .elements()
        .map(Json::text)
        .collect();
    assert_eq!(elements, ["1", "\"]}\\\\\"", "{ }"]);
    assert_eq!(json.elements().count(), 0);
    assert_eq!(json.get("b").unwrap().members().count(), 0);
    assert!(matches!(
        read("\"é\"").unwrap().as_str(),
        Some(Cow::Borrowed("é"))
    ));
    assert!(json.as_str().is_none() && json.as_bool().is_none() && json.as_number().is_none());
    assert_eq!(
        format!("{json:?}"),
        format!("Json(Object, {} bytes)", json.text().len())
    );
}

/// Text the reader never let through must neither panic nor hang the walker.
fn walks_totally(text: &str) {
    let json = Json::known(text);
    let _ = (json.kind(), json.as_str(), json.as_bool(), json.get("a"));
    let _ = json.as_number().map(Number::safe_integer);
    assert!(json.members().count() <= text.len());
    assert!(json.elements().count() <= text.len());
    crate::canonical::canonical(json, &mut Vec::new());
}

#[test]
fn odd_text_walks() {
    for text in [
        "",
        "\"",
        "{",
        "{\"",
        "{\"a",
        "{\"a\"",
        "{\"a\":",
        "[",
        "[1",
        "[,",
        "[\"\\",
        "-",
        "{\"\\\":1",
    ] {
        walks_totally(text);
    }
}

/// The classes in which we may differ from `serde_json`.
fn agrees(bytes: &[u8]) -> Result<(), TestCaseError> {
    let limits = ReadLimits {
        depth: 127,
        ..ReadLimits::default()
    };
    let theirs = serde_json::from_slice::<Value>(bytes);
    match (Json::read(bytes, &limits), theirs) {
        (Ok(json), Ok(theirs)) => {
            prop_assert_eq!(&json.parse::<Value>().unwrap(), &theirs);
            prop_assert_eq!(walked(json), theirs);
        }
        (Ok(_), Err(theirs)) => {
            prop_assert!(theirs.to_string().starts_with("number out of range"));
        }
        (Err(ours), Ok(_)) => prop_assert!(!ours.is_syntax(), "{}", ours),
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_is_written_is_read((value, seed) in (values(), any::<u64>())) {
        let text = rewritten(&value, seed);
        let json = read(&text).unwrap();
        prop_assert_eq!(json.text(), text.trim());
        prop_assert_eq!(&walked(json), &value);
        agrees(text.as_bytes())?;
    }

    #[test]
    fn damaged_bodies_agree(
        (value, seed) in (values(), any::<u64>()), at: prop::sample::Index, byte: u8, what in 0..3,
    ) {
        let mut bytes = rewritten(&value, seed).into_bytes();
        let at = at.index(bytes.len());
        match what {
            0 => bytes[at] = byte,
            1 => bytes.truncate(at),
            _ => bytes.insert(at, byte),
        }
        agrees(&bytes)?;
    }

    #[test]
    fn soup_agrees(text in "([\\[\\]{}:, \"0-2.eE+\\-\\\\u/]|\"a\"|\"b\":|true|null|\\\\ud83d|\\\\ude00|é){0,24}") {
        agrees(text.as_bytes())?;
        walks_totally(&text);
    }

    #[test]
    fn bytes_agree(bytes in vec(any::<u8>(), 0..40)) {
        agrees(&bytes)?;
    }

    #[test]
    fn safe_integers_are_exact(value in any::<i64>(), down in 0u32..64) {
        let value = value >> down;
        let text = value.to_string();
        let of = |text: &str| read(text).unwrap().as_number().unwrap().safe_integer();
        let recorded = (value.unsigned_abs() < 1 << 53).then_some(value);
        prop_assert_eq!(of(&text), recorded);
        prop_assert_eq!(of(&format!("{text}.00e0")), recorded);
        if value != 0 {
            prop_assert_eq!(of(&format!("{text}000E-3")), recorded);
        }
    }
}

/// A key by which `serde_json` would read another value than the one that was checked.
#[test]
fn keys_that_a_parser_takes_for_a_sign_are_refused() {
    for key in [
        "$serde_json::private::RawValue",
        "$serde_json::private::Number",
        "$serde_json::private::",
        r"\u0024serde_json::private::RawValue",
        r"$serde_json\u003a:private::RawValue",
    ] {
        let text = format!(r#"{{"a":[{{"{key}":"[1]"}}]}}"#);
        let error = read(&text).unwrap_err();
        assert_eq!(error, ReadError::ReservedKey { at: 7 }, "{text}");
        assert!(!error.is_syntax());
    }
    for key in [
        "$",
        "$serde_json",
        "serde_json::private::RawValue",
        r"\u0025",
    ] {
        assert!(read(&format!(r#"{{"{key}":1}}"#)).is_ok(), "{key}");
    }
}
