//! What the model could do next.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A call that goes well after this one, told to the model beside the result: see
/// [`Cx::hint`](crate::Cx::hint).
///
/// ```
/// use mcp_reprise::Hint;
/// use serde_json::json;
///
/// let hint = Hint::action("tasks", "get", "Look at it").example(json!({ "id": 7 }));
/// # let _ = hint;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Hint {
    pub(super) tool: String,
    action: Option<String>,
    description: String,
    example: Option<Value>,
}

impl Hint {
    /// Points to an action of an [action tool](crate::ActionTool), and says what for.
    pub fn action(
        tool: impl Into<String>,
        action: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            action: Some(action.into()),
            ..Self::tool(tool, description)
        }
    }

    /// Points to a tool, and says what for.
    ///
    /// ```
    /// let hint = mcp_reprise::Hint::tool("search", "Find more of them");
    /// # let _ = hint;
    /// ```
    pub fn tool(tool: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            action: None,
            description: description.into(),
            example: None,
        }
    }

    /// An example: the data of the action, or the arguments of the tool.
    pub fn example(mut self, example: impl Into<Value>) -> Self {
        self.example = Some(example.into());
        self
    }

    fn written(&self) -> Value {
        let mut hint = Map::from_iter([
            ("tool".to_owned(), self.tool.as_str().into()),
            ("description".to_owned(), self.description.as_str().into()),
        ]);
        if let Some(action) = &self.action {
            hint.insert("action".to_owned(), action.as_str().into());
        }
        if let Some(example) = &self.example {
            let arguments = match &self.action {
                Some(action) => json!({ "action": action, "data": example }),
                None => example.clone(),
            };
            hint.insert("example".to_owned(), arguments);
        }
        hint.into()
    }
}

/// The hints as a text for the model.
pub(super) fn written(hints: &[Hint]) -> String {
    let hints: Vec<Value> = hints.iter().map(Hint::written).collect();
    json!({ "hints": hints }).to_string()
}
