//! Arguments against schemas.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::json::ReadLimits;

fn checked(schema: &Value, args: &str) -> Result<(), String> {
    let json = Json::read(args.as_bytes(), &ReadLimits::default()).unwrap();
    let schema = FlatSchema::new(schema.as_object().unwrap());
    schema.check(json).map_err(|error| error.to_string())
}

fn said(schema: Value, args: &str) -> String {
    checked(&schema, args).unwrap_err()
}

fn passes(schema: Value, args: &str) -> bool {
    checked(&schema, args).is_ok()
}

#[test]
fn types() {
    let samples = [
        ("string", r#""x""#),
        ("number", "1.5"),
        ("integer", "3"),
        ("boolean", "false"),
        ("array", "[]"),
        ("object", "{}"),
        ("null", "null"),
    ];
    for (name, _) in samples {
        for (other, sample) in samples {
            let fits = name == other || (name, other) == ("number", "integer");
            assert_eq!(
                passes(json!({"type": name}), sample),
                fits,
                "{name} {sample}"
            );
            assert!(passes(json!({"type": [name, other]}), sample));
            assert!(passes(json!({"type": [name, "unheard-of"]}), sample));
            assert!(passes(json!({}), sample));
        }
    }
    for integer in [
        "3.0",
        "30e-1",
        "1e400",
        "-0",
        "1e99999999999999999999",
        "9007199254740993",
    ] {
        assert!(passes(json!({"type": "integer"}), integer), "{integer}");
    }
    for fraction in ["3.5", "1e-1", "1e-99999999999999999999"] {
        assert_eq!(
            said(json!({"type": "integer"}), fraction),
            "arguments: must be an integer"
        );
    }
    assert_eq!(
        said(json!({"type": ["null", "string"]}), "1"),
        "arguments: must be a string or null"
    );
}

#[test]
fn the_place_is_named() {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "seats": {"type": "array", "items": {"properties": {"row": {"type": "integer"}}}},
            "grid": {"items": {"items": {"type": "integer"}}},
            "at": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
        },
        "required": ["text", "other"],
        "additionalProperties": false,
    });
    assert_eq!(said(schema.clone(), "[]"), "arguments: must be an object");
    assert_eq!(
        said(schema.clone(), r#"{"text":1}"#),
        "text: must be a string"
    );
    assert_eq!(
        said(schema.clone(), r#"{"seats":[{"row":1},{"row":"a"}]}"#),
        "seats[1].row: must be an integer"
    );
    assert_eq!(
        said(schema.clone(), r#"{"grid":[[1],[2,3.5]]}"#),
        "grid[1][1]: must be an integer"
    );
    assert_eq!(said(schema.clone(), r#"{"at":{}}"#), "at.x: is required");
    assert_eq!(
        said(schema.clone(), r#"{"text":"x"}"#),
        "other: is required"
    );
    assert_eq!(said(schema.clone(), "{}"), "other: is required");
    assert_eq!(
        said(schema.clone(), r#"{"other":1}"#),
        r#"arguments: must not have "other""#
    );
    let long = format!(r#"{{"\n{}":1}}"#, "é".repeat(100));
    let shown = format!(r#"arguments: must not have "\n{}"…"#, "é".repeat(39));
    assert_eq!(said(schema, &long), shown);
}

#[test]
fn required_is_counted_well() {
    let schema = json!({"required": ["a", "b", "b"], "properties": {"c": {}, "a": true}});
    assert!(passes(schema.clone(), r#"{"b":null,"d":1,"\u0061":2}"#));
    assert_eq!(
        said(schema.clone(), r#"{"b":1,"c":1,"d":1}"#),
        "a: is required"
    );
    assert_eq!(
        said(schema.clone(), r#"{"a":1,"c":1,"d":1}"#),
        "b: is required"
    );
    assert!(passes(schema, "[]"));
}

#[test]
fn enums_and_constants() {
    let schema = json!({"enum": ["a", 1, true, null, [1], "ü"]});
    for good in [
        r#""a""#,
        r#""\u0061""#,
        "1",
        "1.0",
        "10e-1",
        "true",
        "null",
        "[]",
        r#""\u00fc""#,
    ] {
        assert!(passes(schema.clone(), good), "{good}");
    }
    for bad in [
        r#""b""#,
        "2",
        "1.0000000000000000001",
        "false",
        "{}",
        r#""1""#,
    ] {
        assert_eq!(
            said(schema.clone(), bad),
            r#"arguments: must be one of "a", 1, true, null, [1], "ü""#
        );
    }
    assert_eq!(
        said(json!({"const": "on"}), r#""off""#),
        r#"arguments: must be "on""#
    );
    assert!(!passes(json!({"enum": []}), "1"));
    let many: Vec<_> = (0..1_000).map(|n| format!("ü{n}")).collect();
    let said = said(json!({"enum": many}), "1");
    assert!(said.len() < 450 && said.ends_with('…'), "{said}");
}

#[test]
fn bounds_are_exact() {
    let bounds = json!({"minimum": 0, "maximum": 9_007_199_254_740_992u64});
    assert!(passes(bounds.clone(), "9007199254740992.000"));
    assert_eq!(
        said(bounds.clone(), "9007199254740993"),
        "arguments: must be at most 9007199254740992"
    );
    assert_eq!(
        said(bounds.clone(), "-1e-400"),
        "arguments: must be at least 0"
    );
    assert!(passes(bounds, r#""text""#));
    let open = json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1.5});
    assert!(passes(open.clone(), "1e-99999999999999999999"));
    assert_eq!(
        said(open.clone(), "-0.0"),
        "arguments: must be greater than 0"
    );
    assert_eq!(said(open, "15e-1"), "arguments: must be less than 1.5");
    // As an older draft has it, a flag, which passes.
    assert!(passes(json!({"minimum": 0, "exclusiveMinimum": true}), "0"));
}

#[test]
fn lengths_and_counts() {
    let text = json!({"minLength": 2, "maxLength": 3});
    for good in [
        r#""äö""#,
        r#""\ud83d\uDE00\n\u00e9""#,
        r#""\"\\/""#,
        "1",
        "[]",
    ] {
        assert!(passes(text.clone(), good), "{good}");
    }
    assert_eq!(
        said(text.clone(), r#""😀""#),
        "arguments: must be at least 2 characters long"
    );
    assert_eq!(
        said(text.clone(), r#""\ud83d\ude00""#),
        "arguments: must be at least 2 characters long"
    );
    assert_eq!(
        said(text, r#""abcd""#),
        "arguments: must be at most 3 characters long"
    );
    let list = json!({"minItems": 1, "maxItems": 2});
    assert!(passes(list.clone(), "[1, [2, 3]]"));
    assert_eq!(
        said(list.clone(), "[]"),
        "arguments: must have at least 1 items"
    );
    assert_eq!(
        said(list, "[1,2,3]"),
        "arguments: must have at most 2 items"
    );
}

#[test]
fn what_it_does_not_know_passes() {
    for schema in [
        json!({"type": 3, "enum": "a", "minimum": "1", "minLength": -1, "required": 5, "properties": []}),
        json!({"anyOf": [false], "pattern": "^b", "not": {}, "$ref": "#/x", "format": "email"}),
        json!({"prefixItems": [{}], "items": {"type": "string"}}),
        json!({"items": [{"type": "string"}]}),
        json!({"patternProperties": {"": {}}, "additionalProperties": false}),
        json!({"additionalProperties": {"type": "string"}}),
    ] {
        for args in ["{\"a\":1}", "[1]", "1", "\"a\""] {
            assert!(passes(schema.clone(), args), "{schema} {args}");
        }
    }
}

#[test]
fn rules_end_at_a_depth() {
    let nested = |levels| {
        let mut schema = json!({"type": "integer"});
        let mut args = String::from("[]");
        for _ in 1..levels {
            schema = json!({"items": schema});
            args = format!("[{args}]");
        }
        checked(&schema, &args).is_ok()
    };
    assert!(!nested(16));
    assert!(nested(17));
    assert!(nested(60));
}

/// A schema and something that it describes.
fn described() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|n| (
            json!({"type": "integer", "minimum": n, "maximum": n}),
            json!(n)
        )),
        "\\PC{0,6}".prop_map(|text| {
            let length = text.chars().count();
            let schema =
                json!({"type": "string", "minLength": length, "maxLength": length, "enum": [text]});
            (schema, json!(text))
        }),
        any::<bool>().prop_map(|b| (json!({"type": ["boolean", "null"], "const": b}), json!(b))),
        Just((json!({"enum": [null]}), json!(null))),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0usize..4).prop_map(|((schema, value), count)| (
                json!({"type": "array", "items": schema, "minItems": count, "maxItems": count}),
                json!(vec![value; count])
            )),
            proptest::collection::btree_map("\\PC{0,4}", inner, 0..4).prop_map(|members| {
                let names: Vec<_> = members.keys().collect();
                let schemas: Value = members
                    .iter()
                    .map(|(name, (schema, _))| (name.clone(), schema.clone()))
                    .collect();
                let schema = json!({"type": "object", "properties": schemas, "required": names,
                                    "additionalProperties": false});
                let value = members
                    .into_iter()
                    .map(|(name, (_, value))| (name, value))
                    .collect();
                (schema, value)
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_a_schema_describes_passes((schema, value) in described()) {
        prop_assert_eq!(checked(&schema, &value.to_string()), Ok(()));
    }

    #[test]
    fn what_another_schema_describes_ends_in_one_line((schema, _) in described(), (_, value) in described()) {
        if let Err(said) = checked(&schema, &value.to_string()) {
            prop_assert!(said.contains(": ") && !said.contains('\n'), "{}", said);
        }
    }

    #[test]
    fn lengths_agree_with_the_resolved_text(text in any::<String>(), escape in any::<bool>()) {
        let mut written = json!(text).to_string();
        if escape {
            written = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            written = format!("\"{written}\"");
        }
        let json = Json::read(written.as_bytes(), &ReadLimits::default()).unwrap();
        prop_assert_eq!(length(json), Some(text.chars().count() as u64));
    }
}
