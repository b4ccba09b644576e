//! The session: the lane's only memory, as one value.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

use super::stream::Stream;
use super::version::LegacyVersion;
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::journal::Seed;
use crate::json::Json;
use crate::message::Id;
use crate::moment::Timestamp;
use crate::protocol::{ClientCapabilities, Implementation, LoggingLevel};
use crate::step::{Call, CallKind};

/// One session with one client, as one value that the driver owns.
///
/// It changes only by being given an input, and every input brings the [`Server`](crate::Server)
/// and the [`Moment`](crate::Moment) with it, so a session that is written down with serde and
/// read by another process goes on there. [`Session::revision`] grows with every change: a store
/// that compares and swaps by it never loses one. A call that waits for its user's answer is in
/// here as a whole. What is not in here is a step that runs: give a session that comes back after
/// its process has died to [`Session::revive`].
///
/// An [`Exchange`] is remembered for as long as its call or its stream is: a driver must not use
/// one twice within a session.
///
/// It holds what users have answered: keep it as safe as the state key. `Debug` shows none of it.
///
/// ```
/// use mcp_reprise::legacy::{Session, Transport};
/// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).legacy().build()?;
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
///     "protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
/// let moment = Moment::new(Timestamp::from_millis(0), [9; 32]);
/// let (session, turn) = Session::open(&server, Transport::Http, Exchange(1), &Caller::anonymous(), body, &moment);
/// let session = session.ok_or("refused")?;
/// assert_eq!(turn.actions.len(), 1);
/// let written = serde_json::to_string(&session)?;
/// let session: Session = serde_json::from_str(&written)?;
/// assert_eq!(session.version().as_str(), "2025-06-18");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Serialize, Deserialize)]
pub struct Session {
    layout: Layout,
    pub(super) revision: u64,
    pub(super) id: Box<str>,
    pub(super) principal: Option<String>,
    pub(super) transport: Transport,
    pub(super) version: LegacyVersion,
    /// What the client can be asked, as JSON text.
    pub(super) capabilities: Box<str>,
    /// Who the client says it is, as JSON text.
    pub(super) client: Box<str>,
    /// Whether the client has said that it is ready.
    pub(super) initialized: bool,
    pub(super) ended: bool,
    /// Whether the client can answer no more.
    pub(super) deaf: bool,
    pub(super) assigns: Map<String, Value>,
    pub(super) log_level: Option<LoggingLevel>,
    /// The resources the client wants to hear of, each with whether it is to be told of a change.
    pub(super) subscriptions: BTreeMap<Box<str>, bool>,
    pub(super) changed: Changed,
    pub(super) streams: BTreeMap<u64, Stream>,
    pub(super) next_stream: u64,
    pub(super) calls: Vec<OpenCall>,
    pub(super) batches: BTreeMap<u64, Batch>,
    pub(super) next_question: u64,
    pub(super) last_used: Timestamp,
    /// How long it may be silent, in milliseconds.
    pub(super) idle: u64,
    /// Whether what goes well in it is observed.
    #[serde(default)]
    pub(super) observes: bool,
}

/// What a session goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Transport {
    /// Streamable HTTP: many exchanges, some of them streams, which can break and be resumed.
    Http,
    /// One channel of lines in each direction, which ends with the session.
    Lines,
}

/// The kinds of lists that changed and whose client was not told yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Changed {
    pub(super) tools: bool,
    pub(super) prompts: bool,
    pub(super) resources: bool,
}

/// One call that has not been answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OpenCall {
    /// The exchange its request came by, which names its step.
    pub(super) exchange: Exchange,
    pub(super) id: Id,
    pub(super) kind: CallKind,
    pub(super) stream: u64,
    /// Whether nobody waits for it any more; its step runs on for the sake of its batch.
    pub(super) cancelled: bool,
    /// How far it has come, over all its rounds.
    pub(super) progress: Option<f64>,
    /// `None` while its step runs.
    pub(super) asking: Option<Asking>,
}

impl OpenCall {
    /// Whether a notification of progress says more than those before it, also of earlier rounds.
    pub(super) fn grows(&mut self, notification: &str) -> bool {
        let value: Value = serde_json::from_str(notification).unwrap_or_default();
        let progress = value.pointer("/params/progress").and_then(Value::as_f64);
        let grows = progress > self.progress;
        if grows {
            self.progress = progress;
        }
        grows
    }
}

/// A call that waits for answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Asking {
    pub(super) call: Box<Call>,
    pub(super) deadline: Timestamp,
    pub(super) questions: Vec<Question>,
}

/// One question that was put to the client.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Question {
    /// The id of our request.
    pub(super) id: Box<str>,
    /// The key of the question in its round.
    pub(super) key: Box<str>,
    /// The client's result as JSON text.
    pub(super) reply: Option<Box<str>>,
}

impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Question({:?}, {:?})", self.id, self.key)
    }
}

