//! What a question is called.

use std::sync::Arc;

/// The name of a question, which is its key on the wire: any text, or `None` for a question that
/// is named by its place, such as `elicit-1`.
///
/// ```
/// use mcp_reprise::QuestionName;
///
/// let day = 7;
/// let names: [QuestionName; 3] = ["day".into(), format!("day {day}").into(), None.into()];
/// assert_ne!(names[0], names[1]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionName(Option<Arc<str>>);

impl QuestionName {
    /// The text, where there is one.
    pub(crate) fn into_text(self) -> Option<Arc<str>> {
        self.0
    }
}

impl From<&str> for QuestionName {
    fn from(name: &str) -> Self {
        Self(Some(name.into()))
    }
}

impl From<&String> for QuestionName {
    fn from(name: &String) -> Self {
        Self(Some(name.as_str().into()))
    }
}

impl From<String> for QuestionName {
    fn from(name: String) -> Self {
        Self(Some(name.into()))
    }
}

impl From<Option<&str>> for QuestionName {
    fn from(name: Option<&str>) -> Self {
        Self(name.map(Into::into))
    }
}
