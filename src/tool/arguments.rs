//! A check of a call's arguments against the plain parts of an input schema.
//!
//! It knows types, `enum` and `const`, bounds of numbers, lengths and lists,
//! `required`, `additionalProperties: false`, and all of these again in
//! `properties` and `items`. Whatever else a schema says, it lets pass: it
//! refuses nothing that a full validator would take. What it says is meant for
//! the model, which is to mend its call.
//!
//! The schema is compiled where the tool is registered. A check that passes
//! allocates nothing, unless a name or an `enum` string was written with
//! escapes.

mod compile;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::json::{Json, Kind, Number};
use crate::question::{Exact, is_integer};

/// The most characters of a name that the client made up which are repeated
/// to it.
const SHOWN: usize = 40;

/// An argument that breaks a rule of the tool's input schema: the place and
/// the rule, in words for the model. It repeats no value of the client's.
///
/// ```
/// fn told(error: &mcp_reprise::ArgumentError) -> String {
///     // Such as `seats[0].row: must be an integer`.
///     error.to_string()
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {rule}", if path.is_empty() { "arguments" } else { path })]
pub struct ArgumentError {
    path: String,
    rule: String,
}

impl ArgumentError {
    fn here(rule: impl Into<String>) -> Self {
        ArgumentError {
            path: String::new(),
            rule: rule.into(),
        }
    }

    /// The same, seen from the object that holds the value under `name`.
    fn in_member(self, name: &str) -> Self {
        self.within(name.to_owned())
    }

    /// The same, seen from the array that holds the value at `index`.
    fn in_element(self, index: usize) -> Self {
        self.within(format!("[{index}]"))
    }

    fn within(mut self, mut path: String) -> Self {
        if !self.path.is_empty() && !self.path.starts_with('[') {
            path.push('.');
        }
        path.push_str(&self.path);
        self.path = path;
        self
    }
}

/// A compiled schema: rules that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FlatSchema {
    rules: Box<[Rule]>,
}

/// One rule. Each says nothing of kinds that it is not about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Type(Types),
    Among(Box<Among>),
    Bound(Box<Bound>),
    MinLength(u64),
    MaxLength(u64),
    MinItems(u64),
    MaxItems(u64),
    Items(Box<FlatSchema>),
    Members(Box<Members>),
}

/// A set of the seven types' bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Types(u8);

/// An `enum`, or a `const`, which is an `enum` of one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Among {
    literals: Box<[Literal]>,
    /// The rule in words.
    rule: Box<str>,
}

/// A value of an `enum`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Literal {
    Null,
    Bool(bool),
    Number(Exact),
    String(Box<str>),
    /// An array or object: any of that kind passes.
    Compound(Kind),
}

