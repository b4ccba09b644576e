//! What changed on the server, for those who listen.

/// Something that changed: told to every listener that asked for its kind.
///
/// ```
/// use mcp_reprise::Change;
///
/// let change = Change::resource("file:///notes.txt");
/// assert_ne!(change, Change::ResourcesList);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools is another.
    ToolsList,
    /// The list of prompts is another.
    PromptsList,
    /// The list of resources or of resource templates is another.
    ResourcesList,
    /// The resource of this URI reads otherwise now.
    Resource(String),
}

impl Change {
    /// The resource of this URI reads otherwise now.
    pub fn resource(uri: impl Into<String>) -> Self {
        Self::Resource(uri.into())
    }
}
