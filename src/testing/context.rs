//! The scene of a run: who calls, with what, when, and what the server has besides the tool.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::request::protocol_fields;
use crate::caller::Caller;
use crate::limits::Limits;
use crate::moment::{Moment, Timestamp};
use crate::protocol::{
    ClientCapabilities, Implementation, LoggingLevel, META_CLIENT_CAPABILITIES, META_CLIENT_INFO,
    META_LOG_LEVEL, META_PROGRESS_TOKEN,
};
use crate::seal::{KeyRing, StateKey};
use crate::server::{BuildError, Server, ServerBuilder};
use crate::tool::Tool;

type Furnish = Arc<dyn Fn(ServerBuilder) -> ServerBuilder + Send + Sync>;

/// The scene of a run, with a default for everything: nobody in particular calls, the client can
/// do nothing, it is 2026-07-28 at midnight, and the dice show sevens.
///
/// Each method overrides one thing. A name that does not exist does not compile.
///
/// ```
/// use mcp_reprise::testing::context;
/// use serde_json::json;
///
/// let scene = context()
///     .principal("alice")
///     .assign("tenant", "north")
///     .elicitation()
///     .accept("day", json!({ "day": "Friday" }));
/// # let _ = scene;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Context {
    pub(super) caller: Caller,
    pub(super) meta: Map<String, Value>,
    pub(super) answers: Vec<(String, Value)>,
    pub(super) moment: Moment,
    pub(super) request_id: Value,
    pub(super) tools: Vec<Tool>,
    furnish: Vec<Furnish>,
}

/// A [`Context`] to override.
///
/// ```
/// let scene = mcp_reprise::testing::context().now(mcp_reprise::Timestamp::from_millis(0));
/// # let _ = scene;
/// ```
pub fn context() -> Context {
    Context::default()
}

impl Default for Context {
    fn default() -> Self {
        Self {
            caller: Caller::anonymous(),
            meta: protocol_fields(),
            answers: Vec::new(),
            moment: Moment::new(Timestamp::from_millis(1_785_196_800_000), [7; 32]),
            request_id: json!(1),
            tools: Vec::new(),
            furnish: Vec::new(),
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("caller", &self.caller)
            .field("meta", &self.meta)
            .field("answers", &self.answers)
            .field("now", &self.moment.now)
            .finish_non_exhaustive()
    }
}

impl Context {
    /// Who calls, as a whole: principal, endpoint, assigns and typed values.
    pub fn caller(mut self, caller: Caller) -> Self {
        self.caller = caller;
        self
    }

    /// The authenticated principal.
    pub fn principal(mut self, name: impl Into<String>) -> Self {
        self.caller.principal = Some(name.into());
        self
    }

    /// The endpoint the request came in by.
    pub fn endpoint(mut self, name: impl Into<String>) -> Self {
        self.caller.endpoint = Some(name.into());
        self
    }

    /// One thing the driver's middleware learned. [`Context::assigns`] sets them all.
    pub fn assign(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.caller.assigns.insert(name.into(), value.into());
        self
    }

    /// All that the driver's middleware learned.
    pub fn assigns(mut self, assigns: Map<String, Value>) -> Self {
        self.caller.assigns = assigns;
        self
    }

    /// A typed value of the caller.
    pub fn extend<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.caller = self.caller.extend(value);
        self
    }

    /// What the client says it can do.
    pub fn capabilities(self, capabilities: &ClientCapabilities) -> Self {
        self.meta(META_CLIENT_CAPABILITIES, capabilities)
    }

    /// A client that can show forms, and nothing else.
    pub fn elicitation(self) -> Self {
        self.meta(META_CLIENT_CAPABILITIES, json!({ "elicitation": {} }))
    }

    /// A client that can do everything: forms, URLs, sampling with tools and context, roots.
    pub fn everything(self) -> Self {
        let all = json!({
            "elicitation": { "form": {}, "url": {} },
            "sampling": { "tools": {}, "context": {} },
            "roots": {},
        });
        self.meta(META_CLIENT_CAPABILITIES, all)
    }

    /// Who the client says it is.
    pub fn client_info(self, info: &Implementation) -> Self {
        self.meta(META_CLIENT_INFO, info)
    }

    /// The least level of log messages that the client asks for.
    pub fn log_level(self, level: LoggingLevel) -> Self {
        self.meta(META_LOG_LEVEL, level)
    }

