//! The same script in a session of an earlier revision: there the server puts its questions
//! itself, and waits.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};

use super::context::key_ring;
use super::flaw::{Flaw, Lane};
use super::listing::listed;
use super::script::Script;
use super::wire::{brief_ended, journal_of};
use crate::action::{Action, Turn};
use crate::exchange::Exchange;
use crate::legacy::{Session, Transport};
use crate::moment::Moment;
use crate::protocol::{META_CLIENT_CAPABILITIES, META_LOG_LEVEL, META_PROGRESS_TOKEN};
use crate::server::Server;
use crate::step::Sink;

/// The exchange of the call.
const CALL: Exchange = Exchange(3);

/// What the call came to on the other lane: its response, and the journal it left.
pub(super) struct Recorded<'a> {
    pub(super) response: &'a Value,
    pub(super) journal: Option<&'a str>,
    /// What was said to the questions, in the order in which they were put.
    pub(super) answers: &'a [Value],
}

/// Plays the script in a session and compares the result.
pub(super) fn agree(script: &Script, recorded: &Recorded<'_>) -> Result<(), Flaw> {
    let scene = script.scene.clone().server(|server| server.legacy());
    let unregistered = |reason| Flaw::Unregistered { reason };
    let server = scene
        .build(std::slice::from_ref(&script.tool), key_ring(&[0]))
        .map_err(|error| unregistered(error.to_string()))?;
    let Some(tool) = listed(&server, &scene.caller).into_iter().next() else {
        return Ok(());
    };
    let Some(mut play) = Play::open(script, server, recorded.answers) else {
        return Ok(());
    };
    let mut params = json!({ "name": tool.name, "arguments": script.arguments });
    if let Some(token) = scene.meta.get(META_PROGRESS_TOKEN) {
        params["_meta"] = json!({ "progressToken": token });
    }
    // The call itself begins at the moment at which it began on the other lane.
    play.moment = scene.moment;
    play.send(
        CALL,
        &json!({ "id": 1, "method": "tools/call", "params": params }),
    );
    while let Some(id) = play.asked.pop_front() {
        let Some(answer) = play.answers.pop_front() else {
            break;
        };
        play.next_exchange += 1;
        let exchange = Exchange(play.next_exchange);
        play.send(exchange, &json!({ "id": id, "result": answer }));
    }
    let attempted = play.response.unwrap_or_default();
    let part = |response: &Value| {
        let result = &response["result"];
        let failed = result["isError"] == true;
        (result["content"].clone(), failed)
    };
    // Where the journals differ, a `once` came out differently, and so may the result.
    let same_history = attempted.is_null() || play.journal.as_deref() == recorded.journal;
    if same_history && part(&attempted) != part(recorded.response) {
        let attempted = match attempted {
            Value::Null => "a question that the script does not answer".to_owned(),
            response => brief_ended(&response),
        };
        return Err(Flaw::EraDisagreement {
            recorded: (Lane::Modern, brief_ended(recorded.response)),
            attempted: (Lane::Session, attempted),
        });
    }
    Ok(())
}

/// A call in a session.
struct Play<'a> {
    script: &'a Script,
    server: Server,
    session: Session,
    moment: Moment,
    next_exchange: u64,
    answers: VecDeque<Value>,
    /// The ids of the questions that wait for an answer.
    asked: VecDeque<Value>,
    response: Option<Value>,
    journal: Option<String>,
}

impl<'a> Play<'a> {
    /// Opens a session for the client of the scene.
    fn open(script: &'a Script, server: Server, answers: &[Value]) -> Option<Self> {
        let scene = &script.scene;
        let initialize = json!({
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": scene.meta.get(META_CLIENT_CAPABILITIES)?,
                "clientInfo": { "name": "testing", "version": "1.0.0" },
            },
        });
        let (session, _) = Session::open(
            &server,
            Transport::Lines,
            Exchange(0),
            &scene.caller,
            initialize.to_string().as_bytes(),
            &scene.moment,
        );
        let mut play = Self {
            script,
            session: session?,
            server,
            moment: scene.moment,
            next_exchange: CALL.0,
            answers: answers.iter().cloned().collect(),
            asked: VecDeque::new(),
            response: None,
            journal: None,
        };
        play.send(
            Exchange(1),
            &json!({ "method": "notifications/initialized" }),
        );
        if let Some(level) = scene.meta.get(META_LOG_LEVEL) {
            let params = json!({ "level": level });
            let set = json!({ "id": 0, "method": "logging/setLevel", "params": params });
            play.send(Exchange(2), &set);
        }
        Some(play)
    }

    /// Sends a message, and does all that comes of it.
    fn send(&mut self, exchange: Exchange, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        let caller = self.script.scene.caller.clone();
        let body = message.to_string();
        let turn = self.session.receive(
            &self.server,
            exchange,
            caller,
            body.as_bytes(),
            &self.moment,
        );
        self.moment.now = self.moment.now.after(Duration::from_millis(250));
        self.moment.dice[8] = self.moment.dice[8].wrapping_add(1);
        self.take(turn);
    }

    fn take(&mut self, turn: Turn) {
        let mut steps = turn.steps;
        for action in turn.actions {
            match action {
                Action::Push { message, .. } => {
                    let message: Value = serde_json::from_slice(&message).unwrap_or_default();
                    if message.get("method").is_some() {
                        self.asked.extend(message.get("id").cloned());
                    }
                }
                Action::Respond { exchange, response } if exchange == CALL => {
                    let message = response.message.as_deref().unwrap_or_default();
                    self.response = serde_json::from_slice(message).ok();
                }
                Action::Claim(claim) => steps.push(claim.grant()),
                _ => {}
            }
        }
        for step in steps {
            let sink = Sink::default();
            let finished = step.run(&sink);
            for report in sink.drain() {
                let turn = self.session.report(&self.server, report);
                self.take(turn);
            }
            if !finished.is_asking() {
                self.journal = journal_of(&finished);
            }
            let turn = self.session.finish(&self.server, finished, &self.moment);
            self.take(turn);
        }
    }
}
