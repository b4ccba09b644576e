//! What a server offers and how: what both lanes read, and neither writes.

use std::sync::Arc;

use crate::limits::Limits;
use crate::protocol::{Implementation, ServerCapabilities};
use crate::seal::KeyRing;
use crate::step::Shared;
use crate::tool::Catalog;

/// What a server offers and how. It never changes: a change is another one.
#[derive(Clone)]
pub(crate) struct Offering {
    pub(crate) identity: Implementation,
    /// The `_meta` member that names the server, without braces; empty where it stays unnamed.
    pub(crate) server_info: Box<str>,
    pub(crate) instructions: Option<String>,
    pub(crate) capabilities: ServerCapabilities,
    pub(crate) catalog: Catalog,
    pub(crate) keys: KeyRing,
    pub(crate) shared: Arc<Shared>,
}

impl Offering {
    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }
}
