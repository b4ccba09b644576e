//! Transcripts: every input with its moment, and every action out.

use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::exchange::{Exchange, Response};
use crate::moment::{Moment, Timestamp};
use crate::server::Server;
use crate::step::{Finished, Report};

/// What a transcript holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Grade {
    /// Everything as it was, answers and states and outcomes. It replays byte for byte where the
    /// state key is at hand. Keep it as safe as that key.
    Full,
    /// Answers, outcomes, arguments, callers and states replaced by stable placeholders, and of
    /// every answer out only its shape. It replays shape for shape, without the key.
    Shareable,
}

/// A recorded exchange of messages. See [`Recorder`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Transcript {
    /// What it holds.
    pub grade: Grade,
    /// The inputs in order, each with what came of it.
    pub entries: Vec<Entry>,
}

/// One input, and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Entry {
    /// What went in.
    pub input: Input,
    /// What came out, in order.
    pub outputs: Vec<Output>,
}

/// One input of a server.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Input {
    /// A message, with the moment at which it came.
    Received {
        /// The exchange it came by.
        exchange: Exchange,
        /// The caller, without typed extensions.
        caller: Caller,
        /// The message as it came.
        body: Body,
        /// The time.
        now: Timestamp,
        /// The dice in hexadecimal digits.
        dice: String,
    },
    /// A step that had run.
    Finished {
        /// The exchange that waits.
        exchange: Exchange,
        /// The finished step as it is written down; `null` in a shareable transcript.
        finished: Value,
    },
    /// What a running step had to say.
    Reported {
        /// The exchange that is told.
        exchange: Exchange,
        /// The report as it is written down; `null` in a shareable transcript.
        report: Value,
    },
}

/// The bytes of a message: as text where they are text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Body {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Bytes {
        /// The bytes in base64.
        base64: String,
    },
}

impl Body {
    fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes {
                base64: STANDARD.encode(bytes),
            },
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Bytes { base64 } => STANDARD.decode(base64).unwrap_or_default(),
        }
    }

    /// The message as JSON; `null` where it is none.
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes()).unwrap_or_default()
    }
}

/// One thing that came out of an input.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Output {
    /// An answer that ends the exchange.
    Respond {
        /// The exchange.
        exchange: Exchange,
        /// The HTTP status.
        status: u16,
        /// The JSON-RPC message as it went out, or its shape in a shareable transcript.
        message: Option<String>,
    },
    /// Questions that end the exchange.
    Ask {
        /// The exchange.
        exchange: Exchange,
        /// As in [`Output::Respond`].
        status: u16,
        /// As in [`Output::Respond`].
        message: Option<String>,
    },
    /// A message on an exchange that stays open.
    Push {
        /// The exchange.
        exchange: Exchange,
        /// As in [`Output::Respond`].
        message: String,
    },
    /// A step to run.
    Step {
        /// The exchange that waits for it.
        exchange: Exchange,
        /// The method that is served, such as `tools/call`.
        method: String,
        /// The name of the tool or prompt, or the URI of the resource.
        name: String,
    },
    /// A step to run when nobody has claimed it before.
    Claim {
        /// The exchange that waits for it.
        exchange: Exchange,
    },
    /// Any other action.
    Other {
        /// Which one.
        action: String,
    },
}

/// A server with a transcript: the methods of [`Server`], and each input and each action noted.
///
/// A driver holds it in the place of its server. Nothing that only the driver sees is recorded: no
/// header, so no `Authorization` among them, and no typed extension of the caller.
///
/// ```
/// use mcp_reprise::testing::{Grade, Recorder, call_request};
/// use mcp_reprise::{Caller, Cx, Exchange, Moment, Server, Sink, Timestamp, Tool};
/// use mcp_reprise::protocol::CallToolResult;
/// use serde_json::json;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("greeter", "1.0.0")
///     .single_process([7; 32])
///     .tool(Tool::new("hello").step(|_: &mut Cx, _: serde_json::Value| CallToolResult::text("Hello")))
///     .build()?;
/// let recorder = Recorder::new(server.clone());
///
/// let body = call_request("hello", json!({})).to_string();
/// let moment = Moment::new(Timestamp::from_millis(1_000), [9; 32]);
/// let mut turn = recorder.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment);
/// let step = turn.steps.pop().ok_or("no step")?;
/// recorder.finish(step.run(&Sink::default()));
///
/// let transcript = recorder.transcript(Grade::Full);
/// transcript.replay(&server)?;
/// assert!(transcript.mermaid().starts_with("sequenceDiagram"));
/// assert!(!recorder.transcript(Grade::Shareable).to_string().contains("Hello"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Recorder {
    server: Server,
    entries: Mutex<Vec<Entry>>,
}

