//! The binding of lines: newline-delimited messages over one byte stream in each direction.
//!
//! Standard input and output, a Unix socket, a TCP connection, a WebSocket of text frames: they
//! all carry the same lines. A [`Connection`] turns bytes into messages and actions into lines,
//! and knows which requests are open, since on one channel that is all a cancellation can name.
//!
//! See [stdio](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio).

mod buffer;
mod connection;
mod listeners;
#[cfg_attr(not(feature = "legacy"), path = "sessionless.rs")]
mod sessions;

use sessions::{Line, Sessions};

pub use connection::Connection;
pub use listeners::Listeners;
