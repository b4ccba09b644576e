use serde::{Deserialize, Serialize};

use super::JsonNumber;
use super::tag::{BooleanTag, StringTag};

/// A format a text field can ask for.
///
/// Schema: [`StringSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#stringschema).
///
/// ```
/// use mcp_reprise::protocol::StringFormat;
///
/// assert_eq!(serde_json::to_string(&StringFormat::DateTime)?, "\"date-time\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StringFormat {
    /// A mail address.
    Email,
    /// A URI.
    Uri,
    /// A date.
    Date,
    /// A date and a time.
    DateTime,
}

/// A text field of a form.
///
/// Schema: [`StringSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#stringschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::{StringFormat, StringSchema};
///
/// let field = StringSchema::new().title("Mail").format(StringFormat::Email);
/// assert_eq!(field.title.as_deref(), Some("Mail"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StringSchema {
    #[serde(rename = "type")]
    kind: StringTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// The most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// What the text should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<StringFormat>,
    /// What stands there at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl StringSchema {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
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

    /// Sets `minLength`.
    pub fn min_length(mut self, min_length: u64) -> Self {
        self.min_length = Some(min_length);
        self
    }

    /// Sets `maxLength`.
    pub fn max_length(mut self, max_length: u64) -> Self {
        self.max_length = Some(max_length);
        self
    }

    /// Sets `format`.
    pub fn format(mut self, format: StringFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets `default`.
    pub fn default_value(mut self, default: impl Into<String>) -> Self {
        self.default = Some(default.into());
        self
    }
}

/// Whether a number field takes fractions.
///
/// Schema: [`NumberSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#numberschema).
///
/// ```
/// use mcp_reprise::protocol::{NumberKind, NumberSchema};
///
/// assert_eq!(NumberSchema::integer().kind, NumberKind::Integer);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberKind {
    /// Any number.
    Number,
    /// Whole numbers.
    Integer,
}

/// A number field of a form.
///
/// Schema: [`NumberSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#numberschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::NumberSchema;
///
/// let age = NumberSchema::integer().minimum(0).maximum(150);
/// let share = NumberSchema::number().maximum(0.5);
/// assert_ne!(age, share);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NumberSchema {
    /// Whether fractions are taken: `type` on the wire.
    #[serde(rename = "type")]
    pub kind: NumberKind,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<JsonNumber>,
    /// The greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<JsonNumber>,
    /// What stands there at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<JsonNumber>,
}

impl NumberSchema {
    /// A field for any number.
    pub fn number() -> Self {
        Self::of(NumberKind::Number)
    }

    /// A field for whole numbers.
    pub fn integer() -> Self {
        Self::of(NumberKind::Integer)
    }

    fn of(kind: NumberKind) -> Self {
        Self {
            kind,
            title: None,
            description: None,
            minimum: None,
            maximum: None,
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

    /// Sets `minimum`.
    pub fn minimum(mut self, minimum: impl Into<JsonNumber>) -> Self {
        self.minimum = Some(minimum.into());
        self
    }

    /// Sets `maximum`.
    pub fn maximum(mut self, maximum: impl Into<JsonNumber>) -> Self {
        self.maximum = Some(maximum.into());
        self
    }

    /// Sets `default`.
    pub fn default_value(mut self, default: impl Into<JsonNumber>) -> Self {
        self.default = Some(default.into());
        self
    }
}

/// A yes-or-no field of a form.
///
/// Schema: [`BooleanSchema`](https://modelcontextprotocol.io/specification/2026-07-28/schema#booleanschema).
/// Spec: [Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema).
///
/// ```
/// use mcp_reprise::protocol::BooleanSchema;
///
/// assert_eq!(BooleanSchema::new().default_value(true).default, Some(true));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BooleanSchema {
    #[serde(rename = "type")]
    kind: BooleanTag,
    /// The field's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What stands there at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}

impl BooleanSchema {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
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
    pub fn default_value(mut self, default: bool) -> Self {
        self.default = Some(default);
        self
    }
}
