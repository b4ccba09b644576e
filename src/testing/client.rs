//! A client in virtual time: it plays moves against servers without any socket, and knows what
//! must come of each.

use std::time::Duration;

use serde_json::{Value, json};

use super::breach::Breach;
use super::context::key_ring;
use super::held::{Begun, Held, Outgoing, Question, Sent};
use super::judge::Judge;
use super::listing::{Listed, listed};
use super::moves::Move;
use super::respond::respond;
use super::shapes::valid;
use super::stage::{Played, Stage};
use super::straight::Straight;
use super::tape::Tape;
use super::wire::Message;
use crate::action::Action;
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::limits::Limits;
use crate::moment::{Moment, Timestamp};
use crate::server::Server;
use crate::step::Sink;

/// How many principals there are; the first is nobody.
const PRINCIPALS: usize = 3;

pub(super) struct Client<'a> {
    pub(super) stage: &'a Stage,
    servers: Vec<Server>,
    pub(super) limits: Limits,
    pub(super) tools: Vec<Listed>,
    /// Which server the next message reaches.
    pub(super) replica: usize,
    /// The numbers of the keys; the first seals.
    pub(super) keys: Vec<u8>,
    next_key: u8,
    pub(super) now: Timestamp,
    /// How many messages were sent: the source of dice and of unique texts.
    sent: u64,
    pub(super) calls: Vec<Begun>,
    pub(super) states: Vec<Held>,
    last: Option<Outgoing>,
    claims: Vec<[u8; 16]>,
    pub(super) judge: Judge,
    pub(super) played: Played,
}

/// Where a client hangs up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hang {
    Not,
    BeforeTheStep,
    WhileItRuns,
    BeforeTheAnswer,
}

impl<'a> Client<'a> {
    #[track_caller]
    pub(super) fn new(stage: &'a Stage) -> Self {
        let keys = vec![0];
        let servers = build(stage, &keys, Clone::clone);
        let patient = build(stage, &keys, |limits| Limits {
            asks_per_question: u32::MAX,
            rounds: u32::MAX,
            ..limits.clone()
        });
        Self {
            limits: servers[0].limits().clone(),
            tools: listed(&servers[0], &stage.scene.caller),
            stage,
            servers,
            replica: 0,
            keys,
            next_key: 1,
            now: stage.scene.moment.now,
            sent: 0,
            calls: Vec::new(),
            states: Vec::new(),
            last: None,
            claims: Vec::new(),
            judge: Judge::new(Straight::new(patient)),
            played: Played::default(),
        }
    }

    /// Plays a move. One that has nothing to choose from does nothing.
    pub(super) fn play(&mut self, at: usize, next: &Move) -> Result<(), Box<Breach>> {
        let (outgoing, hang) = match next {
            Move::Call {
                tool,
                principal,
                arguments,
            } => (self.begin(*tool, *principal, arguments), Hang::Not),
            Move::Answer {
                call,
                back,
                answers,
            } => (self.answer(*call, *call, *back, answers), Hang::Not),
            Move::Refresh { call, back } => (self.refresh(*call, *back), Hang::Not),
            Move::Repeat => (self.last.clone(), Hang::Not),
            Move::Swap { of, into, answers } => (self.answer(*of, *into, 0, answers), Hang::Not),
            Move::HangUp {
                call,
                answers,
                when,
            } => {
                let hang = [
                    Hang::BeforeTheStep,
                    Hang::WhileItRuns,
                    Hang::BeforeTheAnswer,
                ];
                (
                    self.answer(*call, *call, 0, answers),
                    hang[usize::from(*when) % 3],
                )
            }
            Move::Wait { long } => {
                self.wait(*long);
                return Ok(());
            }
            Move::Rotate { forget } => {
                self.rotate(*forget);
                return Ok(());
            }
            Move::Replica { number } => {
                self.replica = usize::from(*number) % self.servers.len();
                return Ok(());
            }
        };
        match outgoing {
            Some(outgoing) => self.send(at, outgoing, hang),
            None => Ok(()),
        }
    }

