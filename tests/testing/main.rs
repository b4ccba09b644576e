//! The testing kit, and what it finds.

mod bad_tools;
mod flaws;
mod good_tools;
mod kit;
mod properties;
mod prover;
mod schedules;
mod transcripts;
mod trees;
