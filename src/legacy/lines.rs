//! The session of one connection of lines, beside whatever modern requests go over it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::envelope;
use super::receive::rejected;
use super::session::{Session, Transport};
use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::json::{Json, Kind};
use crate::message::{self, Id, Message};
use crate::moment::{Moment, Timestamp};
use crate::offering::Server;
use crate::protocol::{ErrorObject, META_PROTOCOL_VERSION};
use crate::step::{Finished, Report};

/// The one session that a connection of lines may have, shared with whoever tells it of changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Option<Session>>>);

/// One line, and who sent it.
pub(crate) struct Line<'a> {
    pub(crate) server: &'a Server,
    pub(crate) exchange: Exchange,
    pub(crate) caller: &'a Caller,
    pub(crate) text: &'a [u8],
    pub(crate) moment: &'a Moment,
}

/// The requests of a connection that were not answered yet, of both eras.
type Open = Vec<(Exchange, Option<Id>)>;

impl Lines {
    /// Takes a session up that was kept, and gives its requests that were not answered yet.
    pub(crate) fn resume(&self, session: Session) -> Open {
        let open = session.unanswered().collect();
        *self.lock() = Some(session);
        open
    }

    /// The session as it is now, to be kept.
    pub(crate) fn kept(&self) -> Option<Session> {
        self.lock().clone()
    }

    /// Serves a line of this lane; `None` for one that is not: one with the modern fields, and
    /// whatever comes while there is no session.
    pub(crate) fn take(&self, line: &Line<'_>, open: &mut Open) -> Option<Turn> {
        if !line.server.offering.sessions {
            return None;
        }
        let mut session = self.lock();
        let outline = message::outline(line.text, line.server.limits()).ok()?;
        let json = outline.json();
        let id = match json.kind() {
            Kind::Array => first_request(session.as_ref()?, json)?,
            _ => ours(session.as_ref(), json)?,
        };
        if let Some(id) = &id {
            if let Err(error) = admit(line, open, id) {
                open.push((line.exchange, None));
                let message = envelope::error(super::LegacyVersion::LATEST, None, &error);
                let response = envelope::response(http::StatusCode::OK, message);
                let turn = Turn::respond(line.exchange, response);
                return Some(turn.observed(rejected(line.exchange, &error)));
            }
        }
        let turn = serve(&mut session, line, id.as_ref())?;
        for action in &turn.actions {
            // What is answered without having been asked by an id is open for that long.
            if let Action::Respond { exchange, .. } = action {
                if id.is_none() && *exchange == line.exchange {
                    open.push((*exchange, None));
                }
            }
        }
        Some(turn)
    }

    /// Takes a step back that has run; gives one back that is not of this lane.
    pub(crate) fn finish(
        &self,
        server: &Server,
        finished: Finished,
        moment: &Moment,
    ) -> Result<Turn, Box<Finished>> {
        match &mut *self.lock() {
            Some(session) if finished.call.session.is_some() => {
                Ok(session.finish(server, finished, moment))
            }
            _ => Err(Box::new(finished)),
        }
    }

    /// Takes a report of a running step; gives one back that is not of this lane.
    pub(crate) fn report(&self, server: &Server, report: Report) -> Result<Turn, Report> {
        match &mut *self.lock() {
            Some(session) if session.knows(report.exchange()) => Ok(session.report(server, report)),
            _ => Err(report),
        }
    }

    /// Whether messages that belong to no request go by this exchange.
    pub(crate) fn stands_on(&self, exchange: Exchange) -> bool {
        self.lock()
            .as_ref()
            .is_some_and(|session| session.stands_on(exchange))
    }

    /// Notes a change. Gives whether something waits now and nothing did before.
    pub(crate) fn notify(&self, change: &Change) -> bool {
        let mut session = self.lock();
        session
            .as_mut()
            .is_some_and(|session| session.notify(change))
    }

    /// What waits to be told.
    pub(crate) fn flush(&self) -> Turn {
        let mut session = self.lock();
        session.as_mut().map(Session::flush).unwrap_or_default()
    }

    /// When to come back with [`Lines::tick`].
    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.lock().as_ref()?.deadline()
    }

    /// Ends what is overdue.
    pub(crate) fn tick(&self, server: &Server, moment: &Moment) -> Turn {
        let mut session = self.lock();
        let ticked = session.as_mut().map(|session| session.tick(server, moment));
        ticked.unwrap_or_default()
    }

    /// The client can say no more: what waits for its answers waits in vain, and what would ask
    /// it cannot. Gives the exchanges of calls that are over.
    pub(crate) fn close(&self) -> Vec<Exchange> {
        let mut session = self.lock();
        session
            .as_mut()
            .map(Session::close_questions)
            .unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn serve(session: &mut Option<Session>, line: &Line<'_>, id: Option<&Id>) -> Option<Turn> {
    let Line {
        server,
        exchange,
        caller,
        text,
        moment,
    } = *line;
    if let Some(session) = session {
        return Some(session.receive(server, exchange, caller.clone(), text, moment));
    }
    let (id, outline) = (id?, message::outline(text, server.limits()).ok()?);
    let method = outline.json().get("method").and_then(Json::as_str);
    if method.as_deref() == Some("ping") {
        let message = envelope::result(id, "{}");
        let response = envelope::response(http::StatusCode::OK, message);
        return Some(Turn::respond(exchange, response));
    }
    let (opened, turn) = Session::open(server, Transport::Lines, exchange, caller, text, moment);
    *session = opened;
    Some(turn)
}

/// The id of the first request of a batch, if the session has batches.
fn first_request(session: &Session, batch: Json<'_>) -> Option<Option<Id>> {
    let mut messages = batch
        .elements()
        .filter_map(|json| message::envelope(json).ok());
    let first = messages.find_map(|message| match message {
        Message::Request(request) => Some(request.id),
        _ => None,
    });
    session.version().has_batches().then_some(first)
}

/// Whether a message is of this lane, and its id if it is a request.
fn ours(session: Option<&Session>, json: Json<'_>) -> Option<Option<Id>> {
    match message::envelope(json).ok()? {
        Message::Request(request) if is_modern(request.params) => None,
        Message::Request(request) => {
            let opens = matches!(&*request.method, "initialize" | "ping");
            (session.is_some() || opens).then_some(Some(request.id))
        }
        Message::Notification(notification) => {
            let session = session?;
            let cancels = notification.method == "notifications/cancelled";
            (!cancels || session.has_call(notification.params)).then_some(None)
        }
        Message::Response => session.map(|_| None),
    }
}

/// Opens a request, unless its id is taken or too many are open.
fn admit(line: &Line<'_>, open: &mut Open, id: &Id) -> Result<(), ErrorObject> {
    if open.iter().any(|(_, open)| open.as_ref() == Some(id)) {
        let message = "The id is the id of a request that is still open";
        return Err(ErrorObject::invalid_request(message));
    }
    if open.len() >= line.server.limits().open_requests {
        return Err(ErrorObject::internal_error("Too many requests are open"));
    }
    open.push((line.exchange, Some(id.clone())));
    Ok(())
}

/// Whether a request carries the field that all modern ones do.
pub(super) fn is_modern(params: Option<Json<'_>>) -> bool {
    params
        .and_then(|params| params.get("_meta"))
        .and_then(|meta| meta.get(META_PROTOCOL_VERSION))
        .is_some()
}
