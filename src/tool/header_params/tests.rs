//! Annotations, good and bad.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn found(schema: Value) -> Result<Vec<HeaderParam>, String> {
    header_params(schema.as_object().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn properties_and_their_properties() {
    let schema = json!({
        "type": "object",
        "properties": {
            "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
            "query": {"type": "string"},
            "where": {
                "type": "object",
                "properties": {
                    "properties": {"type": "string", "x-mcp-header": "Region"},
                    "x-mcp-header": {"type": "integer", "x-mcp-header": "!#$%&'*+-.^_`|~09aZ"},
                },
            },
        },
        "required": ["query"],
    });
    let found = found(schema).unwrap();
    let seen: Vec<_> = found
        .iter()
        .map(|param| {
            (
                param.header.as_str(),
                param.display.as_str(),
                param.path.join("/"),
                param.kind,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (
                "mcp-param-dry-run",
                "Mcp-Param-Dry-Run",
                "dry".into(),
                HeaderParamKind::Boolean
            ),
            (
                "mcp-param-region",
                "Mcp-Param-Region",
                "where/properties".into(),
                HeaderParamKind::String
            ),
            (
                "mcp-param-!#$%&'*+-.^_`|~09az",
                "Mcp-Param-!#$%&'*+-.^_`|~09aZ",
                "where/x-mcp-header".into(),
                HeaderParamKind::Integer
            ),
        ]
    );
}

#[test]
fn names_are_tokens() {
    let of = |name: Value| {
        found(json!({"properties": {"a/b~": {"type": "string", "x-mcp-header": name}}}))
            .unwrap_err()
    };
    assert_eq!(
        of(json!("")),
        r#"x-mcp-header at "/properties/a~1b~0" must not be empty"#
    );
    for bad in [json!(1), json!(null), json!(true), json!(["Region"])] {
        assert_eq!(
            of(bad),
            r#"x-mcp-header at "/properties/a~1b~0" must be a string"#
        );
    }
    for bad in [
        " ", "a b", "a:", "a\r\nb", "ä", "a\u{0}", "\"a\"", "a(b)", "a/b", "a\t",
    ] {
        assert!(
            of(json!(bad)).contains("must be a token of RFC 9110"),
            "{bad:?}"
        );
    }
}

#[test]
fn names_are_unique_whatever_their_case() {
    let schema = json!({"properties": {
        "a": {"type": "string", "x-mcp-header": "Region"},
        "b": {"properties": {"c": {"type": "string", "x-mcp-header": "rEGION"}}},
    }});
    assert_eq!(
        found(schema).unwrap_err(),
        concat!(
            r#"x-mcp-header at "/properties/b/properties/c" repeats the header of "/properties/a", "#,
            "whatever the case of its letters"
        )
    );
}

#[test]
fn only_three_types() {
    for bad in [
        json!("number"),
        json!("object"),
        json!("array"),
        json!("null"),
        json!(["string"]),
        json!(["string", "null"]),
        json!(null),
    ] {
        let schema = json!({"properties": {"a": {"type": bad, "x-mcp-header": "A"}}});
        assert!(
            found(schema)
                .unwrap_err()
                .contains("type string, integer or boolean")
        );
    }
    let untyped = json!({"properties": {"a": {"x-mcp-header": "A", "$ref": "#/$defs/text"}}});
    assert!(
        found(untyped)
            .unwrap_err()
            .contains("type string, integer or boolean")
    );
}

#[test]
fn nowhere_but_under_properties() {
    let it = json!({"type": "string", "x-mcp-header": "A"});
    for (schema, location) in [
        (it.clone(), ""),
        (json!({"$defs": {"a": it}}), "/$defs/a"),
        (
            json!({"definitions": {"x-mcp-header": it}}),
            "/definitions/x-mcp-header",
        ),
        (
            json!({"patternProperties": {"^a": it}}),
            "/patternProperties/^a",
        ),
        (json!({"additionalProperties": it}), "/additionalProperties"),
        (
            json!({"oneOf": [true, {"properties": {"a": it}}]}),
            "/oneOf/1/properties/a",
        ),
        (json!({"not": it}), "/not"),
        (json!({"if": {"properties": {"a": it}}}), "/if/properties/a"),
        (json!({"then": it}), "/then"),
        (
            json!({"properties": {"a": {"items": it}}}),
            "/properties/a/items",
        ),
        (
            json!({"properties": {"a": {"prefixItems": [it]}}}),
            "/properties/a/prefixItems/0",
        ),
        (
            json!({"properties": {"a": {"allOf": [it]}}}),
            "/properties/a/allOf/0",
        ),
        (
            json!({"x-of-ours": {"deep": [[it]]}}),
            "/x-of-ours/deep/0/0",
        ),
    ] {
        let said = format!(
            "x-mcp-header at {location:?} must be on a property that only `properties` lead to from the root"
        );
        assert_eq!(found(schema), Err(said));
    }
}

#[test]
fn data_is_not_annotated() {
    let data = json!({"x-mcp-header": 1});
    let schema = json!({
        "default": data, "const": data, "enum": [data], "examples": [data],
        "properties": {"a": {"default": data}, "b": true},
    });
    assert_eq!(found(schema), Ok(vec![]));
    assert_eq!(
        found(json!({"properties": 3, "$defs": [], "items": false})),
        Ok(vec![])
    );
}

#[test]
fn the_walk_ends() {
    let mut schema = json!({"type": "string", "x-mcp-header": "A"});
    for _ in 0..DEEPEST {
        schema = json!({"properties": {"a": schema}});
    }
    let params = found(schema.clone()).unwrap();
    assert_eq!(params[0].path.len(), DEEPEST);
    let deeper = json!({"properties": {"a": schema.clone()}});
    assert!(found(deeper).unwrap_err().contains("nested deeper"));
    let deeper = json!({"oneOf": [schema]});
    assert!(found(deeper).unwrap_err().contains("nested deeper"));
}

proptest! {
    #[test]
    fn total_and_the_path_leads_there(names in proptest::collection::vec("\\PC{0,4}", 1..6), header in "[!-~]{1,8}") {
        let mut schema = json!({"type": "integer", "x-mcp-header": header});
        for name in names.iter().rev() {
            schema = json!({"properties": {name: schema}});
        }
        match found(schema) {
            Ok(params) => {
                prop_assert_eq!(&params[0].path, &names);
                prop_assert_eq!(params[0].display.strip_prefix("Mcp-Param-"), Some(header.as_str()));
            }
            Err(said) => prop_assert!(said.contains("token"), "{}", said),
        }
    }
}
