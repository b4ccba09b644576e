//! Schemas from Rust types, by [`schemars`].

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::action::ToolAction;
use super::offered::Tool;

impl Tool {
    /// The JSON Schema of the arguments, from the type that the step takes.
    ///
    /// What `schemars` puts into definitions of their own is written where it is used, so that it
    /// is checked too; a type that holds itself is the exception.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Structured, Tool};
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Add {
    ///     /// The first number.
    ///     a: i64,
    ///     /// The second number.
    ///     b: i64,
    /// }
    ///
    /// #[derive(Serialize, JsonSchema)]
    /// struct Sum { sum: i64 }
    ///
    /// let tool = Tool::new("add")
    ///     .input_schema_of::<Add>()
    ///     .output_schema_of::<Sum>()
    ///     .step(async |_: &mut Cx, add: Add| Structured(Sum { sum: add.a + add.b }));
    /// # let _ = tool;
    /// ```
    pub fn input_schema_of<T: JsonSchema>(self) -> Self {
        self.input_schema(schema_of::<T>(SchemaSettings::draft2020_12()))
    }

    /// The JSON Schema of the structured content, from the type that the step gives: see
    /// [`Tool::input_schema_of`].
    pub fn output_schema_of<T: JsonSchema>(self) -> Self {
        self.output_schema(schema_of::<T>(
            SchemaSettings::draft2020_12().for_serialize(),
        ))
    }
}

impl ToolAction {
    /// The properties of the action's data, and which of them are required, from the type that
    /// its step takes. What has a default in serde is not required.
    ///
    /// ```
    /// use mcp_reprise::{Cx, ToolAction, protocol::CallToolResult};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Create {
    ///     /// What to do.
    ///     title: String,
    /// }
    ///
    /// let create = ToolAction::new("create", "Adds a task")
    ///     .properties_of::<Create>()
    ///     .step(|_: &mut Cx, create: Create| CallToolResult::text(create.title));
    /// # let _ = create;
    /// ```
    pub fn properties_of<T: JsonSchema>(mut self) -> Self {
        let schema = schema_of::<T>(SchemaSettings::draft2020_12());
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            self = self.property(name, schema.clone());
        }
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        self.required(names)
    }
}

/// The schema of a type, in one piece.
fn schema_of<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
