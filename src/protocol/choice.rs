use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, text_member};
use super::{
    LegacyTitledEnumSchema, TitledMultiSelectEnumSchema, TitledSingleSelectEnumSchema,
    UntitledMultiSelectEnumSchema, UntitledSingleSelectEnumSchema,
};

/// A field with choices, in any of its five shapes.
///
/// An `enum` without `enumNames` reads as untitled.
///
/// Schema: [`EnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#enumschema),
/// [`SingleSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#singleselectenumschema),
/// [`MultiSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#multiselectenumschema).
///
/// ```
/// use mcp_reprise::protocol::EnumSchema;
///
/// let text = r#"{"type":"array","items":{"type":"string","enum":["a"]}}"#;
/// let field: EnumSchema = serde_json::from_str(text)?;
/// assert!(matches!(field, EnumSchema::UntitledMultiSelect(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum EnumSchema {
    /// One choice, without names.
    UntitledSingleSelect(UntitledSingleSelectEnumSchema),
    /// One choice, with names.
    TitledSingleSelect(TitledSingleSelectEnumSchema),
    /// Any choices, without names.
    UntitledMultiSelect(UntitledMultiSelectEnumSchema),
    /// Any choices, with names.
    TitledMultiSelect(TitledMultiSelectEnumSchema),
    /// One choice, with names in the older form.
    LegacyTitled(LegacyTitledEnumSchema),
}

impl<'de> Deserialize<'de> for EnumSchema {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let has = |name: &str| value.get(name).is_some();
        match text_member(&value, "type") {
            Some("string") if has("oneOf") => convert(value).map(Self::TitledSingleSelect),
            Some("string") if has("enumNames") => convert(value).map(Self::LegacyTitled),
            Some("string") => convert(value).map(Self::UntitledSingleSelect),
            Some("array") => {
                let items = value.get("items");
                if items.and_then(|items| items.get("anyOf")).is_some() {
                    convert(value).map(Self::TitledMultiSelect)
                } else {
                    convert(value).map(Self::UntitledMultiSelect)
                }
            }
            _ => Err(D::Error::custom("a choice of an unknown type")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{
        BooleanSchema, NumberSchema, PrimitiveSchemaDefinition, RequestedSchema, StringFormat,
        StringSchema,
    };

    #[test]
    fn every_field_prints_its_own_shape_and_parses_again() {
        let pairs = [("a", "A"), ("b", "B")];
        let fields: [(PrimitiveSchemaDefinition, &str); 10] = [
            (StringSchema::new().into(), r#"{"type":"string"}"#),
            (
                StringSchema::new()
                    .min_length(1)
                    .format(StringFormat::Uri)
                    .into(),
                r#"{"type":"string","minLength":1,"format":"uri"}"#,
            ),
            (
                NumberSchema::number().minimum(0.5).default_value(1).into(),
                r#"{"type":"number","minimum":0.5,"default":1}"#,
            ),
            (NumberSchema::integer().into(), r#"{"type":"integer"}"#),
            (
                BooleanSchema::new().default_value(false).into(),
                r#"{"type":"boolean","default":false}"#,
            ),
            (
                UntitledSingleSelectEnumSchema::new(["a", "b"]).into(),
                r#"{"type":"string","enum":["a","b"]}"#,
            ),
            (
                TitledSingleSelectEnumSchema::new(pairs).into(),
                r#"{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}"#,
            ),
            (
                UntitledMultiSelectEnumSchema::new(["a", "b"]).into(),
                r#"{"type":"array","items":{"type":"string","enum":["a","b"]}}"#,
            ),
            (
                TitledMultiSelectEnumSchema::new(pairs).into(),
                r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}"#,
            ),
            (
                LegacyTitledEnumSchema::new(pairs).into(),
                r#"{"type":"string","enum":["a","b"],"enumNames":["A","B"]}"#,
            ),
        ];
        for (field, text) in fields {
            assert_eq!(serde_json::to_string(&field).unwrap(), text);
            let again: PrimitiveSchemaDefinition = serde_json::from_str(text).unwrap();
            assert_eq!(again, field, "{text}");
        }
    }

    #[test]
    fn what_is_no_field() {
        for text in [
            "{}",
            r#"{"type":"object"}"#,
            r#"{"type":["string","null"]}"#,
            r#"{"type":"array"}"#,
            r#"{"type":"array","items":{"type":"number","enum":[1]}}"#,
            r#"{"type":"string","format":"phone"}"#,
            r#"{"type":"string","enum":[1]}"#,
        ] {
            let read = serde_json::from_str::<PrimitiveSchemaDefinition>(text);
            assert!(read.is_err(), "{text}");
        }
    }

    #[test]
    fn a_form_keeps_the_order_of_its_fields() {
        let form = RequestedSchema::new()
            .required("z", StringSchema::new())
            .optional("a", BooleanSchema::new())
            .required("z", BooleanSchema::new());
        let text = concat!(
            r#"{"type":"object","properties":{"z":{"type":"boolean"},"#,
            r#""a":{"type":"boolean"}},"required":["z"]}"#
        );
        assert_eq!(serde_json::to_string(&form).unwrap(), text);
        assert_eq!(serde_json::from_str::<RequestedSchema>(text).unwrap(), form);
        let nested = r#"{"type":"object","properties":{"a":{"type":"object"}}}"#;
        assert!(serde_json::from_str::<RequestedSchema>(nested).is_err());
    }
}
