//! What an author can get wrong that the types do not rule out.

use super::kind::Kind;
use super::written::quoted;
use crate::json::{Json, ReadLimits};
use crate::question::check::{Refused, refusal};

/// What is wrong with a field, if anything.
pub(super) fn of_field(name: &str, kind: &Kind) -> Option<String> {
    if offers_nothing(kind) {
        return Some(format!("field {name:?} offers nothing to choose from"));
    }
    if empty_range(kind) {
        return Some(format!("field {name:?} has a minimum above its maximum"));
    }
    let default = default_json(kind)?;
    let json = Json::read(default.as_bytes(), &ReadLimits::default()).ok()?;
    // A client may send the default back, so it must be an answer.
    let refused = Refused::field(name, refusal(kind, json)?);
    Some(format!("the default of {refused}"))
}

fn offers_nothing(kind: &Kind) -> bool {
    match kind {
        Kind::Choice(choice) => choice.options.entries.is_empty(),
        Kind::Choices(choices) => choices.options.entries.is_empty(),
        Kind::Text(_) | Kind::Integer(_) | Kind::Number(_) | Kind::Boolean(_) => false,
    }
}

fn empty_range(kind: &Kind) -> bool {
    match kind {
        Kind::Text(text) => crossed(text.min_length, text.max_length),
        Kind::Integer(integer) => crossed(integer.minimum, integer.maximum),
        Kind::Number(number) => crossed(
            number.minimum.as_ref().and_then(|least| least.as_f64()),
            number.maximum.as_ref().and_then(|most| most.as_f64()),
        ),
        Kind::Choices(choices) => crossed(choices.min_items, choices.max_items),
        Kind::Boolean(_) | Kind::Choice(_) => false,
    }
}

fn crossed<N: PartialOrd>(least: Option<N>, most: Option<N>) -> bool {
    least.zip(most).is_some_and(|(least, most)| least > most)
}

fn default_json(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Text(text) => text.default.as_deref().map(quoted),
        Kind::Integer(integer) => integer.default.map(|value| value.to_string()),
        Kind::Number(number) => number.default.as_ref().map(|value| value.to_string()),
        Kind::Boolean(boolean) => boolean.default.map(|value| value.to_string()),
        Kind::Choice(choice) => choice.default.as_deref().map(quoted),
        Kind::Choices(choices) => {
            let values = choices.default.as_ref()?;
            Some(super::written::array(values.iter().map(|v| quoted(v))))
        }
    }
}