    fn wait(&mut self, long: u8) {
        let instant = Duration::from_millis(1);
        let Limits {
            state_ttl,
            call_age,
            ..
        } = self.limits;
        let long = match long % 8 {
            0 => instant,
            1 => Duration::from_secs(1),
            2 => state_ttl / 2,
            3 => state_ttl.saturating_sub(instant),
            4 => state_ttl,
            5 => call_age / 2,
            6 => call_age.saturating_sub(instant),
            _ => call_age,
        };
        self.now = self.now.after(long);
    }

    fn rotate(&mut self, forget: bool) {
        self.keys.insert(0, self.next_key);
        self.next_key += 1;
        self.keys.truncate(if forget { 1 } else { 3 });
        self.servers = build(self.stage, &self.keys, Clone::clone);
    }

    fn begin(&mut self, tool: u8, principal: u8, arguments: &[u32]) -> Option<Outgoing> {
        let tool = usize::from(tool) % self.tools.len().max(1);
        let schema = &self.tools.get(tool)?.input_schema;
        self.calls.push(Begun {
            tool,
            principal: usize::from(principal) % PRINCIPALS,
            arguments: valid(schema, &mut Tape::new(arguments)),
            states: Vec::new(),
        });
        Some(Outgoing {
            call: self.calls.len() - 1,
            state: None,
            answers: Vec::new(),
        })
    }

    /// A state of one call, so many back from its newest.
    fn state(&self, call: u8, back: u8) -> Option<usize> {
        let begun = self
            .calls
            .get(usize::from(call) % self.calls.len().max(1))?;
        let back = usize::from(back) % begun.states.len().max(1);
        begun.states.iter().rev().nth(back).copied()
    }

    fn refresh(&self, call: u8, back: u8) -> Option<Outgoing> {
        Some(Outgoing {
            state: Some(self.state(call, back)?),
            call: usize::from(call) % self.calls.len(),
            answers: Vec::new(),
        })
    }

    /// Answers to a state of one call, sent in another (or the same).
    fn answer(&mut self, of: u8, into: u8, back: u8, cells: &[u32]) -> Option<Outgoing> {
        let state = self.state(of, back)?;
        let mut tape = Tape::new(cells);
        let order = tape.below(4);
        let held = &self.states[state];
        let mut answers = Vec::new();
        for question in &held.open {
            let Some(said) = respond(&question.request, &mut tape) else {
                continue;
            };
            let mut answer = said.answer;
            if said.valid {
                stamp(&mut answer, &question.request, self.sent);
            }
            answers.push(Sent {
                key: question.key.clone(),
                answer,
                valid: said.valid,
            });
        }
        if order == 2 {
            // What was answered before, and what was never asked, is not open any more.
            let told = held.known.history.iter().map(|(key, _)| key.clone());
            for key in told.chain(["nobody asked".to_owned()]) {
                let content = json!({ "v": format!("late #{}", self.sent) });
                answers.push(Sent {
                    key,
                    answer: json!({ "action": "accept", "content": content }),
                    valid: true,
                });
            }
        }
        if order == 1 {
            answers.reverse();
        }
        Some(Outgoing {
            call: usize::from(into) % self.calls.len(),
            state: Some(state),
            answers,
        })
    }

    pub(super) fn caller(&self, principal: usize) -> Caller {
        let mut caller = self.stage.scene.caller.clone();
        if principal > 0 {
            caller.principal = Some(format!("principal {principal}"));
        }
        caller
    }

