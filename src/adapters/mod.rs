//! Drivers: the thin part that owns sockets, the clock, the dice and the threads.

#![expect(
    clippy::disallowed_methods,
    reason = "a driver is where the clock is read and threads are begun"
)]

mod claims;
mod desk;
mod live;
mod moment;
#[cfg(feature = "tokio")]
mod run;
#[cfg(feature = "stdio")]
pub mod stdio;
#[cfg(feature = "tokio")]
pub mod tokio;
#[cfg(feature = "tower")]
pub mod tower;

pub use desk::{Desk, Job, Parts};
pub use live::{Live, Notice, Notifier, Subscription};
pub use moment::{dice, moment, now};
