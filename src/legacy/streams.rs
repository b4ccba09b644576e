//! The connections of a session, and what goes over which.

use http::StatusCode;

use super::envelope;
use super::session::{Session, Transport};
use super::shape;
use super::stream::{Purpose, Stream, read_event_id};
use crate::action::{Action, Turn};
use crate::calling::millis;
use crate::exchange::{Exchange, Response};
use crate::moment::Moment;
use crate::observation::{Observation, shown};
use crate::offering::{Offering, Server};
use crate::step::{Matter, Report};

/// How many finished streams a session keeps for a client that comes back.
const FINISHED: usize = 16;

impl Session {
    /// Takes a report of a running step of this session, and has it pushed on the stream of its
    /// call.
    pub fn report(&mut self, server: &Server, report: Report) -> Turn {
        let offering = &*server.offering;
        let mut turn = Turn::default();
        let found = self
            .calls
            .iter_mut()
            .find(|open| open.exchange == report.exchange && open.asking.is_none());
        let Some(open) = found.filter(|open| !open.cancelled) else {
            return turn;
        };
        let stream = open.stream;
        match report.matter {
            Matter::Progress if !open.grows(&report.message) => return turn,
            Matter::Progress => {
                let message = shape::progress(self.version, &report.message);
                self.say(offering, stream, message, &mut turn);
            }
            Matter::Log(level) if self.log_level.is_none_or(|least| level < least) => return turn,
            Matter::Log(_) => {
                self.say(offering, stream, report.message.into_string(), &mut turn);
            }
            Matter::Release => self.release(offering, stream, &mut turn),
        }
        self.revision = self.revision.saturating_add(1);
        turn
    }

    /// Ends the connection of a stream, and not the stream: the client is told when to come back.
    fn release(&mut self, offering: &Offering, number: u64, turn: &mut Turn) {
        if self.transport != Transport::Http || !self.version.has_priming() {
            return;
        }
        let retry = Some(millis(offering.limits().stream_retry));
        let Some(stream) = self.streams.get_mut(&number) else {
            return;
        };
        turn.actions.extend(stream.mark(number, retry));
        if let Some(exchange) = stream.exchange.take() {
            turn.actions.push(Action::End { exchange });
        }
    }

    /// Opens a stream for what belongs to no request, or resumes the one that the client names by
    /// the last event it has seen of it. Over HTTP that is a GET.
    ///
    /// Several may stand at once, up to [`Limits::session_streams`](crate::Limits::session_streams);
    /// each message goes over one alone: what belongs to a request over the stream of its answer,
    /// the rest over the standing stream that was opened first.
    ///
    /// See [Listening for messages](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server)
    /// and [Resumability](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery).
    pub fn connect(
        &mut self,
        server: &Server,
        exchange: Exchange,
        last_event_id: Option<&str>,
        moment: &Moment,
    ) -> Turn {
        if self.ended {
            return self.gone(exchange);
        }
        self.touch(moment.now);
        let mut turn = match last_event_id.map(|id| (id, read_event_id(id))) {
            None => self.stand(&server.offering, exchange),
            Some((_, Some((standing, number, place)))) => match self.streams.get_mut(&number) {
                Some(stream) if stream.is_standing() == standing => {
                    self.take_up(exchange, number, place)
                }
                // What waited for a standing stream waits for any.
                _ if standing => self.stand(&server.offering, exchange),
                _ => refused(
                    exchange,
                    StatusCode::BAD_REQUEST,
                    "There is nothing to resume",
                ),
            },
            Some((id, None)) => {
                let reason = format!("No event has the id {}", shown(id));
                refused(exchange, StatusCode::BAD_REQUEST, &reason)
            }
        };
        turn.extend(self.flush());
        turn
    }

