//! The legacy lane: revisions 2025-11-25 and earlier, which begin with `initialize` and have a
//! session ever after.
//!
//! The same [`Server`](crate::Server), the same tools and the same endpoint serve both eras. The
//! feature `legacy` compiles the lane in, and
//! [`ServerBuilder::legacy`](crate::ServerBuilder::legacy) switches it on. Streamable HTTP speaks
//! 2025-11-25, 2025-06-18 and 2025-03-26; lines speak 2024-11-05 as well.
//!
//! # Whose lane a message is
//!
//! The message tells, each by itself: nothing is remembered but the sessions. A message is modern
//! when its `params._meta` has `io.modelcontextprotocol/protocolVersion`, whatever it says.
//!
//! Over HTTP, by the body, the header `MCP-Protocol-Version` and the header `Mcp-Session-Id`
//! ([`Lane::of`]):
//!
//! | request | version header | no session header | a session header |
//! |---|---|---|---|
//! | POST, modern body | 2026-07-28 | modern | modern, which ignores the session |
//! | | any other, or none | modern: refused as a mismatch | the same |
//! | POST, `initialize` | 2026-07-28 | modern: no such method | the same |
//! | | a legacy one, or none | opens a session | 400: it opens one and names one |
//! | | no known one, or several | 400: no such version | the same |
//! | POST, anything else | 2026-07-28 | modern: refused for what it lacks | the same |
//! | | a legacy one | 400: the session is missing | the session's |
//! | | none | modern: refused for what it lacks | the session's |
//! | | no known one, or several | modern: refused for what it lacks | 400: no such version |
//! | GET, DELETE | 2026-07-28 | modern: 405 | modern: 405 |
//! | | a legacy one, or none | 400: the session is missing | the session's |
//! | | no known one, or several | modern: refused | 400: no such version |
//!
//! A session that there is not, or that is another principal's, is 404. A version header that
//! names another legacy version than the session has negotiated is let pass, and the session
//! speaks what it has negotiated.
//!
//! Over lines, by the body alone, with at most one session for the connection:
//!
//! | line | before `initialize` | after |
//! |---|---|---|
//! | a modern request | modern | modern |
//! | `initialize` | opens the session | refused: it has begun already |
//! | `ping` | answered | answered |
//! | any other request | modern: refused for what it lacks | the session's |
//! | `notifications/cancelled` | whose request it names | the same |
//! | any other notification | ignored | the session's |
//! | a response | ignored | the session's |
//! | an array | refused | the session's, if it speaks 2025-03-26 |
//! | what cannot be read | refused | refused |
//!
//! # What a step cannot ask
//!
//! A question that the client has not declared, or that its revision does not have, is unaskable:
//! [`ToolError::is_unaskable`](crate::ToolError::is_unaskable), as in the modern era. These
//! revisions have no error for a call that ends so, but one: where all that is missing is that the
//! user goes to a URL, a client of 2025-11-25 is told `-32042` with that URL. Any other call ends
//! in a result with `isError`, or for a prompt or a resource in `-32603`.
//!
//! `supportedVersions` of `server/discover`, and the versions in the error `-32022`, stay those of
//! the modern era: they are for requests that carry their version with them, and no request of a
//! legacy version does.
//!
#![doc = include_str!("what_it_refuses.md")]

mod ask;
mod batch;
mod call;
mod changes;
mod ending;
mod envelope;
mod era;
mod finish;
mod http;
mod lines;
mod open;
mod receive;
mod session;
mod shape;
mod stream;
mod streams;
mod table;
mod version;

pub use era::Era;
pub use http::Lane;
pub(crate) use lines::{Line, Lines};
pub use session::{Session, Transport};
pub use table::Sessions;
pub use version::LegacyVersion;
