//! From an input schema to rules.

use serde_json::{Map, Number, Value};

use super::{Among, Bound, FlatSchema, Literal, Members, Property, Rule, Side, Types};
use crate::json::Kind;
use crate::question::Exact;

/// How deep rules are compiled; what lies deeper passes unchecked. It bounds
/// the walk through a schema and how deep a check calls itself.
const DEEPEST: usize = 16;
/// The most bytes of an `enum` that an error lists.
const LISTED: usize = 400;

impl FlatSchema {
    /// Compiles an input schema. What it does not know, it leaves out.
    pub(crate) fn new(schema: &Map<String, Value>) -> Self {
        compile(schema, DEEPEST)
    }
}

fn compile(schema: &Map<String, Value>, depth: usize) -> FlatSchema {
    let Some(depth) = depth.checked_sub(1) else {
        return FlatSchema::default();
    };
    let count = |key| schema.get(key).and_then(Value::as_u64);
    // The cheap rules first; and the type first of all, since what is said of
    // it helps the most.
    let rules = [
        schema.get("type").and_then(types).map(Rule::Type),
        schema.get("const").and_then(constant),
        schema.get("enum").and_then(among),
        count("minLength").map(Rule::MinLength),
        count("maxLength").map(Rule::MaxLength),
        count("minItems").map(Rule::MinItems),
        count("maxItems").map(Rule::MaxItems),
        bound(schema, "minimum", Side::Minimum),
        bound(schema, "exclusiveMinimum", Side::ExclusiveMinimum),
        bound(schema, "maximum", Side::Maximum),
        bound(schema, "exclusiveMaximum", Side::ExclusiveMaximum),
        items(schema, depth),
        members(schema, depth),
    ];
    FlatSchema {
        rules: rules.into_iter().flatten().collect(),
    }
}

/// `None` when one of the types is unknown.
fn types(value: &Value) -> Option<Types> {
    match value {
        Value::String(name) => Types(0).with(name),
        Value::Array(names) => names
            .iter()
            .try_fold(Types(0), |types, name| types.with(name.as_str()?)),
        _ => None,
    }
}

fn constant(value: &Value) -> Option<Rule> {
    Some(Rule::Among(Box::new(Among {
        literals: [literal(value)?].into(),
        rule: format!("must be {}", cut(&value.to_string())).into(),
    })))
}

fn among(value: &Value) -> Option<Rule> {
    let values = value.as_array()?;
    let literals = values.iter().map(literal).collect::<Option<_>>()?;
    let texts: Vec<_> = values.iter().map(Value::to_string).collect();
    Some(Rule::Among(Box::new(Among {
        literals,
        rule: format!("must be one of {}", cut(&texts.join(", "))).into(),
    })))
}

fn literal(value: &Value) -> Option<Literal> {
    Some(match value {
        Value::Null => Literal::Null,
        Value::Bool(literal) => Literal::Bool(*literal),
        Value::Number(number) => Literal::Number(Exact::of(number)?),
        Value::String(text) => Literal::String(text.as_str().into()),
        Value::Array(_) => Literal::Compound(Kind::Array),
        Value::Object(_) => Literal::Compound(Kind::Object),
    })
}

/// A long list would help the model no more than its beginning.
fn cut(text: &str) -> String {
    let mut end = LISTED.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text.get(..end) {
        Some(shown) if end < text.len() => format!("{shown}…"),
        _ => text.to_owned(),
    }
}

fn bound(schema: &Map<String, Value>, key: &str, side: Side) -> Option<Rule> {
    let number: &Number = schema.get(key)?.as_number()?;
    Some(Rule::Bound(Box::new(Bound {
        side,
        at: Exact::of(number)?,
        text: number.to_string().into(),
    })))
}

fn items(schema: &Map<String, Value>, depth: usize) -> Option<Rule> {
    // Beside `prefixItems`, `items` is about the rest only.
    if schema.contains_key("prefixItems") {
        return None;
    }
    let items = compile(schema.get("items")?.as_object()?, depth);
    (!items.rules.is_empty()).then(|| Rule::Items(Box::new(items)))
}

fn members(schema: &Map<String, Value>, depth: usize) -> Option<Rule> {
    let empty = Map::new();
    let declared = schema.get("properties").and_then(Value::as_object);
    let declared = declared.unwrap_or(&empty);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut properties: Vec<Property> = declared
        .iter()
        .map(|(name, value)| Property {
            name: name.as_str().into(),
            required: required.contains(&name.as_str()),
            declared: true,
            schema: match value {
                Value::Object(schema) => compile(schema, depth),
                _ => FlatSchema::default(),
            },
        })
        .collect();
    for name in required {
        if !properties.iter().any(|property| *property.name == *name) {
            properties.push(Property {
                name: name.into(),
                required: true,
                declared: false,
                schema: FlatSchema::default(),
            });
        }
    }
    properties.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    let members = Members {
        required: properties.iter().filter(|one| one.required).count(),
        // A pattern declares names that only a regular expression knows.
        closed: schema.get("additionalProperties") == Some(&Value::Bool(false))
            && !schema.contains_key("patternProperties"),
        properties: properties.into(),
    };
    let rules = members.closed || !members.properties.is_empty();
    rules.then(|| Rule::Members(Box::new(members)))
}
