//! Where the sessions of earlier revisions are kept.

use ::http::Request;

use super::endpoint::Endpoint;
use crate::action::Turn;
use crate::caller::Caller;
use crate::exchange::Exchange;
pub(super) use crate::legacy::Sessions;
use crate::moment::Moment;

/// Serves a request of either era.
pub(super) fn receive<B: AsRef<[u8]>>(
    endpoint: &Endpoint,
    sessions: &mut Sessions,
    exchange: Exchange,
    caller: Caller,
    request: &Request<B>,
    moment: &Moment,
) -> Turn {
    match endpoint.receive_with(sessions, exchange, &caller, request, moment) {
        Ok(turn) | Err(turn) => turn,
    }
}
