//! What is observed, as spans and events of the `tracing` crate.
//!
//! Compiling it in changes nothing: a driver gives an [`observer`] to its adapter, and
//! [`ServerBuilder::observe_calls`](crate::ServerBuilder::observe_calls) has it told of calls.
//!
//! Each round of a call is a span, with fields named by OpenTelemetry's conventions for
//! [MCP](https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/): `mcp.method.name`,
//! `gen_ai.tool.name`, `jsonrpc.request.id` and so on. The client's `traceparent` is a field of it,
//! for an exporter to take as its parent. `mcp.session.id` is a fingerprint, since the id itself
//! lets people in. Questions are fingerprints too, and answers are not there at all,
//! unless [`ServerBuilder::observe_words`](crate::ServerBuilder::observe_words) says otherwise.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::tracing::field::Empty;
use ::tracing::{Level, Span, event, span};

use crate::exchange::Exchange;
use crate::journal::Mark;
use crate::observation::{CallEnd, CallStart, Observation};

/// The target of all spans and events.
const TARGET: &str = "mcp_reprise";

/// Most spans that are open at once; past it, the one of the lowest exchange is closed. A driver
/// that never tells how its calls end holds no more.
const OPEN: usize = 4096;

/// Something to give to an adapter's `observe`. Each connection of lines, and each service, needs
/// one of its own, since they name their exchanges alike.
///
/// ```
/// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp};
///
/// # fn main() -> Result<(), mcp_reprise::BuildError> {
/// let observe = mcp_reprise::tracing::observer();
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).observe_calls().build()?;
/// let moment = Moment::new(Timestamp::from_millis(0), [9; 32]);
/// let turn = server.receive(Exchange(1), Caller::anonymous(), b"{", &moment);
/// turn.observations.iter().for_each(observe);
/// # Ok(())
/// # }
/// ```
pub fn observer() -> impl Fn(&Observation) + Clone + Send + Sync + 'static {
    let tracer = Tracer::default();
    move |observation| tracer.observe(observation)
}

/// The spans of the calls that are open.
///
/// Where the steps are to say what they say themselves within the span of their call too, an
/// adapter is given both halves of a tracer:
///
/// ```
/// # #[cfg(feature = "tower")] {
/// use mcp_reprise::adapters::{Live, tower::McpService};
/// use mcp_reprise::{Server, tracing::Tracer};
///
/// # fn run(server: Server) {
/// let tracer = Tracer::default();
/// let observe = { let tracer = tracer.clone(); move |seen: &_| tracer.observe(seen) };
/// let live = Live::from(server).around(move |exchange| tracer.around(exchange));
/// let service = McpService::builder(live).observe(observe).build();
/// # let _ = service;
/// # }
/// # }
/// ```
///
/// A driver of its own makes the sink of each step with [`Sink::around`](crate::Sink::around).
#[derive(Clone, Debug, Default)]
pub struct Tracer {
    open: Arc<Mutex<BTreeMap<Exchange, Span>>>,
}

impl Tracer {
    /// The span of the call of an exchange, or none.
    pub fn span(&self, exchange: Exchange) -> Span {
        self.lock().get(&exchange).cloned().unwrap_or(Span::none())
    }

    /// What runs a step, or a piece of one, in the span that the call of an exchange has now.
    ///
    /// ```
    /// use mcp_reprise::{Exchange, Sink, tracing::Tracer};
    ///
    /// let tracer = Tracer::default();
    /// // tracer.observe(...), and when the step is to run:
    /// let sink = Sink::around(|| {}, tracer.around(Exchange(1)));
    /// # let _ = sink;
    /// ```
    pub fn around(&self, exchange: Exchange) -> impl Fn(&mut dyn FnMut()) + Send + Sync + use<> {
        let span = self.span(exchange);
        move |run| span.in_scope(run)
    }

    /// Opens or closes a span, and says what is to be said within it.
    pub fn observe(&self, observation: &Observation) {
        let exchange = observation.exchange();
        if let Observation::CallStarted { exchange, call } = observation {
            self.open(*exchange, of(call));
        }
        let span = exchange.map_or(Span::none(), |exchange| self.span(exchange));
        let ended = error_type(observation);
        if let Some(Some(error_type)) = ended {
            span.record("error.type", error_type);
        }
        span.in_scope(|| say(observation));
        if let (Some(exchange), Some(_)) = (exchange, ended) {
            self.lock().remove(&exchange);
        }
    }

