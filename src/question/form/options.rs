//! What each kind of field can be told, and no other kind can.

use serde_json::Number as JsonNumber;

use super::field::Field;
use super::kind::{Boolean, Choice, Choices, Integer, Naming, Number, Text};

impl Field<Text> {
    /// The least length, in Unicode scalar values.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("nick", Field::text().min_length(1));
    /// assert!(form.schema_json().contains(r#""minLength":1"#));
    /// ```
    pub fn min_length(mut self, characters: u32) -> Self {
        self.kind.min_length = Some(characters);
        self
    }

    /// The greatest length, in Unicode scalar values.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("nick", Field::text().max_length(30));
    /// assert!(form.schema_json().contains(r#""maxLength":30"#));
    /// ```
    pub fn max_length(mut self, characters: u32) -> Self {
        self.kind.max_length = Some(characters);
        self
    }

    /// What a client fills in before the user does.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("nick", Field::text().default("x"));
    /// assert!(form.schema_json().contains(r#""default":"x""#));
    /// ```
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.kind.default = Some(value.into());
        self
    }
}

impl Field<Integer> {
    /// The least value.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("seats", Field::integer().minimum(1));
    /// assert!(form.schema_json().contains(r#""minimum":1"#));
    /// ```
    pub fn minimum(mut self, value: i64) -> Self {
        self.kind.minimum = Some(value);
        self
    }

    /// The greatest value.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("seats", Field::integer().maximum(9));
    /// assert!(form.schema_json().contains(r#""maximum":9"#));
    /// ```
    pub fn maximum(mut self, value: i64) -> Self {
        self.kind.maximum = Some(value);
        self
    }

    /// What a client fills in before the user does.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("seats", Field::integer().default(2));
    /// assert!(form.schema_json().contains(r#""default":2"#));
    /// ```
    pub fn default(mut self, value: i64) -> Self {
        self.kind.default = Some(value);
        self
    }
}

impl Field<Number> {
    /// The least value. A value that is not finite sets no bound.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("price", Field::number().minimum(0.5));
    /// assert!(form.schema_json().contains(r#""minimum":0.5"#));
    /// ```
    pub fn minimum(mut self, value: f64) -> Self {
        self.kind.minimum = written_number(value);
        self
    }

    /// The greatest value. A value that is not finite sets no bound.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("price", Field::number().maximum(100.0));
    /// assert!(form.schema_json().contains(r#""maximum":100}"#));
    /// ```
    pub fn maximum(mut self, value: f64) -> Self {
        self.kind.maximum = written_number(value);
        self
    }

    /// What a client fills in before the user does. A value that is not
    /// finite sets no default.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("price", Field::number().default(9.5));
    /// assert!(form.schema_json().contains(r#""default":9.5"#));
    /// ```
    pub fn default(mut self, value: f64) -> Self {
        self.kind.default = written_number(value);
        self
    }
}

impl Field<Boolean> {
    /// What a client fills in before the user does.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("vip", Field::boolean().default(false));
    /// assert!(form.schema_json().contains(r#""default":false"#));
    /// ```
    pub fn default(mut self, value: bool) -> Self {
        self.kind.default = Some(value);
        self
    }
}

impl Field<Choice> {
    /// What a client chooses before the user does; one of the values.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("colour", Field::choice(["red", "green"]).default("red"));
    /// assert!(form.schema_json().contains(r#""default":"red""#));
    /// ```
    pub fn default(mut self, value: impl Into<String>) -> Self {
        self.kind.default = Some(value.into());
        self
    }

    /// Sends the titles in the older shape, beside the values in `enumNames`,
    /// for clients that know no other: the spec's `LegacyTitledEnumSchema`,
    /// which a later revision will drop.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let colour = Field::titled_choice([("#f00", "Red")]).legacy_names();
    /// let form = Form::new("?").field("colour", colour);
    /// assert!(form.schema_json().contains(r##""enum":["#f00"],"enumNames":["Red"]"##));
    /// ```
    pub fn legacy_names(mut self) -> Self {
        self.kind.options.naming = Naming::Legacy;
        self
    }
}

impl Field<Choices> {
    /// The least number of values chosen.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("days", Field::choices(["sat", "sun"]).min_items(1));
    /// assert!(form.schema_json().contains(r#""minItems":1"#));
    /// ```
    pub fn min_items(mut self, items: u32) -> Self {
        self.kind.min_items = Some(items);
        self
    }

    /// The greatest number of values chosen.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("days", Field::choices(["sat", "sun"]).max_items(1));
    /// assert!(form.schema_json().contains(r#""maxItems":1"#));
    /// ```
    pub fn max_items(mut self, items: u32) -> Self {
        self.kind.max_items = Some(items);
        self
    }

    /// What a client chooses before the user does; some of the values.
    ///
    /// ```
    /// # use mcp_reprise::{Field, Form};
    /// let form = Form::new("?").field("days", Field::choices(["sat", "sun"]).default(["sun"]));
    /// assert!(form.schema_json().contains(r#""default":["sun"]"#));
    /// ```
    pub fn default(mut self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.kind.default = Some(values.into_iter().map(Into::into).collect());
        self
    }
}

/// Whole numbers are written without a fraction; what is not finite is none.
fn written_number(value: f64) -> Option<JsonNumber> {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        // Within ±(2^53 − 1) the cast is exact; it turns -0 into 0.
        return Some(JsonNumber::from(value as i64));
    }
    JsonNumber::from_f64(value)
}
