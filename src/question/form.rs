//! What a tool asks a user: a form to fill in, or a page to visit.
//!
//! A [`Form`] can say what the spec's flat [requested schema] can say and
//! nothing else, so a form that compiles is a schema that every client knows.
//!
//! [requested schema]: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema

mod fault;
mod field;
pub(in crate::question) mod kind;
mod options;
mod pin;
mod schema;
mod url;
mod written;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub use field::{
    BooleanField, ChoiceField, ChoicesField, Field, IntegerField, NumberField, TextField,
};
use pin::Pin;
pub use url::{UrlError, UrlPrompt};
use written::quote;
pub(crate) use written::{Written, array, quoted};

/// A question that is answered by filling in fields: the spec's
/// [form mode elicitation].
///
/// Fields keep the order in which they are written. A field added under a
/// name that the form already has takes the earlier one's place. Fields are
/// required; [`Field::optional`] makes one optional. Not for passwords, keys
/// and the like, which the spec forbids here: use [`UrlPrompt`].
///
/// ```
/// use mcp_reprise::{Field, Form};
///
/// let form = Form::new("Where should we send it?")
///     .text("name")
///     .email("mail")
///     .field("copies", Field::integer().minimum(1).maximum(9).default(1))
///     .titled_choice("size", [("a4", "A4 paper"), ("a5", "Half of that")])
///     .field("note", Field::text().optional().max_length(200));
/// # assert!(form.schema_json().ends_with(r#""required":["name","mail","copies","size"]}"#));
/// ```
///
/// [form mode elicitation]: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests
#[derive(Clone, Debug)]
pub struct Form {
    message: String,
    fields: Vec<Named>,
    pin: Pin,
}

/// A field of a form.
#[derive(Clone, Debug)]
pub(in crate::question) struct Named {
    pub(in crate::question) name: String,
    pub(in crate::question) field: Field,
    /// What the author got wrong about it.
    fault: Option<String>,
}

