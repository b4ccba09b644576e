//! All exchanges of one endpoint that are open, whatever their era.

use std::collections::{BTreeMap, BTreeSet};

use ::http::Request;

use super::Sessions;
use super::endpoint::Endpoint;
use super::reply::Reply;
use super::todo::Todo;
use crate::action::{Action, Claim, Turn};
use crate::caller::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::listener::Listener;
use crate::moment::{Moment, Timestamp};
use crate::server::Server;
use crate::step::{Finished, Report, Running, Sink, Step};

/// All exchanges of one endpoint that are open: their replies, their listeners, and the sessions
/// of earlier revisions where the server serves them.
///
/// It is what [`lines::Connection`](crate::lines::Connection) is to a stream of lines: a driver
/// feeds it what happens, and does what it is told. One value serves one endpoint in one process.
/// Keep it behind a lock, or in the loop that owns the sockets; it never waits for anything.
///
/// ```
/// use http::Request;
/// use mcp_reprise::http::{Endpoint, Exchanges, Part};
/// use mcp_reprise::protocol::CallToolResult;
/// use mcp_reprise::{Caller, Cx, Exchange, Moment, Server, Sink, Timestamp, Tool};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let hello = Tool::new("hello").step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("Hello"));
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).tool(hello).build()?;
/// let mut exchanges = Exchanges::new(Endpoint::new(server));
/// let request = Request::post("http://localhost/mcp")
///     .header("content-type", "application/json")
///     .header("accept", "application/json, text/event-stream")
///     .header("mcp-protocol-version", "2026-07-28")
///     .header("mcp-method", "tools/call")
///     .header("mcp-name", "hello")
///     .body(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","_meta":{
///         "io.modelcontextprotocol/protocolVersion":"2026-07-28",
///         "io.modelcontextprotocol/clientCapabilities":{}}}}"#)?;
/// let moment = Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32]);
///
/// let mut todo = exchanges.receive(Exchange(1), Caller::anonymous(), &request, &moment);
/// let step = todo.steps.pop().ok_or("no step")?;
/// let todo = exchanges.finish(step.run(&Sink::default()), &moment);
/// assert!(matches!(&*todo.parts, [(Exchange(1), Part::Whole(_))]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Exchanges {
    endpoint: Endpoint,
    open: BTreeMap<Exchange, Open>,
    /// When each stream is due a comment, those first that are due first.
    due: BTreeSet<(Timestamp, Exchange)>,
    sessions: Sessions,
    running: Running,
}

#[derive(Debug)]
struct Open {
    reply: Reply,
    listener: Option<Listener>,
    /// Whether a step runs for it that is to be stopped when the client goes.
    runs: bool,
    due: Option<Timestamp>,
}

