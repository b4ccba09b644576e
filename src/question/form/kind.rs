//! What kinds of field there are. An author never writes these names: they
//! are the parameter of [`Field`](super::Field), so that each kind has only
//! its own options.

use serde_json::Number as JsonNumber;

/// Text: the spec's `StringSchema`.
///
/// ```
/// let _: mcp_reprise::TextField = mcp_reprise::Field::text();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub(in crate::question) format: Option<Format>,
    pub(in crate::question) min_length: Option<u32>,
    pub(in crate::question) max_length: Option<u32>,
    pub(in crate::question) default: Option<String>,
}

/// A whole number: the spec's `NumberSchema` of type `integer`.
///
/// ```
/// let _: mcp_reprise::IntegerField = mcp_reprise::Field::integer();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Integer {
    pub(in crate::question) minimum: Option<i64>,
    pub(in crate::question) maximum: Option<i64>,
    pub(in crate::question) default: Option<i64>,
}

/// A number: the spec's `NumberSchema` of type `number`.
///
/// ```
/// let _: mcp_reprise::NumberField = mcp_reprise::Field::number();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Number {
    pub(in crate::question) minimum: Option<JsonNumber>,
    pub(in crate::question) maximum: Option<JsonNumber>,
    pub(in crate::question) default: Option<JsonNumber>,
}

/// Yes or no: the spec's `BooleanSchema`.
///
/// ```
/// let _: mcp_reprise::BooleanField = mcp_reprise::Field::boolean();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Boolean {
    pub(in crate::question) default: Option<bool>,
}

/// One of several values: the spec's `SingleSelectEnumSchema`, or its
/// `LegacyTitledEnumSchema`.
///
/// ```
/// let _: mcp_reprise::ChoiceField = mcp_reprise::Field::choice(["red"]);
/// ```
#[derive(Clone, Debug)]
pub struct Choice {
    pub(in crate::question) options: Options,
    pub(in crate::question) default: Option<String>,
}

/// Any of several values: the spec's `MultiSelectEnumSchema`.
///
/// ```
/// let _: mcp_reprise::ChoicesField = mcp_reprise::Field::choices(["red"]);
/// ```
#[derive(Clone, Debug)]
pub struct Choices {
    pub(in crate::question) options: Options,
    pub(in crate::question) min_items: Option<u32>,
    pub(in crate::question) max_items: Option<u32>,
    pub(in crate::question) default: Option<Vec<String>>,
}

impl Choices {
    pub(super) fn of(options: Options) -> Self {
        Choices {
            options,
            min_items: None,
            max_items: None,
            default: None,
        }
    }
}

/// A field of any kind, when its kind no longer matters.
///
/// ```
/// let _: mcp_reprise::Field = mcp_reprise::Field::text().into();
/// ```
#[derive(Clone, Debug)]
pub struct Any(pub(in crate::question) Kind);

/// Which kind it is.
#[derive(Clone, Debug)]
pub(in crate::question) enum Kind {
    Text(Text),
    Integer(Integer),
    Number(Number),
    Boolean(Boolean),
    Choice(Choice),
    Choices(Choices),
}

/// The formats that the spec knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::question) enum Format {
    Email,
    Uri,
    Date,
    DateTime,
}

impl Format {
    pub(in crate::question) fn name(self) -> &'static str {
        match self {
            Format::Email => "email",
            Format::Uri => "uri",
            Format::Date => "date",
            Format::DateTime => "date-time",
        }
    }
}

/// How the options of a choice are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::question) enum Naming {
    /// By their values.
    Values,
    /// By titles, as the spec has it now.
    Titles,
    /// By titles, in the older `enumNames`.
    Legacy,
}

/// What there is to choose from, as value and title; the title is the value
/// where the author gave none.
#[derive(Clone, Debug)]
pub(in crate::question) struct Options {
    pub(in crate::question) naming: Naming,
    pub(in crate::question) entries: Vec<(String, String)>,
}

impl Options {
    pub(super) fn values(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut entries = Vec::new();
        for value in values {
            let value = value.into();
            put(&mut entries, value.clone(), value);
        }
        Options {
            naming: Naming::Values,
            entries,
        }
    }

    pub(super) fn titled(
        options: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        let mut entries = Vec::new();
        for (value, title) in options {
            put(&mut entries, value.into(), title.into());
        }
        Options {
            naming: Naming::Titles,
            entries,
        }
    }

    pub(in crate::question) fn offers(&self, value: &str) -> bool {
        self.entries.iter().any(|(offered, _)| offered == value)
    }
}

/// Offers `value` under `title`: in the place of an earlier such value, else
/// at the end.
fn put(entries: &mut Vec<(String, String)>, value: String, title: String) {
    match entries.iter_mut().find(|(known, _)| *known == value) {
        Some((_, shown)) => *shown = title,
        None => entries.push((value, title)),
    }
}
