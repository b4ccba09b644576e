//! `Debug` of a transcript, which may hold everything as it was: what happened, and not what was
//! said. Its `Display` and its diagram are for what may be shown.

use std::fmt;

use super::transcript::{Body, Input, Output};

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Received {
                exchange,
                caller,
                body,
                now,
                ..
            } => f
                .debug_struct("Received")
                .field("exchange", exchange)
                .field("caller", caller)
                .field("body", body)
                .field("now", now)
                .finish_non_exhaustive(),
            Self::Finished { exchange, .. } => f
                .debug_struct("Finished")
                .field("exchange", exchange)
                .finish_non_exhaustive(),
            Self::Reported { exchange, .. } => f
                .debug_struct("Reported")
                .field("exchange", exchange)
                .finish_non_exhaustive(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes)", self.bytes().len())
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer =
            |f: &mut fmt::Formatter<'_>, name, exchange, status, message: &Option<String>| {
                f.debug_struct(name)
                    .field("exchange", exchange)
                    .field("status", status)
                    .field("bytes", &message.as_ref().map_or(0, String::len))
                    .finish()
            };
        match self {
            Self::Respond {
                exchange,
                status,
                message,
            } => answer(f, "Respond", exchange, status, message),
            Self::Ask {
                exchange,
                status,
                message,
            } => answer(f, "Ask", exchange, status, message),
            Self::Push { exchange, message } => f
                .debug_struct("Push")
                .field("exchange", exchange)
                .field("bytes", &message.len())
                .finish(),
            Self::Step {
                exchange,
                method,
                name,
            } => f
                .debug_struct("Step")
                .field("exchange", exchange)
                .field("method", method)
                .field("name", name)
                .finish(),
            Self::Claim { exchange } => {
                f.debug_struct("Claim").field("exchange", exchange).finish()
            }
            Self::Other { action } => f.debug_tuple("Other").field(action).finish(),
        }
    }
}
