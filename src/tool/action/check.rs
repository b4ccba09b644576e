//! Whether data is such as an action takes.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::json::Json;
use crate::tool::arguments::{ArgumentError, FlatSchema};

/// What an action takes.
#[derive(Clone)]
pub(super) struct Data {
    /// The declared properties, closed.
    pub(super) schema: FlatSchema,
    pub(super) properties: Vec<Box<str>>,
    pub(super) required: Vec<Box<str>>,
    /// Groups of which one or more must be there.
    pub(super) groups: Vec<Vec<Box<str>>>,
    /// Each default, by its name and as JSON text of a member.
    pub(super) defaults: Box<[(Box<str>, Box<str>)]>,
}

/// What is wrong with data.
pub(super) enum Fault {
    NoObject,
    Unknown(String),
    Missing(Box<str>),
    MissingOneOf(Vec<Box<str>>),
    Rule(ArgumentError),
}

impl Data {
    /// Takes the data of a call: puts the defaults in, and checks it.
    pub(super) fn take<'a>(&self, data: Json<'a>) -> Result<Cow<'a, str>, Fault> {
        let has = |name: &str| data.get(name).is_some();
        let known = |name: &str| self.properties.iter().any(|known| **known == *name);
        if let Some((name, _)) = data.members().find(|(name, _)| !known(name)) {
            return Err(Fault::Unknown(name.into_owned()));
        }
        let left: Vec<&str> = self
            .defaults
            .iter()
            .filter(|(name, _)| !has(name))
            .map(|(_, member)| &**member)
            .collect();
        let has_now =
            |name: &str| has(name) || self.defaults.iter().any(|(known, _)| **known == *name);
        if let Some(name) = self.required.iter().find(|name| !has_now(name)) {
            return Err(Fault::Missing(name.clone()));
        }
        let lacking = |group: &&Vec<Box<str>>| !group.iter().any(|name| has_now(name));
        if let Some(group) = self.groups.iter().find(lacking) {
            return Err(Fault::MissingOneOf(group.clone()));
        }
        // A default was checked where the tool was registered.
        self.schema.check(data).map_err(Fault::Rule)?;
        if left.is_empty() {
            return Ok(Cow::Borrowed(data.text()));
        }
        let own = data.text().trim_start().strip_prefix('{').unwrap_or("}");
        let comma = if data.members().next().is_some() {
            ","
        } else {
            ""
        };
        Ok(Cow::Owned(format!("{{{}{comma}{own}", left.join(","))))
    }
}

impl Fault {
    /// Its kind, for whoever counts them.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::NoObject | Self::Rule(_) => "invalid_field",
            Self::Unknown(_) => "unknown_field",
            Self::Missing(_) => "missing_field",
            Self::MissingOneOf(_) => "missing_one_of",
        }
    }

    /// In words for the model.
    pub(super) fn words(&self) -> String {
        match self {
            Self::NoObject => "data: must be an object".to_owned(),
            Self::Unknown(name) => format!("data: must not have {}", super::help::quoted(name)),
            Self::Missing(name) => format!("data.{name}: is required"),
            Self::MissingOneOf(group) => {
                format!("data: one or more of {} is required", group.join(", "))
            }
            Self::Rule(error) => {
                let error = error.to_string();
                match error.strip_prefix("arguments: ") {
                    Some(rule) => format!("data: {rule}"),
                    None => format!("data.{error}"),
                }
            }
        }
    }
}

/// The words of JSON Schema 2020-12 that a property's schema may have. Others are misspelled,
/// unless they begin with `x-`.
const KEYWORDS: [&str; 56] = [
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "else",
    "enum",
    "enumNames",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "writeOnly",
];

/// What is wrong with the schema of a property, if anything is.
pub(super) fn schema_fault(schema: &Value) -> Option<String> {
    let Value::Object(schema) = schema else {
        return Some("the schema is no JSON object".to_owned());
    };
    let known = |word: &str| {
        word.starts_with("x-")
            || matches!(
                word,
                "unevaluatedItems" | "unevaluatedProperties" | "uniqueItems"
            )
            || KEYWORDS.contains(&word)
    };
    if let Some(word) = schema.keys().find(|word| !known(word)) {
        return Some(format!("{word:?} is no word of JSON Schema"));
    }
    let within = |schema: &Value| schema.is_object().then(|| schema_fault(schema)).flatten();
    let many = [
        "properties",
        "patternProperties",
        "$defs",
        "dependentSchemas",
    ];
    let listed = ["allOf", "anyOf", "oneOf", "prefixItems"];
    let one = [
        "items",
        "additionalProperties",
        "contains",
        "not",
        "if",
        "then",
        "else",
    ];
    let in_many = many
        .iter()
        .filter_map(|word| schema.get(*word)?.as_object());
    let in_lists = listed
        .iter()
        .filter_map(|word| schema.get(*word)?.as_array());
    let in_one = one.iter().filter_map(|word| schema.get(*word));
    in_many
        .flat_map(Map::values)
        .chain(in_lists.flatten())
        .chain(in_one)
        .find_map(within)
}
