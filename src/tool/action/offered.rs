//! Action tools and actions, as their author offers them.

use serde_json::{Map, Value};

use super::compile;
use crate::protocol::CallToolResult;
use crate::step::{Function, IntoStep};
use crate::tool::offered::Tool;

/// A tool of many named actions.
///
/// Its arguments are `{"action": NAME, "data": {..}}`. Listed are the names of the actions and a
/// summary of each; the action `help`, which every action tool has, tells the rest on three
/// levels: all tools that the caller sees, one tool, one action. A call that names no action of
/// it, or whose data the action cannot take, is answered with an error that the model can read,
/// which carries the summary of the action and a call of `help` that is right as it stands.
///
/// ```
/// use mcp_reprise::{ActionTool, Cx, Hint, Outcome, Server, ToolAction};
/// use mcp_reprise::protocol::CallToolResult;
/// use serde_json::{Value, json};
///
/// #[derive(serde::Deserialize)]
/// struct Create { title: String, priority: u8 }
///
/// # fn main() -> Result<(), mcp_reprise::BuildError> {
/// let tasks = ActionTool::new("tasks")
///     .description("Keeps a list of tasks")
///     .action(
///         ToolAction::new("create", "Adds a task to the list")
///             .property("title", json!({ "type": "string", "description": "What to do" }))
///             .property("priority", json!({ "type": "integer", "minimum": 1, "maximum": 9 }))
///             .required(["title"])
///             .default("priority", 5)
///             .related("list")
///             .example("Something for today", json!({ "title": "Buy milk", "priority": 1 }))
///             .step(|cx: &mut Cx, create: Create| -> Outcome {
///                 cx.hint(Hint::action("tasks", "list", "See it among the others"));
///                 Ok(CallToolResult::text(format!("{} at {}", create.title, create.priority)))
///             }),
///     )
///     .action(
///         ToolAction::new("list", "Lists the tasks")
///             .step(async |_: &mut Cx, _: Value| CallToolResult::text("nothing to do")),
///     );
/// let server = Server::builder("todo", "1.0.0").single_process([7; 32]).tool(tasks).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct ActionTool {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) actions: Vec<ToolAction>,
}

impl ActionTool {
    /// A tool of this name. Give it an [`ActionTool::action`].
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: None,
            actions: Vec::new(),
        }
    }

    /// What the tool is for, for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds an action. They are listed in the order in which they were added.
    pub fn action(mut self, action: ToolAction) -> Self {
        self.actions.push(action);
        self
    }

    /// The tool as every other, to be given a title, annotations, a revision, or to be hidden.
    /// What is wrong with it is told when it is registered.
    ///
    /// ```
    /// use mcp_reprise::{ActionTool, Cx, ToolAction, protocol::CallToolResult};
    ///
    /// let ping = ToolAction::new("ping", "Answers")
    ///     .step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("pong"));
    /// let tool = ActionTool::new("net").action(ping).tool().title("Network");
    /// # let _ = tool;
    /// ```
    pub fn tool(self) -> Tool {
        compile::tool(self)
    }
}

impl From<ActionTool> for Tool {
    fn from(tool: ActionTool) -> Self {
        tool.tool()
    }
}

/// One action of an [`ActionTool`].
#[derive(Clone)]
#[must_use]
pub struct ToolAction {
    pub(super) name: String,
    pub(super) summary: String,
    pub(super) description: Option<String>,
    pub(super) properties: Vec<(String, Value)>,
    pub(super) required: Vec<String>,
    pub(super) groups: Vec<Vec<String>>,
    pub(super) defaults: Map<String, Value>,
    pub(super) notes: Vec<String>,
    pub(super) related: Vec<String>,
    pub(super) examples: Vec<Example>,
    pub(super) function: Option<Function>,
}

/// An example of an action's data.
#[derive(Clone)]
pub(super) struct Example {
    pub(super) description: String,
    pub(super) data: Value,
}

impl std::fmt::Debug for ToolAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ToolAction({:?})", self.name)
    }
}

impl ToolAction {
    /// An action of this name, and what it does in one line. Give it a [`ToolAction::step`].
    pub fn new(name: impl Into<String>, summary: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            summary: summary.into(),
            description: None,
            properties: Vec::new(),
            required: Vec::new(),
            groups: Vec::new(),
            defaults: Map::new(),
            notes: Vec::new(),
            related: Vec::new(),
            examples: Vec::new(),
            function: None,
        }
    }

    /// What the action does, at length.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// A property of the action's data, with its JSON Schema. Data is checked against the flat
    /// parts of it, as [`Tool::input_schema`] has it; a property that was not declared is refused.
    pub fn property(mut self, name: impl Into<String>, schema: Value) -> Self {
        self.properties.push((name.into(), schema));
        self
    }

    /// Properties that the data must have.
    pub fn required(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.required.extend(names.into_iter().map(Into::into));
        self
    }

    /// A group of properties of which the data must have one or more. There may be several.
    pub fn required_one_of(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let group = names.into_iter().map(Into::into).collect();
        self.groups.push(group);
        self
    }

    /// The value of a property that the data lacks. It is put in before the data is checked.
    pub fn default(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.defaults.insert(name.into(), value.into());
        self
    }

    /// Something worth knowing.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Another action of the tool that goes with this one.
    pub fn related(mut self, action: impl Into<String>) -> Self {
        self.related.push(action.into());
        self
    }

    /// An example of the action's data. It must be such as the action takes.
    pub fn example(mut self, description: impl Into<String>, data: impl Into<Value>) -> Self {
        self.examples.push(Example {
            description: description.into(),
            data: data.into(),
        });
        self
    }

    /// What runs when the action is called: see [`IntoStep`]. Its second argument is read from
    /// the action's data.
    pub fn step<M>(mut self, step: impl IntoStep<M, CallToolResult>) -> Self {
        self.function = Some(step.into_function());
        self
    }
}
