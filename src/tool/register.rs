//! What can be wrong with an offer: found when the server is built, not when it is called.

use super::action::ActionError;
use super::header_params::HeaderParamError;
use crate::template::TemplateError;

/// An offer that cannot be registered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// A tool, prompt or resource without a step.
    #[error("{what} {name:?} has no step")]
    NoStep {
        /// What it is.
        what: &'static str,
        /// Its name or URI.
        name: String,
    },
    /// Two of one name, where a client could not tell them apart.
    #[error("there are two of {what} {name:?}")]
    Twice {
        /// What they are.
        what: &'static str,
        /// Their name or URI.
        name: String,
    },
    /// An empty name.
    #[error("a {what} has an empty name")]
    Nameless {
        /// What it is.
        what: &'static str,
    },
    /// A schema that is no object, or whose `type` is not `object` where it must be.
    #[error("the {schema} of tool {tool:?} is not the schema of an object")]
    Schema {
        /// The tool.
        tool: String,
        /// `inputSchema` or `outputSchema`.
        schema: &'static str,
    },
    /// A schema that cannot be compiled, found where whole schemas are checked: a word of another
    /// type than it has, a pattern that is none, a `$ref` to somewhere else.
    #[error("the {schema} of tool {tool:?} cannot be compiled: {fault}")]
    Compile {
        /// The tool.
        tool: String,
        /// `inputSchema` or `outputSchema`.
        schema: &'static str,
        /// What is wrong with it.
        fault: String,
    },
    /// An action tool with something wrong in its actions.
    #[error("tool {tool:?}: {error}")]
    Action {
        /// The tool.
        tool: String,
        /// The action, and what is wrong.
        error: ActionError,
    },
    /// An `x-mcp-header` that breaks a rule.
    #[error("tool {tool:?}: {error}")]
    HeaderParam {
        /// The tool.
        tool: String,
        /// The property and the rule.
        error: HeaderParamError,
    },
    /// A URI template that cannot be matched.
    #[error("resource template {template:?}: {error}")]
    Template {
        /// The template.
        template: String,
        /// What is wrong with it.
        error: TemplateError,
    },
    /// A completion of an argument or a variable that there is not.
    #[error("{name:?} completes {argument:?}, which it does not have")]
    Completion {
        /// The prompt, or the template.
        name: String,
        /// What is completed.
        argument: String,
    },
    /// A scope that no access token can have.
    #[error(
        "{name:?} needs {scope:?}, which is no scope: visible ASCII without quotes and backslashes"
    )]
    Scope {
        /// The name or URI.
        name: String,
        /// The scope.
        scope: String,
    },
    /// A URI that is none.
    #[error("resource {uri:?} is not at a URI")]
    Uri {
        /// The resource's URI.
        uri: String,
    },
    /// A definition that cannot be written as JSON.
    #[error("{name:?} cannot be listed: {error}")]
    Unlistable {
        /// The name or URI.
        name: String,
        /// What serde says.
        error: serde_json::Error,
    },
}
