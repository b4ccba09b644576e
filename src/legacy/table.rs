//! The sessions of one endpoint in one process: a bounded table, pure as the rest.

use std::collections::{BTreeMap, BTreeSet};

use http::{Method, Request, StatusCode};

use super::http::Lane;
use super::open::SESSION_ID;
use super::session::{Session, Transport};
use super::streams::refused;
use crate::action::Turn;
use crate::caller::Caller;
use crate::change::Change;
use crate::exchange::{Exchange, Response};
use crate::moment::{Moment, Timestamp};
use crate::observation::Observation;
use crate::offering::Server;
use crate::step::{Finished, Report};

/// The sessions of one HTTP endpoint that live in one process.
///
/// There are never more than [`Limits::sessions`](crate::Limits::sessions): when one more opens,
/// the one that was silent the longest ends, and where none is silent the newcomer is refused
/// under 503. So a flood of `initialize` costs no more than the table.
///
/// A driver that keeps its sessions elsewhere needs no table: [`Lane::of`] tells which session a
/// request names, and [`Session`] does the rest.
///
/// ```
/// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp, legacy::Sessions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("demo", "1.0.0").single_process([7; 32]).legacy().build()?;
/// let mut sessions = Sessions::default();
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
///     "protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
/// let request = http::Request::post("/mcp").body(body.to_vec())?;
/// let moment = Moment::new(Timestamp::from_millis(0), [9; 32]);
/// let turn = sessions.receive(&server, Exchange(1), &Caller::anonymous(), &request, &moment);
/// assert!(turn.is_some());
/// assert_eq!(sessions.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Sessions {
    by_id: BTreeMap<Box<str>, Held>,
    by_exchange: BTreeMap<Exchange, Box<str>>,
    /// When each session is due, those first that are due first.
    due: BTreeSet<(Timestamp, Box<str>)>,
}

struct Held {
    session: Session,
    due: Option<Timestamp>,
}

/// Whoever has the id of a session may come in by it: `Debug` counts them.
impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sessions({})", self.by_id.len())
    }
}

impl Sessions {
    /// How many sessions there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Serves a request that is a session's, or opens one. `None`: it is the modern lane's.
    ///
    /// The endpoint has let the request in, and the body is no longer than the limit.
    pub fn receive<B: AsRef<[u8]>>(
        &mut self,
        server: &Server,
        exchange: Exchange,
        caller: &Caller,
        request: &Request<B>,
        moment: &Moment,
    ) -> Option<Turn> {
        if !server.offering.sessions {
            return None;
        }
        let (head, body) = (request.headers(), request.body().as_ref());
        let turn = match Lane::of(request.method(), head, body, server.limits()) {
            Lane::Modern => return None,
            Lane::Refused(reason) => refused(exchange, StatusCode::BAD_REQUEST, reason),
            Lane::Opening => self.open(server, exchange, caller, body, moment),
            Lane::Session => {
                let mut named = head.get_all(SESSION_ID).iter();
                let id = named.next().and_then(|id| id.to_str().ok());
                match id.filter(|_| named.next().is_none()) {
                    Some(id) if self.is_of(id, caller) => {
                        self.serve(server, exchange, caller, id, request, moment)
                    }
                    _ => {
                        let reason = "There is no such session";
                        let mut turn = refused(exchange, StatusCode::NOT_FOUND, reason);
                        if server.offering.observes {
                            turn = turn.observed(Observation::SessionMissed { exchange });
                        }
                        turn
                    }
                }
            }
        };
        Some(turn)
    }

    /// Whether there is a session of this id for this caller. One of somebody else is as if it
    /// did not exist.
    fn is_of(&self, id: &str, caller: &Caller) -> bool {
        self.by_id
            .get(id)
            .is_some_and(|held| held.session.belongs_to(caller))
    }

    fn open(
        &mut self,
        server: &Server,
        exchange: Exchange,
        caller: &Caller,
        body: &[u8],
        moment: &Moment,
    ) -> Turn {
        let mut ended = Turn::default();
        if self.by_id.len() >= server.limits().sessions {
            let Some(id) = self.longest_silent() else {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                return refused(exchange, status, "Too many sessions are open");
            };
            ended = self.change(&id, Session::end);
        }
        let (session, mut turn) =
            Session::open(server, Transport::Http, exchange, caller, body, moment);
        if let Some(session) = session {
            let id: Box<str> = session.id().into();
            self.by_id.insert(id.clone(), Held { session, due: None });
            self.note(&id, &[]);
        }
        turn.extend(ended);
        turn
    }

