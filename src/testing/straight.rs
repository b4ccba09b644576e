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
            "{} {:?} {} {}",
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
        let lineage = &line.known.lineage;
        let moment = Moment::new(lineage.began, lineage.dice);
        let say = |replica: usize, state: Option<&str>, answers: &[(String, Value)]| {
            let message = Message {
                id: &Value::from(1),
                tool: line.tool,
                arguments: line.arguments,
                meta: line.meta,
                state,
                answers,
            };
            let server = &self.servers[replica];
            play(server, line.caller, &message.body(), &moment)
        };
        // It begins, and begins again, where the call did.
        let mut state: Option<String> = None;
        let mut round = None;
        for replica in &lineage.replicas {
            let began = say(*replica, state.as_deref(), &[]);
            let Reply::Asked { state: sealed, .. } = &began.reply else {
                return began.visible().to_owned();
            };
            state = Some(sealed.clone());
            round = Some(began);
        }
        let mut left = line.known.history.clone();
        while let Some(now) = &round {
            let Reply::Asked {
                requests,
                state: sealed,
                ..
            } = &now.reply
            else {
                break;
            };
            // Each answer is given once: one that is refused here ends the line at its question.
            let (answers, later) = left
                .into_iter()
                .partition::<Vec<_>, _>(|(key, _)| requests.iter().any(|(asked, _)| asked == key));
            if answers.is_empty() {
                break;
            }
            left = later;
            round = Some(say(line.known.replica(), Some(sealed), &answers));
        }
        round
            .map(|round| round.visible().to_owned())
            .unwrap_or_default()
    }
}
