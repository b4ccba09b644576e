//! The steps of one driver that run, by their sinks.

use std::collections::BTreeMap;

use super::run::Step;
use super::sink::{Report, Sink};
use crate::exchange::Exchange;

/// The sinks of the steps that run, each under the exchange of its step. Whoever holds this holds
/// what waits for them: when it is dropped, they are all cancelled.
#[derive(Debug, Default)]
pub(crate) struct Running(BTreeMap<Exchange, Sink>);

impl Running {
    /// Keeps the sink of a step that is about to run.
    pub(crate) fn begin(&mut self, step: &Step, sink: Sink) -> Sink {
        self.0.insert(step.exchange(), sink.clone());
        sink
    }

    /// What the step of an exchange has left in its sink.
    pub(crate) fn reports(&self, exchange: Exchange) -> Vec<Report> {
        self.0.get(&exchange).map(Sink::drain).unwrap_or_default()
    }

    /// The step of an exchange has ended by itself.
    pub(crate) fn end(&mut self, exchange: Exchange) {
        self.0.remove(&exchange);
    }

    /// Nobody waits for the step of an exchange any more.
    pub(crate) fn cancel(&mut self, exchange: Exchange) {
        if let Some(sink) = self.0.remove(&exchange) {
            sink.cancel();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.values().for_each(Sink::cancel);
    }
}
