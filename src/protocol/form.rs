use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{convert, text_member};
use super::tag::ObjectTag;
use super::{
    BooleanSchema, EnumSchema, LegacyTitledEnumSchema, NumberSchema, StringSchema,
    TitledMultiSelectEnumSchema, TitledSingleSelectEnumSchema, UntitledMultiSelectEnumSchema,
    UntitledSingleSelectEnumSchema,
};

/// One field of a form.
///
/// Schema: [`PrimitiveSchemaDefinition`](https://modelcontextprotocol.io/specification/2026-07-28/schema#primitiveschemadefinition).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::{EnumSchema, PrimitiveSchemaDefinition};
///
/// let field: PrimitiveSchemaDefinition =
///     serde_json::from_str(r#"{"type":"string","enum":["a","b"]}"#)?;
/// assert!(matches!(
///     field,
///     PrimitiveSchemaDefinition::Enum(EnumSchema::UntitledSingleSelect(_))
/// ));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum PrimitiveSchemaDefinition {
    /// Text.
    String(StringSchema),
    /// A number.
    Number(NumberSchema),
    /// Yes or no.
    Boolean(BooleanSchema),
    /// A choice.
    Enum(EnumSchema),
}

impl<'de> Deserialize<'de> for PrimitiveSchemaDefinition {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let choice = ["enum", "oneOf"]
            .iter()
            .any(|name| value.get(name).is_some());
        match text_member(&value, "type") {
            Some("array") => convert(value).map(Self::Enum),
            Some("string") if choice => convert(value).map(Self::Enum),
            Some("string") => convert(value).map(Self::String),
            Some("number" | "integer") => convert(value).map(Self::Number),
            Some("boolean") => convert(value).map(Self::Boolean),
            _ => Err(D::Error::custom("a form field of an unknown type")),
        }
    }
}

impl From<StringSchema> for PrimitiveSchemaDefinition {
    fn from(field: StringSchema) -> Self {
        Self::String(field)
    }
}

impl From<NumberSchema> for PrimitiveSchemaDefinition {
    fn from(field: NumberSchema) -> Self {
        Self::Number(field)
    }
}

impl From<BooleanSchema> for PrimitiveSchemaDefinition {
    fn from(field: BooleanSchema) -> Self {
        Self::Boolean(field)
    }
}

impl From<EnumSchema> for PrimitiveSchemaDefinition {
    fn from(field: EnumSchema) -> Self {
        Self::Enum(field)
    }
}

impl From<UntitledSingleSelectEnumSchema> for PrimitiveSchemaDefinition {
    fn from(field: UntitledSingleSelectEnumSchema) -> Self {
        Self::Enum(EnumSchema::UntitledSingleSelect(field))
    }
}

impl From<TitledSingleSelectEnumSchema> for PrimitiveSchemaDefinition {
    fn from(field: TitledSingleSelectEnumSchema) -> Self {
        Self::Enum(EnumSchema::TitledSingleSelect(field))
    }
}

impl From<UntitledMultiSelectEnumSchema> for PrimitiveSchemaDefinition {
    fn from(field: UntitledMultiSelectEnumSchema) -> Self {
        Self::Enum(EnumSchema::UntitledMultiSelect(field))
    }
}

impl From<TitledMultiSelectEnumSchema> for PrimitiveSchemaDefinition {
    fn from(field: TitledMultiSelectEnumSchema) -> Self {
        Self::Enum(EnumSchema::TitledMultiSelect(field))
    }
}

impl From<LegacyTitledEnumSchema> for PrimitiveSchemaDefinition {
    fn from(field: LegacyTitledEnumSchema) -> Self {
        Self::Enum(EnumSchema::LegacyTitled(field))
    }
}

/// The fields of a form, in the order they were added. Two are equal when they
/// hold the same fields, whatever the order, as with any JSON object.
///
/// Schema: [`ElicitRequestFormParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestformparams).
///
/// ```
/// use mcp_reprise::protocol::{BooleanSchema, FormProperties};
///
/// let mut fields = FormProperties::new();
/// fields.insert("sure", BooleanSchema::new());
/// assert!(fields.get("sure").is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct FormProperties(Vec<(String, PrimitiveSchemaDefinition)>);

impl FormProperties {
    /// No fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field at the end, or replaces the one of that name where it is.
    pub fn insert(&mut self, name: impl Into<String>, field: impl Into<PrimitiveSchemaDefinition>) {
        let (name, field) = (name.into(), field.into());
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slot)) => *slot = field,
            None => self.0.push((name, field)),
        }
    }

    /// The field of that name.
    pub fn get(&self, name: &str) -> Option<&PrimitiveSchemaDefinition> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, field)| field)
    }

    /// The fields with their names, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &PrimitiveSchemaDefinition)> {
        self.0.iter().map(|(name, field)| (name.as_str(), field))
    }
}

impl PartialEq for FormProperties {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self
                .iter()
                .all(|(name, field)| other.get(name) == Some(field))
    }
}

impl Eq for FormProperties {}

impl Serialize for FormProperties {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for FormProperties {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = FormProperties;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of form fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FormProperties, A::Error> {
                let mut fields = FormProperties::new();
                while let Some((name, field)) =
                    map.next_entry::<String, PrimitiveSchemaDefinition>()?
                {
                    fields.insert(name, field);
                }
                Ok(fields)
            }
        }

        from.deserialize_map(Fields)
    }
}

/// The fields of a form: a flat object schema.
///
/// Schema: [`ElicitRequestFormParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#elicitrequestformparams).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::{NumberSchema, RequestedSchema, StringSchema};
///
/// let schema = RequestedSchema::new()
///   .required("name", StringSchema::new())
///   .optional("age", NumberSchema::integer());
/// assert_eq!(schema.required, Some(vec!["name".to_owned()]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RequestedSchema {
    /// The JSON Schema dialect: `$schema` on the wire.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    #[serde(rename = "type")]
    kind: ObjectTag,
    /// The fields.
    pub properties: FormProperties,
    /// The names of the fields that must be filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<Vec<String>>,
}

impl RequestedSchema {
    /// A form without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field that must be filled in.
    pub fn required(
        mut self,
        name: impl Into<String>,
        field: impl Into<PrimitiveSchemaDefinition>,
    ) -> Self {
        let name = name.into();
        let required = self.required.get_or_insert_default();
        if !required.contains(&name) {
            required.push(name.clone());
        }
        self.properties.insert(name, field);
        self
    }

    /// Adds a field that may be left empty.
    pub fn optional(
        mut self,
        name: impl Into<String>,
        field: impl Into<PrimitiveSchemaDefinition>,
    ) -> Self {
        self.properties.insert(name, field);
        self
    }

    /// Sets `$schema`.
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.schema = Some(schema.into());
        self
    }
}