    /// The session that is silent, and was for longer than any other.
    fn longest_silent(&self) -> Option<Box<str>> {
        let silent = |id: &str| {
            let held = self.by_id.get(id)?;
            held.session.is_silent().then_some(())
        };
        let mut due = self.due.iter().map(|(_, id)| id);
        due.find(|id| silent(id).is_some()).cloned()
    }

    fn serve<B: AsRef<[u8]>>(
        &mut self,
        server: &Server,
        exchange: Exchange,
        caller: &Caller,
        id: &str,
        request: &Request<B>,
        moment: &Moment,
    ) -> Turn {
        let last_event_id = request.headers().get("last-event-id");
        let last_event_id = last_event_id.map(|id| id.to_str().unwrap_or_default());
        self.change(id, |session| match *request.method() {
            Method::GET => session.connect(server, exchange, last_event_id, moment),
            Method::DELETE => {
                let mut turn = Turn::respond(exchange, ended());
                turn.extend(session.end());
                turn
            }
            _ => session.receive(
                server,
                exchange,
                caller.clone(),
                request.body().as_ref(),
                moment,
            ),
        })
    }

    /// Whether the exchange is one of a session: of a call, or of a stream that is connected.
    pub fn knows(&self, exchange: Exchange) -> bool {
        self.by_exchange.contains_key(&exchange)
    }

    /// Takes a step back that has run: see [`Session::finish`].
    pub fn finish(&mut self, server: &Server, finished: Finished, moment: &Moment) -> Turn {
        self.of(finished.exchange(), |session| {
            session.finish(server, finished, moment)
        })
    }

    /// Takes a report of a running step: see [`Session::report`].
    pub fn report(&mut self, server: &Server, report: Report) -> Turn {
        self.of(report.exchange(), |session| session.report(server, report))
    }

    /// A connection is gone: see [`Session::disconnected`].
    pub fn disconnected(&mut self, exchange: Exchange, moment: &Moment) {
        self.of(exchange, |session| {
            session.disconnected(exchange, moment);
            Turn::default()
        });
    }

    /// Tells every session of a change, and gives what can be said of it now.
    pub fn notify(&mut self, change: &Change) -> Turn {
        let mut turn = Turn::default();
        for held in self.by_id.values_mut() {
            if held.session.notify(change) {
                turn.extend(held.session.flush());
            }
        }
        turn
    }

    /// When to come back with [`Sessions::tick`].
    pub fn deadline(&self) -> Option<Timestamp> {
        self.due.first().map(|(due, _)| *due)
    }

    /// Ends what is overdue: calls whose questions were not answered, sessions that were silent
    /// for too long.
    pub fn tick(&mut self, server: &Server, moment: &Moment) -> Turn {
        let mut turn = Turn::default();
        while let Some((due, id)) = self.due.first().cloned() {
            if due > moment.now {
                break;
            }
            turn.extend(self.change(&id, |session| session.tick(server, moment)));
            // Whatever a tick comes to, it is not due again at this moment.
            if self.due.contains(&(due, id.clone())) {
                break;
            }
        }
        turn
    }

    fn of(&mut self, exchange: Exchange, change: impl FnOnce(&mut Session) -> Turn) -> Turn {
        match self.by_exchange.get(&exchange).cloned() {
            Some(id) => self.change(&id, change),
            None => Turn::default(),
        }
    }

    /// Changes a session, and keeps the table's own notes of it.
    fn change(&mut self, id: &str, change: impl FnOnce(&mut Session) -> Turn) -> Turn {
        let Some(held) = self.by_id.get_mut(id) else {
            return Turn::default();
        };
        let before = held.session.exchanges();
        let turn = change(&mut held.session);
        self.note(id, &before);
        turn
    }

    fn note(&mut self, id: &str, before: &[Exchange]) {
        let Some(held) = self.by_id.get_mut(id) else {
            return;
        };
        let after = held.session.exchanges();
        for gone in before.iter().filter(|before| !after.contains(before)) {
            self.by_exchange.remove(gone);
        }
        for new in after.iter().filter(|after| !before.contains(after)) {
            self.by_exchange.insert(*new, id.into());
        }
        if let Some(due) = held.due.take() {
            self.due.remove(&(due, id.into()));
        }
        if held.session.is_ended() {
            self.by_id.remove(id);
            return;
        }
        held.due = held.session.deadline();
        if let Some(due) = held.due {
            self.due.insert((due, id.into()));
        }
    }
}

/// The answer to a DELETE.
fn ended() -> Response {
    Response {
        status: StatusCode::OK,
        headers: http::HeaderMap::new(),
        message: None,
    }
}
