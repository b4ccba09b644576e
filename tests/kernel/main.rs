//! The kernel, by its public API: what a client can see, and what a driver can.
//!
//! One test a MUST, named after the sentence. Time is virtual and the dice are counted, so that
//! nothing here depends on when or where it runs.

mod answers;
mod laws;
mod methods;
mod once;
mod replay;
mod support;