    fn stand(&mut self, offering: &Offering, exchange: Exchange) -> Turn {
        let most = offering.limits().session_streams;
        let standing = |stream: &&Stream| stream.is_standing() && stream.exchange.is_some();
        if self.streams.values().filter(standing).count() >= most {
            let reason = "Too many streams stand in this session";
            return refused(exchange, StatusCode::CONFLICT, reason);
        }
        // Of the broken ones there are no more either.
        let broken: Vec<u64> = self
            .streams
            .iter()
            .filter(|(_, stream)| stream.is_standing() && stream.exchange.is_none())
            .map(|(number, _)| *number)
            .collect();
        for number in broken.iter().take((broken.len() + 1).saturating_sub(most)) {
            self.streams.remove(number);
        }
        let number = self.next_stream;
        self.next_stream += 1;
        let mut stream = Stream::new(Purpose::Standing, exchange, true);
        let opened = if self.version.has_priming() {
            stream.mark(number, None)
        } else {
            Some(Action::push(exchange, Vec::new()))
        };
        self.streams.insert(number, stream);
        opened.map(Turn::act).unwrap_or_default()
    }

    /// Goes on with a stream on another connection.
    fn take_up(&mut self, exchange: Exchange, number: u64, place: u64) -> Turn {
        let mut turn = Turn::act(Action::push(exchange, Vec::new()));
        let Some(stream) = self.streams.get_mut(&number) else {
            return turn;
        };
        if let Some(former) = stream.exchange.replace(exchange) {
            turn.actions.push(Action::End { exchange: former });
        }
        turn.actions.extend(stream.after(number, place));
        if stream.done {
            stream.exchange = None;
            turn.actions.push(Action::End { exchange });
        }
        turn
    }

    /// A connection is gone. It cancels nothing: what runs, runs on, and what is said meanwhile
    /// waits for a client that comes back.
    pub fn disconnected(&mut self, exchange: Exchange, moment: &Moment) {
        for stream in self.streams.values_mut() {
            if stream.exchange == Some(exchange) {
                stream.exchange = None;
                self.last_used = self.last_used.max(moment.now);
                self.revision = self.revision.saturating_add(1);
            }
        }
    }

    /// Says a message on a stream.
    pub(super) fn say(
        &mut self,
        offering: &Offering,
        number: u64,
        message: String,
        turn: &mut Turn,
    ) {
        if let Some(stream) = self.streams.get_mut(&number) {
            let most = offering.limits().stream_events;
            turn.actions.extend(stream.say(number, message, most));
        }
        self.trim(offering, number);
    }

    /// Says the response that ends a stream.
    pub(super) fn respond(&mut self, offering: &Offering, number: u64, message: String) -> Turn {
        let Some(stream) = self.streams.get_mut(&number) else {
            return Turn::default();
        };
        stream.done = true;
        let resumable = stream.is_marked();
        stream.keep(number, &message, offering.limits().stream_events);
        let attached = stream.exchange.take();
        if resumable {
            self.trim(offering, number);
        } else {
            self.streams.remove(&number);
        }
        attached
            .map(|exchange| Turn::respond(exchange, Response::ok(message.into_bytes())))
            .unwrap_or_default()
    }

    /// Keeps what is kept for clients that come back within its bounds: finished streams go
    /// first, the oldest first, then the oldest events of the stream that has just grown.
    fn trim(&mut self, offering: &Offering, grown: u64) {
        let most = offering.limits().stream_bytes;
        loop {
            let finished: Vec<u64> = self
                .streams
                .iter()
                .filter(|(_, stream)| stream.done)
                .map(|(number, _)| *number)
                .collect();
            let bytes: usize = self.streams.values().map(Stream::bytes).sum();
            if finished.len() <= FINISHED && bytes <= most {
                return;
            }
            let oldest = finished.first().filter(|number| **number != grown);
            let forgotten = match oldest {
                Some(number) => self.streams.remove(number).is_some(),
                None => self
                    .streams
                    .get_mut(&grown)
                    .is_some_and(Stream::forget_oldest),
            };
            if !forgotten {
                return;
            }
        }
    }
}

pub(super) fn refused(exchange: Exchange, status: StatusCode, reason: &str) -> Turn {
    Turn::respond(exchange, envelope::refusal(status, reason)).observed(Observation::Rejected {
        exchange,
        reason: reason.to_owned(),
    })
}
