//! Values for a schema: valid ones, made from a tape.

use serde_json::{Map, Number, Value, json};

use super::tape::Tape;

/// How deep values nest.
const DEEPEST: usize = 6;
/// Lengths beyond a schema's minimum.
const MORE: usize = 4;

/// Some characters that are more than bytes, and some that JSON escapes.
const LETTERS: [char; 12] = [
    'a', 'b', 'z', '0', ' ', 'é', '"', '\\', '\n', '漢', '🎬', '\u{7f}',
];

/// A value that the schema allows. It knows the schemas of forms, and what serde-like schemas of
/// arguments are made of; what it does not know it passes over.
pub(super) fn valid(schema: &Value, tape: &mut Tape<'_>) -> Value {
    Maker { root: schema }.value(schema, tape, DEEPEST)
}

struct Maker<'a> {
    /// Where `$ref` leads.
    root: &'a Value,
}

impl Maker<'_> {
    fn value(&self, schema: &Value, tape: &mut Tape<'_>, depth: usize) -> Value {
        if let Some(target) = self.referred(schema) {
            return match depth.checked_sub(1) {
                Some(depth) => self.value(target, tape, depth),
                None => Value::Null,
            };
        }
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(offered) = schema["enum"].as_array() {
            return tape.pick(offered).cloned().unwrap_or_default();
        }
        for choices in ["oneOf", "anyOf"] {
            if let Some(offered) = schema[choices].as_array() {
                // The last resort is the shallow choice, or the walk would not end.
                let at = if depth == 0 {
                    0
                } else {
                    tape.below(offered.len())
                };
                let chosen = offered.get(at).unwrap_or(&Value::Null);
                return self.value(chosen, tape, depth.saturating_sub(1));
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.value(&merged(schema, parts), tape, depth.saturating_sub(1));
        }
        match kind(schema, tape) {
            "string" => text(schema, tape).into(),
            "integer" => integer(schema, tape).into(),
            "number" => number(schema, tape),
            "boolean" => (tape.below(2) == 1).into(),
            "array" => self.array(schema, tape, depth),
            "object" => self.object(schema, tape, depth),
            _ => Value::Null,
        }
    }

    fn referred(&self, schema: &Value) -> Option<&Value> {
        let path = schema["$ref"].as_str()?.strip_prefix('#')?;
        self.root.pointer(path)
    }

    fn array(&self, schema: &Value, tape: &mut Tape<'_>, depth: usize) -> Value {
        let least = size(schema, "minItems").unwrap_or(0);
        let most = size(schema, "maxItems").unwrap_or(least + MORE);
        let unique = schema["uniqueItems"] == true || schema["items"].get("enum").is_some();
        let count = match depth {
            0 => least,
            _ => least + tape.below(most.saturating_sub(least).min(MORE) + 1),
        };
        let mut items: Vec<Value> = Vec::new();
        // A set of few values may not have so many; the bound keeps it from being sought for ever.
        for _ in 0..count.saturating_mul(4) {
            if items.len() == count {
                break;
            }
            let place = schema["prefixItems"].get(items.len());
            let item = place.unwrap_or(&schema["items"]);
            let value = self.value(item, tape, depth.saturating_sub(1));
            if !unique || !items.contains(&value) {
                items.push(value);
            }
        }
        if items.len() < least {
            fill(&mut items, &schema["items"], least);
        }
        // There are fewer values than there must be items: some come twice.
        while schema["uniqueItems"] != true && items.len() < least {
            items.push(items.first().cloned().unwrap_or_default());
        }
        items.into()
    }

    fn object(&self, schema: &Value, tape: &mut Tape<'_>, depth: usize) -> Value {
        let required = |name: &String| {
            let names = schema["required"].as_array();
            names.is_some_and(|names| names.iter().any(|needed| needed == name))
        };
        let mut members = Map::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let given = required(name) || (depth > 0 && tape.below(2) == 1);
            if given {
                let value = self.value(property, tape, depth.saturating_sub(1));
                members.insert(name.clone(), value);
            }
        }
        let known = schema["properties"].as_object();
        for name in schema["required"].as_array().into_iter().flatten() {
            if let Some(name) = name
                .as_str()
                .filter(|name| known.is_none_or(|known| !known.contains_key(*name)))
            {
                members.insert(name.to_owned(), json!(0));
            }
        }
        members.into()
    }
}

/// The rest of the offered values, where chance did not bring enough different ones.
fn fill(items: &mut Vec<Value>, schema: &Value, least: usize) {
    for offered in options(schema) {
        if items.len() < least && !items.contains(&offered) {
            items.push(offered);
        }
    }
}

/// The values that an `enum`, or titled choices, offer.
pub(super) fn options(schema: &Value) -> Vec<Value> {
    if let Some(offered) = schema["enum"].as_array() {
        return offered.clone();
    }
    let titled = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let constants = titled.into_iter().flatten();
    constants
        .filter_map(|option| option.get("const").cloned())
        .collect()
}

fn merged(schema: &Value, parts: &[Value]) -> Value {
    let mut whole = schema.as_object().cloned().unwrap_or_default();
    whole.remove("allOf");
    for part in parts.iter().filter_map(Value::as_object) {
        for (name, value) in part {
            match (whole.get_mut(name), value) {
                (Some(Value::Object(known)), Value::Object(more)) => known.extend(more.clone()),
                (Some(Value::Array(known)), Value::Array(more)) => known.extend(more.clone()),
                _ => drop(whole.insert(name.clone(), value.clone())),
            }
        }
    }
    whole.into()
}

