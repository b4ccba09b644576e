//! Answers to a form that are nearly right: one thing is wrong with each.

use serde_json::{Map, Value, json};

use super::shapes::{options, valid};
use super::tape::Tape;

/// Content for a form's schema that misses in one thing.
pub(super) fn near_miss(schema: &Value, tape: &mut Tape<'_>) -> Value {
    let Value::Object(mut content) = valid(schema, tape) else {
        return Value::Null;
    };
    let fields: Vec<(&String, &Value)> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .collect();
    let Some((name, field)) = tape.pick(&fields).copied() else {
        // Nothing is asked, so only what may stand nowhere is wrong.
        return match tape.below(3) {
            0 => json!({ "extra": null }),
            1 => json!([]),
            _ => json!({ "extra": { "a": 1 } }),
        };
    };
    let required = schema["required"]
        .as_array()
        .is_some_and(|names| names.iter().any(|needed| needed == name));
    let misses = misses(field);
    let at = tape.below(misses.len() + usize::from(required) + 1);
    if let Some(miss) = misses.get(at) {
        content.insert(name.clone(), miss.clone());
    } else if required && at == misses.len() {
        content.remove(name);
    } else {
        content.insert(name.clone(), json!({ "a": Map::new() }));
    }
    content.into()
}

/// Values that a field does not take, each for another reason.
fn misses(field: &Value) -> Vec<Value> {
    let mut misses = vec![Value::Null];
    let offered = options(field);
    match field["type"].as_str() {
        Some("string") if !offered.is_empty() => {
            misses.push(json!(beside(&offered)));
            misses.push(json!([offered[0]]));
        }
        Some("string") => strings(field, &mut misses),
        Some("integer") => {
            misses.extend([json!(0.5), json!("1"), json!(9_007_199_254_740_992_u64)]);
            beyond(field, 1.0, &mut misses);
        }
        Some("number") => {
            misses.extend([json!("1"), json!(true)]);
            beyond(field, 0.5, &mut misses);
        }
        Some("boolean") => misses.extend([json!("true"), json!(1)]),
        Some("array") => lists(field, &mut misses),
        _ => {}
    }
    misses
}

fn strings(field: &Value, misses: &mut Vec<Value>) {
    misses.push(json!(7));
    if let Some(least) = field["minLength"].as_u64().filter(|least| *least > 0) {
        misses.push("a".repeat(least as usize - 1).into());
    }
    if let Some(most) = field["maxLength"].as_u64() {
        misses.push("a".repeat(most as usize + 1).into());
    }
    let wrong: &[&str] = match field["format"].as_str() {
        Some("email") => &["a", "@b.c", "a@", "a b@c.d", "a@-b.c"],
        Some("uri") => &["", "no scheme", "/a/b", "http://[::1"],
        Some("date") => &["2026-02-29", "2026-7-28", "2026-07-28T00:00:00Z"],
        Some("date-time") => &["2026-07-28", "2026-07-28T24:00:00Z", "2026-07-28T20:00:00"],
        _ => &[],
    };
    misses.extend(wrong.iter().map(|text| json!(text)));
}

fn lists(field: &Value, misses: &mut Vec<Value>) {
    let offered = options(&field["items"]);
    let Some(first) = offered.first() else {
        misses.push(json!("a"));
        return;
    };
    misses.extend([json!(first), json!([beside(&offered)]), json!([7])]);
    let times = |count: u64| Value::from(vec![first.clone(); count as usize]);
    if let Some(least) = field["minItems"].as_u64().filter(|least| *least > 0) {
        misses.push(times(least - 1));
    }
    if let Some(most) = field["maxItems"].as_u64() {
        misses.push(times(most + 1));
    }
}

/// A number past each bound.
fn beyond(field: &Value, step: f64, misses: &mut Vec<Value>) {
    const EXACT: f64 = 9e15;
    for (name, sign) in [("minimum", -1.0), ("maximum", 1.0)] {
        if let Some(bound) = field[name].as_f64().filter(|bound| bound.abs() < EXACT) {
            let past = step.mul_add(sign, bound);
            if past.fract() == 0.0 {
                misses.push(json!(past as i64));
            } else {
                misses.push(json!(past));
            }
        }
    }
}

/// A text that is not offered.
fn beside(offered: &[Value]) -> String {
    let longest = offered
        .iter()
        .filter_map(Value::as_str)
        .max_by_key(|text| text.len());
    format!("{}x", longest.unwrap_or_default())
}
