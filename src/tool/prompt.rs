//! A prompt, as its author offers it.

use std::sync::Arc;

use super::completion::Completions;
use crate::caller::Caller;
use crate::protocol::{self, CompleteResult, GetPromptResult, Icon, Meta, PromptArgument};
use crate::step::{Function, IntoStep, Visible};

/// A prompt: what is listed of it, and the step that runs when it is fetched. It may ask, as a
/// tool may.
///
/// See [Prompts](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts).
///
/// ```
/// use mcp_reprise::{Cx, Outcome, Prompt, protocol::{GetPromptResult, PromptMessage}};
///
/// #[derive(serde::Deserialize)]
/// struct Review { code: String }
///
/// let prompt = Prompt::new("review")
///     .description("Asks for a review")
///     .required("code", "The code to review")
///     .step(|_: &mut Cx, args: Review| -> Outcome<GetPromptResult> {
///         Ok(GetPromptResult::new([PromptMessage::user(format!("Review this: {}", args.code))]))
///     });
/// # let _ = prompt;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Prompt {
    pub(super) definition: protocol::Prompt,
    pub(super) function: Option<Function>,
    pub(super) completions: Completions,
    pub(super) visible: Option<Visible>,
    pub(super) scopes: Vec<Box<str>>,
    pub(super) revision: Box<str>,
}

impl std::fmt::Debug for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prompt({:?})", self.definition.name)
    }
}

impl Prompt {
    /// A prompt of this name without arguments. Give it a [`Prompt::step`].
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            definition: protocol::Prompt::new(name),
            function: None,
            completions: Completions::default(),
            visible: None,
            scopes: Vec::new(),
            revision: "".into(),
        }
    }

    /// The name people are shown.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the prompt is for.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.description(description);
        self
    }

    /// Adds an argument.
    pub fn argument(mut self, argument: PromptArgument) -> Self {
        self.definition
            .arguments
            .get_or_insert_default()
            .push(argument);
        self
    }

    /// Adds an argument that must be given.
    pub fn required(self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.argument(
            PromptArgument::new(name)
                .description(description)
                .required(true),
        )
    }

    /// Adds an argument that may be left out.
    pub fn optional(self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.argument(PromptArgument::new(name).description(description))
    }

    /// Icons to show.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.definition = self.definition.icons(icons);
        self
    }

    /// Metadata listed with the prompt.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition = self.definition.meta(meta);
        self
    }

    /// What runs when the prompt is fetched: see [`IntoStep`]. Arguments are strings.
    pub fn step<M>(mut self, step: impl IntoStep<M, GetPromptResult>) -> Self {
        self.function = Some(step.into_function());
        self
    }

    /// Completes the values of an argument, with a step that takes a
    /// [`Completing`](crate::Completing).
    pub fn complete<M>(
        mut self,
        argument: impl Into<String>,
        step: impl IntoStep<M, CompleteResult>,
    ) -> Self {
        self.completions
            .insert(argument.into(), step.into_function());
        self
    }

    /// Who sees the prompt: see [`Tool::visible_to`](crate::Tool::visible_to).
    pub fn visible_to(mut self, see: impl Fn(&Caller) -> bool + Send + Sync + 'static) -> Self {
        self.visible = Some(Arc::new(see));
        self
    }

    /// The scopes a caller's access token must allow: see [`Tool::scopes`](crate::Tool::scopes).
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let scopes = scopes.into_iter().map(|scope| scope.into().into());
        self.scopes.extend(scopes);
        self
    }

    /// The revision of the step's questions: see [`Tool::revision`](crate::Tool::revision).
    pub fn revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = revision.into().into();
        self
    }
}
