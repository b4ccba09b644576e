//! The shareable grade: what a transcript may show to somebody who has no key and no business
//! with the answers.

use serde_json::{Map, Value, json};

use super::transcript::{Body, Entry, Grade, Input, Output, Transcript};
use crate::caller::Caller;
use crate::exchange::Exchange;
use crate::protocol::{
    META_CLIENT_CAPABILITIES, META_LOG_LEVEL, META_PROGRESS_TOKEN, META_PROTOCOL_VERSION,
};

/// Placeholders, one for each different value, numbered as they come.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<(&'static str, String)>);

impl Names {
    /// The placeholder of a value of a kind, such as `state-1`.
    pub(super) fn name(&mut self, kind: &'static str, value: &str) -> String {
        let of_kind = |entry: &&(&str, String)| entry.0 == kind;
        let known = self
            .0
            .iter()
            .filter(of_kind)
            .position(|entry| entry.1 == value);
        let place = known.unwrap_or_else(|| {
            self.0.push((kind, value.to_owned()));
            self.0.iter().filter(of_kind).count() - 1
        });
        format!("{kind}-{}", place + 1)
    }

    /// The value behind a placeholder.
    pub(super) fn value(&self, kind: &str, name: &str) -> Option<&str> {
        let number: usize = name.strip_prefix(kind)?.strip_prefix('-')?.parse().ok()?;
        let mut of_kind = self.0.iter().filter(|entry| entry.0 == kind);
        Some(&of_kind.nth(number.checked_sub(1)?)?.1)
    }
}

impl Transcript {
    /// The same transcript in the shareable grade.
    ///
    /// What stays: methods, names of tools, keys and kinds of questions, types of content, error
    /// codes, levels of log messages, the client's capabilities, times, ids. What goes: arguments,
    /// answers, results, messages, the words of questions, states, callers, dice.
    ///
    /// ```
    /// # use mcp_reprise::testing::{Grade, Recorder};
    /// # let server = mcp_reprise::Server::builder("s", "1").single_process([1; 32]).build().unwrap();
    /// let transcript = Recorder::new(server).transcript(Grade::Full);
    /// assert_eq!(transcript.shareable().grade, Grade::Shareable);
    /// ```
    #[must_use]
    pub fn shareable(&self) -> Self {
        if self.grade == Grade::Shareable {
            return self.clone();
        }
        let mut names = Names::default();
        let entries = self.entries.iter().enumerate().map(|(at, entry)| Entry {
            input: self.shared_input(at, &entry.input, &mut names),
            outputs: shapes(&entry.outputs, &mut names),
        });
        Self {
            grade: Grade::Shareable,
            entries: entries.collect(),
        }
    }

    fn shared_input(&self, at: usize, input: &Input, names: &mut Names) -> Input {
        match input {
            Input::Received {
                exchange,
                caller,
                body,
                now,
                ..
            } => Input::Received {
                exchange: *exchange,
                caller: shared_caller(caller, names),
                body: self.shared_body(at, *exchange, body, names),
                now: *now,
                dice: format!("{:064x}", at + 1),
            },
            Input::Finished { exchange, .. } => Input::Finished {
                exchange: *exchange,
                finished: Value::Null,
            },
            Input::Reported { exchange, .. } => Input::Reported {
                exchange: *exchange,
                report: Value::Null,
            },
        }
    }

    fn shared_body(&self, at: usize, exchange: Exchange, body: &Body, names: &mut Names) -> Body {
        let Value::Object(mut message) = body.json() else {
            return Body::Text("no JSON object".to_owned());
        };
        let reasked = self.reasked(at, exchange);
        if let Some(params) = message.get_mut("params").and_then(Value::as_object_mut) {
            share_params(params, &reasked, names);
        }
        let known = ["jsonrpc", "id", "method", "params"];
        message.retain(|member, _| known.contains(&member.as_str()));
        Body::Text(Value::from(message).to_string())
    }

    /// The questions that were put (again) in the answer to the message: what was said to them in
    /// it was refused.
    fn reasked(&self, at: usize, of: Exchange) -> Vec<String> {
        let rest = self.entries.get(at..).unwrap_or_default();
        let outputs = rest.iter().flat_map(|entry| &entry.outputs);
        let answer = outputs.into_iter().find_map(|output| match output {
            Output::Ask {
                exchange, message, ..
            } if *exchange == of => Some(message.as_deref()),
            Output::Respond { exchange, .. } if *exchange == of => Some(None),
            _ => None,
        });
        let message: Value =
            serde_json::from_str(answer.flatten().unwrap_or("null")).unwrap_or_default();
        let asked = message["result"]["inputRequests"].as_object();
        asked
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect()
    }
}

