//! What a driver of HTTP is to do.

use super::reply::Part;
use crate::action::{Claim, add};
use crate::exchange::Exchange;
use crate::observation::Observation;
use crate::step::Step;

/// What a driver is to do, in the order of the fields.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Todo {
    /// Parts to write, each to the response of its exchange. After [`Part::Whole`] and
    /// [`Part::End`] nothing more comes for it.
    pub parts: Vec<(Exchange, Part)>,
    /// Exchanges whose running step is to be stopped: drop its future. A sink that came from
    /// [`Exchanges::sink`](super::Exchanges::sink) is cancelled already, which ends an async step
    /// when it is next polled; one of the driver's own is to be cancelled too.
    pub stopped: Vec<Exchange>,
    /// Steps to run, each to be given back to [`Exchanges::finish`](super::Exchanges::finish).
    pub steps: Vec<Step>,
    /// Claims to make: see [`Exchanges::claimed`](super::Exchanges::claimed).
    pub claims: Vec<Claim>,
    /// Exchanges with something to tell as soon as the client can be written to: see
    /// [`Exchanges::drain`](super::Exchanges::drain).
    pub waiting: Vec<Exchange>,
    /// What is worth a line in the driver's log.
    pub observations: Vec<Observation>,
}

impl Todo {
    /// Adds what is to be done after this.
    ///
    /// ```
    /// use mcp_reprise::http::Todo;
    ///
    /// let mut todo = Todo::default();
    /// todo.extend(Todo::default());
    /// assert!(todo.parts.is_empty());
    /// ```
    pub fn extend(&mut self, other: Self) {
        add(&mut self.parts, other.parts);
        add(&mut self.stopped, other.stopped);
        add(&mut self.steps, other.steps);
        add(&mut self.claims, other.claims);
        add(&mut self.waiting, other.waiting);
        add(&mut self.observations, other.observations);
    }
}
