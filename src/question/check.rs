//! Whether an accepted answer is an answer to the form that was asked.
//!
//! A refusal names the field and the rule, both the author's, and never what
//! the client sent.

mod exact;
mod formats;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::json::{Json, Kind as JsonKind, Number as JsonNumber};

use super::form::kind::{Choices, Format, Integer, Kind, Number, Options, Text};
use super::form::{Form, Written};
pub(crate) use exact::{Exact, is_integer};

/// Why an answer was refused: the field and the rule it broke.
///
/// It says nothing of what the client sent, so it may go to a log as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{rule}", self.place())]
pub struct Refused {
    field: Option<String>,
    rule: Rule,
}

/// What an answer broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Rule {
    #[error("the form itself is faulty")]
    FaultyForm,
    #[error("must be an object")]
    Object,
    #[error("may hold only strings, numbers, booleans and lists of strings")]
    Values,
    #[error("is required")]
    Required,
    #[error("must be a string")]
    Text,
    #[error("must be a number")]
    Number,
    #[error("must be an integer within ±(2^53 − 1)")]
    Integer,
    #[error("must be a boolean")]
    Boolean,
    #[error("must be a list of strings")]
    List,
    #[error("must be at least {0} characters long")]
    MinLength(u32),
    #[error("must be at most {0} characters long")]
    MaxLength(u32),
    #[error("must be of format {0}")]
    Format(&'static str),
    #[error("must be at least {0}")]
    Minimum(String),
    #[error("must be at most {0}")]
    Maximum(String),
    #[error("must be among the values offered")]
    Offered,
    #[error("must have at least {0} values")]
    MinItems(u32),
    #[error("must have at most {0} values")]
    MaxItems(u32),
}

impl Refused {
    /// The answer as a whole is refused.
    fn whole(rule: Rule) -> Self {
        Refused { field: None, rule }
    }

    pub(super) fn field(name: &str, rule: Rule) -> Self {
        Refused {
            field: Some(name.to_owned()),
            rule,
        }
    }

    fn place(&self) -> String {
        match &self.field {
            Some(name) => format!("field {name:?} "),
            None => String::from("the answer "),
        }
    }
}

impl Form {
    /// What a tool may read of an answer, as JSON text: the form's fields in
    /// the form's order and nothing else. Integers are written plainly (`3`
    /// for `3.0`), so that they decode as integers; other numbers keep the
    /// client's text.
    pub(crate) fn accepted_content(&self, content: Json<'_>) -> Result<String, Refused> {
        let answers = self.read(content)?;
        let fields = self.fields().iter().zip(answers);
        let written = fields.fold(Written::object(), |written, (named, answer)| match answer {
            Some(json) => written.named_raw(&named.name, &plain(named.field.kind(), json)),
            None => written,
        });
        Ok(written.finish())
    }

    /// The answer to each field, all of them checked.
    fn read<'a>(&self, content: Json<'a>) -> Result<Vec<Option<Json<'a>>>, Refused> {
        if self.fault().is_some() {
            return Err(Refused::whole(Rule::FaultyForm));
        }
        if content.kind() != JsonKind::Object {
            return Err(Refused::whole(Rule::Object));
        }
        let mut answers = vec![None; self.fields().len()];
        for (key, json) in content.members() {
            let mut slots = self.fields().iter().zip(&mut answers);
            match slots.find(|(named, _)| named.name == key) {
                Some((_, slot)) => *slot = Some(json),
                // A field that nobody asked for is not read, but the spec
                // still says what it may hold.
                None if !may_stand(json) => return Err(Refused::whole(Rule::Values)),
                None => {}
            }
        }
        for (named, answer) in self.fields().iter().zip(&answers) {
            let rule = match answer {
                Some(json) => refusal(named.field.kind(), *json),
                None => named.field.is_required().then_some(Rule::Required),
            };
            if let Some(rule) = rule {
                return Err(Refused::field(&named.name, rule));
            }
        }
        Ok(answers)
    }
}

/// Whether the spec lets a value stand in an answer at all.
fn may_stand(json: Json<'_>) -> bool {
    match json.kind() {
        JsonKind::String | JsonKind::Number | JsonKind::Bool => true,
        JsonKind::Array => json.elements().all(|item| item.kind() == JsonKind::String),
        JsonKind::Null | JsonKind::Object => false,
    }
}