    /// The token under which the client wants progress: a string or an integer.
    pub fn progress_token(self, token: impl Into<Value>) -> Self {
        let token: Value = token.into();
        self.meta(META_PROGRESS_TOKEN, token)
    }

    /// One member of the request's `_meta`; it may replace a protocol field.
    ///
    /// # Panics
    ///
    /// When the value has no JSON form.
    #[track_caller]
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key.into(), to_json(value));
        self
    }

    /// The client's answer to the question of this key, as the wire has it: an `ElicitResult`, a
    /// `CreateMessageResult` or a `ListRootsResult`. An unnamed question has the key of its place,
    /// such as `elicit-1`.
    ///
    /// # Panics
    ///
    /// When the value has no JSON form.
    #[track_caller]
    pub fn answer(mut self, key: impl Into<String>, result: impl Serialize) -> Self {
        self.answers.push((key.into(), to_json(result)));
        self
    }

    /// The user accepts the question of this key with this content.
    ///
    /// # Panics
    ///
    /// When the content has no JSON form.
    #[track_caller]
    pub fn accept(self, key: impl Into<String>, content: impl Serialize) -> Self {
        let content = to_json(content);
        self.answer(key, json!({ "action": "accept", "content": content }))
    }

    /// The user declines the question of this key.
    pub fn decline(self, key: impl Into<String>) -> Self {
        self.answer(key, json!({ "action": "decline" }))
    }

    /// The user goes away from the question of this key.
    pub fn cancel(self, key: impl Into<String>) -> Self {
        self.answer(key, json!({ "action": "cancel" }))
    }

    /// The time of the first round.
    pub fn now(mut self, now: Timestamp) -> Self {
        self.moment.now = now;
        self
    }

    /// The dice of the first round, from which [`Cx::dice`](crate::Cx::dice) and all idempotency
    /// keys come.
    pub fn dice(mut self, dice: [u8; 32]) -> Self {
        self.moment.dice = dice;
        self
    }

    /// The JSON-RPC id of the first round. Each later one has another.
    pub fn request_id(mut self, id: impl Into<Value>) -> Self {
        self.request_id = id.into();
        self
    }

    /// Another tool of the server, for a tool that looks at [`Cx::tools`](crate::Cx::tools).
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// The server's limits.
    pub fn limits(self, limits: Limits) -> Self {
        self.server(move |server| server.limits(limits.clone()))
    }

    /// A typed value of the server, for [`Cx::extension`](crate::Cx::extension).
    pub fn value<T: Clone + Send + Sync + 'static>(self, value: T) -> Self {
        self.server(move |server| server.value(value.clone()))
    }

    /// Whatever else the server needs. It is called for every server the kit builds.
    pub fn server(
        mut self,
        furnish: impl Fn(ServerBuilder) -> ServerBuilder + Send + Sync + 'static,
    ) -> Self {
        self.furnish.push(Arc::new(furnish));
        self
    }

    /// A server of this scene that offers the tools, the first of them first.
    pub(super) fn build(&self, tools: &[Tool], keys: KeyRing) -> Result<Server, BuildError> {
        self.builder(tools).state_keys(keys).build()
    }

    /// The same server with other limits.
    pub(super) fn build_with(
        &self,
        tools: &[Tool],
        keys: KeyRing,
        limits: Limits,
    ) -> Result<Server, BuildError> {
        self.builder(tools).limits(limits).state_keys(keys).build()
    }

    fn builder(&self, tools: &[Tool]) -> ServerBuilder {
        let mut builder = Server::builder("testing", "1.0.0");
        for tool in tools.iter().chain(&self.tools) {
            builder = builder.tool(tool.clone());
        }
        self.furnish
            .iter()
            .fold(builder, |builder, furnish| furnish(builder))
    }
}

/// A key ring of numbered keys, the first of which seals. The keys are constants: they are for
/// tests alone.
#[track_caller]
pub(super) fn key_ring(numbers: &[u8]) -> KeyRing {
    let key = |number: &u8| StateKey::new(&[0x40 + number; 32]).expect("32 bytes are a key");
    let (first, rest) = numbers.split_first().expect("a ring has a key");
    rest.iter().fold(KeyRing::new(key(first)), |ring, number| {
        ring.and(key(number)).expect("a ring of few keys")
    })
}

/// A value as JSON.
#[track_caller]
pub(super) fn to_json(value: impl Serialize) -> Value {
    match serde_json::to_value(value) {
        Ok(value) => value,
        Err(error) => panic!("a value without a JSON form: {error}"),
    }
}
