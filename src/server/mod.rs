//! The server: what is offered and how, and the way of a message to its lane.

mod builder;
mod fault;

use std::sync::Arc;

pub use builder::ServerBuilder;
pub use fault::BuildError;

pub use crate::offering::Server;

use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::calling;
use crate::exchange::{Exchange, Response};
use crate::json::{Json, Outline};
use crate::limits::Limits;
use crate::message::{self, Message, Unreadable};
use crate::modern;
use crate::moment::Moment;
use crate::observation::{Observation, shown};
use crate::protocol::{ErrorObject, Implementation, ServerCapabilities};
use crate::step::{Finished, Matter, Report, Step, StepData};
use crate::tool::ToolEntry;
use crate::wire;

/// A message that was read, and belongs to an era.
pub(crate) enum Read<'a> {
    Modern(modern::Request<'a>),
    Notification(message::Notification<'a>),
    /// What a client answers; in this era there is nothing it could answer.
    Response,
}

impl Read<'_> {
    /// The id of a request.
    pub(crate) fn id(&self) -> Option<&message::Id> {
        match self {
            Self::Modern(request) => Some(&request.id),
            Self::Notification(_) | Self::Response => None,
        }
    }
}

impl Server {
    /// A server of this name and version. Request state is bound to the name: replicas of one
    /// server have one name and share a key.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(Implementation::new(name, version))
    }

    /// Who the server is.
    pub fn identity(&self) -> &Implementation {
        &self.offering.identity
    }

    /// What the server says it can do.
    pub fn capabilities(&self) -> &ServerCapabilities {
        &self.offering.capabilities
    }

    /// The limits the server keeps.
    pub fn limits(&self) -> &Limits {
        self.offering.limits()
    }

    /// Serves one message without any envelope: for a transport that has no headers.
    ///
    /// A request is answered with one [`Action::Respond`] or [`Action::InputRequired`], now or
    /// when its step is finished. A notification that is accepted is answered with a
    /// [`Response`] without a message.
    pub fn receive(
        &self,
        exchange: Exchange,
        caller: Caller,
        body: &[u8],
        moment: &Moment,
    ) -> Turn {
        let served = self.outline(body).and_then(|outline| {
            let read = self.read(outline.json())?;
            Ok(self.serve(exchange, caller, read, moment))
        });
        served.unwrap_or_else(|refused| refused.into_turn(exchange))
    }

    /// Reads a body, if it is no longer than the limit.
    pub(crate) fn outline<'a>(&self, body: &'a [u8]) -> Result<Outline<'a>, Refused> {
        if body.len() > self.limits().body_bytes {
            return Err(Refused::TooLong);
        }
        Ok(message::outline(body, self.limits())?)
    }

    /// Reads a message, and finds its era.
    pub(crate) fn read<'a>(&self, json: Json<'a>) -> Result<Read<'a>, Refused> {
        self.era(message::read(json)?)
    }

    /// Finds the era of a message.
    pub(crate) fn era<'a>(&self, message: Message<'a>) -> Result<Read<'a>, Refused> {
        match message {
            Message::Request(request) => match modern::Request::read(request) {
                Ok(request) => Ok(Read::Modern(request)),
                Err((id, refusal)) => Err(Refused::Modern(id, Box::new(refusal))),
            },
            Message::Notification(notification) => Ok(Read::Notification(notification)),
            Message::Response => Ok(Read::Response),
        }
    }

    /// Serves a message that was read.
    pub(crate) fn serve(
        &self,
        exchange: Exchange,
        caller: Caller,
        read: Read<'_>,
        moment: &Moment,
    ) -> Turn {
        match read {
            Read::Modern(request) => modern::serve(modern::Incoming {
                offering: &self.offering,
                exchange,
                caller,
                request,
                moment,
            }),
            // No notification of this era asks anything of the server; what lines cancel, the
            // binding of lines knows.
            Read::Notification(_) => Turn::respond(exchange, Response::accepted()),
            Read::Response => {
                let error =
                    ErrorObject::invalid_request("In this revision a client sends no responses");
                Refused::from(error).into_turn(exchange)
            }
        }
    }

    /// Takes a step back that has run, and answers.
    pub fn finish(&self, finished: Finished) -> Turn {
        modern::finish(&self.offering, finished)
    }

    /// Takes a report of a running step, and has it pushed.
    pub fn report(&self, report: Report) -> Turn {
        if report.matter == Matter::Release {
            // A response of this era is held until it is answered.
            return Turn::default();
        }
        Turn::act(Action::push(
            report.exchange,
            report.message.into_string().into_bytes(),
        ))
    }

    /// Makes a step again of what another process sent. `None` when this server has no such
    /// function, or the caller does not see it.
    ///
    /// ```
    /// # use mcp_reprise::{Caller, Cx, Exchange, Moment, Server, Sink, StepData, Timestamp, Tool};
    /// # use mcp_reprise::protocol::CallToolResult;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("greeter", "1.0.0").single_process([7; 32])
    /// #     .tool(Tool::new("hello").step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("Hello")))
    /// #     .build()?;
    /// # let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","_meta":{
    /// #     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    /// #     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    /// # let moment = Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32]);
    /// # let mut turn = server.receive(Exchange(1), Caller::anonymous(), body, &moment);
    /// # let step = turn.steps.pop().ok_or("no step")?;
    /// let letter = serde_json::to_string(&step.into_data())?;
    /// // ... in another process ...
    /// let data: StepData = serde_json::from_str(&letter)?;
    /// let step = server.rejoin(data).ok_or("unknown step")?;
    /// let finished = step.run(&Sink::default());
    /// # let _ = finished;
    /// # Ok(())
    /// # }
    /// ```
    pub fn rejoin(&self, data: StepData) -> Option<Step> {
        let StepData(call) = data;
        Some(Step {
            function: calling::function(&self.offering, &call)?,
            call,
            shared: Arc::clone(&self.offering.shared),
        })
    }

    /// The tool of this name, if the caller sees it.
    pub(crate) fn tool(&self, name: &str, caller: &Caller) -> Option<&ToolEntry> {
        self.offering.catalog.tool(name, caller)
    }
}

/// A message that was refused before it reached a lane.
#[derive(Debug)]
pub(crate) enum Refused {
    Unreadable(Unreadable),
    Modern(message::Id, Box<modern::Refusal>),
    TooLong,
}

impl Refused {
    /// The answer to it.
    pub(crate) fn into_turn(self, exchange: Exchange) -> Turn {
        match self {
            Self::Modern(id, refusal) => modern::refuse(exchange, &id, *refusal),
            Self::Unreadable(Unreadable { id, error }) => {
                Turn::respond(exchange, wire::error(id.as_ref(), &error)).observed(
                    Observation::Rejected {
                        exchange,
                        reason: shown(&error.message),
                    },
                )
            }
            Self::TooLong => {
                let error = ErrorObject::invalid_request("The message is longer than the limit");
                let status = http::StatusCode::PAYLOAD_TOO_LARGE;
                Turn::respond(exchange, wire::error_under(status, None, &error)).observed(
                    Observation::Rejected {
                        exchange,
                        reason: error.message,
                    },
                )
            }
        }
    }
}

impl From<Unreadable> for Refused {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

impl From<ErrorObject> for Refused {
    fn from(error: ErrorObject) -> Self {
        Self::Unreadable(Unreadable { id: None, error })
    }
}
