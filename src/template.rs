//! URI templates of [RFC 6570], read backwards: from a URI to the values that
//! its template was expanded with.
//!
//! A template is compiled once, to one regular expression that matches just
//! what the template can expand to. It may use every operator of the RFC, and
//! prefixes (`{name:3}`), but not lists (`{name*}`). Where two readings are
//! possible, as in `{a}{b}`, the earlier variable takes as much as it can.
//! Variables after `#`, `.`, `/`, `;`, `?` and `&` may be absent; those of a
//! query are matched in the order in which the template has them.
//!
//! [RFC 6570]: https://www.rfc-editor.org/rfc/rfc6570

mod pattern;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use iri_string::template::UriTemplateStr;
use percent_encoding::percent_decode_str;
use regex_lite::Regex;

use pattern::{Pattern, Slot};

/// The longest template, and the longest URI that is matched, in bytes.
const LONGEST: usize = 8 << 10;

/// Why a resource template was refused where it was registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// It is not a template in ASCII by RFC 6570.
    #[error("not a URI template of RFC 6570")]
    Syntax,
    /// It is longer than 8 KiB (8,192 bytes).
    #[error("longer than 8 KiB")]
    TooLong,
    /// It has more than 64 variables.
    #[error("more than 64 variables")]
    TooManyVariables,
    /// A variable stands for a list (`{name*}`), which cannot be read back.
    #[error("{{{variable}*}} stands for a list, which cannot be matched")]
    List {
        /// The variable's name.
        variable: String,
    },
    /// A prefix (`{name:3}`) is not of 1 to 9999 characters.
    #[error("the prefix of {{{variable}}} is not of 1 to 9999 characters")]
    Prefix {
        /// The variable's name.
        variable: String,
    },
}

/// A template that was found good.
#[derive(Clone)]
pub(crate) struct UriTemplate {
    regex: Regex,
    /// What each group of the expression holds, in order.
    slots: Vec<Slot>,
}

impl UriTemplate {
    /// Compiles a template.
    pub(crate) fn new(template: &str) -> Result<Self, TemplateError> {
        if template.len() > LONGEST {
            return Err(TemplateError::TooLong);
        }
        // The validator is made for ASCII, to which the RFC's grammar boils
        // down once its literals are percent-encoded.
        if !template.is_ascii() || UriTemplateStr::new(template).is_err() {
            return Err(TemplateError::Syntax);
        }
        let pattern = Pattern::of(template)?;
        let regex = Regex::new(&pattern.text).map_err(|_| TemplateError::TooLong)?;
        Ok(UriTemplate {
            regex,
            slots: pattern.slots,
        })
    }

    /// The names of the variables, each once, in the order in which they
    /// first stand in the template.
    pub(crate) fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for slot in &self.slots {
            if let Slot::Value { name, .. } = slot {
                if !names.contains(&name.as_str()) {
                    names.push(name.as_str());
                }
            }
        }
        names
    }

    /// The values that the template expands to `uri` with, percent-decoded, so
    /// that a value may hold a `/` where the URI held `%2F`. Absent variables
    /// are left out.
    ///
    /// `None` when it does not expand to `uri`, when a value does not decode
    /// to UTF-8, and for a URI longer than 8 KiB. Linear in the URI.
    pub(crate) fn matches(&self, uri: &str) -> Option<BTreeMap<String, String>> {
        if uri.len() > LONGEST {
            return None;
        }
        let captures = self.regex.captures(uri)?;
        let mut values = Values::default();
        let mut query_open = false;
        for (index, slot) in self.slots.iter().enumerate() {
            // Group 0 is the whole match.
            let group = captures.get(index + 1).map(|group| group.as_str());
            match (slot, group) {
                (Slot::QueryStart, _) => query_open = false,
                (_, None) => {}
                (Slot::Separator, Some(separator)) => {
                    let due = if query_open { "&" } else { "?" };
                    if separator != due {
                        return None;
                    }
                    query_open = true;
                }
                (Slot::Value { name, prefix }, Some(raw)) => {
                    let value = percent_decode_str(raw).decode_utf8().ok()?;
                    values.take(name, *prefix, &value)?;
                }
            }
        }
        values.agreed()
    }
}

impl fmt::Debug for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UriTemplate({})", self.regex)
    }
}

/// What the variables were found to be. A variable that stands in the template
/// more than once must be the same each time.
#[derive(Default)]
struct Values {
    whole: BTreeMap<String, String>,
    /// Values cut to so many characters.
    prefixes: Vec<(String, usize, String)>,
}

impl Values {
    /// `None` when it contradicts what was taken before.
    fn take(&mut self, name: &str, prefix: Option<usize>, value: &str) -> Option<()> {
        match prefix {
            Some(most) if value.chars().count() > most => return None,
            Some(most) => self
                .prefixes
                .push((name.to_owned(), most, value.to_owned())),
            None => {
                let known = self.whole.entry(name.to_owned());
                let known = known.or_insert_with(|| value.to_owned());
                if known != value {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The values, with the longest prefix for a variable that is nowhere
    /// written out.
    fn agreed(mut self) -> Option<BTreeMap<String, String>> {
        self.prefixes
            .sort_by_key(|(_, most, _)| std::cmp::Reverse(*most));
        for (name, most, prefix) in self.prefixes {
            let known = self.whole.entry(name).or_insert_with(|| prefix.clone());
            if !known.chars().take(most).eq(prefix.chars()) {
                return None;
            }
        }
        Some(self.whole)
    }
}
