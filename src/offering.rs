//! What a server offers and how: what both lanes read, and neither writes.

use std::sync::Arc;

use crate::limits::Limits;
use crate::protocol::{Implementation, ServerCapabilities};
use crate::scope::Scopes;
use crate::seal::KeyRing;
use crate::step::Shared;
use crate::tool::Catalog;

/// A server: immutable, shared by reference, and doing nothing by itself.
///
/// Every method is a function of what it is given. What changes, a new tool say, is a new
/// `Server` and a [`Change`](crate::Change) told to the listeners; a clone is cheap, and steps in
/// flight keep the server they came from.
///
/// ```
/// use mcp_reprise::{Caller, Cx, Exchange, Moment, Outcome, Server, Sink, Timestamp, Tool};
/// use mcp_reprise::protocol::CallToolResult;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("greeter", "1.0.0")
///     .single_process([7; 32])
///     .tool(Tool::new("hello").step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("Hello")))
///     .build()?;
///
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// let moment = Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32]);
/// let mut turn = server.receive(Exchange(1), Caller::anonymous(), body, &moment);
/// let step = turn.steps.pop().ok_or("no step")?;
/// let finished = step.run(&Sink::default());
/// let turn = server.finish(finished);
/// assert_eq!(turn.actions.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Server {
    pub(crate) offering: Arc<Offering>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("name", &self.offering.identity.name)
            .field("version", &self.offering.identity.version)
            .field("sessions", &self.offering.sessions)
            .finish_non_exhaustive()
    }
}

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
    pub(crate) scopes: Scopes,
    /// Whether what goes well is observed too.
    pub(crate) observes: bool,
    /// Whether questions and answers are observed in their words.
    pub(crate) in_words: bool,
    /// Whether clients that open sessions are served too.
    pub(crate) sessions: bool,
}

impl Offering {
    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }
}
