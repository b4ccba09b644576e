//! The bodies of the fuzz targets, as functions: the fuzzer runs them on what it makes up, and
//! the crate's own tests run them on the seed corpora and on random bytes.
//!
//! Each `check` panics when what it holds to be true is not.

pub mod binding;
pub mod fixture;
pub mod http_exchange;
pub mod input;
pub mod json_reader;
#[cfg(feature = "legacy")]
pub mod legacy_session;
pub mod lines;
pub mod reference;
pub mod request_state;
pub mod rounds;
pub mod sentinel;
pub mod subscription;
