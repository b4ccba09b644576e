//! What the author of a step sees.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::call::{Call, CallKind};
use super::error::{Problem, ToolError};
use super::finished::{Asked, Failure};
use super::hint::Hint;
use super::keys::Keys;
use super::shared::{Shared, ToolListing, ToolPages};
use super::sink::{Matter, Sink};
use crate::journal::{Hasher, Replay};
use crate::moment::Timestamp;
use crate::protocol::{ClientCapabilities, Implementation, Meta, RequestId, Tool};

/// How a round was ended from inside: it stands whatever the author's code returns afterwards.
#[derive(Debug)]
pub(crate) enum Halt {
    Asked(Vec<Asked>),
    Failed(Failure),
}

/// What a step can see and do besides computing.
///
/// A step is played from its top each round, and what it was told before is played back to it.
/// Whatever it does between its first line and the last question it has an answer for happens
/// again in every round; [`Cx::once`] keeps an effect from happening again.
///
/// It needs `&mut` for every question, so that two questions can not race.
#[derive(Debug)]
pub struct Cx {
    pub(super) call: Box<Call>,
    pub(super) replay: Replay,
    /// The seed made ready, once something was hashed.
    pub(super) hasher: Option<Hasher>,
    /// A text whose room is used again.
    pub(super) spare: String,
    pub(super) keys: Keys,
    pub(super) halt: Option<Halt>,
    pub(super) hints: Vec<Hint>,
    /// The answers that were no valid ones: the question, and what is wrong.
    pub(super) refused: Vec<(Box<str>, String)>,
    pub(super) shared: Arc<Shared>,
    /// Whether the author's code has begun: its arguments could be read.
    pub(super) begun: bool,
    pub(super) sink: Sink,
    pub(super) last_progress: Option<f64>,
    dice_thrown: u64,
}

impl Cx {
    pub(crate) fn new(mut call: Box<Call>, shared: Arc<Shared>, sink: Sink) -> Self {
        let replay = Replay::new(std::mem::take(&mut call.journal));
        Self {
            call,
            replay,
            hasher: None,
            spare: String::new(),
            keys: Keys::default(),
            halt: None,
            hints: Vec::new(),
            refused: Vec::new(),
            shared,
            begun: false,
            sink,
            last_progress: None,
            dice_thrown: 0,
        }
    }

    /// Ends the round with a failure that the author's code cannot undo.
    pub(super) fn fail(&mut self, failure: Failure) -> ToolError {
        self.halt.get_or_insert(Halt::Failed(failure));
        ToolError::new(Problem::Halt)
    }

    /// The start of the call: the moment of its first round, frozen and sealed, the same in every
    /// later one.
    pub fn began(&self) -> Timestamp {
        self.call.began
    }

    /// The moment of this round. It is another in every round: a question or a branch that
    /// depends on it does not replay. Use [`Cx::began`] for those.
    pub fn now(&self) -> Timestamp {
        self.call.now
    }

    /// Sixteen bytes of dice from the sealed seed of the call: the nth throw of a run is the same
    /// in every round, and nobody outside the server can guess it.
    pub fn dice(&mut self) -> [u8; 16] {
        self.dice_thrown = self.dice_thrown.saturating_add(1);
        let throw = self.dice_thrown.to_be_bytes();
        self.hasher().hash("dice", &[&throw])
    }

    pub(super) fn hasher(&mut self) -> &mut Hasher {
        self.hasher.get_or_insert_with(|| self.call.seed.hasher())
    }

    /// What is being called.
    pub fn kind(&self) -> CallKind {
        self.call.kind
    }

    /// The name of the tool or prompt, or the URI of the resource.
    pub fn name(&self) -> &str {
        &self.call.name
    }

    /// The arguments as the client wrote them, a JSON object.
    pub fn arguments(&self) -> &str {
        &self.call.arguments
    }

    /// The action that is called, in a tool of actions.
    pub fn action(&self) -> Option<&str> {
        Some(&self.call.action.as_ref()?.name)
    }

    /// What the step's own argument is read from: the data of an action, or the arguments.
    pub(super) fn input(&self) -> &str {
        match &self.call.action {
            None => &self.call.arguments,
            Some(action) => &action.data,
        }
    }

    /// Points the model to a call that goes well after this one. It is told beside the result,
    /// also beside an error that is [said](crate::ToolError::say), in a text of its own; a tool
    /// that this caller does not see is left out.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Hint, Outcome, ToolError};
    ///
    /// fn get(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     cx.hint(Hint::action("tasks", "list", "See which tasks there are"));
    ///     Err(ToolError::say("There is no such task."))
    /// }
    /// ```
    pub fn hint(&mut self, hint: Hint) {
        if self.tools().any(|tool| tool.name == hint.tool) {
            self.hints.push(hint);
        }
    }

