use serde::{Deserialize, Serialize};

use super::EnumOption;
use super::tag::{ArrayTag, StringTag};

/// The choices of an [`UntitledMultiSelectEnumSchema`].
///
/// Schema: [`UntitledMultiSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#untitledmultiselectenumschema).
///
/// ```
/// use mcp_reprise::protocol::UntitledItems;
///
/// assert_eq!(UntitledItems::new(["red"]).values, ["red"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UntitledItems {
    #[serde(rename = "type")]
    kind: StringTag,
    /// The choices: `enum` on the wire.
    #[serde(rename = "enum")]
    pub values: Vec<String>,
}

impl UntitledItems {
    /// With only what is required; every optional member is absent.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            kind: Default::default(),
            values: values.into_iter().map(Into::into).collect(),
        }
    }
}

/// A field with any choices of several.
///
/// Schema: [`UntitledMultiSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#untitledmultiselectenumschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::UntitledMultiSelectEnumSchema;
///
/// let field = UntitledMultiSelectEnumSchema::new(["red", "green"]).max_items(1);
/// assert_eq!(field.items.values, ["red", "green"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UntitledMultiSelectEnumSchema {
    #[serde(rename = "type")]
    kind: ArrayTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The fewest choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// The most choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// The choices.
    pub items: UntitledItems,
    /// What is chosen at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<String>>,
}

impl UntitledMultiSelectEnumSchema {
    /// A field with these choices.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            kind: Default::default(),
            title: None,
            description: None,
            min_items: None,
            max_items: None,
            items: UntitledItems::new(values),
            default: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `minItems`.
    pub fn min_items(mut self, min_items: u64) -> Self {
        self.min_items = Some(min_items);
        self
    }

    /// Sets `maxItems`.
    pub fn max_items(mut self, max_items: u64) -> Self {
        self.max_items = Some(max_items);
        self
    }

    /// Sets `default`.
    pub fn default_value(mut self, default: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.default = Some(default.into_iter().map(Into::into).collect());
        self
    }
}

/// The choices of a [`TitledMultiSelectEnumSchema`].
///
/// Schema: [`TitledMultiSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#titledmultiselectenumschema).
///
/// ```
/// use mcp_reprise::protocol::TitledItems;
///
/// assert_eq!(TitledItems::new([("#f00", "Red")]).any_of.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TitledItems {
    /// The choices.
    pub any_of: Vec<EnumOption>,
}

impl TitledItems {
    /// With only what is required; every optional member is absent.
    pub fn new(any_of: impl IntoIterator<Item = impl Into<EnumOption>>) -> Self {
        Self {
            any_of: any_of.into_iter().map(Into::into).collect(),
        }
    }
}

/// A field with any choices of several, which have names for people.
///
/// Schema: [`TitledMultiSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#titledmultiselectenumschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::TitledMultiSelectEnumSchema;
///
/// let field = TitledMultiSelectEnumSchema::new([("#f00", "Red")]).default_value(["#f00"]);
/// assert_eq!(field.items.any_of.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TitledMultiSelectEnumSchema {
    #[serde(rename = "type")]
    kind: ArrayTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The fewest choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// The most choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// The choices.
    pub items: TitledItems,
    /// What is chosen at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<String>>,
}

impl TitledMultiSelectEnumSchema {
    /// A field with these choices.
    pub fn new(options: impl IntoIterator<Item = impl Into<EnumOption>>) -> Self {
        Self {
            kind: Default::default(),
            title: None,
            description: None,
            min_items: None,
            max_items: None,
            items: TitledItems::new(options),
            default: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `minItems`.
    pub fn min_items(mut self, min_items: u64) -> Self {
        self.min_items = Some(min_items);
        self
    }

    /// Sets `maxItems`.
    pub fn max_items(mut self, max_items: u64) -> Self {
        self.max_items = Some(max_items);
        self
    }

    /// Sets `default`.
    pub fn default_value(mut self, default: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.default = Some(default.into_iter().map(Into::into).collect());
        self
    }
}
