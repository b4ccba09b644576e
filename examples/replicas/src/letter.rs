//! What one replica has another do.

use axum::http::StatusCode;
use mcp_reprise::{Action, Change, EventMark, Exchange, Response, StepData};
use serde::{Deserialize, Serialize};

/// What one replica has another do.
#[derive(Serialize, Deserialize)]
pub enum Letter {
    Change(Change),
    /// To run a step of a session. Whoever takes the ticket does.
    Run(u64, String, StepData),
    Respond(Exchange, u16, Option<String>),
    Push(Exchange, String, Option<(String, Option<u64>)>),
    End(Exchange),
    Cancel(Exchange),
}

impl Letter {
    /// What is to be sent of an action that another replica is to do.
    pub fn of(action: Action) -> Option<Self> {
        let text = |message| String::from_utf8(message).unwrap_or_default();
        Some(match action {
            Action::Respond { exchange, response } => Self::Respond(
                exchange,
                response.status.as_u16(),
                response.message.map(text),
            ),
            Action::Push {
                exchange,
                message,
                event,
            } => {
                let event = event.map(|event| (event.id, event.retry));
                Self::Push(exchange, text(message), event)
            }
            Action::End { exchange } => Self::End(exchange),
            Action::Cancel { exchange } => Self::Cancel(exchange),
            _ => return None,
        })
    }

    /// The action it was made of.
    pub fn action(self) -> Option<Action> {
        Some(match self {
            Self::Respond(exchange, status, message) => {
                let status = StatusCode::from_u16(status).unwrap_or_default();
                let response = Response::new(status, message.map(String::into_bytes));
                Action::Respond { exchange, response }
            }
            Self::Push(exchange, message, event) => {
                let event = event.map(|(id, retry)| EventMark::new(id, retry));
                let message = message.into_bytes();
                Action::Push {
                    exchange,
                    message,
                    event,
                }
            }
            Self::End(exchange) => Action::End { exchange },
            Self::Cancel(exchange) => Action::Cancel { exchange },
            Self::Change(_) | Self::Run(..) => return None,
        })
    }
}
