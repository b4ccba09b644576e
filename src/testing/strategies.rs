//! Strategies of [proptest]: answers to forms, and arguments for schemas.

use proptest::strategy::{BoxedStrategy, Just, Strategy as _};
use serde_json::{Value, json};

use super::near_miss::near_miss;
use super::shapes::valid;
use super::tape::{Tape, tapes};

/// Valid content for a form, by its `requestedSchema`, for every shape a form can have. It
/// shrinks to the simplest: fewer optional fields, shorter texts, numbers nearer to zero.
///
/// ```
/// use mcp_reprise::testing::content_for;
/// use proptest::{prop_assert, test_runner::TestRunner};
/// use serde_json::{Value, json};
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "seats": { "type": "integer", "minimum": 1, "maximum": 9 } },
///     "required": ["seats"],
/// });
/// TestRunner::default()
///     .run(&content_for(&schema), |content| {
///         prop_assert!((1..=9).contains(&content["seats"].as_i64().unwrap()));
///         Ok(())
///     })
///     .unwrap();
/// ```
pub fn content_for(schema: &Value) -> BoxedStrategy<Value> {
    made(schema, valid)
}

/// An accepted answer with valid content: what [`content_for`] makes, as an `ElicitResult`.
///
/// ```
/// use mcp_reprise::testing::answer_for;
/// use proptest::{prop_assert_eq, test_runner::TestRunner};
///
/// let schema = serde_json::json!({ "type": "object", "properties": {} });
/// TestRunner::default()
///     .run(&answer_for(&schema), |answer| Ok(prop_assert_eq!(&answer["action"], "accept")))
///     .unwrap();
/// ```
pub fn answer_for(schema: &Value) -> BoxedStrategy<Value> {
    content_for(schema)
        .prop_map(|content| json!({ "action": "accept", "content": content }))
        .boxed()
}

/// An accepted answer that is nearly valid: one field is missing, of the wrong type, past a bound,
/// of the wrong format, not among the values offered. No tool ever sees one.
///
/// ```
/// use mcp_reprise::testing::near_miss_for;
/// use proptest::{prop_assert, test_runner::TestRunner};
///
/// let schema = serde_json::json!({
///     "type": "object",
///     "properties": { "vip": { "type": "boolean" } },
///     "required": ["vip"],
/// });
/// TestRunner::default()
///     .run(&near_miss_for(&schema), |answer| Ok(prop_assert!(!answer["content"]["vip"].is_boolean())))
///     .unwrap();
/// ```
pub fn near_miss_for(schema: &Value) -> BoxedStrategy<Value> {
    made(schema, near_miss)
        .prop_map(|content| json!({ "action": "accept", "content": content }))
        .boxed()
}

/// The user says no.
///
/// ```
/// use proptest::{prop_assert_eq, test_runner::TestRunner};
///
/// TestRunner::default()
///     .run(&mcp_reprise::testing::decline(), |answer| Ok(prop_assert_eq!(&answer["action"], "decline")))
///     .unwrap();
/// ```
pub fn decline() -> BoxedStrategy<Value> {
    Just(json!({ "action": "decline" })).boxed()
}

/// The user goes away.
///
/// ```
/// use proptest::{prop_assert_eq, test_runner::TestRunner};
///
/// TestRunner::default()
///     .run(&mcp_reprise::testing::cancel(), |answer| Ok(prop_assert_eq!(&answer["action"], "cancel")))
///     .unwrap();
/// ```
pub fn cancel() -> BoxedStrategy<Value> {
    Just(json!({ "action": "cancel" })).boxed()
}

/// Whatever a client may do with a form: a valid answer, a near miss, a decline, a cancel, or no
/// answer at all, which is `None`.
///
/// ```
/// use mcp_reprise::testing::any_answer_for;
/// use proptest::test_runner::TestRunner;
///
/// let schema = serde_json::json!({ "type": "object", "properties": {} });
/// TestRunner::default().run(&any_answer_for(&schema), |_answer| Ok(())).unwrap();
/// ```
pub fn any_answer_for(schema: &Value) -> BoxedStrategy<Option<Value>> {
    proptest::prop_oneof![
        5 => answer_for(schema).prop_map(Some),
        1 => decline().prop_map(Some),
        1 => cancel().prop_map(Some),
        1 => near_miss_for(schema).prop_map(Some),
        1 => Just(None),
    ]
    .boxed()
}

/// Arguments for an input schema: types, `enum`, `const`, bounds, lengths, lists, nested objects,
/// choices (`oneOf`, `anyOf`), `allOf` and local `$ref`s. Patterns, conditions and the like it does
/// not know: map or filter what it makes.
///
/// ```
/// use mcp_reprise::testing::arguments_for;
/// use proptest::{prop_assert, test_runner::TestRunner};
///
/// let schema = serde_json::json!({
///     "type": "object",
///     "properties": { "film": { "type": "string", "minLength": 1 } },
///     "required": ["film"],
/// });
/// TestRunner::default()
///     .run(&arguments_for(&schema), |arguments| Ok(prop_assert!(arguments["film"] != "")))
///     .unwrap();
/// ```
pub fn arguments_for(schema: &Value) -> BoxedStrategy<Value> {
    content_for(schema)
}

fn made(schema: &Value, make: fn(&Value, &mut Tape<'_>) -> Value) -> BoxedStrategy<Value> {
    let schema = schema.clone();
    tapes()
        .prop_map(move |cells| make(&schema, &mut Tape::new(&cells)))
        .boxed()
}