/// A number's bound.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    side: Side,
    at: Exact,
    /// The bound as the author wrote it.
    text: Box<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Minimum,
    ExclusiveMinimum,
    Maximum,
    ExclusiveMaximum,
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Members {
    /// Sorted by name, each name once.
    properties: Box<[Property]>,
    /// How many of them are required.
    required: usize,
    /// Whether there may be no others than the declared.
    closed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Property {
    name: Box<str>,
    required: bool,
    /// Whether it stands in `properties`, not in `required` alone.
    declared: bool,
    schema: FlatSchema,
}

impl FlatSchema {
    /// Whether a call's arguments keep the rules. The work is linear in the
    /// arguments (times the logarithm of an object's properties, and the
    /// length of an `enum`).
    ///
    /// # Errors
    ///
    /// The first rule that was found broken.
    pub(crate) fn check(&self, args: Json<'_>) -> Result<(), ArgumentError> {
        self.rules.iter().try_for_each(|rule| rule.check(args))
    }
}

impl Rule {
    fn check(&self, json: Json<'_>) -> Result<(), ArgumentError> {
        match self {
            Rule::Type(types) if !types.has(json) => {
                Err(ArgumentError::here(format!("must be {}", types.words())))
            }
            Rule::Among(among) if !among.literals.iter().any(|one| one.is(json)) => {
                Err(ArgumentError::here(&*among.rule))
            }
            Rule::Bound(bound) => match json.as_number() {
                Some(number) if !bound.allows(number) => Err(ArgumentError::here(bound.words())),
                _ => Ok(()),
            },
            Rule::MinLength(least) => counted(
                length(json),
                |length| length >= *least,
                || format!("must be at least {least} characters long"),
            ),
            Rule::MaxLength(most) => counted(
                length(json),
                |length| length <= *most,
                || format!("must be at most {most} characters long"),
            ),
            Rule::MinItems(least) => counted(
                items(json),
                |items| items >= *least,
                || format!("must have at least {least} items"),
            ),
            Rule::MaxItems(most) => counted(
                items(json),
                |items| items <= *most,
                || format!("must have at most {most} items"),
            ),
            Rule::Items(schema) => json.elements().enumerate().try_for_each(|(index, item)| {
                schema.check(item).map_err(|error| error.in_element(index))
            }),
            Rule::Members(members) if json.kind() == Kind::Object => members.check(json),
            Rule::Type(_) | Rule::Among(_) | Rule::Members(_) => Ok(()),
        }
    }
}

/// Holds when there is nothing to count.
fn counted(
    count: Option<u64>,
    holds: impl Fn(u64) -> bool,
    rule: impl Fn() -> String,
) -> Result<(), ArgumentError> {
    match count {
        Some(count) if !holds(count) => Err(ArgumentError::here(rule())),
        _ => Ok(()),
    }
}

impl Members {
    fn check(&self, json: Json<'_>) -> Result<(), ArgumentError> {
        // The reader refused an object with one name twice, so to count the
        // required ones is enough.
        let mut missing = self.required;
        for (name, value) in json.members() {
            let found = self
                .properties
                .binary_search_by(|property| (*property.name).cmp(&*name))
                .ok()
                .and_then(|index| self.properties.get(index));
            if self.closed && !found.is_some_and(|property| property.declared) {
                return Err(ArgumentError::here(unexpected(&name)));
            }
            if let Some(property) = found {
                missing = missing.saturating_sub(usize::from(property.required));
                let checked = property.schema.check(value);
                checked.map_err(|error| error.in_member(&property.name))?;
            }
        }
        if missing == 0 {
            return Ok(());
        }
        let mut required = self.properties.iter().filter(|property| property.required);
        match required.find(|property| json.get(&property.name).is_none()) {
            Some(property) => Err(ArgumentError::here("is required").in_member(&property.name)),
            None => Ok(()),
        }
    }
}

fn unexpected(name: &str) -> String {
    let shown: String = name.chars().take(SHOWN).collect();
    let cut = if shown.len() < name.len() { "…" } else { "" };
    format!("must not have {shown:?}{cut}")
}

impl Types {
    const NAMES: [(&'static str, &'static str); 7] = [
        ("string", "a string"),
        ("number", "a number"),
        ("integer", "an integer"),
        ("boolean", "true or false"),
        ("array", "an array"),
        ("object", "an object"),
        ("null", "null"),
    ];
    const NUMBER: u8 = 1 << 1;
    const INTEGER: u8 = 1 << 2;

    fn has(self, json: Json<'_>) -> bool {
        let bit = match json.kind() {
            Kind::String => 1,
            Kind::Number if self.0 & Self::NUMBER != 0 => Self::NUMBER,
            Kind::Number if json.as_number().is_some_and(is_integer) => Self::INTEGER,
            Kind::Number => 0,
            Kind::Bool => 1 << 3,
            Kind::Array => 1 << 4,
            Kind::Object => 1 << 5,
            Kind::Null => 1 << 6,
        };
        self.0 & bit != 0
    }

    /// The set with the type of that name; `None` when there is no such type.
    fn with(self, name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|(known, _)| *known == name)?;
        Some(Types(self.0 | 1 << place))
    }

    fn words(self) -> String {
        let names = Self::NAMES.iter().enumerate();
        let words: Vec<_> = names
            .filter(|(place, _)| self.0 & 1 << place != 0)
            .map(|(_, (_, words))| *words)
            .collect();
        words.join(" or ")
    }
}

impl Literal {
    fn is(&self, json: Json<'_>) -> bool {
        match self {
            Literal::Null => json.is_null(),
            Literal::Bool(literal) => json.as_bool() == Some(*literal),
            Literal::Number(literal) => json
                .as_number()
                .is_some_and(|number| literal.place(number) == Ordering::Equal),
            Literal::String(literal) => json.as_str().is_some_and(|text| *text == **literal),
            Literal::Compound(kind) => json.kind() == *kind,
        }
    }
}

impl Bound {
    fn allows(&self, number: Number<'_>) -> bool {
        let place = self.at.place(number);
        match self.side {
            Side::Minimum => place != Ordering::Less,
            Side::ExclusiveMinimum => place == Ordering::Greater,
            Side::Maximum => place != Ordering::Greater,
            Side::ExclusiveMaximum => place == Ordering::Less,
        }
    }

    fn words(&self) -> String {
        let words = match self.side {
            Side::Minimum => "at least",
            Side::ExclusiveMinimum => "greater than",
            Side::Maximum => "at most",
            Side::ExclusiveMaximum => "less than",
        };
        format!("must be {words} {}", self.text)
    }
}

fn items(json: Json<'_>) -> Option<u64> {
    (json.kind() == Kind::Array).then(|| json.elements().fold(0, |count, _| count + 1))
}

/// A string's length in Unicode scalar values, counted on its text so that
/// escapes need not be resolved into a copy.
fn length(json: Json<'_>) -> Option<u64> {
    let raw = json.text().strip_prefix('"')?.strip_suffix('"')?;
    let mut count = 0;
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        count += 1;
        if character != '\\' || characters.next() != Some('u') {
            continue;
        }
        let (first, second) = (characters.next(), characters.next());
        characters.nth(1);
        // The reader refused half a surrogate pair, so the other half follows
        // the first and makes one character with it.
        if matches!(first, Some('d' | 'D'))
            && matches!(second, Some('8' | '9' | 'a' | 'A' | 'b' | 'B'))
        {
            characters.nth(5);
        }
    }
    Some(count)
}
