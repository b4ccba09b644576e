//! Answers against forms.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::form::{Field, Form, TextField};
use super::*;
use crate::json::ReadLimits;

/// By way of text, since `serde_json` may read a float as its neighbour.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn read(text: &str) -> Json<'_> {
    Json::read(text.as_bytes(), &ReadLimits::default()).unwrap()
}

/// What is said of one field's answer.
fn said(field: impl Into<Field>, answer: &str) -> Option<String> {
    let form = Form::new("?").field("it", field);
    let content = format!(r#"{{"it":{answer}}}"#);
    let checked = form.accepted_content(read(&content)).map(drop);
    assert_eq!(
        checked.is_ok(),
        form.accepted_content(read(&content)).is_ok()
    );
    checked.err().map(|refused| refused.to_string())
}

fn takes(field: impl Into<Field>, answer: &str) -> bool {
    said(field, answer).is_none()
}

#[test]
fn the_answer_is_an_object_of_plain_values() {
    let form = Form::new("?").text("name");
    let said = |content: &str| {
        form.accepted_content(read(content))
            .unwrap_err()
            .to_string()
    };
    for content in ["[]", "null", "\"name\"", "1"] {
        assert_eq!(said(content), "the answer must be an object");
    }
    assert_eq!(said("{}"), r#"field "name" is required"#);
    assert_eq!(said(r#"{"Name":"x"}"#), r#"field "name" is required"#);
    assert_eq!(said(r#"{"name":null}"#), r#"field "name" must be a string"#);
    for extra in ["null", "{}", "[1]", r#"["a",[]]"#] {
        assert_eq!(
            said(&format!(r#"{{"name":"x","secret":{extra}}}"#)),
            "the answer may hold only strings, numbers, booleans and lists of strings"
        );
    }
    for extra in ["1", "true", r#"["a"]"#, "[]"] {
        let content = format!(r#"{{"more":{extra},"na\u006de":"x"}}"#);
        assert_eq!(
            form.accepted_content(read(&content)).unwrap(),
            r#"{"name":"x"}"#
        );
    }
}

#[test]
fn accepted_content_is_in_the_forms_order_and_plain() {
    let form = Form::new("?")
        .integer("n")
        .number("x")
        .field("gone", Field::text().optional())
        .text("t")
        .choices("l", ["a", "b"])
        .boolean("b");
    let content =
        r#" { "b" : true, "l" : [ "b", "\u0061" ], "t" : "\u00e9\/", "x" : 1.50e0, "n" : 3.0 } "#;
    assert_eq!(
        form.accepted_content(read(content)).unwrap(),
        r#"{"n":3,"x":1.50e0,"t":"é/","l":["b","a"],"b":true}"#
    );
}

#[test]
fn lengths_are_in_scalar_values() {
    let three = || Field::text().min_length(3).max_length(3);
    assert!(takes(three(), r#""äöü""#));
    assert!(takes(three(), r#""\ud83d\ude00😀x""#));
    assert_eq!(
        said(three(), r#""äö""#).unwrap(),
        r#"field "it" must be at least 3 characters long"#
    );
    assert_eq!(
        said(three(), r#""😀😀😀😀""#).unwrap(),
        r#"field "it" must be at most 3 characters long"#
    );
}

#[test]
fn numbers_are_compared_exactly() {
    let tenth = || Field::number().minimum(0.1).maximum(0.1);
    assert!(takes(tenth(), "0.1"));
    assert!(takes(tenth(), "1e-1"));
    assert_eq!(
        said(tenth(), "0.10000000000000000000001").unwrap(),
        r#"field "it" must be at most 0.1"#
    );
    assert_eq!(
        said(tenth(), "0.09999999999999999999999").unwrap(),
        r#"field "it" must be at least 0.1"#
    );
    assert!(takes(Field::number().minimum(0.0), "-0"));
    assert!(!takes(Field::number().minimum(0.0), "-1e-999"));
    assert!(takes(
        Field::number().maximum(0.1),
        "1e-99999999999999999999"
    ));
    assert!(!takes(Field::number(), "1e400"));
    assert!(!takes(Field::number(), "\"1\""));
    assert!(takes(Field::integer().maximum(3), "3.0"));
    assert!(takes(Field::integer(), "-9007199254740991"));
    for bad in [
        "3.5",
        "9007199254740992",
        "1e99999999999999999999",
        "\"3\"",
        "true",
    ] {
        assert_eq!(
            said(Field::integer(), bad).unwrap(),
            r#"field "it" must be an integer within ±(2^53 − 1)"#
        );
    }
    assert_eq!(
        said(Field::integer().minimum(4), "3").unwrap(),
        r#"field "it" must be at least 4"#
    );
}

#[test]
fn choices_are_among_the_offered() {
    for field in [
        Field::choice(["#f00", "#0f0"]),
        Field::titled_choice([("#f00", "Red"), ("#0f0", "Green")]),
        Field::titled_choice([("#f00", "Red"), ("#0f0", "Green")]).legacy_names(),
    ] {
        assert!(takes(field.clone(), r##""#f00""##));
        assert!(!takes(field.clone(), r#""Red""#));
        assert!(!takes(field, r##"["#f00"]"##));
    }
    let days = || Field::choices(["sat", "sun"]).min_items(1).max_items(2);
    assert!(takes(days(), r#"["sun","sun"]"#));
    assert_eq!(
        said(days(), r#"["mon"]"#).unwrap(),
        r#"field "it" must be among the values offered"#
    );
    assert_eq!(
        said(days(), r#"[1]"#).unwrap(),
        r#"field "it" must be a list of strings"#
    );
    assert_eq!(
        said(days(), r#""sat""#).unwrap(),
        r#"field "it" must be a list of strings"#
    );
    assert_eq!(
        said(days(), "[]").unwrap(),
        r#"field "it" must have at least 1 values"#
    );
    assert_eq!(
        said(days(), r#"["sat","sun","sat"]"#).unwrap(),
        r#"field "it" must have at most 2 values"#
    );
}

#[test]
fn a_faulty_form_takes_no_answer() {
    let form = Form::new("?").field("it", Field::text().default("long").max_length(1));
    assert_eq!(
        form.accepted_content(read(r#"{"it":"x"}"#)).map(drop),
        Err(Refused::whole(Rule::FaultyForm))
    );
}

fn of_format(field: fn() -> TextField, good: &[&str], bad: &[&str]) {
    for text in good {
        assert!(takes(field(), &json!(text).to_string()), "{text}");
    }
    for text in bad {
        assert!(!takes(field(), &json!(text).to_string()), "{text}");
    }
}

#[test]
fn emails() {
    let good = [
        "a@b.de",
        "first.last+tag@sub.example.com",
        "x@localhost",
        "o'neil@example.ie",
    ];
    let bad = [
        "",
        "a",
        "@b.de",
        "a@",
        "a@@b",
        "a@b@c",
        ".a@b.de",
        "a.@b.de",
        "a..b@c.de",
        "a b@c.de",
        "a@-b.de",
        "a@b-.de",
        "a@b..de",
        "a@b_c.de",
        "ä@b.de",
        "a@b.de\n",
        "Me <a@b.de>",
        "a@[1.2.3.4]",
    ];
    of_format(Field::email, &good, &bad);
    let long = format!("{}@{}.de", "a".repeat(64), "b".repeat(63));
    of_format(
        Field::email,
        &[&long],
        &[&format!("a{long}"), &long.replace("@", "@b")],
    );
}

#[test]
fn uris() {
    let good = ["https://example.com/a?b#c", "urn:isbn:1", "file:///a%20b"];
    let bad = [
        "",
        "a",
        "/a",
        "https://a b",
        "http://ä",
        "http://a/%zz",
        "http://a\n",
    ];
    of_format(Field::uri, &good, &bad);
}

#[test]
fn dates() {
    let good = ["2024-02-29", "2000-02-29", "2026-12-31", "0000-01-01"];
    let bad = [
        "",
        "2023-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-13-01",
        "2026-00-01",
        "2026-01-00",
        "26-01-01",
        "2026-1-1",
        "2026-01-01-",
        "2026/01/01",
        "+026-01-01",
        "２０２６-01-01",
        " 2026-01-01",
    ];
    of_format(Field::date, &good, &bad);
}

#[test]
fn moments() {
    let good = [
        "2026-07-28T20:00:00Z",
        "2026-07-28t20:00:00.125z",
        "2026-07-28T20:00:00-23:59",
        "2016-12-31T23:59:60Z",
        "2016-12-31T15:59:60-08:00",
        "2017-01-01T00:59:60.5+01:00",
    ];
    let bad = [
        "",
        "2026-07-28",
        "2026-07-28T20:00:00",
        "2026-07-28 20:00:00Z",
        "2026-02-29T20:00:00Z",
        "2026-07-28T24:00:00Z",
        "2026-07-28T20:60:00Z",
        "2026-07-28T20:00:60Z",
        "2026-07-28T20:00:00.Z",
        "2026-07-28T20:00Z",
        "2026-07-28T20:00:00+24:00",
        "2026-07-28T20:00:00+0100",
        "2026-07-28T20:00:00+01:60",
        "2026-07-28T20:00:00Z+01:00",
        "2026-07-28T20:00:00é01:00",
        "2016-12-31T23:59:60+01:00",
        "2016-12-31T23:59:61Z",
    ];
    of_format(Field::date_time, &good, &bad);
}

/// A field and an answer to it.
fn answered() -> impl Strategy<Value = (Field, Value)> {
    let options = proptest::collection::btree_set("\\PC{0,4}", 1..5);
    let options = || options.clone().prop_map(Vec::from_iter);
    prop_oneof![
        ("\\PC{0,9}", 0u32..3, 0u32..3).prop_map(|(text, less, more)| {
            let length = text.chars().count() as u32;
            let field = Field::text()
                .min_length(length.saturating_sub(less))
                .max_length(length + more);
            (field.into(), json!(text))
        }),
        (-9_007_199_254_740_991i64..=9_007_199_254_740_991, 0i64..9).prop_map(|(n, slack)| {
            (
                Field::integer()
                    .minimum(n - slack)
                    .maximum(n + slack)
                    .into(),
                json!(n),
            )
        }),
        any::<f64>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(|x| { (Field::number().minimum(x).maximum(x).into(), json!(x)) }),
        any::<bool>().prop_map(|b| (Field::boolean().into(), json!(b))),
        (0u32..10_000, 1u32..13, 1u32..29).prop_map(|(y, m, d)| {
            (Field::date().into(), json!(format!("{y:04}-{m:02}-{d:02}")))
        }),
        (options(), any::<prop::sample::Index>()).prop_map(|(values, one)| {
            let answer = json!(one.get(&values));
            (Field::choice(values).into(), answer)
        }),
        (
            options(),
            proptest::collection::vec(any::<prop::sample::Index>(), 0..4)
        )
            .prop_map(|(values, some)| {
                let answer: Vec<_> = some.iter().map(|one| one.get(&values)).collect();
                let field = Field::choices(&values).min_items(answer.len() as u32);
                (field.max_items(answer.len() as u32).into(), json!(answer))
            }),
    ]
}

proptest! {
    #[test]
    fn an_answer_made_for_the_form_is_taken(
        made in proptest::collection::btree_map("\\PC{0,5}", answered(), 1..6),
        left_out in any::<prop::sample::Index>(),
    ) {
        let form = made.iter().fold(Form::new("?"), |form, (name, (field, _))| {
            form.field(name, field.clone())
        });
        let whole: Value = made.iter().map(|(name, (_, answer))| (name.clone(), answer.clone())).collect();
        let text = whole.to_string();
        prop_assert_eq!(form.accepted_content(read(&text)).map(drop), Ok(()));
        let accepted = form.accepted_content(read(&text)).unwrap();
        prop_assert_eq!(parsed(&accepted), parsed(&text));
        // Once accepted, always accepted, and unchanged.
        prop_assert_eq!(form.accepted_content(read(&accepted)).unwrap(), accepted.clone());

        let name = made.keys().nth(left_out.index(made.len())).unwrap();
        let mut less = whole;
        less.as_object_mut().unwrap().remove(name);
        let text = less.to_string();
        prop_assert_eq!(form.accepted_content(read(&text)).map(drop), Err(Refused::field(name, Rule::Required)));
    }
}
