//! What a driver of HTTP is to do.

use super::reply::Part;
use crate::action::Claim;
use crate::exchange::Exchange;
use crate::observation::Observation;
use crate::step::Step;

/// What a driver is to do, in the order of the fields.
///
/// [`Exchanges::sink`]: super::Exchanges::sink
/// [`Exchanges::finish`]: super::Exchanges::finish
/// [`Exchanges::claimed`]: super::Exchanges::claimed
/// [`Exchanges::drain`]: super::Exchanges::drain
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Todo {
    /// Parts to write, each to the response of its exchange. After [`Part::Whole`] and
    /// [`Part::End`] nothing more comes for it.
    pub parts: Vec<(Exchange, Part)>,
    /// Exchanges whose running step is to be stopped: drop its future. A sink that came from
    /// [`Exchanges::sink`] is cancelled already, which ends an async step when it is next polled;
    /// one of the driver's own is to be cancelled too.
    pub stopped: Vec<Exchange>,
    /// Steps to run, each to be given back to [`Exchanges::finish`].
    pub steps: Vec<Step>,
    /// Claims to make: see [`Exchanges::claimed`].
    pub claims: Vec<Claim>,
    /// Exchanges with something to tell as soon as the client can be written to: see
    /// [`Exchanges::drain`].
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
        self.parts.extend(other.parts);
        self.stopped.extend(other.stopped);
        self.steps.extend(other.steps);
        self.claims.extend(other.claims);
        self.waiting.extend(other.waiting);
        self.observations.extend(other.observations);
    }
}
