//! The binding of Streamable HTTP: a request in, actions out, and the response they make.
//!
//! [`Endpoint`] is one MCP endpoint: its guards, its negotiation, and the check of headers
//! against the body. [`Reply`] is one response as it grows: the driver gives it the actions of
//! its exchange, and writes the [`Part`]s it gets. [`Exchanges`] holds all responses of an
//! endpoint that are open, of either era, so that a driver has no table of its own to keep.
//!
//! A [`ProtectedResource`] asks for access tokens, which the driver checks; a [`Challenge`] is what
//! those are told who have none.
//!
//! See [Streamable HTTP](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http).

mod auth;
mod bearer;
mod binding;
mod endpoint;
mod exchanges;
mod guard;
mod media;
mod reply;
mod resource;
mod sentinel;
#[cfg_attr(not(feature = "legacy"), path = "sessionless.rs")]
mod sessions;
mod todo;

use sessions::{Sessions, receive};

pub use crate::challenge::Challenge;
pub use bearer::bearer;
pub use endpoint::Endpoint;
pub use exchanges::Exchanges;
pub use guard::GuardError;
pub use reply::{Part, Reply};
pub use resource::{ProtectedResource, ResourceError};
pub use todo::Todo;