    fn send(&mut self, at: usize, outgoing: Outgoing, hang: Hang) -> Result<(), Box<Breach>> {
        self.sent += 1;
        self.played.messages += 1;
        let mut moment = Moment::new(self.now, [0x5a; 32]);
        moment.dice[..8].copy_from_slice(&self.sent.to_be_bytes());
        let call = &self.calls[outgoing.call];
        let answers: Vec<(String, Value)> = outgoing
            .answers
            .iter()
            .map(|sent| (sent.key.clone(), sent.answer.clone()))
            .collect();
        let body = Message {
            id: &json!(1),
            tool: &self.tools[call.tool].name,
            arguments: &call.arguments,
            meta: &self.stage.scene.meta,
            state: outgoing.state.map(|state| &*self.states[state].text),
            answers: &answers,
        }
        .body();
        let server = self.servers[self.replica].clone();
        let caller = self.caller(call.principal);
        let mark = self.stage.effects.mark();
        let mut turn = server.receive(Exchange(1), caller, &body, &moment);
        let mut claimed = false;
        if let Some(Action::Claim(_)) = turn.actions.first() {
            let Action::Claim(claim) = turn.actions.remove(0) else {
                unreachable!("it was a claim just now")
            };
            if self.claims.contains(&claim.id()) {
                claimed = true;
                turn.extend(claim.refuse());
            } else {
                self.claims.push(claim.id());
                turn.steps.push(claim.grant());
            }
        }
        let lost = hang != Hang::Not && !turn.steps.is_empty();
        match hang {
            Hang::BeforeTheStep => turn.steps.clear(),
            Hang::WhileItRuns => {
                for step in turn.steps.drain(..) {
                    let sink = Sink::default();
                    sink.cancel();
                    drop(step.run(&sink));
                }
            }
            Hang::Not | Hang::BeforeTheAnswer => {}
        }
        let began_again = turn.observations.iter().any(|observation| {
            matches!(
                observation,
                crate::observation::Observation::BeganAgain { .. }
            )
        });
        let round = match turn.steps.is_empty() && turn.actions.is_empty() {
            true => None,
            false => Some(super::wire::gather(&server, turn, |finished| {
                server.finish(finished)
            })),
        };
        let effects = self.stage.effects.since(mark);
        let mut due = self.due(&outgoing, &moment, began_again);
        if claimed {
            due = super::judge::Due::Refused("it was claimed before".to_owned());
        }
        self.judge_effects(at, &due, &effects)?;
        self.last = Some(outgoing.clone());
        match round {
            Some(round) if !lost => self.judge(at, &outgoing, due, &round, effects),
            _ => {
                self.played.lost += 1;
                Ok(())
            }
        }
    }

    /// Keeps a state that was given.
    pub(super) fn keep(&mut self, call: usize, mut held: Held) {
        held.sealed_at = self.now;
        held.key = self.keys[0];
        self.states.push(held);
        let state = self.states.len() - 1;
        self.calls[call].states.push(state);
    }
}

/// Makes free texts in an answer unlike all others, so that one in another's place shows.
fn stamp(answer: &mut Value, request: &Value, number: u64) {
    let content = answer.get_mut("content").and_then(Value::as_object_mut);
    let Some(content) = content.filter(|_| request["method"] == "elicitation/create") else {
        return;
    };
    for (name, value) in content {
        let schema = &request["params"]["requestedSchema"]["properties"][name];
        let free = ["enum", "oneOf", "format", "maxLength"];
        let free = free.iter().all(|option| schema.get(option).is_none());
        if let Some(text) = value.as_str().filter(|_| free) {
            *value = format!("{text} #{number}").into();
        }
    }
}

#[track_caller]
fn build(stage: &Stage, keys: &[u8], limits: impl Fn(&Limits) -> Limits) -> Vec<Server> {
    let revisions = stage.revisions.iter().map(|tools| {
        let plain = stage.scene.build(tools, key_ring(keys));
        let built = plain.and_then(|plain| {
            let limits = limits(plain.limits());
            stage.scene.build_with(tools, key_ring(keys), limits)
        });
        match built {
            Ok(server) => server,
            Err(error) => panic!("the stage's tools cannot be registered: {error}"),
        }
    });
    revisions.collect()
}

/// The questions of a round, with how often each was put by now.
pub(super) fn open(requests: &[(String, Value)], before: Option<&Held>) -> Vec<Question> {
    let asked = |key: &str| {
        let known = before.into_iter().flat_map(|held| &held.open);
        known
            .filter(|question| question.key == key)
            .map(|question| question.asks)
            .next()
    };
    requests
        .iter()
        .map(|(key, request)| Question {
            asks: asked(key).unwrap_or(0) + 1,
            key: key.clone(),
            request: request.clone(),
        })
        .collect()
}
