//! A client made from tapes: what it says to whatever it is asked.

use serde_json::{Value, json};

use super::answers::{Answers, Open};
use super::flaw::Flaw;
use super::near_miss::near_miss;
use super::script::{Line, Says};
use super::shapes::valid;
use super::tape::Tape;

/// What a client says to a question, and whether it is an answer to it.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) answer: Value,
    pub(super) valid: bool,
}

impl Said {
    fn valid(answer: Value) -> Option<Self> {
        let valid = true;
        Some(Self { answer, valid })
    }

    fn invalid(answer: Value) -> Option<Self> {
        let valid = false;
        Some(Self { answer, valid })
    }
}

/// What a client says to a question; `None` when it says nothing.
pub(super) fn respond(request: &Value, tape: &mut Tape<'_>) -> Option<Said> {
    let params = &request["params"];
    match request["method"].as_str() {
        Some("elicitation/create") => match tape.below(12) {
            0..=6 => Said::valid(accepted(params, tape)),
            7 => Said::valid(json!({ "action": "decline" })),
            8 => Said::valid(json!({ "action": "cancel" })),
            9 if params["mode"] == "url" => Said::invalid(json!({ "action": "later" })),
            9 | 10 if params["mode"] != "url" => {
                let content = near_miss(&params["requestedSchema"], tape);
                Said::invalid(json!({ "action": "accept", "content": content }))
            }
            _ => None,
        },
        _ => Said::valid(respond_well(request, tape)?),
    }
}

/// What a client says that means well: a valid answer.
pub(super) fn respond_well(request: &Value, tape: &mut Tape<'_>) -> Option<Value> {
    match request["method"].as_str() {
        Some("elicitation/create") => Some(accepted(&request["params"], tape)),
        Some("sampling/createMessage") => Some(sampled(tape)),
        Some("roots/list") => Some(rooted(tape)),
        _ => None,
    }
}

fn accepted(params: &Value, tape: &mut Tape<'_>) -> Value {
    if params["mode"] == "url" {
        return json!({ "action": "accept" });
    }
    json!({ "action": "accept", "content": valid(&params["requestedSchema"], tape) })
}

fn sampled(tape: &mut Tape<'_>) -> Value {
    let text = valid(&json!({ "type": "string" }), tape);
    json!({
        "role": "assistant",
        "model": "testing",
        "stopReason": "endTurn",
        "content": { "type": "text", "text": text },
    })
}

fn rooted(tape: &mut Tape<'_>) -> Value {
    let roots: Vec<Value> = (0..tape.below(3))
        .map(|number| json!({ "uri": format!("file:///root-{number}") }))
        .collect();
    json!({ "roots": roots })
}

/// Answers from tapes, one for each question; when they are used up, the simplest valid ones.
#[derive(Debug)]
pub(super) struct Taped<'a> {
    tapes: &'a [Vec<u32>],
    /// What was said, as a script.
    pub(super) lines: Vec<Line>,
}

impl<'a> Taped<'a> {
    pub(super) fn new(tapes: &'a [Vec<u32>]) -> Self {
        Self {
            tapes,
            lines: Vec::new(),
        }
    }

    fn answer(&mut self, request: &Value) -> Option<Value> {
        match self.tapes.split_first() {
            Some((cells, rest)) => {
                self.tapes = rest;
                respond(request, &mut Tape::new(cells)).map(|said| said.answer)
            }
            None => respond_well(request, &mut Tape::new(&[])),
        }
    }
}

impl Answers for Taped<'_> {
    fn next(&mut self, _: u32, open: &Open) -> Result<Vec<(String, Value)>, Flaw> {
        let mut answers = Vec::new();
        for (key, request) in open {
            if let Some(answer) = self.answer(request) {
                let says = match request["method"].as_str() {
                    Some("elicitation/create") => Says::Elicited,
                    _ => Says::Anything,
                };
                self.lines.push(Line {
                    name: Some(key.clone()),
                    says,
                    answer: answer.clone(),
                });
                answers.push((key.clone(), answer));
            }
        }
        if answers.is_empty() {
            self.lines.push(Line {
                name: None,
                says: Says::Silence,
                answer: Value::Null,
            });
        }
        Ok(answers)
    }

    fn rest(&self) -> Option<String> {
        None
    }
}
