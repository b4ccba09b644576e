//! What can be wrong with an action tool: found when it is registered, not when it is called.

use crate::tool::arguments::ArgumentError;

/// An action tool that cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// A tool without any action.
    #[error("it has no action")]
    NoAction,
    /// A name that is no name: 1 to 64 letters, digits, `_`, `-` and `.` make one.
    #[error("{action:?} is no name of an action")]
    Name {
        /// The name.
        action: String,
    },
    /// The name of the action that every action tool has of its own.
    #[error("the action {action:?} is there already: it explains the others")]
    Reserved {
        /// The name.
        action: String,
    },
    /// Two actions of one name.
    #[error("there are two actions {action:?}")]
    Twice {
        /// The name.
        action: String,
    },
    /// A summary that is empty or has more than one line.
    #[error("the summary of action {action:?} is not one line")]
    Summary {
        /// The action.
        action: String,
    },
    /// An action without a step.
    #[error("action {action:?} has no step")]
    NoStep {
        /// The action.
        action: String,
    },
    /// Two properties of one name.
    #[error("action {action:?} has two properties {property:?}")]
    PropertyTwice {
        /// The action.
        action: String,
        /// The property.
        property: String,
    },
    /// A property whose schema is no JSON object, or of which a word is none of JSON Schema's.
    #[error("action {action:?}, property {property:?}: {fault}")]
    Schema {
        /// The action.
        action: String,
        /// The property.
        property: String,
        /// What is wrong with its schema.
        fault: String,
    },
    /// A name among the required ones, in a group or with a default that no property has.
    #[error("action {action:?}: {list} names {property:?}, which is no property of it")]
    NoProperty {
        /// The action.
        action: String,
        /// `required`, `required_one_of` or `default`.
        list: &'static str,
        /// The name.
        property: String,
    },
    /// A group of fewer than two, of which a call needs one.
    #[error("action {action:?}: a group of {of} is none")]
    Group {
        /// The action.
        action: String,
        /// How many names it has.
        of: usize,
    },
    /// A related action that the tool does not have.
    #[error("action {action:?} is related to {related:?}, which there is not")]
    Related {
        /// The action.
        action: String,
        /// The other.
        related: String,
    },
    /// An example or a default that the action itself would refuse.
    #[error("action {action:?}: {what} would be refused: {error}")]
    Refused {
        /// The action.
        action: String,
        /// The example or the default.
        what: String,
        /// Why.
        error: ArgumentError,
    },
    /// An example that lacks what the action needs.
    #[error("action {action:?}: {what} would be refused: {fault}")]
    Lacking {
        /// The action.
        action: String,
        /// The example.
        what: String,
        /// What it lacks.
        fault: String,
    },
}