fn shared_caller(caller: &Caller, names: &mut Names) -> Caller {
    let mut shared = Caller::anonymous();
    let mut placeholder =
        |kind, value: &Option<String>| value.as_deref().map(|value| names.name(kind, value));
    shared.principal = placeholder("principal", &caller.principal);
    shared.endpoint = placeholder("endpoint", &caller.endpoint);
    shared
}

fn share_params(params: &mut Map<String, Value>, reasked: &[String], names: &mut Names) {
    for (member, value) in params.iter_mut() {
        match (member.as_str(), &mut *value) {
            ("name" | "cursor", _) => {}
            ("_meta", Value::Object(meta)) => {
                let kept = [
                    META_PROTOCOL_VERSION,
                    META_CLIENT_CAPABILITIES,
                    META_LOG_LEVEL,
                ];
                let token = meta.contains_key(META_PROGRESS_TOKEN);
                meta.retain(|key, _| kept.contains(&key.as_str()));
                if token {
                    meta.insert(META_PROGRESS_TOKEN.to_owned(), json!("token"));
                }
            }
            ("requestState", Value::String(state)) => *value = names.name("state", state).into(),
            ("inputResponses", Value::Object(answers)) => {
                for (key, answer) in answers {
                    *answer = shared_answer(answer, reasked.contains(key), names);
                }
            }
            ("arguments", arguments) => {
                *value = names.name("arguments", &arguments.to_string()).into();
            }
            (_, other) => *value = names.name("value", &other.to_string()).into(),
        }
    }
}

/// An answer keeps what the user did, and whether it was taken.
fn shared_answer(answer: &Value, refused: bool, names: &mut Names) -> Value {
    let kind = if refused { "refused" } else { "answer" };
    let placeholder = names.name(kind, &answer.to_string());
    match answer["action"].as_str() {
        Some(action @ ("decline" | "cancel")) => json!({ "action": action }),
        Some("accept") if !refused => json!({ "action": "accept", "content": placeholder }),
        _ => placeholder.into(),
    }
}

/// What comes out, by its shape alone.
pub(super) fn shapes(outputs: &[Output], names: &mut Names) -> Vec<Output> {
    let mut shaped = |message: &Option<String>| message.as_deref().map(|text| shape(text, names));
    outputs
        .iter()
        .map(|output| match output {
            Output::Respond {
                exchange,
                status,
                message,
            } => Output::Respond {
                exchange: *exchange,
                status: *status,
                message: shaped(message),
            },
            Output::Ask {
                exchange,
                status,
                message,
            } => Output::Ask {
                exchange: *exchange,
                status: *status,
                message: shaped(message),
            },
            Output::Push { exchange, message } => Output::Push {
                exchange: *exchange,
                message: shaped(&Some(message.clone())).unwrap_or_default(),
            },
            Output::Other { action } => Output::Other {
                action: action
                    .split([' ', '('])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            },
            other => other.clone(),
        })
        .collect()
}

fn shape(text: &str, names: &mut Names) -> String {
    let message: Value = serde_json::from_str(text).unwrap_or_default();
    let mut shape = Map::new();
    for member in ["id", "method"] {
        if let Some(value) = message.get(member) {
            shape.insert(member.to_owned(), value.clone());
        }
    }
    if let Some(level) = message["params"].get("level") {
        shape.insert("level".to_owned(), level.clone());
    }
    if let Some(error) = message.get("error") {
        shape.insert("error".to_owned(), error["code"].clone());
    }
    if let Some(result) = message.get("result") {
        shape.insert("result".to_owned(), shape_of_result(result, names));
    }
    Value::from(shape).to_string()
}

fn shape_of_result(result: &Value, names: &mut Names) -> Value {
    let mut shape = Map::new();
    for member in ["resultType", "isError"] {
        if let Some(value) = result.get(member) {
            shape.insert(member.to_owned(), value.clone());
        }
    }
    if let Some(questions) = result["inputRequests"].as_object() {
        let kinds = questions.iter().map(|(key, question)| {
            let mode = question["params"]["mode"].as_str();
            let method = question["method"].as_str().unwrap_or_default();
            (key.clone(), json!([method, mode]))
        });
        shape.insert("inputRequests".to_owned(), Value::Object(kinds.collect()));
    }
    if let Some(state) = result["requestState"].as_str() {
        let state = names.name("state", state);
        shape.insert("requestState".to_owned(), state.into());
    }
    if let Some(blocks) = result["content"].as_array() {
        let types: Vec<Value> = blocks.iter().map(|block| block["type"].clone()).collect();
        shape.insert("content".to_owned(), types.into());
    }
    shape.into()
}
