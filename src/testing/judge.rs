//! What must come of a message, and whether it does.

use std::collections::BTreeMap;

use super::breach::Breach;
use super::client::{Client, open};
use super::effects::Effect;
use super::held::{Held, Known, Lineage, Outgoing};
use super::stage::{Expected, Situation};
use super::straight::{Line, Straight};
use super::wire::{Reply, Round, shorten};
use crate::moment::Moment;
use crate::observation::{FailureKind, Observation};

/// What is remembered between messages.
#[derive(Debug)]
pub(super) struct Judge {
    straight: Straight,
    /// Each history with the key it led to, and back.
    keys: BTreeMap<String, String>,
    histories: BTreeMap<String, String>,
    refusal: Option<String>,
}

impl Judge {
    pub(super) fn new(straight: Straight) -> Self {
        Self {
            straight,
            keys: BTreeMap::new(),
            histories: BTreeMap::new(),
            refusal: None,
        }
    }
}

/// What must come of a message.
#[derive(Debug, Clone)]
pub(super) enum Due {
    /// A refusal of the state, and why.
    Refused(String),
    /// The fixed sentence that ends a call, and why.
    Ended(FailureKind, String),
    /// A run with this in its journal, after the answers that are taken. Where the flag is set, a
    /// question that was put too often ends it.
    Runs(Known, bool),
}