/// A checked answer as JSON text, the same for the same answer except for the
/// spelling of numbers that are no integers.
fn plain<'a>(kind: &Kind, json: Json<'a>) -> Cow<'a, str> {
    match kind {
        // Without an escape it is written as it is to be.
        Kind::Text(_) | Kind::Choice(_) if !json.text().contains('\\') => json.text().into(),
        Kind::Text(_) | Kind::Choice(_) => {
            super::form::quoted(&json.as_str().unwrap_or_default()).into()
        }
        Kind::Integer(_) => match json.as_number().and_then(JsonNumber::safe_integer) {
            Some(integer) => integer.to_string().into(),
            None => json.text().into(),
        },
        Kind::Choices(_) => super::form::array(
            json.elements()
                .map(|item| super::form::quoted(&item.as_str().unwrap_or_default())),
        )
        .into(),
        Kind::Number(_) | Kind::Boolean(_) => json.text().into(),
    }
}

/// The rule that a value breaks, if any.
pub(super) fn refusal(kind: &Kind, json: Json<'_>) -> Option<Rule> {
    match kind {
        Kind::Text(text) => of_text(text, json),
        Kind::Integer(integer) => of_integer(integer, json),
        Kind::Number(number) => of_number(number, json),
        Kind::Boolean(_) => json.as_bool().is_none().then_some(Rule::Boolean),
        Kind::Choice(choice) => of_option(&choice.options, json),
        Kind::Choices(choices) => of_list(choices, json),
    }
}

fn of_text(text: &Text, json: Json<'_>) -> Option<Rule> {
    let Some(answer) = json.as_str() else {
        return Some(Rule::Text);
    };
    let length = answer.chars().count() as u64;
    if let Some(least) = text.min_length.filter(|least| length < u64::from(*least)) {
        return Some(Rule::MinLength(least));
    }
    if let Some(most) = text.max_length.filter(|most| length > u64::from(*most)) {
        return Some(Rule::MaxLength(most));
    }
    let format = text.format?;
    let fits = match format {
        Format::Email => formats::is_email(&answer),
        Format::Uri => formats::is_uri(&answer),
        Format::Date => formats::is_date(&answer),
        Format::DateTime => formats::is_date_time(&answer),
    };
    (!fits).then_some(Rule::Format(format.name()))
}

fn of_integer(integer: &Integer, json: Json<'_>) -> Option<Rule> {
    let Some(answer) = json.as_number().and_then(JsonNumber::safe_integer) else {
        return Some(Rule::Integer);
    };
    if let Some(least) = integer.minimum.filter(|least| answer < *least) {
        return Some(Rule::Minimum(least.to_string()));
    }
    let most = integer.maximum.filter(|most| answer > *most)?;
    Some(Rule::Maximum(most.to_string()))
}

fn of_number(number: &Number, json: Json<'_>) -> Option<Rule> {
    // What is beyond an `f64` would not decode in the tool.
    let finite = |answer: &JsonNumber<'_>| answer.text().parse::<f64>().is_ok_and(f64::is_finite);
    let Some(answer) = json.as_number().filter(finite) else {
        return Some(Rule::Number);
    };
    let beyond = |bound: &serde_json::Number, side| {
        Exact::of(bound).is_some_and(|exact| exact.place(answer) == side)
    };
    if let Some(least) = &number.minimum {
        if beyond(least, Ordering::Less) {
            return Some(Rule::Minimum(least.to_string()));
        }
    }
    let most = number.maximum.as_ref()?;
    beyond(most, Ordering::Greater).then(|| Rule::Maximum(most.to_string()))
}

fn of_option(options: &Options, json: Json<'_>) -> Option<Rule> {
    match json.as_str() {
        None => Some(Rule::Text),
        Some(answer) => (!options.offers(&answer)).then_some(Rule::Offered),
    }
}

fn of_list(choices: &Choices, json: Json<'_>) -> Option<Rule> {
    if json.kind() != JsonKind::Array {
        return Some(Rule::List);
    }
    let mut count: u64 = 0;
    for item in json.elements() {
        count += 1;
        match of_option(&choices.options, item) {
            Some(Rule::Text) => return Some(Rule::List),
            Some(rule) => return Some(rule),
            None => {}
        }
    }
    if let Some(least) = choices.min_items.filter(|least| count < u64::from(*least)) {
        return Some(Rule::MinItems(least));
    }
    let most = choices.max_items.filter(|most| count > u64::from(*most))?;
    Some(Rule::MaxItems(most))
}
