//! A tool, as its author offers it.

use std::sync::Arc;

use serde_json::Value;

use super::action::{ActionError, Actions};
use crate::caller::Caller;
use crate::protocol::{self, CallToolResult, Icon, Meta, ToolAnnotations};
use crate::step::{Function, IntoStep, ToolPages, Visible};

/// A tool: what is listed of it, and the step that runs when it is called.
///
/// See [Tools](https://modelcontextprotocol.io/specification/2026-07-28/server/tools).
///
/// ```
/// use mcp_reprise::{Cx, Outcome, Tool, protocol::CallToolResult};
/// use serde_json::json;
///
/// #[derive(serde::Deserialize)]
/// struct Add { a: i64, b: i64 }
///
/// let tool = Tool::new("add")
///     .description("Adds two numbers")
///     .input_schema(json!({
///         "type": "object",
///         "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
///         "required": ["a", "b"],
///     }))
///     .step(async |_: &mut Cx, add: Add| -> Outcome {
///         Ok(CallToolResult::text((add.a + add.b).to_string()))
///     });
/// # let _ = tool;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Tool {
    pub(super) definition: protocol::Tool,
    /// The schema as given, where it is no object: an error when the tool is registered.
    pub(super) bad_schema: Option<&'static str>,
    pub(super) function: Option<Function>,
    pub(super) visible: Option<Visible>,
    pub(super) scopes: Vec<Box<str>>,
    pub(super) revision: Box<str>,
    pub(super) single_use: bool,
    pub(super) actions: Option<Result<ActionParts, ActionError>>,
}

/// What an action tool has besides.
#[derive(Clone)]
pub(super) struct ActionParts {
    pub(super) actions: Actions,
    pub(super) pages: ToolPages,
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tool({:?})", self.definition.name)
    }
}

impl Tool {
    /// A tool of this name that takes any object. Give it a [`Tool::step`].
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            definition: protocol::Tool::new(name),
            bad_schema: None,
            function: None,
            visible: None,
            scopes: Vec::new(),
            revision: "".into(),
            single_use: false,
            actions: None,
        }
    }

    /// Makes it a tool of actions, which has their steps.
    pub(super) fn actions(mut self, actions: Result<ActionParts, ActionError>) -> Self {
        self.actions = Some(actions);
        self
    }

    /// The name people are shown.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the tool does, for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.description(description);
        self
    }

    /// The JSON Schema of the arguments: an object whose `type` is `object`.
    ///
    /// Arguments are checked against its flat parts before the step is handed out: types,
    /// `required`, `enum`, bounds and lengths, also inside `properties` and `items`.
    pub fn input_schema(mut self, schema: Value) -> Self {
        match schema {
            Value::Object(schema) => self.definition = self.definition.input_schema(schema),
            _ => self.bad_schema = Some("inputSchema"),
        }
        self
    }

    /// The JSON Schema of the structured content the tool gives.
    pub fn output_schema(mut self, schema: Value) -> Self {
        match schema {
            Value::Object(schema) => self.definition = self.definition.output_schema(schema),
            _ => self.bad_schema = Some("outputSchema"),
        }
        self
    }

    /// Hints about how the tool behaves.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.definition = self.definition.annotations(annotations);
        self
    }

    /// Icons to show.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.definition = self.definition.icons(icons);
        self
    }

    /// Metadata listed with the tool.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition = self.definition.meta(meta);
        self
    }

    /// What runs when the tool is called: see [`IntoStep`].
    pub fn step<M>(mut self, step: impl IntoStep<M, CallToolResult>) -> Self {
        self.function = Some(step.into_function());
        self
    }

    /// Who sees the tool. To others it does not exist. `see` is called for every list and call,
    /// so it should be quick, and depend on nothing but the caller.
    ///
    /// ```
    /// use mcp_reprise::Tool;
    ///
    /// let tool = Tool::new("reset").visible_to(|caller| caller.principal.as_deref() == Some("root"));
    /// # let _ = tool;
    /// ```
    pub fn visible_to(mut self, see: impl Fn(&Caller) -> bool + Send + Sync + 'static) -> Self {
        self.visible = Some(Arc::new(see));
        self
    }

    /// The scopes a caller's access token must allow. A call without them is refused under 403
    /// and told all of them, before anything runs, and the tool stays listed: a client can then
    /// ask its user for more. Over lines, where the driver names the scopes, it is an error.
    ///
    /// ```
    /// use mcp_reprise::Tool;
    ///
    /// let tool = Tool::new("write_file").scopes(["files:read", "files:write"]);
    /// # let _ = tool;
    /// ```
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let scopes = scopes.into_iter().map(|scope| scope.into().into());
        self.scopes.extend(scopes);
        self
    }

    /// The revision of the step's questions. A state that another revision sealed begins the call
    /// again, unless it holds the outcome of a `once`: then the call fails.
    pub fn revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = revision.into().into();
        self
    }

    /// No request state of this tool is used twice: before a step that was given answers runs,
    /// the driver is asked to [claim](crate::Claim) them.
    pub fn single_use(mut self) -> Self {
        self.single_use = true;
        self
    }
}