impl Exchanges {
    /// The exchanges of an endpoint, of which there are none yet.
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            open: BTreeMap::new(),
            due: BTreeSet::new(),
            sessions: Sessions::default(),
            running: Running::default(),
        }
    }

    /// The endpoint.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// How many exchanges are open.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether none is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Puts another server in the place of this one. Then tell the listeners what changed, by
    /// [`Exchanges::notify`].
    pub fn replace_server(&mut self, server: Server) {
        self.endpoint = self.endpoint.with_server(server);
    }

    /// Serves one request. Its exchange must be one that is not open.
    pub fn receive<B: AsRef<[u8]>>(
        &mut self,
        exchange: Exchange,
        caller: Caller,
        request: &Request<B>,
        moment: &Moment,
    ) -> Todo {
        let reply = Reply::new(self.server().limits().keep_alive);
        let open = Open {
            reply,
            listener: None,
            runs: false,
            due: None,
        };
        self.open.insert(exchange, open);
        let sessions = &mut self.sessions;
        let turn = super::receive(&self.endpoint, sessions, exchange, caller, request, moment);
        self.perform(turn, moment.now)
    }

    /// Settles a claim: `is_new` says whether nobody made it before.
    pub fn claimed(&mut self, claim: Claim, is_new: bool, moment: &Moment) -> Todo {
        let turn = match is_new {
            true => Turn::run(claim.grant()),
            false => claim.refuse(),
        };
        self.perform(turn, moment.now)
    }

    /// The sink for a step that is about to run, kept here for as long as it does: what the step
    /// reports is taken from it, by [`Exchanges::reported`] and before it is finished, and it is
    /// cancelled when the step is to be stopped, or when all exchanges are dropped. `wake` runs
    /// inside the step whenever the first report waits, so it should do no more than wake.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use mcp_reprise::{Exchange, Step, http::Exchanges};
    ///
    /// /// Runs a step on a thread of its own. Whoever holds the exchanges hears of it.
    /// fn start(exchanges: &mut Exchanges, step: Step, inbox: mpsc::Sender<Exchange>) {
    ///     let exchange = step.exchange();
    ///     let sink = exchanges.sink(&step, move || drop(inbox.send(exchange)));
    ///     std::thread::spawn(move || step.run(&sink));
    /// }
    /// # let _ = start;
    /// ```
    pub fn sink(&mut self, step: &Step, wake: impl Fn() + Send + Sync + 'static) -> Sink {
        self.keep(step, Sink::new(wake))
    }

    /// The same for a sink that was made already.
    pub(crate) fn keep(&mut self, step: &Step, sink: Sink) -> Sink {
        self.running.begin(step, sink)
    }

    /// Takes what a running step has reported so far, from the sink it was given by
    /// [`Exchanges::sink`]: to be called when that wakes.
    pub fn reported(&mut self, exchange: Exchange, now: Timestamp) -> Todo {
        let mut todo = Todo::default();
        for report in self.running.reports(exchange) {
            let turn = self.turn_of(report);
            todo.extend(self.perform(turn, now));
        }
        todo
    }

    /// Takes a step back that has run.
    pub fn finish(&mut self, finished: Finished, moment: &Moment) -> Todo {
        let exchange = finished.exchange();
        // What it said before it ended comes before what it ended with.
        let mut todo = self.reported(exchange, moment.now);
        self.running.end(exchange);
        let turn = if finished.call.session.is_some() {
            self.sessions
                .finish(self.endpoint.server(), finished, moment)
        } else if let Some(open) = self.open.get_mut(&exchange) {
            open.runs = false;
            self.endpoint.server().finish(finished)
        } else {
            // Nobody waits for it any more.
            Turn::default()
        };
        todo.extend(self.perform(turn, moment.now));
        todo
    }

    /// Takes a report of a running step, from a sink of the driver's own.
    pub fn report(&mut self, report: Report, moment: &Moment) -> Todo {
        let turn = self.turn_of(report);
        self.perform(turn, moment.now)
    }

    fn turn_of(&mut self, report: Report) -> Turn {
        let server = self.endpoint.server();
        match self.sessions.knows(report.exchange()) {
            true => self.sessions.report(server, report),
            false => server.report(report),
        }
    }

    /// Notes a change for whoever listens for it. However many there are, a listener holds no
    /// more than what its client asked for.
    pub fn notify(&mut self, change: &Change, now: Timestamp) -> Todo {
        let turn = self.sessions.notify(change);
        let mut todo = self.perform(turn, now);
        for (exchange, open) in &mut self.open {
            if open
                .listener
                .as_mut()
                .is_some_and(|listener| listener.note(change))
            {
                todo.waiting.push(*exchange);
            }
        }
        todo
    }

    /// What waits for the listener of an exchange, to be written now.
    pub fn drain(&mut self, exchange: Exchange, now: Timestamp) -> Todo {
        let mut pushes = Turn::default();
        if let Some(listener) = self
            .open
            .get_mut(&exchange)
            .and_then(|open| open.listener.as_mut())
        {
            pushes
                .actions
                .extend(std::iter::from_fn(|| listener.next_push()));
        }
        self.perform(pushes, now)
    }

    /// Ends every listener gracefully, as before a shutdown.
    pub fn close_listeners(&mut self, now: Timestamp) -> Todo {
        let mut ends = Turn::default();
        let listeners = self
            .open
            .values_mut()
            .filter_map(|open| open.listener.take());
        ends.actions.extend(listeners.flat_map(Listener::close));
        self.perform(ends, now)
    }

    /// The client of an exchange has gone, or reads too slowly to be waited for. That ends a
    /// modern call; in a session the call goes on, and its client may come back for the rest.
    pub fn disconnected(&mut self, exchange: Exchange, moment: &Moment) -> Todo {
        let mut todo = Todo::default();
        if let Some(open) = self.close(exchange) {
            if open.runs {
                self.running.cancel(exchange);
                todo.stopped.push(exchange);
            }
        }
        self.sessions.disconnected(exchange, moment);
        todo
    }

    /// When to come back with [`Exchanges::tick`], if anything has a deadline.
    pub fn deadline(&self) -> Option<Timestamp> {
        let comment = self.due.first().map(|(due, _)| *due);
        [comment, self.sessions.deadline()]
            .into_iter()
            .flatten()
            .min()
    }

    /// Does what is overdue: comments that keep streams open, questions that were not answered,
    /// sessions that were silent for too long.
    pub fn tick(&mut self, moment: &Moment) -> Todo {
        let turn = self.sessions.tick(self.endpoint.server(), moment);
        let mut todo = self.perform(turn, moment.now);
        while let Some((due, exchange)) = self.due.first().copied() {
            if due > moment.now {
                break;
            }
            self.due.remove(&(due, exchange));
            let Some(open) = self.open.get_mut(&exchange) else {
                continue;
            };
            open.due = None;
            todo.parts
                .extend(open.reply.tick(moment.now).map(|part| (exchange, part)));
            self.note_due(exchange);
        }
        todo
    }

    fn server(&self) -> &Server {
        self.endpoint.server()
    }

    fn perform(&mut self, turn: Turn, now: Timestamp) -> Todo {
        let mut todo = Todo {
            observations: turn.observations,
            ..Todo::default()
        };
        for action in turn.actions {
            self.act(action, now, &mut todo);
        }
        for step in turn.steps {
            // A session stops its steps itself.
            if let Some(open) = self.open.get_mut(&step.exchange()) {
                open.runs = !step.is_in_session();
            }
            todo.steps.push(step);
        }
        todo
    }

    fn act(&mut self, action: Action, now: Timestamp, todo: &mut Todo) {
        let exchange = action.exchange();
        match action {
            Action::Claim(claim) => todo.claims.push(claim),
            Action::Listen(listener) => {
                if let Some(open) = self.open.get_mut(&exchange) {
                    open.listener = Some(listener);
                }
            }
            action => {
                if matches!(action, Action::Cancel { .. }) {
                    self.running.cancel(exchange);
                    todo.stopped.push(exchange);
                }
                let Some(open) = self.open.get_mut(&exchange) else {
                    return;
                };
                let parts = open.reply.act(action, now);
                todo.parts
                    .extend(parts.into_iter().map(|part| (exchange, part)));
                if open.reply.is_ended() {
                    self.close(exchange);
                } else {
                    self.note_due(exchange);
                }
            }
        }
    }

    fn close(&mut self, exchange: Exchange) -> Option<Open> {
        let open = self.open.remove(&exchange)?;
        if let Some(due) = open.due {
            self.due.remove(&(due, exchange));
        }
        Some(open)
    }

    fn note_due(&mut self, exchange: Exchange) {
        let Some(open) = self.open.get_mut(&exchange) else {
            return;
        };
        let due = open.reply.deadline();
        if open.due == due {
            return;
        }
        if let Some(before) = std::mem::replace(&mut open.due, due) {
            self.due.remove(&(before, exchange));
        }
        self.due.extend(due.map(|due| (due, exchange)));
    }
}
