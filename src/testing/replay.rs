//! Feeding a transcript to a server again.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::listing::listed;
use super::respond::respond_well;
use super::shapes::valid;
use super::shareable::{Names, shapes};
use super::tape::Tape;
use super::transcript::{Entry, Grade, Input, Output, Transcript, dice, outputs};
use super::wire::shorten;
use crate::action::{Action, Turn};
use crate::exchange::Exchange;
use crate::moment::Moment;
use crate::server::Server;
use crate::step::{Finished, Report, Sink, Step};

/// Where a replay went another way.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The place of the input, counted from 0.
    pub at: usize,
    /// What the transcript holds.
    pub recorded: Vec<Output>,
    /// What came out now.
    pub attempted: Vec<Output>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the replay differs at input {}", self.at)?;
        for (side, outputs) in [("recorded", &self.recorded), ("attempted", &self.attempted)] {
            write!(f, "\n  {side}:")?;
            if outputs.is_empty() {
                f.write_str("\n    nothing")?;
            }
            for output in outputs {
                write!(f, "\n    {output}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Difference {}

impl Transcript {
    /// Feeds every input to a server and compares what comes out.
    ///
    /// A full transcript must give the same bytes, if the server has the key, the name, the limits
    /// and the offers of the recorded one. No tool runs: the outcomes are the recorded ones.
    /// [`Transcript::rerun`] runs them.
    ///
    /// A shareable transcript must come to the same shapes, on a server with any key. There the
    /// tools run, with the simplest arguments and answers that are valid, so it can go another way
    /// where a tool branches on them.
    ///
    /// # Errors
    ///
    /// The first [`Difference`].
    pub fn replay(&self, server: &Server) -> Result<(), Box<Difference>> {
        match self.grade {
            Grade::Full => Replay::new(server, false).entries(&self.entries),
            Grade::Shareable => Replay::new(server, true).shapes(&self.entries),
        }
    }

    /// As [`Transcript::replay`], but the tools run again: a full transcript from production shows
    /// whether a tool still does what it did.
    ///
    /// # Errors
    ///
    /// The first [`Difference`].
    pub fn rerun(&self, server: &Server) -> Result<(), Box<Difference>> {
        match self.grade {
            Grade::Full => Replay::new(server, true).entries(&self.entries),
            Grade::Shareable => self.replay(server),
        }
    }
}

struct Replay<'a> {
    server: &'a Server,
    /// Whether the tools run.
    run: bool,
    finished: BTreeMap<Exchange, Finished>,
    reports: BTreeMap<Exchange, Vec<Report>>,
    /// What placeholders stand for in this replay.
    names: Names,
    /// The questions that were put under each state of this replay.
    asked: Vec<(String, Value)>,
}

impl<'a> Replay<'a> {
    fn new(server: &'a Server, run: bool) -> Self {
        Self {
            server,
            run,
            finished: BTreeMap::new(),
            reports: BTreeMap::new(),
            names: Names::default(),
            asked: Vec::new(),
        }
    }

    fn entries(mut self, entries: &[Entry]) -> Result<(), Box<Difference>> {
        for (at, entry) in entries.iter().enumerate() {
            let turn = self.feed(&entry.input, None);
            let attempted = outputs(&turn);
            self.take(turn);
            if attempted != entry.outputs {
                return Err(difference(at, entry, attempted));
            }
        }
        Ok(())
    }

    fn shapes(mut self, entries: &[Entry]) -> Result<(), Box<Difference>> {
        for (at, entry) in entries.iter().enumerate() {
            let turn = self.feed(&entry.input, Some(()));
            let plain = outputs(&turn);
            self.note_questions(&plain);
            self.take(turn);
            let attempted = shapes(&plain, &mut self.names);
            if attempted != entry.outputs {
                return Err(difference(at, entry, attempted));
            }
        }
        Ok(())
    }

    fn feed(&mut self, input: &Input, shared: Option<()>) -> Turn {
        match input {
            Input::Received {
                exchange,
                caller,
                body,
                now,
                dice: digits,
            } => {
                let bytes = match shared {
                    None => body.bytes(),
                    Some(()) => self.filled_in(body.json(), caller).unwrap_or(body.bytes()),
                };
                let moment = Moment::new(*now, dice(digits));
                self.server
                    .receive(*exchange, caller.clone(), &bytes, &moment)
            }
            Input::Finished { exchange, finished } => {
                let finished = if self.run {
                    self.finished.remove(exchange)
                } else {
                    serde_json::from_value(finished.clone()).ok()
                };
                finished.map_or_else(Turn::default, |finished| self.server.finish(finished))
            }
            Input::Reported { exchange, report } => {
                let report = if self.run {
                    let waiting = self.reports.get_mut(exchange);
                    waiting
                        .filter(|waiting| !waiting.is_empty())
                        .map(|waiting| waiting.remove(0))
                } else {
                    serde_json::from_value(report.clone()).ok()
                };
                report.map_or_else(Turn::default, |report| self.server.report(report))
            }
        }
    }

    /// Runs what a turn hands out, if the tools run here.
    fn take(&mut self, turn: Turn) {
        if !self.run {
            return;
        }
        let claimed = turn.actions.into_iter().filter_map(|action| match action {
            Action::Claim(claim) => Some(claim.grant()),
            _ => None,
        });
        let steps: Vec<Step> = turn.steps.into_iter().chain(claimed).collect();
        for step in steps {
            let sink = Sink::default();
            let finished = step.run(&sink);
            let exchange = finished.exchange();
            self.reports.insert(exchange, sink.drain());
            self.finished.insert(exchange, finished);
        }
    }

    fn note_questions(&mut self, outputs: &[Output]) {
        for output in outputs {
            let Output::Ask {
                message: Some(message),
                ..
            } = output
            else {
                continue;
            };
            let message: Value = serde_json::from_str(message).unwrap_or_default();
            let result = &message["result"];
            if let Some(state) = result["requestState"].as_str() {
                let questions = result["inputRequests"].clone();
                self.asked.push((state.to_owned(), questions));
            }
        }
    }

    /// A message with something valid in the place of each placeholder.
    fn filled_in(&mut self, mut message: Value, caller: &crate::caller::Caller) -> Option<Vec<u8>> {
        let tool = message["params"]["name"].as_str().map(ToOwned::to_owned);
        let method = message["method"].as_str().map(ToOwned::to_owned);
        let params = message.get_mut("params")?.as_object_mut()?;
        if let Some(Value::String(arguments)) = params.get("arguments") {
            let cell = number_of(arguments);
            let tools = listed(self.server, caller);
            let known = tools
                .into_iter()
                .find(|listed| Some(&listed.name) == tool.as_ref());
            let schema = known.filter(|_| method.as_deref() == Some("tools/call"));
            let schema = schema.map_or(Value::Null, |listed| listed.input_schema);
            let made = valid(&schema, &mut Tape::new(&[cell.saturating_sub(1); 24]));
            params.insert("arguments".to_owned(), made);
        }
        let mut questions = Value::Null;
        if let Some(Value::String(name)) = params.get("requestState") {
            let state = self.names.value("state", name).unwrap_or(name).to_owned();
            let put = self.asked.iter().find(|(known, _)| *known == state);
            questions = put.map_or(Value::Null, |(_, questions)| questions.clone());
            params.insert("requestState".to_owned(), state.into());
        }
        if let Some(Value::Object(answers)) = params.get_mut("inputResponses") {
            for (key, answer) in answers {
                let open = answer.is_string() || answer["content"].is_string();
                let refused = answer
                    .as_str()
                    .is_some_and(|name| name.starts_with("refused"));
                if open && !refused {
                    *answer =
                        respond_well(&questions[key], &mut Tape::new(&[])).unwrap_or_default();
                }
            }
        }
        Some(message.to_string().into_bytes())
    }
}

fn number_of(placeholder: &str) -> u32 {
    let number = placeholder.rsplit('-').next();
    number.and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn difference(at: usize, entry: &Entry, attempted: Vec<Output>) -> Box<Difference> {
    Box::new(Difference {
        at,
        recorded: entry.outputs.clone(),
        attempted,
    })
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |message: &Option<String>| message.clone().unwrap_or_default();
        match self {
            Self::Respond {
                exchange,
                status,
                message,
            } => write!(f, "respond {} {status} {}", exchange.0, text(message)),
            Self::Ask {
                exchange,
                status,
                message,
            } => write!(f, "ask {} {status} {}", exchange.0, text(message)),
            Self::Push { exchange, message } => write!(f, "push {} {message}", exchange.0),
            Self::Step {
                exchange,
                method,
                name,
            } => write!(f, "step {} {method} {name}", exchange.0),
            Self::Claim { exchange } => write!(f, "claim {}", exchange.0),
            Self::Other { action } => write!(f, "other {}", shorten(action)),
        }
    }
}
