//! JSON objects written member by member into one text, so that their order is
//! kept and writing cannot fail.

use serde_json::Value;

use crate::json::is_plain;

/// An object in the writing.
pub(crate) struct Written {
    text: String,
}

impl Written {
    pub(crate) fn object() -> Self {
        Written::with_room(64)
    }

    /// An object that will take about so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        let mut text = String::with_capacity(bytes);
        text.push('{');
        Written { text }
    }

    /// An object that stands in a text, behind what is written.
    pub(super) fn onto(mut text: String) -> Self {
        text.push('{');
        Written { text }
    }

    fn comma(&mut self) {
        // No value ends with that brace, so it is the object's own.
        if !self.text.ends_with('{') {
            self.text.push(',');
        }
    }

    /// Begins a member of the schema's own, whose name needs no escape.
    fn member(&mut self, name: &'static str) {
        self.comma();
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
    }

    /// Begins a member of any name.
    fn named(&mut self, name: &str) {
        self.comma();
        quote(name, &mut self.text);
        self.text.push(':');
    }

    /// Adds a member whose value is JSON text already.
    pub(crate) fn raw(mut self, name: &'static str, json: &str) -> Self {
        self.member(name);
        self.text.push_str(json);
        self
    }

    /// The same for a member of any name.
    pub(crate) fn named_raw(mut self, name: &str, json: &str) -> Self {
        self.named(name);
        self.text.push_str(json);
        self
    }

    /// Adds a whole member that is always the same.
    pub(crate) fn known(mut self, member: &'static str) -> Self {
        self.comma();
        self.text.push_str(member);
        self
    }

    pub(crate) fn string(mut self, name: &'static str, value: &str) -> Self {
        self.member(name);
        quote(value, &mut self.text);
        self
    }

    /// Adds a member when there is a value for it.
    #[inline(always)]
    pub(crate) fn some(self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.raw(name, &value.into().to_string()),
            None => self,
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// A string as JSON text.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(text, &mut out);
    out
}

/// Appends a string as JSON text. Most need no escape.
pub(super) fn quote(text: &str, out: &mut String) {
    if is_plain(text) {
        out.reserve(text.len() + 2);
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

/// An array of values that are JSON text already.
pub(crate) fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_string_is_quoted_as_serde_json_has_it(text in "[a-c\"\\\\/\n\u{1}\u{7f}é\u{2028}{}]{0,8}") {
            prop_assert_eq!(quoted(&text), Value::from(&*text).to_string());
            let object = Written::object().named_raw(&text, &quoted(&text)).some("s", Some(&*text));
            let value = serde_json::json!({ &*text: &*text, "s": &*text });
            let read: Value = serde_json::from_str(&object.finish()).unwrap();
            prop_assert_eq!(read, value);
        }
    }
}
