use serde::{Deserialize, Serialize};

use super::tag::StringTag;

/// A choice with a name for people.
///
/// Schema: [`TitledSingleSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#titledsingleselectenumschema).
///
/// ```
/// use mcp_reprise::protocol::EnumOption;
///
/// assert_eq!(EnumOption::from(("#f00", "Red")), EnumOption::new("#f00", "Red"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EnumOption {
    /// What is sent when it is chosen: `const` on the wire.
    #[serde(rename = "const")]
    pub value: String,
    /// The name.
    pub title: String,
}

impl EnumOption {
    /// With only what is required; every optional member is absent.
    pub fn new(value: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            title: title.into(),
        }
    }
}

impl From<(&str, &str)> for EnumOption {
    fn from((value, title): (&str, &str)) -> Self {
        Self::new(value, title)
    }
}

impl From<(String, String)> for EnumOption {
    fn from((value, title): (String, String)) -> Self {
        Self::new(value, title)
    }
}

/// A field with one choice of several.
///
/// Schema: [`UntitledSingleSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#untitledsingleselectenumschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::UntitledSingleSelectEnumSchema;
///
/// let field = UntitledSingleSelectEnumSchema::new(["red", "green"]).default_value("red");
/// assert_eq!(field.values.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UntitledSingleSelectEnumSchema {
    #[serde(rename = "type")]
    kind: StringTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The choices: `enum` on the wire.
    #[serde(rename = "enum")]
    pub values: Vec<String>,
    /// What is chosen at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl UntitledSingleSelectEnumSchema {
    /// With only what is required; every optional member is absent.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            kind: Default::default(),
            title: None,
            description: None,
            values: values.into_iter().map(Into::into).collect(),
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

    /// Sets `default`.
    pub fn default_value(mut self, default: impl Into<String>) -> Self {
        self.default = Some(default.into());
        self
    }
}

/// A field with one choice of several, which have names for people.
///
/// Schema: [`TitledSingleSelectEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#titledsingleselectenumschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::TitledSingleSelectEnumSchema;
///
/// let field = TitledSingleSelectEnumSchema::new([("#f00", "Red"), ("#0f0", "Green")]);
/// assert_eq!(field.one_of.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TitledSingleSelectEnumSchema {
    #[serde(rename = "type")]
    kind: StringTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The choices.
    pub one_of: Vec<EnumOption>,
    /// What is chosen at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl TitledSingleSelectEnumSchema {
    /// With only what is required; every optional member is absent.
    pub fn new(one_of: impl IntoIterator<Item = impl Into<EnumOption>>) -> Self {
        Self {
            kind: Default::default(),
            title: None,
            description: None,
            one_of: one_of.into_iter().map(Into::into).collect(),
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

    /// Sets `default`.
    pub fn default_value(mut self, default: impl Into<String>) -> Self {
        self.default = Some(default.into());
        self
    }
}

/// The older form of a [`TitledSingleSelectEnumSchema`], with the names apart
/// from the choices. The spec will drop it.
///
/// Schema: [`LegacyTitledEnumSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#legacytitledenumschema).
///
/// ```
/// use mcp_reprise::protocol::LegacyTitledEnumSchema;
///
/// let field = LegacyTitledEnumSchema::new([("#f00", "Red")]);
/// assert_eq!(field.enum_names, Some(vec!["Red".to_owned()]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LegacyTitledEnumSchema {
    #[serde(rename = "type")]
    kind: StringTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The choices: `enum` on the wire.
    #[serde(rename = "enum")]
    pub values: Vec<String>,
    /// Their names, in the same order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enum_names: Option<Vec<String>>,
    /// What is chosen at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl LegacyTitledEnumSchema {
    /// A field with these choices and their names.
    pub fn new(options: impl IntoIterator<Item = impl Into<EnumOption>>) -> Self {
        let (values, names) = options
            .into_iter()
            .map(|option| {
                let option = option.into();
                (option.value, option.title)
            })
            .unzip();
        Self {
            kind: Default::default(),
            title: None,
            description: None,
            values,
            enum_names: Some(names),
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

    /// Sets `enumNames`.
    pub fn enum_names(mut self, enum_names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.enum_names = Some(enum_names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets `default`.
    pub fn default_value(mut self, default: impl Into<String>) -> Self {
        self.default = Some(default.into());
        self
    }
}
