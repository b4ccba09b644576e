use serde_json::json;

use super::check::schema_fault;

#[test]
fn misspelled_words_of_a_schema_are_found_wherever_a_schema_stands() {
    for good in [
        json!({}),
        json!({ "type": "string", "minLength": 1, "x-mcp-header": "Region", "x-own": 1 }),
        json!({ "enum": ["minLenght"], "default": { "tpye": 1 }, "examples": [{ "tpye": 1 }] }),
        json!({ "type": "object", "properties": { "tpye": { "type": "string" } } }),
        json!({ "items": true, "additionalProperties": false }),
    ] {
        assert_eq!(schema_fault(&good), None, "{good}");
    }
    for bad in [
        json!({ "tpye": "string" }),
        json!({ "properties": { "a": { "tpye": "string" } } }),
        json!({ "items": { "tpye": "string" } }),
        json!({ "anyOf": [{ "type": "string" }, { "tpye": "string" }] }),
        json!({ "items": { "items": { "properties": { "a": { "not": { "tpye": 1 } } } } } }),
    ] {
        let fault = schema_fault(&bad).unwrap_or_default();
        assert_eq!(fault, "\"tpye\" is no word of JSON Schema", "{bad}");
    }
    assert!(schema_fault(&json!("string")).is_some());
}
