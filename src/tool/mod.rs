//! What an author offers: tools, prompts, resources and completions, each with its step.

mod action;
pub(crate) mod arguments;
mod catalog;
mod completion;
pub(crate) mod header_params;
mod offered;
mod prompt;
mod register;
mod resource;
#[cfg(feature = "schemars")]
mod typed;
#[cfg(feature = "validate")]
pub(crate) mod validate;
mod whole;

pub use action::{ActionError, ActionTool, ToolAction};
pub use arguments::ArgumentError;
pub(crate) use catalog::{Catalog, Listed, Offer, ToolEntry};
pub use completion::Completing;
pub use header_params::HeaderParamError;
pub(crate) use header_params::{HeaderParam, HeaderParamKind};
pub use offered::Tool;
pub use prompt::Prompt;
pub use register::RegisterError;
pub(crate) use resource::CacheHint;
pub use resource::{Resource, ResourceTemplate};
