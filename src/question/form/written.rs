//! JSON objects written member by member, so that their order is kept and
//! writing cannot fail.

use serde_json::Value;

/// An object in the writing.
pub(crate) struct Written {
    text: String,
}

impl Written {
    pub(crate) fn object() -> Self {
        Written {
            text: String::from("{"),
        }
    }

    /// Adds a member whose value is JSON text already.
    pub(crate) fn raw(mut self, name: &str, json: &str) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&quoted(name));
        self.text.push(':');
        self.text.push_str(json);
        self
    }

    pub(crate) fn string(self, name: &str, value: &str) -> Self {
        self.raw(name, &quoted(value))
    }

    /// Adds a member when there is a value for it.
    pub(crate) fn some(self, name: &str, value: Option<impl Into<Value>>) -> Self {
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
    Value::from(text).to_string()
}

/// An array of values that are JSON text already.
pub(crate) fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}
