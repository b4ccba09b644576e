//! What all steps of one server share.

use std::sync::Arc;

use serde_json::Value;

use crate::caller::Caller;
use crate::limits::Limits;
use crate::protocol;

/// Whether a caller may see something. Called by the core, so it must be quick and pure.
pub(crate) type Visible = Arc<dyn Fn(&Caller) -> bool + Send + Sync>;

/// A listed tool, and who may see it.
#[derive(Clone)]
pub(crate) struct ToolListing {
    pub(crate) definition: protocol::Tool,
    pub(crate) visible: Option<Visible>,
    pub(crate) pages: ToolPages,
}

/// What is told of a tool where it is asked about.
#[derive(Debug, Clone)]
pub(crate) struct ToolPages {
    pub(crate) tool: String,
    /// Its entry in the list of all.
    pub(crate) entry: Value,
    pub(crate) page: Value,
    /// A page for each of its actions.
    pub(crate) actions: Vec<(String, Value)>,
}

/// What all steps of one server share.
#[derive(Clone, Default)]
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) tools: Vec<ToolListing>,
    /// The server's own typed values.
    pub(crate) extensions: http::Extensions,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
