//! The prover: plays a script on every cut, many times over, and looks for what differs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::answers::{Answers, Pace, Scripted};
use super::context::key_ring;
use super::differ::{differ, diverged_in, sound, unstable};
use super::effects::Effect;
use super::flaw::{Flaw, Lane};
use super::listing::listed;
use super::proof::Proof;
use super::script::Script;
use super::wire::{Message, Reply, Round, play};
use crate::limits::Limits;
use crate::moment::Moment;
use crate::observation::Observation;
use crate::server::Server;

/// The most rounds that need no warning.
const MANY_ROUNDS: u32 = 8;

/// How often a round must go the same other way before that is taken for the tool's way: a coin
/// must not be taken for a rule.
const SURE: u64 = 32;

/// How much later each further play of a round is, in milliseconds: near and far, odd and even.
const LATER: [u64; 12] = [
    1, 2, 3, 4, 17, 101, 1_009, 2_000, 9_973, 60_000, 61_001, 420_000,
];

/// Proves a script.
pub(super) fn check(script: &Script) -> Result<Proof, Flaw> {
    let mut answers = Scripted::new(&script.lines, Pace::Together);
    check_with(script, &mut answers, |_| script.lines.clone())
}

/// Proves a tool with whatever answers, and `lines`, which tells afterwards what they were.
pub(super) fn check_with<A: Answers>(
    script: &Script,
    answers: &mut A,
    lines: impl FnOnce(&A) -> Vec<super::script::Line>,
) -> Result<Proof, Flaw> {
    let mut together = Walk::new(script, Clone::clone)?;
    let walked = together.walk(answers)?;
    let mut plays = together.plays;
    let given_up = walked.end.gave_up();
    if walked.several && !given_up {
        let mut slow = Walk::new(script, |limits| Limits {
            asks_per_question: u32::MAX,
            rounds: u32::MAX,
            ..limits.clone()
        })?;
        let lines = lines(answers);
        let apart = slow.walk(&mut Scripted::new(&lines, Pace::OneByOne))?;
        plays += slow.plays;
        if differ(&walked.end, &apart.end) {
            return Err(unstable(apart.rounds, &walked.end, &apart.end));
        }
    }
    let Reply::Done(ended) = &walked.end.reply else {
        unreachable!("a walk ends where nothing is asked")
    };
    let mut proof = Proof {
        response: ended.response.clone(),
        rounds: walked.rounds,
        lanes: vec![Lane::Modern],
        plays,
        warnings: Vec::new(),
        observations: walked.observations.clone(),
        ran: walked.rounds > 1 || walked.end.took_arguments(),
    };
    if proof.rounds > MANY_ROUNDS {
        let rounds = proof.rounds;
        proof.warnings.push(Flaw::TooManyRounds { rounds });
    }
    other_lanes(&mut proof, script, &walked)?;
    Ok(proof)
}

/// Plays the script on the other lanes of this build, where they can play it: there a question is
/// put until it is answered, so there is no silence, and no call that is given up.
fn other_lanes(proof: &mut Proof, script: &Script, walked: &Walked) -> Result<(), Flaw> {
    let Some(answers) = &walked.answers else {
        return Ok(());
    };
    if walked.end.gave_up() || proof.response.get("error").is_some() {
        return Ok(());
    }
    #[cfg(feature = "legacy")]
    {
        let recorded = super::session_lane::Recorded {
            response: &proof.response,
            journal: walked.end.journal.as_deref(),
            answers,
        };
        super::session_lane::agree(script, &recorded)?;
        proof.lanes.push(Lane::Session);
    }
    let _ = (script, answers);
    Ok(())
}

/// One walk through a script, from the first round to the result.
struct Walk<'a> {
    script: &'a Script,
    servers: [Server; 2],
    tool: String,
    plays: u64,
    /// The round in which each effect was seen first.
    effects: BTreeMap<Effect, u32>,
    /// The round in which each message was sent first.
    sent: BTreeMap<String, u32>,
    step: Duration,
    farthest: u64,
}

