//! One field of a form.

use super::kind::{Any, Boolean, Choice, Choices, Format, Integer, Kind, Number, Options, Text};

/// One field of a [`Form`](super::Form): the spec's
/// `PrimitiveSchemaDefinition`.
///
/// The parameter is the field's kind, and each kind has only its own options,
/// so that a number with a maximum length does not compile. Without one it is
/// a field of any kind.
///
/// ```
/// use mcp_reprise::{Field, Form};
///
/// let nick = Field::text().optional().title("Nickname").min_length(1).max_length(30).default("x");
/// let form = Form::new("Who are you?").field("nick", nick);
/// # assert!(form.schema_json().contains(r#"{"type":"string","title":"Nickname","minLength":1,"maxLength":30,"default":"x"}"#));
/// ```
///
/// ```compile_fail
/// mcp_reprise::Field::number().max_length(3);
/// ```
#[derive(Clone, Debug)]
pub struct Field<K = Any> {
    required: bool,
    title: Option<String>,
    description: Option<String>,
    pub(super) kind: K,
}

/// A field of text.
pub type TextField = Field<Text>;
/// A field of a whole number.
pub type IntegerField = Field<Integer>;
/// A field of a number.
pub type NumberField = Field<Number>;
/// A field of yes or no.
pub type BooleanField = Field<Boolean>;
/// A field of one of several values.
pub type ChoiceField = Field<Choice>;
/// A field of any of several values.
pub type ChoicesField = Field<Choices>;

impl<K> Field<K> {
    fn of(kind: K) -> Self {
        Field {
            required: true,
            title: None,
            description: None,
            kind,
        }
    }

    /// Lets the user leave the field out.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("nick", Field::text().optional());
    /// assert!(!form.schema_json().contains("required"));
    /// ```
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// What the field is called where a user sees it.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("vip", Field::boolean().title("First class"));
    /// assert!(form.schema_json().contains(r#"{"type":"boolean","title":"First class"}"#));
    /// ```
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the field means, in a sentence.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("vip", Field::boolean().description("With lounge."));
    /// assert!(form.schema_json().contains(r#""description":"With lounge.""#));
    /// ```
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The same field, of another kind.
    fn map<L>(self, wrap: impl FnOnce(K) -> L) -> Field<L> {
        Field {
            required: self.required,
            title: self.title,
            description: self.description,
            kind: wrap(self.kind),
        }
    }
}

impl Field {
    /// Text of any length.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Which day?").field("day", Field::text());
    /// ```
    pub fn text() -> TextField {
        Field::of(Text::default())
    }

    /// An e-mail address.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Whom?").field("mail", Field::email());
    /// ```
    pub fn email() -> TextField {
        Field::formatted(Format::Email)
    }

    /// A URI with its scheme.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Where?").field("site", Field::uri());
    /// ```
    pub fn uri() -> TextField {
        Field::formatted(Format::Uri)
    }

    /// A calendar date of RFC 3339, such as `2026-07-28`.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("When?").field("on", Field::date().default("2026-07-28"));
    /// ```
    pub fn date() -> TextField {
        Field::formatted(Format::Date)
    }

    /// A moment of RFC 3339 with its offset, such as `2026-07-28T20:00:00Z`.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("When?").field("at", Field::date_time());
    /// ```
    pub fn date_time() -> TextField {
        Field::formatted(Format::DateTime)
    }

    fn formatted(format: Format) -> TextField {
        Field::of(Text {
            format: Some(format),
            ..Text::default()
        })
    }

    /// A whole number within ±(2^53 − 1), which every client holds exactly.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("How many?").field("seats", Field::integer().minimum(1));
    /// ```
    pub fn integer() -> IntegerField {
        Field::of(Integer::default())
    }

    /// A number within the range of an `f64`.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("How much?").field("price", Field::number().minimum(0.5));
    /// ```
    pub fn number() -> NumberField {
        Field::of(Number::default())
    }

    /// Yes or no.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Really?").field("vip", Field::boolean().default(false));
    /// ```
    pub fn boolean() -> BooleanField {
        Field::of(Boolean::default())
    }

    /// One of `values`. A value given twice counts once.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Which?").field("colour", Field::choice(["red", "green"]).default("red"));
    /// ```
    pub fn choice(values: impl IntoIterator<Item = impl Into<String>>) -> ChoiceField {
        Field::of(Choice {
            options: Options::values(values),
            default: None,
        })
    }

    /// One of several values, each given with the title that shows it.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Which?").field("colour", Field::titled_choice([("#f00", "Red"), ("#0f0", "Green")]));
    /// ```
    pub fn titled_choice(
        options: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> ChoiceField {
        Field::of(Choice {
            options: Options::titled(options),
            default: None,
        })
    }

    /// Any of `values`. A value given twice counts once.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Which?").field("days", Field::choices(["sat", "sun"]).min_items(1));
    /// ```
    pub fn choices(values: impl IntoIterator<Item = impl Into<String>>) -> ChoicesField {
        Field::of(Choices::of(Options::values(values)))
    }

    /// Any of several values, each given with the title that shows it.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// Form::new("Which?").field("days", Field::titled_choices([("sat", "Saturday")]));
    /// ```
    pub fn titled_choices(
        options: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> ChoicesField {
        Field::of(Choices::of(Options::titled(options)))
    }

    pub(in crate::question) fn is_required(&self) -> bool {
        self.required
    }

    pub(in crate::question) fn kind(&self) -> &Kind {
        &self.kind.0
    }

    pub(super) fn shown_title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(super) fn shown_description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

impl From<TextField> for Field {
    fn from(field: TextField) -> Self {
        field.map(Kind::Text).map(Any)
    }
}

impl From<IntegerField> for Field {
    fn from(field: IntegerField) -> Self {
        field.map(Kind::Integer).map(Any)
    }
}

impl From<NumberField> for Field {
    fn from(field: NumberField) -> Self {
        field.map(Kind::Number).map(Any)
    }
}

impl From<BooleanField> for Field {
    fn from(field: BooleanField) -> Self {
        field.map(Kind::Boolean).map(Any)
    }
}

impl From<ChoiceField> for Field {
    fn from(field: ChoiceField) -> Self {
        field.map(Kind::Choice).map(Any)
    }
}

impl From<ChoicesField> for Field {
    fn from(field: ChoicesField) -> Self {
        field.map(Kind::Choices).map(Any)
    }
}