impl Form {
    /// A form without fields, which asks for consent to `message`.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// let form = Form::new("Delete 3 files?");
    /// assert_eq!(form.schema_json(), r#"{"type":"object","properties":{}}"#);
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Form {
            message: message.into(),
            fields: Vec::new(),
            pin: Pin::default(),
        }
    }

    /// Adds a field with the options that only its kind has.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("Who?").text("nick").field("nick", Field::text().optional());
    /// assert_eq!(form.schema_json(), r#"{"type":"object","properties":{"nick":{"type":"string"}}}"#);
    /// ```
    pub fn field(mut self, name: impl Into<String>, field: impl Into<Field>) -> Self {
        let (name, field) = (name.into(), field.into());
        let named = Named {
            fault: fault::of_field(&name, field.kind()),
            name,
            field,
        };
        match self
            .fields
            .iter_mut()
            .find(|known| known.name == named.name)
        {
            Some(place) => *place = named,
            None => {
                // Most forms have one field, and fields are large.
                if self.fields.is_empty() {
                    self.fields.reserve_exact(1);
                }
                self.fields.push(named);
            }
        }
        self
    }

    /// Adds a required line of text.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("Which day?").text("day").schema_json().contains(r#""day":{"type":"string"}"#));
    /// ```
    pub fn text(self, name: impl Into<String>) -> Self {
        self.field(name, Field::text())
    }

    /// Adds a required e-mail address.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("Whom?").email("mail").schema_json().contains(r#""format":"email""#));
    /// ```
    pub fn email(self, name: impl Into<String>) -> Self {
        self.field(name, Field::email())
    }

    /// Adds a required URI, with its scheme.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("Where?").uri("site").schema_json().contains(r#""format":"uri""#));
    /// ```
    pub fn uri(self, name: impl Into<String>) -> Self {
        self.field(name, Field::uri())
    }

    /// Adds a required calendar date, such as `2026-07-28`.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("When?").date("on").schema_json().contains(r#""format":"date""#));
    /// ```
    pub fn date(self, name: impl Into<String>) -> Self {
        self.field(name, Field::date())
    }

    /// Adds a required moment with its offset, such as `2026-07-28T20:00:00Z`.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("When?").date_time("at").schema_json().contains(r#""format":"date-time""#));
    /// ```
    pub fn date_time(self, name: impl Into<String>) -> Self {
        self.field(name, Field::date_time())
    }

    /// Adds a required whole number.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("How many?").integer("seats").schema_json().contains(r#"{"type":"integer"}"#));
    /// ```
    pub fn integer(self, name: impl Into<String>) -> Self {
        self.field(name, Field::integer())
    }

    /// Adds a required number.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("How much?").number("price").schema_json().contains(r#"{"type":"number"}"#));
    /// ```
    pub fn number(self, name: impl Into<String>) -> Self {
        self.field(name, Field::number())
    }

    /// Adds a required yes or no.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert!(Form::new("Really?").boolean("vip").schema_json().contains(r#"{"type":"boolean"}"#));
    /// ```
    pub fn boolean(self, name: impl Into<String>) -> Self {
        self.field(name, Field::boolean())
    }

    /// Adds a required choice of one value.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// let form = Form::new("Which?").choice("colour", ["red", "green"]);
    /// assert!(form.schema_json().contains(r#"{"type":"string","enum":["red","green"]}"#));
    /// ```
    pub fn choice(
        self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.field(name, Field::choice(values))
    }

    /// Adds a required choice of one value, each shown by a title.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// let form = Form::new("Which?").titled_choice("colour", [("#f00", "Red")]);
    /// assert!(form.schema_json().contains(r##""oneOf":[{"const":"#f00","title":"Red"}]"##));
    /// ```
    pub fn titled_choice(
        self,
        name: impl Into<String>,
        options: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.field(name, Field::titled_choice(options))
    }

    /// Adds a required choice of any number of values.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// let form = Form::new("Which?").choices("days", ["sat", "sun"]);
    /// assert!(form.schema_json().contains(r#""items":{"type":"string","enum":["sat","sun"]}"#));
    /// ```
    pub fn choices(
        self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.field(name, Field::choices(values))
    }

    /// Adds a required choice of any number of values, each shown by a title.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// let form = Form::new("Which?").titled_choices("days", [("sat", "Saturday")]);
    /// assert!(form.schema_json().contains(r#""anyOf":[{"const":"sat","title":"Saturday"}]"#));
    /// ```
    pub fn titled_choices(
        self,
        name: impl Into<String>,
        options: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.field(name, Field::titled_choices(options))
    }

    /// Pins the question to a value that its words do not show: an answer
    /// counts only while the value is the same. It is never sent.
    ///
    /// Pin whatever the user agrees to: "Delete the selected files?" keeps its
    /// words while the selection changes. A later call replaces an earlier
    /// one. When the value cannot be serialized, asking the question fails.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// let selected = ["a.txt", "b.txt"];
    /// let form = Form::new("Delete the selected files?").about(&selected);
    /// assert!(!form.schema_json().contains("a.txt"));
    /// ```
    pub fn about(mut self, value: &(impl Serialize + ?Sized)) -> Self {
        self.pin = Pin::to(value);
        self
    }

    /// The `requestedSchema` as JSON text.
    ///
    /// ```
    /// # use mcp_reprise::Form;
    /// assert_eq!(
    ///     Form::new("Which day?").text("day").schema_json(),
    ///     r#"{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}"#,
    /// );
    /// ```
    pub fn schema_json(&self) -> String {
        schema::of_form(self, String::with_capacity(self.room()))
    }

    /// The params of the `elicitation/create` request, in a text whose room is used again.
    pub(crate) fn params_json(&self, mut out: String) -> String {
        out.clear();
        out.reserve(self.message.len() + self.room());
        out.push_str(r#"{"mode":"form","message":"#);
        quote(&self.message, &mut out);
        out.push_str(r#","requestedSchema":"#);
        out = schema::of_form(self, out);
        out.push('}');
        out
    }

    /// About how many bytes its params take besides the message.
    fn room(&self) -> usize {
        128 + 64 * self.fields.len()
    }

    /// What the question is pinned to, as JSON text whose members are in the
    /// order the author's type wrote them. `None` as well when the value could
    /// not be serialized; then [`Form::fault`] says so, and no answer is
    /// accepted.
    pub(crate) fn about_json(&self) -> Option<&str> {
        self.pin.json()
    }

    /// What the author got wrong, to be reported when the form is asked: it is
    /// theirs to mend, and holds nothing of a client's. Such a form accepts no
    /// answer.
    pub(crate) fn fault(&self) -> Option<&str> {
        let of_a_field = || self.fields.iter().find_map(|named| named.fault.as_deref());
        self.pin.fault().or_else(of_a_field)
    }

    /// The fields in order.
    pub(in crate::question) fn fields(&self) -> &[Named] {
        &self.fields
    }
}