impl Recorder {
    /// A recorder around a server, with nothing in it yet.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            entries: Mutex::new(Vec::new()),
        }
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// [`Server::receive`], noted.
    pub fn receive(
        &self,
        exchange: Exchange,
        caller: Caller,
        body: &[u8],
        moment: &Moment,
    ) -> Turn {
        let mut written = caller.clone();
        written.extensions = http::Extensions::new();
        let input = Input::Received {
            exchange,
            caller: written,
            body: Body::new(body),
            now: moment.now,
            dice: hex(&moment.dice),
        };
        self.note(input, self.server.receive(exchange, caller, body, moment))
    }

    /// [`Server::finish`], noted.
    pub fn finish(&self, finished: Finished) -> Turn {
        let input = Input::Finished {
            exchange: finished.exchange(),
            finished: serde_json::to_value(&finished).unwrap_or_default(),
        };
        self.note(input, self.server.finish(finished))
    }

    /// [`Server::report`], noted.
    pub fn report(&self, report: Report) -> Turn {
        let input = Input::Reported {
            exchange: report.exchange(),
            report: serde_json::to_value(&report).unwrap_or_default(),
        };
        self.note(input, self.server.report(report))
    }

    /// What was recorded until now.
    pub fn transcript(&self, grade: Grade) -> Transcript {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let full = Transcript {
            grade: Grade::Full,
            entries: entries.clone(),
        };
        match grade {
            Grade::Full => full,
            Grade::Shareable => full.shareable(),
        }
    }

    fn note(&self, input: Input, turn: Turn) -> Turn {
        let entry = Entry {
            input,
            outputs: outputs(&turn),
        };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
        turn
    }
}

/// What a turn holds, as it is written down.
pub(super) fn outputs(turn: &Turn) -> Vec<Output> {
    let mut outputs: Vec<Output> = turn.actions.iter().map(output).collect();
    outputs.extend(turn.steps.iter().map(|step| Output::Step {
        exchange: step.exchange(),
        method: step.kind().method().to_owned(),
        name: step.name().to_owned(),
    }));
    outputs
}

fn output(action: &Action) -> Output {
    let text = |response: &Response| {
        let message = response.message.as_deref()?;
        Some(String::from_utf8_lossy(message).into_owned())
    };
    match action {
        Action::Respond { exchange, response } => Output::Respond {
            exchange: *exchange,
            status: response.status.as_u16(),
            message: text(response),
        },
        Action::InputRequired { exchange, response } => Output::Ask {
            exchange: *exchange,
            status: response.status.as_u16(),
            message: text(response),
        },
        Action::Push {
            exchange, message, ..
        } => Output::Push {
            exchange: *exchange,
            message: String::from_utf8_lossy(message).into_owned(),
        },
        Action::Claim(claim) => Output::Claim {
            exchange: claim.exchange(),
        },
        other => Output::Other {
            action: format!("{other:?}"),
        },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The dice that were written as hexadecimal digits; zeros where they are none.
pub(super) fn dice(text: &str) -> [u8; 32] {
    let mut dice = [0; 32];
    for (at, die) in dice.iter_mut().enumerate() {
        let digits = text.get(2 * at..2 * at + 2).unwrap_or("00");
        *die = u8::from_str_radix(digits, 16).unwrap_or(0);
    }
    dice
}