/// A batch whose requests are served one after the other.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Batch {
    pub(super) exchange: Exchange,
    pub(super) caller: Caller,
    /// The requests that were not begun, as JSON text.
    pub(super) rest: VecDeque<Box<str>>,
    pub(super) responses: Vec<String>,
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Batch({} waiting)", self.rest.len())
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("revision", &self.revision)
            .field("transport", &self.transport)
            .field("version", &self.version)
            .field("ended", &self.ended)
            .field("streams", &self.streams)
            .field("calls", &self.calls.len())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A session that has just been opened.
    pub(super) fn new(
        id: String,
        transport: Transport,
        version: LegacyVersion,
        caller: &Caller,
        now: Timestamp,
    ) -> Self {
        Self {
            layout: Layout,
            revision: 1,
            id: id.into(),
            principal: caller.principal.clone(),
            transport,
            version,
            capabilities: "{}".into(),
            client: "{}".into(),
            initialized: false,
            ended: false,
            deaf: false,
            assigns: Map::new(),
            log_level: None,
            subscriptions: BTreeMap::new(),
            changed: Changed::default(),
            streams: BTreeMap::new(),
            next_stream: 0,
            calls: Vec::new(),
            batches: BTreeMap::new(),
            next_question: 0,
            last_used: now,
            idle: 0,
            observes: false,
        }
    }

    /// How often the session has changed: what a store compares and swaps by.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The session's id, 32 hexadecimal digits of the dice it was opened with. Whoever has it can
    /// act in the session, if the driver knows no principals: keep it out of logs.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The session for the log: equal for one session, and no way into it.
    pub(super) fn shown(&self) -> String {
        let print = Seed([0; 32]).hash("session in the log", &[self.id.as_bytes()]);
        print.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whose the session is. To everybody else it does not exist.
    pub fn principal(&self) -> Option<&str> {
        self.principal.as_deref()
    }

    /// Whether the session is this caller's.
    pub fn belongs_to(&self, caller: &Caller) -> bool {
        self.principal == caller.principal
    }

    /// The version it speaks.
    pub fn version(&self) -> LegacyVersion {
        self.version
    }

    /// What the client can be asked: what it has declared, as far as the version has it.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        serde_json::from_str(&self.capabilities).unwrap_or_default()
    }

    /// Who the client says it is. Nothing vouches for it.
    pub fn client_info(&self) -> Option<Implementation> {
        serde_json::from_str(&self.client).ok()
    }

    /// What its steps have assigned so far, by name.
    pub fn assigns(&self) -> &Map<String, Value> {
        &self.assigns
    }

    /// Whether the session is over: by [`Session::end`], or because it was silent for too long.
    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// Whether the session has a stream on this exchange, or a call that came by it.
    pub fn knows(&self, exchange: Exchange) -> bool {
        self.calls.iter().any(|call| call.exchange == exchange)
            || self
                .streams
                .values()
                .any(|stream| stream.exchange == Some(exchange))
    }

    /// The exchanges of its calls and of its connected streams.
    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        let calls = self.calls.iter().map(|call| call.exchange);
        let streams = self.streams.values().filter_map(|stream| stream.exchange);
        calls.chain(streams).collect()
    }

    /// The calls that were not answered yet. Of a batch there is one at a time.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = (Exchange, Option<Id>)> {
        let calls = self.calls.iter();
        calls.map(|call| (call.exchange, Some(call.id.clone())))
    }

    /// Whether messages that belong to no request go by this exchange.
    pub(super) fn stands_on(&self, exchange: Exchange) -> bool {
        let mut streams = self.streams.values();
        streams.any(|stream| stream.is_standing() && stream.exchange == Some(exchange))
    }

    /// Whether a cancellation names an open call.
    pub(super) fn has_call(&self, params: Option<Json<'_>>) -> bool {
        self.named(params).is_some()
    }

    /// The place of the open call that a cancellation names.
    pub(super) fn named(&self, params: Option<Json<'_>>) -> Option<usize> {
        let id = params?.get("requestId")?;
        let id = Id::try_from(Box::from(id.text())).ok()?;
        self.calls.iter().position(|open| open.id == id)
    }

    /// Notes that something has changed, and when.
    pub(super) fn touch(&mut self, now: Timestamp) {
        self.revision = self.revision.saturating_add(1);
        self.last_used = self.last_used.max(now);
    }

    /// The caller as its calls see it: what the session has assigned stands over what the request
    /// brought.
    pub(super) fn caller(&self, mut caller: Caller) -> Caller {
        for (name, value) in &self.assigns {
            caller.assigns.insert(name.clone(), value.clone());
        }
        caller
    }
}

/// The layout of a session that is written down. One of another layout is refused.
#[derive(Debug, Clone, Copy)]
struct Layout;

impl Layout {
    const NUMBER: u32 = 1;
}

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(Self::NUMBER)
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let recorded = u32::deserialize(deserializer)?;
        if recorded == Self::NUMBER {
            return Ok(Self);
        }
        Err(D::Error::custom(format!(
            "a session of layout {recorded}, and this is layout {}",
            Self::NUMBER
        )))
    }
}