    /// The JSON-RPC id of this round's request. Every round has another.
    pub fn request_id(&self) -> &RequestId {
        self.call.id.value()
    }

    /// The authenticated caller, as the driver's middleware named it.
    pub fn principal(&self) -> Option<&str> {
        self.call.caller.principal.as_deref()
    }

    /// The scopes that the caller's access token allows, as the driver's middleware named them.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Outcome, protocol::CallToolResult};
    ///
    /// fn tidy(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let may_delete = cx.scopes().contains("files:delete");
    ///     Ok(CallToolResult::text(if may_delete { "Deleted" } else { "Moved to the bin" }))
    /// }
    /// ```
    pub fn scopes(&self) -> &BTreeSet<String> {
        &self.call.caller.scopes
    }

    /// The endpoint the request came in by, where the driver names them.
    pub fn endpoint(&self) -> Option<&str> {
        self.call.caller.endpoint.as_deref()
    }

    /// What the driver's middleware learned, by name.
    pub fn assigns(&self) -> &Map<String, Value> {
        &self.call.caller.assigns
    }

    /// Assigns a value: the rest of this run reads it in [`Cx::assigns`], and where the call
    /// belongs to a session (revision 2025-11-25 and earlier), so does every later call of that
    /// session, once this call has come to a result. Without a session it goes with the call.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Outcome, protocol::CallToolResult};
    ///
    /// fn count(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let calls = cx.assigns().get("calls").and_then(|n| n.as_u64()).unwrap_or(0) + 1;
    ///     cx.assign("calls", calls);
    ///     Ok(CallToolResult::text(format!("{calls} calls in this session")))
    /// }
    /// ```
    pub fn assign(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        if let Some(session) = &mut self.call.session {
            session.assigned.insert(name.clone(), value.clone());
        }
        self.call.caller.assigns.insert(name, value);
    }

    /// Whether the call belongs to a session.
    pub(crate) fn in_session(&self) -> bool {
        self.call.session.is_some()
    }

    /// Says that nobody need hold the connection while this step goes on: in a session over
    /// HTTP that can be resumed, the response is ended here, and the client comes back for the
    /// rest. Elsewhere it does nothing.
    ///
    /// See [Sending messages to the server](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server).
    pub fn release(&mut self) {
        if self.in_session() && !self.is_mute() {
            self.report(Matter::Release, String::new());
        }
    }

    /// A typed value: the caller's where the driver's middleware set one, else the server's own.
    ///
    /// ```
    /// use mcp_reprise::{Cx, Outcome, ToolError, protocol::CallToolResult};
    ///
    /// #[derive(Clone)]
    /// struct Tenant(String);
    ///
    /// fn whose(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    ///     let tenant = cx.extension::<Tenant>().ok_or(ToolError::internal("no tenant"))?;
    ///     Ok(CallToolResult::text(tenant.0.clone()))
    /// }
    /// ```
    pub fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<&T> {
        self.call
            .caller
            .extensions
            .get()
            .or_else(|| self.shared.extensions.get())
    }

    /// The request's `_meta`: trace context, the client's own keys, and the protocol's.
    pub fn meta(&self) -> Meta {
        serde_json::from_str(&self.call.meta).unwrap_or_default()
    }

    /// Who the client says it is. Nothing vouches for it.
    pub fn client_info(&self) -> Option<Implementation> {
        self.meta().client_info().ok().flatten()
    }

    /// What the client says it can do.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        serde_json::from_str(&self.call.capabilities).unwrap_or_default()
    }

    /// The tools this caller sees.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.seen().map(|tool| &tool.definition)
    }

    /// What is told of each of them.
    pub(crate) fn tool_pages(&self) -> impl Iterator<Item = &ToolPages> {
        self.seen().map(|tool| &tool.pages)
    }

    fn seen(&self) -> impl Iterator<Item = &ToolListing> {
        let caller = &self.call.caller;
        let sees = move |tool: &&ToolListing| tool.visible.as_ref().is_none_or(|sees| sees(caller));
        self.shared.tools.iter().filter(sees)
    }

    /// Whether nobody waits for this step any more. A plain step looks at it in its loops; an
    /// async one is simply dropped.
    pub fn is_cancelled(&self) -> bool {
        self.sink.is_cancelled()
    }

    /// Reads a value out of the call's capabilities or answers.
    pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}