struct Walked {
    end: Round,
    rounds: u32,
    /// Whether a round asked several questions.
    several: bool,
    /// The answers in the order of their questions, where every question got one at once.
    answers: Option<Vec<Value>>,
    observations: Vec<Observation>,
}

impl<'a> Walk<'a> {
    fn new(script: &'a Script, limits: impl Fn(&Limits) -> Limits) -> Result<Self, Flaw> {
        let unregistered = |error: String| Flaw::Unregistered { reason: error };
        let tools = [script.tool.clone()];
        let plain = script.scene.build(&tools, key_ring(&[0]));
        let plain = plain.map_err(|error| unregistered(error.to_string()))?;
        let limits = limits(plain.limits());
        let tool = listed(&plain, &script.scene.caller).into_iter().next();
        let tool =
            tool.ok_or_else(|| unregistered("the caller of the scene does not see it".into()))?;
        let build = || {
            let built = script
                .scene
                .build_with(&tools, key_ring(&[0]), limits.clone());
            built.map_err(|error| unregistered(error.to_string()))
        };
        let farthest = limits.state_ttl.min(limits.call_age / 4) / 2;
        Ok(Self {
            servers: [build()?, build()?],
            tool: tool.name,
            script,
            plays: 0,
            effects: BTreeMap::new(),
            sent: BTreeMap::new(),
            step: Duration::from_secs(1).min(limits.state_ttl / 4),
            farthest: u64::try_from(farthest.as_millis()).unwrap_or(u64::MAX),
        })
    }

    fn walk(&mut self, answers: &mut impl Answers) -> Result<Walked, Flaw> {
        let mut state: Option<String> = None;
        let mut said = Vec::new();
        let mut several = false;
        let mut in_order = Some(Vec::new());
        let mut observations = Vec::new();
        for round in 1.. {
            let mark = self.script.effects.as_ref().map(|effects| effects.mark());
            let main = self.play(round, 0, state.as_deref(), &said);
            self.note_effects(round, mark)?;
            self.note_messages(round, &main)?;
            let mut others = Vec::new();
            for number in 1..self.script.plays as u64 {
                others.push(self.play(round, number, state.as_deref(), &said));
            }
            self.compare(round, &main, &others)?;
            sound(round, &main)?;
            observations.extend(main.observations.iter().cloned());
            let Reply::Asked {
                requests,
                state: sealed,
                ..
            } = &main.reply
            else {
                return match answers.rest() {
                    None => Ok(Walked {
                        end: main,
                        rounds: round,
                        several,
                        answers: in_order,
                        observations,
                    }),
                    Some(line) => Err(Flaw::OffScript {
                        round,
                        recorded: Some(line),
                        attempted: Vec::new(),
                    }),
                };
            };
            self.send_back(round, &main)?;
            several |= requests.len() > 1;
            said = answers.next(round, requests)?;
            in_order = in_order.filter(|_| said.len() == requests.len());
            if let Some(in_order) = &mut in_order {
                let answer = |key| said.iter().find(|(said, _)| said == key);
                let told = requests.iter().filter_map(|(key, _)| answer(key));
                in_order.extend(told.map(|(_, answer)| answer.clone()));
            }
            state = Some(sealed.clone());
        }
        unreachable!("every call ends: a server bounds its rounds")
    }

    /// Plays one round. Number 0 is the one that the next round goes on from.
    fn play(
        &mut self,
        round: u32,
        number: u64,
        state: Option<&str>,
        answers: &[(String, Value)],
    ) -> Round {
        let scene = &self.script.scene;
        self.plays += 1;
        let id = match (round, number) {
            (1, 0) => scene.request_id.clone(),
            _ => self.plays.into(),
        };
        let message = Message {
            id: &id,
            tool: &self.tool,
            arguments: &self.script.arguments,
            meta: &scene.meta,
            state,
            answers,
        };
        let server = &self.servers[((u64::from(round) + number) % 2) as usize];
        play(
            server,
            &scene.caller,
            &message.body(),
            &self.moment(state.is_some(), round, number),
        )
    }

