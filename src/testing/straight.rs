//! The straight line: what a call comes to when nothing goes wrong.

use std::collections::BTreeMap;

use serde_json::Value;

use super::held::Known;
use super::wire::{Message, Reply, play};
use crate::caller::Caller;
use crate::moment::Moment;
use crate::server::Server;

/// Servers that are asked nothing but straight lines, and what they came to.
#[derive(Debug)]
pub(super) struct Straight {
    /// One for each revision, with limits that are never met.
    servers: Vec<Server>,
    come_to: BTreeMap<String, String>,
}

/// A call to be played in a straight line.
pub(super) struct Line<'a> {
    pub(super) tool: &'a str,
    pub(super) arguments: &'a Value,
    pub(super) caller: &'a Caller,
    pub(super) meta: &'a serde_json::Map<String, Value>,
    pub(super) known: &'a Known,
}

impl Straight {
    pub(super) fn new(servers: Vec<Server>) -> Self {
        Self {
            servers,
            come_to: BTreeMap::new(),
        }
    }

    /// What the call comes to with these answers, as the client sees it.
    pub(super) fn comes_to(&mut self, line: &Line<'_>) -> String {
        let place = format!(
            "{} {} {:?} {} {}",
            line.known.revision,
            line.tool,
            line.caller.principal,
            line.arguments,
            line.known.story(&[], "")
        );
        if let Some(known) = self.come_to.get(&place) {
            return known.clone();
        }
        let came_to = self.play(line);
        self.come_to.insert(place, came_to.clone());
        came_to
    }

    fn play(&self, line: &Line<'_>) -> String {
        let moment = Moment::new(line.known.lineage.began, line.known.lineage.dice);
        let id = Value::from(1);
        let mut state: Option<String> = None;
        let mut answers: Vec<(String, Value)> = Vec::new();
        let mut left = line.known.history.clone();
        loop {
            let message = Message {
                id: &id,
                tool: line.tool,
                arguments: line.arguments,
                meta: line.meta,
                state: state.as_deref(),
                answers: &answers,
            };
            let server = &self.servers[line.known.revision];
            let round = play(server, line.caller, &message.body(), &moment);
            let Reply::Asked {
                requests,
                state: sealed,
                ..
            } = &round.reply
            else {
                return round.visible().to_owned();
            };
            // Each answer is given once: one that is refused here ends the line at its question.
            (answers, left) = left
                .into_iter()
                .partition(|(key, _)| requests.iter().any(|(asked, _)| asked == key));
            if answers.is_empty() {
                return round.visible().to_owned();
            }
            state = Some(sealed.clone());
        }
    }
}
