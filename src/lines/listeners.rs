//! Who listens on one connection.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Sessions;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::listener::Listener;

/// The listeners of one connection, shared with whoever tells them of changes.
///
/// Changes are noted at once, from any thread, and cost no more than what the client asked for,
/// however long it takes until they can be written.
#[derive(Debug, Clone, Default)]
pub struct Listeners {
    by_exchange: Arc<Mutex<BTreeMap<Exchange, Listener>>>,
    pub(super) sessions: Sessions,
}

impl Listeners {
    /// Notes a change. Gives whether something waits now and nothing did before: then have the
    /// driver call [`Connection::flush`](super::Connection::flush) when the client can be written to.
    pub fn notify(&self, change: &Change) -> bool {
        let told = self.sessions.notify(change);
        let mut listeners = self.lock();
        let waited = listeners.values().any(Listener::is_pending);
        let waits = listeners
            .values_mut()
            .fold(false, |waits, listener| listener.note(change) | waits);
        told || (waits && !waited)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<Exchange, Listener>> {
        self.by_exchange
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
