//! What stands in for the sessions of earlier revisions where they are not compiled in: there is
//! never one.

use crate::action::Turn;
use crate::caller::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::message::Id;
use crate::moment::{Moment, Timestamp};
use crate::server::Server;
use crate::step::{Finished, Report};

#[derive(Debug, Clone, Default)]
pub(super) struct Sessions;

/// One line, and who sent it.
#[expect(dead_code, reason = "there is no session to look at it")]
pub(super) struct Line<'a> {
    pub(super) server: &'a Server,
    pub(super) exchange: Exchange,
    pub(super) caller: &'a Caller,
    pub(super) text: &'a [u8],
    pub(super) moment: &'a Moment,
}

impl Sessions {
    pub(super) fn take(&self, _: &Line<'_>, _: &mut Vec<(Exchange, Option<Id>)>) -> Option<Turn> {
        None
    }

    pub(super) fn finish(
        &self,
        _: &Server,
        finished: Finished,
        _: &Moment,
    ) -> Result<Turn, Box<Finished>> {
        Err(Box::new(finished))
    }

    pub(super) fn report(&self, _: &Server, report: Report) -> Result<Turn, Report> {
        Err(report)
    }

    pub(super) fn stands_on(&self, _: Exchange) -> bool {
        false
    }

    pub(super) fn notify(&self, _: &Change) -> bool {
        false
    }

    pub(super) fn flush(&self) -> Turn {
        Turn::default()
    }

    pub(super) fn deadline(&self) -> Option<Timestamp> {
        None
    }

    pub(super) fn tick(&self, _: &Server, _: &Moment) -> Turn {
        Turn::default()
    }

    pub(super) fn close(&self) -> Vec<Exchange> {
        Vec::new()
    }
}
