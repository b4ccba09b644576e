//! What stands in for sessions where they are not compiled in: every request is the modern lane's.

use std::sync::Arc;

use ::http::{Request, Response, StatusCode};

use super::body::Body;
use super::{Shared, plain};
use crate::action::Turn;
use crate::adapters::moment::moment;
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::http::Endpoint;

#[derive(Clone, Copy, Default)]
pub(super) struct Hub(());

pub(super) fn attach(shared: &Arc<Shared>) {
    let Hub(()) = shared.hub;
}

pub(super) async fn respond(
    _: &Arc<Shared>,
    endpoint: &Endpoint,
    exchange: Exchange,
    caller: &Caller,
    request: &Request<Vec<u8>>,
) -> Result<Turn, Response<Body>> {
    match moment() {
        Ok(moment) => Ok(endpoint.receive(exchange, caller.clone(), request, &moment)),
        Err(_) => Err(plain(StatusCode::INTERNAL_SERVER_ERROR)),
    }
}
