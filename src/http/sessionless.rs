//! What stands in for the sessions of earlier revisions where they are not compiled in: there is
//! never one.

use ::http::Request;

use super::endpoint::Endpoint;
use crate::action::Turn;
use crate::caller::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::moment::{Moment, Timestamp};
use crate::server::Server;
use crate::step::{Finished, Report};

#[derive(Debug, Default)]
pub(super) struct Sessions(());

/// Serves a request, which is the modern lane's.
pub(super) fn receive<B: AsRef<[u8]>>(
    endpoint: &Endpoint,
    _: &mut Sessions,
    exchange: Exchange,
    caller: Caller,
    request: &Request<B>,
    moment: &Moment,
) -> Turn {
    endpoint.receive(exchange, caller, request, moment)
}

impl Sessions {
    pub(super) fn knows(&self, _: Exchange) -> bool {
        false
    }

    pub(super) fn finish(&mut self, _: &Server, _: Finished, _: &Moment) -> Turn {
        Turn::default()
    }

    pub(super) fn report(&mut self, _: &Server, _: Report) -> Turn {
        Turn::default()
    }

    pub(super) fn disconnected(&mut self, _: Exchange, _: &Moment) {}

    pub(super) fn notify(&mut self, _: &Change) -> Turn {
        Turn::default()
    }

    pub(super) fn deadline(&self) -> Option<Timestamp> {
        None
    }

    pub(super) fn tick(&mut self, _: &Server, _: &Moment) -> Turn {
        Turn::default()
    }
}
