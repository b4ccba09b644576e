//! The modern lane: revision 2026-07-28, stateless.
//!
//! Every request carries all that is needed to serve it; a call that asks is answered with its
//! sealed journal, and begins again from the top when the client comes back with both.

mod call;
mod discover;
mod finish;
mod list;
mod listen;
mod request;

pub(crate) use finish::finish;
pub(crate) use request::{Refusal, Request};

use crate::action::Turn;
use crate::caller::Caller;
use crate::calling;
use crate::exchange::Exchange;
use crate::moment::Moment;
use crate::observation::{Observation, shown};
use crate::offering::Offering;
use crate::step::CallKind;
use crate::wire;

/// The versions this lane serves.
pub(crate) const VERSIONS: &[&str] = &[crate::protocol::PROTOCOL_VERSION];

/// One request on its way through the lane.
pub(crate) struct Incoming<'a> {
    pub(crate) offering: &'a Offering,
    pub(crate) exchange: Exchange,
    pub(crate) caller: Caller,
    pub(crate) request: Request<'a>,
    pub(crate) moment: &'a Moment,
}

/// Serves one request.
pub(crate) fn serve(incoming: Incoming<'_>) -> Turn {
    if let Some(kind) = CallKind::of(&incoming.request.method) {
        return call::serve(incoming, kind);
    }
    answer(&incoming)
        .unwrap_or_else(|refusal| refuse(incoming.exchange, &incoming.request.id, refusal))
}

/// Answers a request that calls nothing.
fn answer(incoming: &Incoming<'_>) -> Result<Turn, Refusal> {
    let method = &*incoming.request.method;
    calling::permitted(incoming.offering, &incoming.caller, method, &[])?;
    match method {
        "server/discover" => discover::serve(incoming),
        "subscriptions/listen" => listen::serve(incoming),
        method => {
            let Request { params, .. } = incoming.request;
            match calling::page(incoming.offering, &incoming.caller, method, params) {
                Some(Ok(page)) => list::serve(incoming, &page),
                Some(Err(error)) => Err(error.into()),
                None => Err(Refusal::unknown_method(method)),
            }
        }
    }
}

/// Refuses a request.
pub(crate) fn refuse(exchange: Exchange, id: &crate::message::Id, refusal: Refusal) -> Turn {
    let Refusal {
        error,
        status,
        state,
        challenge,
    } = refusal;
    let mut response = match status {
        Some(status) => wire::error_under(status, Some(id), &error),
        None => wire::error(Some(id), &error),
    };
    if let Some(challenge) = challenge {
        let headers = &mut response.headers;
        headers.insert(http::header::WWW_AUTHENTICATE, challenge.header());
    }
    let observation = match state {
        Some(reason) => Observation::StateRefused { exchange, reason },
        None => Observation::Rejected {
            exchange,
            reason: shown(&error.message),
        },
    };
    Turn::respond(exchange, response).observed(observation)
}