fn kind<'s>(schema: &'s Value, tape: &mut Tape<'_>) -> &'s str {
    match &schema["type"] {
        Value::String(kind) => kind,
        Value::Array(kinds) => tape.pick(kinds).and_then(Value::as_str).unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ => ["string", "integer", "boolean", "object", "null"][tape.below(5)],
    }
}

fn size(schema: &Value, name: &str) -> Option<usize> {
    usize::try_from(schema[name].as_u64()?).ok()
}

fn text(schema: &Value, tape: &mut Tape<'_>) -> String {
    if let Some(format) = schema["format"].as_str() {
        if let Some(text) = formatted(format, tape) {
            return fitted(text, schema, format);
        }
    }
    let least = size(schema, "minLength").unwrap_or(0);
    let most = size(schema, "maxLength").unwrap_or(usize::MAX).max(least);
    // A zero makes one letter where one may stand: an empty text hides mistakes.
    let length = match tape.below(MORE + 2) {
        0 => 1.clamp(least, most),
        1 => least,
        2 => most.min(least + 64),
        more => (least + more).min(most),
    };
    (0..length)
        .map(|_| LETTERS[tape.below(LETTERS.len())])
        .collect()
}

fn formatted(format: &str, tape: &mut Tape<'_>) -> Option<String> {
    let some: &[&str] = match format {
        "email" => &[
            "a@b.c",
            "first.last+tag@mail.example.com",
            "x'y@a-b.example",
        ],
        "uri" => &[
            "a:b",
            "https://example.com/a?b=c#d",
            "urn:isbn:0451450523",
            "file:///a",
        ],
        "date" => &["2026-07-28", "2024-02-29", "0001-01-01", "9999-12-31"],
        "date-time" => &[
            "2026-07-28T20:00:00Z",
            "2024-02-29T23:59:59.999+05:30",
            "2016-12-31T23:59:60Z",
        ],
        "time" => &["20:00:00Z"],
        "uuid" => &["00000000-0000-4000-8000-000000000000"],
        _ => return None,
    };
    tape.pick(some).map(|text| (*text).to_owned())
}

/// A formatted text brought to a length that the schema wants as well.
fn fitted(text: String, schema: &Value, format: &str) -> String {
    let length = text.chars().count();
    let least = size(schema, "minLength").unwrap_or(0);
    let most = size(schema, "maxLength").unwrap_or(usize::MAX);
    if (least..=most).contains(&length) {
        return text;
    }
    let pad = |start: &str, end: &str| {
        let room = least.saturating_sub(start.len() + end.len()).max(1);
        format!("{start}{}{end}", "a".repeat(room))
    };
    match format {
        "email" if least <= 64 => pad("", "@b.c"),
        "email" => pad(
            &format!("{}@", "a".repeat(60)),
            &format!(".{}", "b".repeat(60)),
        ),
        "uri" => pad("a:", ""),
        "date-time" if least > length => {
            format!("2026-07-28T20:00:00.{}Z", "0".repeat(least.max(22) - 21))
        }
        "date-time" => "2026-07-28T20:00:00Z".to_owned(),
        _ => text,
    }
}

/// The bounds of an integer; those of what a client may send where there is none.
fn bounds(schema: &Value) -> (i64, i64) {
    const SAFE: i64 = (1 << 53) - 1;
    // A bound beyond what an integer may be is no bound.
    let bound = |name: &str| schema[name].as_f64();
    let least = bound("minimum").map_or(-SAFE, |least| least.ceil() as i64);
    let least = bound("exclusiveMinimum").map_or(least, |than| least.max(than.floor() as i64 + 1));
    let most = bound("maximum").map_or(SAFE, |most| most.floor() as i64);
    let most = bound("exclusiveMaximum").map_or(most, |than| most.min(than.ceil() as i64 - 1));
    (least.max(-SAFE), most.min(SAFE))
}

fn integer(schema: &Value, tape: &mut Tape<'_>) -> i64 {
    let (least, most) = bounds(schema);
    let made = tape.between(least, most);
    match schema["multipleOf"].as_i64().filter(|step| *step > 1) {
        Some(step) => {
            let down = made - made.rem_euclid(step);
            if down < least { down + step } else { down }
        }
        None => made,
    }
}

fn number(schema: &Value, tape: &mut Tape<'_>) -> Value {
    let least = schema["minimum"]
        .as_f64()
        .or(schema["exclusiveMinimum"].as_f64());
    let most = schema["maximum"]
        .as_f64()
        .or(schema["exclusiveMaximum"].as_f64());
    let exclusive = schema
        .get("exclusiveMinimum")
        .or(schema.get("exclusiveMaximum"))
        .is_some();
    let whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e15;
    let (low, high) = match (least, most) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low.abs().max(1.0).mul_add(2.0, low)),
        (None, Some(high)) => (high.abs().max(1.0).mul_add(-2.0, high), high),
        (None, None) => (-1e6, 1e6),
    };
    let part = match tape.next() {
        0 if low <= 0.0 && high >= 0.0 && !exclusive => return json!(0),
        0 => 0.5,
        1 if !exclusive => 0.0,
        2 if !exclusive => 1.0,
        cell => f64::from(cell % 999 + 1) / 1000.0,
    };
    // Between the two without leaving them, whatever rounding does.
    let made = (high - low).mul_add(part, low).clamp(low, high);
    if whole(made) {
        return json!(made as i64);
    }
    Number::from_f64(made).map_or(json!(low), Value::Number)
}