impl Client<'_> {
    /// What must come of a message that is sent at this moment.
    pub(super) fn due(&self, outgoing: &Outgoing, moment: &Moment, began_again: bool) -> Due {
        let fresh = Known {
            lineage: Lineage {
                dice: moment.dice,
                began: moment.now,
                replicas: vec![self.replica],
            },
            rounds: 1,
            history: Vec::new(),
            effects: Vec::new(),
        };
        let Some(state) = outgoing.state else {
            return Due::Runs(fresh, false);
        };
        let held = &self.states[state];
        let call = &self.calls[outgoing.call];
        if let Some(why) = self.refused(held, call) {
            return Due::Refused(why.to_owned());
        }
        let rounds = held.known.rounds.saturating_add(1);
        if rounds > self.limits.rounds {
            return Due::Ended(FailureKind::TooManyRounds, "it has too many rounds".into());
        }
        if began_again {
            let mut lineage = held.known.lineage.clone();
            lineage.replicas.push(self.replica);
            let again = Known {
                lineage,
                rounds,
                ..fresh
            };
            return Due::Runs(again, false);
        }
        if held.known.replica() != self.replica && !held.known.effects.is_empty() {
            let why = "another revision sealed it, and it holds a `once`";
            return Due::Ended(FailureKind::Diverged, why.into());
        }
        let mut known = held.known.clone();
        known.rounds = rounds;
        let mut too_often = false;
        for question in &held.open {
            let sent = outgoing
                .answers
                .iter()
                .find(|sent| sent.key == question.key);
            match sent.filter(|sent| sent.valid) {
                Some(sent) => known.take(&question.key, &sent.answer),
                None => too_often |= question.asks >= self.limits.asks_per_question,
            }
        }
        Due::Runs(known, too_often)
    }

    fn refused(&self, held: &Held, call: &super::held::Begun) -> Option<&'static str> {
        if !self.keys.contains(&held.key) {
            return Some("its key is forgotten");
        }
        if !call.is_bound_alike(&self.calls[held.call]) {
            return Some("it belongs to another call");
        }
        if self.now.since(held.known.lineage.began) >= self.limits.call_age {
            return Some("its call is too old");
        }
        if self.now.since(held.sealed_at) >= self.limits.state_ttl {
            return Some("it has lapsed");
        }
        None
    }

    /// Compares what came with what is due, and keeps the state that came.
    pub(super) fn judge(
        &mut self,
        at: usize,
        outgoing: &Outgoing,
        due: Due,
        round: &Round,
        effects: Vec<Effect>,
    ) -> Result<(), Box<Breach>> {
        let refused = round
            .observations
            .iter()
            .any(|observation| matches!(observation, Observation::StateRefused { .. }));
        let failure = round.failure().map(|(kind, _)| kind);
        let wrong = |recorded: String| {
            Box::new(Breach::State {
                at,
                recorded,
                attempted: round.brief(),
            })
        };
        match due {
            Due::Refused(why) => {
                self.played.refused += 1;
                if !refused {
                    return Err(wrong(format!("a refusal, for {why}")));
                }
                self.same_refusal(at, round.visible())
            }
            Due::Ended(kind, why) => {
                self.played.given_up += 1;
                if failure != Some(kind) {
                    return Err(wrong(format!("the end of the call, for {why}")));
                }
                Ok(())
            }
            Due::Runs(..) if refused => Err(wrong("a run, for the state is good".to_owned())),
            Due::Runs(_, true) => {
                self.played.given_up += 1;
                if failure != Some(FailureKind::TooManyAsks) {
                    let why = "the end of the call, for a question was put too often";
                    return Err(wrong(why.to_owned()));
                }
                Ok(())
            }
            Due::Runs(known, false) => self.judge_run(at, outgoing, known, round, effects),
        }
    }

    fn same_refusal(&mut self, at: usize, refusal: &str) -> Result<(), Box<Breach>> {
        let first = self.judge.refusal.get_or_insert_with(|| refusal.to_owned());
        if first != refusal {
            return Err(Box::new(Breach::Refusals {
                at,
                recorded: first.clone(),
                attempted: refusal.to_owned(),
            }));
        }
        Ok(())
    }

    fn judge_run(
        &mut self,
        at: usize,
        outgoing: &Outgoing,
        mut known: Known,
        round: &Round,
        effects: Vec<Effect>,
    ) -> Result<(), Box<Breach>> {
        let (recorded, attempted) = self.outcomes(outgoing, &known, round);
        if recorded != attempted {
            return Err(Box::new(Breach::Outcome {
                at,
                recorded,
                attempted,
            }));
        }
        let before = outgoing.state.map(|state| &self.states[state]);
        if before.is_some_and(|held| held.known.lineage != known.lineage) {
            self.played.began_again += 1;
        }
        let Reply::Asked {
            requests, state, ..
        } = &round.reply
        else {
            self.played.results += 1;
            return Ok(());
        };
        self.played.asked += 1;
        // A call that began again has put nothing yet.
        let before = before.filter(|held| held.known.lineage == known.lineage);
        let open = open(requests, before);
        known.effects.extend(effects);
        let held = Held {
            text: state.clone(),
            call: outgoing.call,
            known,
            open,
            sealed_at: self.now,
            key: 0,
        };
        self.keep(outgoing.call, held);
        Ok(())
    }

    /// What the history must come to, and what it came to.
    fn outcomes(&mut self, outgoing: &Outgoing, known: &Known, round: &Round) -> (String, String) {
        let call = &self.calls[outgoing.call];
        if let Some(model) = &self.stage.model {
            let situation = Situation {
                revision: known.replica(),
                tool: call.tool,
                arguments: &call.arguments,
                history: &known.history,
            };
            let expected = model(&situation);
            return (format!("{expected:?}"), format!("{:?}", came_to(round)));
        }
        let caller = self.caller(call.principal);
        let line = Line {
            tool: &self.tools[call.tool].name,
            arguments: &call.arguments,
            caller: &caller,
            meta: &self.stage.scene.meta,
            known,
        };
        let mark = self.stage.effects.mark();
        let recorded = self.judge.straight.comes_to(&line);
        // What the straight line did is nobody's doing.
        self.stage.effects.take_since(mark);
        (recorded, round.visible().to_owned())
    }

    /// What was done once is not done again, and has the key of its history.
    pub(super) fn judge_effects(
        &mut self,
        at: usize,
        due: &Due,
        effects: &[Effect],
    ) -> Result<(), Box<Breach>> {
        self.played.effects += effects.len();
        let Due::Runs(known, _) = due else {
            return match effects.first() {
                None => Ok(()),
                Some(effect) => Err(Box::new(Breach::State {
                    at,
                    recorded: "no run at all".to_owned(),
                    attempted: format!("{effect:?}"),
                })),
            };
        };
        let mut done = known.effects.clone();
        for effect in effects {
            if done.contains(effect) {
                let effect = format!("{effect:?}");
                return Err(Box::new(Breach::DoneAgain { at, effect }));
            }
            if let Some(key) = &effect.key {
                let story = known.story(&done, &effect.name);
                self.judge_key(at, key, story)?;
            }
            done.push(effect.clone());
        }
        Ok(())
    }

    fn judge_key(&mut self, at: usize, key: &str, story: String) -> Result<(), Box<Breach>> {
        let known_key = self.judge.keys.get(&story);
        let known_story = self.judge.histories.get(key);
        match (known_key, known_story) {
            (None, None) => {
                self.judge.keys.insert(story.clone(), key.to_owned());
                self.judge.histories.insert(key.to_owned(), story);
                Ok(())
            }
            (Some(known), Some(_)) if known == key => {
                self.played.redone += 1;
                Ok(())
            }
            (known_key, known_story) => Err(Box::new(Breach::Key {
                at,
                recorded: match (known_key, known_story) {
                    (Some(known), _) => format!("{known} for {story}"),
                    (_, known) => format!("{key} for {}", known.cloned().unwrap_or_default()),
                },
                attempted: format!("{key} for {story}"),
            })),
        }
    }
}

/// What a round came to, in the words of a model.
fn came_to(round: &Round) -> Expected {
    match &round.reply {
        Reply::Asked { requests, .. } => {
            Expected::Asked(requests.iter().map(|(key, _)| key.clone()).collect())
        }
        Reply::Done(ended) => {
            let result = &ended.response["result"];
            let text = match result["content"][0]["text"].as_str() {
                Some(text) => text.to_owned(),
                None => shorten(&ended.text),
            };
            match (round.failure(), result["isError"] == true) {
                (Some((_, cause)), _) => Expected::Failed(cause.to_owned()),
                (None, true) => Expected::Failed(text),
                (None, false) => Expected::Said(text),
            }
        }
    }
}
