//! Deadlines, and the end of a session.

use super::session::{Session, Transport};
use crate::action::{Action, Turn};
use crate::exchange::Exchange;
use crate::moment::{Moment, Timestamp};
use crate::observation::{FailureKind, Observation};
use crate::offering::Server;
use crate::step::Failure;

impl Session {
    /// When to come back with [`Session::tick`]: the first question is overdue then, or the
    /// session was silent for too long.
    pub fn deadline(&self) -> Option<Timestamp> {
        let asking = self.calls.iter().filter_map(|open| open.asking.as_ref());
        let overdue = asking.map(|asking| asking.deadline).min();
        let idle = self.idle_at();
        match (overdue, idle) {
            (Some(overdue), Some(idle)) => Some(overdue.min(idle)),
            (overdue, idle) => overdue.or(idle),
        }
    }

    /// Whether it has neither an open call nor a connected stream.
    pub(super) fn is_silent(&self) -> bool {
        self.idle_at().is_some()
    }

    /// When the session ends if nothing comes. One with an open call or a connected stream is not
    /// silent, and lines end with their channel.
    fn idle_at(&self) -> Option<Timestamp> {
        let busy = self.transport == Transport::Lines
            || self.ended
            || !self.calls.is_empty()
            || self
                .streams
                .values()
                .any(|stream| stream.exchange.is_some());
        let idle = std::time::Duration::from_millis(self.idle);
        (!busy).then(|| self.last_used.after(idle))
    }

    /// Ends the calls whose questions were not answered in time, and the session if it was silent
    /// for too long: see [`Session::is_ended`].
    pub fn tick(&mut self, server: &Server, moment: &Moment) -> Turn {
        let mut turn = Turn::default();
        while let Some(place) = self.calls.iter().position(|open| {
            let asking = open.asking.as_ref();
            asking.is_some_and(|asking| asking.deadline <= moment.now)
        }) {
            self.revision = self.revision.saturating_add(1);
            let failure = Failure::unsaid(FailureKind::Unanswered, "the deadline has passed");
            turn.extend(self.give_up(&server.offering, moment, place, failure, None));
        }
        if self.idle_at().is_some_and(|idle| idle <= moment.now) {
            turn.extend(self.end());
        }
        turn
    }

    /// Ends the session, with its calls, their questions and its streams. Over HTTP that is a
    /// DELETE.
    pub fn end(&mut self) -> Turn {
        let mut turn = Turn::default();
        if std::mem::replace(&mut self.ended, true) {
            return turn;
        }
        self.revision = self.revision.saturating_add(1);
        let calls = std::mem::take(&mut self.calls);
        let of_calls: Vec<Exchange> = calls.iter().map(|open| open.exchange).collect();
        self.batches.clear();
        for stream in std::mem::take(&mut self.streams).into_values() {
            // Where a call goes over its own exchange still, cancelling it ends that.
            let other = stream
                .exchange
                .filter(|exchange| !of_calls.contains(exchange));
            turn.actions
                .extend(other.map(|exchange| Action::End { exchange }));
        }
        for exchange in of_calls {
            turn.actions.push(Action::Cancel { exchange });
            turn.observations.extend(self.call_cancelled(exchange));
        }
        if self.observes {
            turn = turn.observed(Observation::SessionEnded {
                session: self.shown(),
            });
        }
        turn
    }

    /// Nobody waits for a call any more.
    pub(super) fn call_cancelled(&self, exchange: Exchange) -> Option<Observation> {
        self.observes
            .then_some(Observation::CallCancelled { exchange })
    }

    /// Notes that the client can answer no more. Gives the exchanges of the calls that waited,
    /// which are over.
    pub(super) fn close_questions(&mut self) -> Vec<Exchange> {
        self.deaf = true;
        self.revision = self.revision.saturating_add(1);
        let mut over = Vec::new();
        self.calls.retain(|open| {
            if open.asking.is_some() {
                over.push(open.exchange);
            }
            open.asking.is_none()
        });
        over
    }

    /// Takes a session up whose process has died: its connections are gone, and so are the steps
    /// that were running, whose calls fail. Calls that wait for answers go on waiting.
    pub fn revive(&mut self, server: &Server, moment: &Moment) -> Turn {
        if self.transport == Transport::Lines {
            return self.end();
        }
        for stream in self.streams.values_mut() {
            stream.exchange = None;
        }
        self.touch(moment.now);
        let mut turn = Turn::default();
        while let Some(place) = self.calls.iter().position(|open| open.asking.is_none()) {
            let open = self.calls.swap_remove(place);
            turn.extend(self.lost(&server.offering, moment, &open));
        }
        turn
    }
}
