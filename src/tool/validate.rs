//! Checks against whole JSON Schemas, by [`jsonschema`], where the builder asks for them.

use std::sync::Arc;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::catalog::{Check, Checks, ToolEntry};
use super::register::RegisterError;

/// The longest pattern of a schema once it is compiled, in bytes.
const PATTERN: usize = 1 << 20;

/// Compiles the schemas of a tool.
pub(crate) fn checks(tool: &ToolEntry) -> Result<Checks, RegisterError> {
    let definition = &tool.definition;
    let compiled = |which, schema: Value| {
        check(&schema).map_err(|fault| RegisterError::Compile {
            tool: definition.name.clone(),
            schema: which,
            fault,
        })
    };
    let output = definition.output_schema.clone();
    Ok(Checks {
        // What an action takes is checked by its own properties.
        input: match tool.actions {
            Some(_) => None,
            None => Some(compiled(
                "inputSchema",
                definition.input_schema.clone().into(),
            )?),
        },
        output: output
            .map(|schema| compiled("outputSchema", schema.into()))
            .transpose()?,
    })
}

/// A check against a schema, which fetches nothing: a `$ref` to somewhere else is an error here.
fn check(schema: &Value) -> Result<Check, String> {
    let validator = jsonschema::options()
        .with_draft(Draft::Draft202012)
        // An engine that takes linear time, whatever a client sends for the author's pattern.
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN))
        .build(schema)
        .map_err(|error| error.to_string())?;
    Ok(Arc::new(move |value| broken(&validator, value)))
}

/// The first rule that is broken: where, and which. The value itself is not repeated.
fn broken(validator: &Validator, value: &Value) -> Result<(), String> {
    validator.validate(value).map_err(|error| {
        let place = place(error.instance_path.as_str());
        format!("{place}: {}", error.masked_with("it"))
    })
}

/// `seats[0].row` for the JSON pointer `/seats/0/row`.
fn place(pointer: &str) -> String {
    let mut place = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        if step.bytes().all(|byte| byte.is_ascii_digit()) && !place.is_empty() {
            place.push_str(&format!("[{step}]"));
            continue;
        }
        if !place.is_empty() {
            place.push('.');
        }
        place.push_str(&step);
    }
    match place.is_empty() {
        true => "arguments".to_owned(),
        false => place,
    }
}