    /// A call's first moment is its own: its dice and its clock are what the call is made of. In
    /// later rounds both must not matter.
    fn moment(&self, resumed: bool, round: u32, number: u64) -> Moment {
        let mut moment = self.script.scene.moment;
        if !resumed {
            return moment;
        }
        let later = match number {
            0 => 0,
            number => LATER[(number as usize - 1) % LATER.len()] + number,
        };
        moment.now = moment.now.after(self.step * round);
        moment.now = moment
            .now
            .after(Duration::from_millis(later.min(self.farthest)));
        moment.dice[..8].copy_from_slice(&self.plays.to_be_bytes());
        moment
    }

    fn note_effects(&mut self, round: u32, mark: Option<usize>) -> Result<(), Flaw> {
        let (Some(effects), Some(mark)) = (&self.script.effects, mark) else {
            return Ok(());
        };
        for effect in effects.since(mark) {
            let recorded = *self.effects.entry(effect.clone()).or_insert(round);
            if recorded != round {
                let effect = match effect.key {
                    Some(key) => format!("{:?} under the key {key}", effect.name),
                    None => format!("{:?}", effect.name),
                };
                return Err(Flaw::Repeated {
                    effect,
                    recorded,
                    attempted: round,
                });
            }
        }
        Ok(())
    }

    fn note_messages(&mut self, round: u32, played: &Round) -> Result<(), Flaw> {
        for message in &played.pushes {
            let recorded = *self.sent.entry(message.clone()).or_insert(round);
            if recorded != round {
                return Err(Flaw::Noisy {
                    message: message.clone(),
                    recorded,
                    attempted: round,
                });
            }
        }
        Ok(())
    }

    /// Compares the plays of one round from one state with the same answers.
    fn compare(&mut self, round: u32, main: &Round, others: &[Round]) -> Result<(), Flaw> {
        let same = |other: &&Round| {
            other.visible() == main.visible() && other.divergence() == main.divergence()
        };
        let different = others.iter().find(|other| !same(other));
        let diverged = main.divergence().or_else(|| different?.divergence());
        match (different, diverged) {
            (None, None) => return Ok(()),
            (None, Some(_)) => return Err(diverged_in(round - 1, main)),
            (Some(other), Some(_)) => return Err(unstable(round, main, other)),
            (Some(_), None) => {}
        }
        for other in others {
            if differ(main, other) {
                return Err(unstable(round, main, other));
            }
            // A fresh `once` may well lead elsewhere; then it leads there each time.
            if other.visible() != main.visible() && matches!(other.reply, Reply::Asked { .. }) {
                self.send_back(round, other)?;
            }
        }
        Ok(())
    }

    /// Sends the state of a round back without an answer: it must come to the same questions.
    fn send_back(&mut self, round: u32, asked: &Round) -> Result<(), Flaw> {
        let Reply::Asked { state, .. } = &asked.reply else {
            return Ok(());
        };
        let mut again = Vec::new();
        let mut number = 0;
        loop {
            number += 1;
            let played = self.play(round + 1, number, Some(state), &[]);
            if !played.gave_up() {
                again.push(played);
            }
            let bad = |played: &&Round| {
                played.divergence().is_some() || played.visible() != asked.visible()
            };
            let plays = self.script.plays as u64;
            match again.iter().find(bad) {
                None if number + 1 < plays => {}
                None => break,
                Some(first) => {
                    let alike = again.iter().all(|played| {
                        played.visible() == first.visible()
                            && played.divergence() == first.divergence()
                    });
                    if !alike || first.divergence().is_none() {
                        return Err(unstable(round, asked, first));
                    }
                    if number + 1 >= plays.max(SURE) {
                        return Err(diverged_in(round, first));
                    }
                }
            }
        }
        let heard = again.iter().flat_map(|played| &played.pushes);
        let known = heard.filter_map(|message| self.sent.get_key_value(message));
        match known.into_iter().next() {
            None => Ok(()),
            Some((message, recorded)) => Err(Flaw::Noisy {
                message: message.clone(),
                recorded: *recorded,
                attempted: round + 1,
            }),
        }
    }
}