    fn open(&self, exchange: Exchange, span: Span) {
        let mut open = self.lock();
        open.insert(exchange, span);
        if open.len() > OPEN {
            open.pop_first();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Exchange, Span>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The span of a call.
fn of(call: &CallStart) -> Span {
    let named = |method: &str| (call.method == method).then_some(&*call.name);
    let tool = named("tools/call");
    span!(
        target: TARGET,
        Level::INFO,
        "mcp.call",
        otel.name = format!("{} {}", call.method, call.name),
        otel.kind = "server",
        mcp.method.name = call.method,
        mcp.protocol.version = call.protocol_version,
        mcp.session.id = call.session.as_deref(),
        mcp.resource.uri = named("resources/read"),
        jsonrpc.request.id = call.request_id.trim_matches('"'),
        gen_ai.operation.name = tool.map(|_| "execute_tool"),
        gen_ai.tool.name = tool,
        gen_ai.prompt.name = named("prompts/get"),
        mcp_reprise.round = call.round,
        traceparent = call.traceparent.as_deref(),
        tracestate = call.tracestate.as_deref(),
        error.type = Empty,
    )
}

/// Whether a call is over by what is observed, and by which error.
fn error_type(observation: &Observation) -> Option<Option<&'static str>> {
    match observation {
        Observation::CallStopped { end, .. } => Some(match end {
            CallEnd::Completed | CallEnd::InputRequired => None,
            CallEnd::Failed { error_type, .. } => Some(error_type),
        }),
        Observation::CallCancelled { .. } => Some(Some("cancelled")),
        // A claim that was made before is told so after its call has begun.
        Observation::StateRefused { .. } => Some(Some("request_state")),
        Observation::Rejected { .. } => Some(Some("rejected")),
        _ => None,
    }
}

/// Says one observation, where the current span is that of its call.
fn say(observation: &Observation) {
    match observation {
        Observation::Rejected { reason, .. } => {
            event!(target: TARGET, Level::WARN, reason, "rejected");
        }
        Observation::StateRefused { reason, .. } => {
            event!(target: TARGET, Level::WARN, %reason, "request state refused");
        }
        Observation::BeganAgain {
            recorded,
            attempted,
            ..
        } => event!(target: TARGET, Level::INFO, recorded, attempted, "began again"),
        Observation::AnswerRefused { question, why, .. } => {
            event!(target: TARGET, Level::INFO, question, why, "answer refused");
        }
        Observation::HaltSwallowed { name, .. } => {
            event!(target: TARGET, Level::ERROR, name, "halt swallowed");
        }
        Observation::Diverged { divergence, .. } => {
            event!(target: TARGET, Level::WARN, %divergence, "diverged");
        }
        Observation::Failed { failure, cause, .. } => {
            let failure = failure.as_str();
            event!(target: TARGET, Level::ERROR, failure, ?cause, "failed");
        }
        Observation::CallStarted { call, .. } => {
            event!(target: TARGET, Level::DEBUG, round = call.round, "started");
        }
        Observation::CallStopped { end, .. } => stopped(*end),
        Observation::CallCancelled { .. } => event!(target: TARGET, Level::INFO, "cancelled"),
        Observation::InputRequired {
            questions, words, ..
        } => {
            let (questions, words) = (marks(questions), said(words));
            event!(target: TARGET, Level::INFO, questions, words, "input required");
        }
        Observation::Answered {
            questions, words, ..
        } => {
            let (questions, words) = (marks(questions), said(words));
            event!(target: TARGET, Level::INFO, questions, words, "answered");
        }
        Observation::SessionStarted { session, .. } => {
            event!(target: TARGET, Level::INFO, mcp.session.id = session, "session started");
        }
        Observation::SessionEnded { session } => {
            event!(target: TARGET, Level::INFO, mcp.session.id = session, "session ended");
        }
        Observation::SessionMissed { .. } => {
            event!(target: TARGET, Level::INFO, "session missed");
        }
    }
}

fn stopped(end: CallEnd) {
    match end {
        CallEnd::Completed => event!(target: TARGET, Level::INFO, "stopped"),
        CallEnd::InputRequired => {
            event!(target: TARGET, Level::DEBUG, "stopped for input");
        }
        CallEnd::Failed {
            error_kind,
            error_type,
        } => {
            let error_kind = error_kind.as_str();
            event!(target: TARGET, Level::WARN, error_kind, error.type = error_type, "stopped");
        }
    }
}

/// The words, where there are any to be shown.
fn said(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(" | "))
}

fn marks(questions: &[Mark]) -> String {
    let marks: Vec<String> = questions.iter().map(Mark::to_string).collect();
    marks.join(", ")
}
