//! From a template to a regular expression.

use super::TemplateError;

/// The most variables in a template, which bounds the work of a match.
const MOST_VARIABLES: usize = 64;

/// A value of unreserved characters; everything else in it is percent-encoded.
const PLAIN: &str = "((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*)";
/// A value in which reserved characters stand for themselves.
const RESERVED: &str = r"((?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)";

/// What a group of the expression holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A variable's value, or its first `prefix` characters.
    Value { name: String, prefix: Option<usize> },
    /// The `?` or `&` before a variable of a query: which one is right depends
    /// on whether it is the first that is present.
    Separator,
    /// Nothing: an empty group before the variables of a query.
    QueryStart,
}

/// A regular expression, and what its groups hold.
pub(super) struct Pattern {
    pub(super) text: String,
    pub(super) slots: Vec<Slot>,
}

/// One variable of an expression.
struct Variable<'t> {
    name: &'t str,
    prefix: Option<usize>,
}

impl Pattern {
    /// The pattern of a template that is valid by the RFC.
    pub(super) fn of(template: &str) -> Result<Self, TemplateError> {
        let mut pattern = Pattern {
            text: String::from("^"),
            slots: Vec::new(),
        };
        let mut left = MOST_VARIABLES;
        let mut rest = template;
        while let Some((literal, after)) = rest.split_once('{') {
            pattern.text.push_str(&regex_lite::escape(literal));
            let (body, after) = after.split_once('}').ok_or(TemplateError::Syntax)?;
            let operators = ['+', '#', '.', '/', ';', '?', '&'];
            let operator = body
                .chars()
                .next()
                .filter(|first| operators.contains(first));
            let list = body
                .get(operator.map_or(0, char::len_utf8)..)
                .unwrap_or_default();
            let variables: Vec<_> = list
                .split(',')
                .map(Variable::of)
                .collect::<Result<_, _>>()?;
            left = left
                .checked_sub(variables.len())
                .ok_or(TemplateError::TooManyVariables)?;
            pattern.expression(operator, &variables);
            rest = after;
        }
        pattern.text.push_str(&regex_lite::escape(rest));
        pattern.text.push('$');
        Ok(pattern)
    }

    fn expression(&mut self, operator: Option<char>, variables: &[Variable<'_>]) {
        match operator {
            Some('+') => self.joined(variables, RESERVED),
            Some('#') => {
                self.text.push_str("(?:#");
                self.joined(variables, RESERVED);
                self.text.push_str(")?");
            }
            Some(separator @ ('.' | '/')) => {
                for variable in variables {
                    self.text.push_str(&format!(r"(?:\{separator}"));
                    self.value(variable, PLAIN);
                    self.text.push_str(")?");
                }
            }
            Some(';') => self.parameters(variables),
            Some('?') => {
                self.text.push_str("()");
                self.slots.push(Slot::QueryStart);
                self.query(variables, "([?&])");
            }
            Some('&') => self.query(variables, "&"),
            _ => self.joined(variables, PLAIN),
        }
    }

    /// Values between commas; all must be present.
    fn joined(&mut self, variables: &[Variable<'_>], characters: &str) {
        for (index, variable) in variables.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.value(variable, characters);
        }
    }

    /// `;name=value`, or `;name` for an empty value.
    fn parameters(&mut self, variables: &[Variable<'_>]) {
        for variable in variables {
            let name = regex_lite::escape(variable.name);
            self.text.push_str(&format!("(?:;{name}(?:="));
            self.value(variable, PLAIN);
            self.text.push('|');
            self.value(variable, "()");
            self.text.push_str("))?");
        }
    }

    /// `name=value`, each after a separator.
    fn query(&mut self, variables: &[Variable<'_>], separator: &str) {
        for variable in variables {
            let name = regex_lite::escape(variable.name);
            self.text.push_str(&format!("(?:{separator}{name}="));
            if separator.starts_with('(') {
                self.slots.push(Slot::Separator);
            }
            self.value(variable, PLAIN);
            self.text.push_str(")?");
        }
    }

    fn value(&mut self, variable: &Variable<'_>, characters: &str) {
        self.text.push_str(characters);
        self.slots.push(Slot::Value {
            name: variable.name.to_owned(),
            prefix: variable.prefix,
        });
    }
}

impl<'t> Variable<'t> {
    fn of(text: &'t str) -> Result<Self, TemplateError> {
        if let Some(name) = text.strip_suffix('*') {
            return Err(TemplateError::List {
                variable: name.to_owned(),
            });
        }
        let Some((name, length)) = text.split_once(':') else {
            return Ok(Variable {
                name: text,
                prefix: None,
            });
        };
        match length.parse() {
            Ok(most @ 1..=9999) if !length.starts_with('0') => Ok(Variable {
                name,
                prefix: Some(most),
            }),
            _ => Err(TemplateError::Prefix {
                variable: name.to_owned(),
            }),
        }
    }
}
