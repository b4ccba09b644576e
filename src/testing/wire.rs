//! One message to a server and all that comes of it, as a client and a log see it.

use serde_json::Value;

use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::exchange::{Exchange, Response};
use crate::journal::Divergence;
use crate::json::{Json, ReadLimits};
use crate::moment::Moment;
use crate::observation::{FailureKind, Observation};
use crate::server::Server;
use crate::step::{Finished, Sink};

/// A `tools/call` in parts.
#[derive(Debug, Clone)]
pub(super) struct Message<'a> {
    pub(super) id: &'a Value,
    pub(super) tool: &'a str,
    pub(super) arguments: &'a Value,
    pub(super) meta: &'a serde_json::Map<String, Value>,
    pub(super) state: Option<&'a str>,
    /// The answers, written in this order.
    pub(super) answers: &'a [(String, Value)],
}

impl Message<'_> {
    pub(super) fn body(&self) -> Vec<u8> {
        let Self {
            id,
            arguments,
            answers,
            ..
        } = self;
        let tool = Value::from(self.tool);
        let meta = Value::from(self.meta.clone());
        let mut body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":{tool},"arguments":{arguments},"_meta":{meta}"#
        );
        if let Some(state) = self.state {
            body.push_str(&format!(r#","requestState":{}"#, Value::from(state)));
        }
        if !answers.is_empty() {
            let members: Vec<String> = answers
                .iter()
                .map(|(key, answer)| format!("{}:{answer}", Value::from(key.as_str())))
                .collect();
            body.push_str(&format!(r#","inputResponses":{{{}}}"#, members.join(",")));
        }
        body.push_str("}}");
        body.into_bytes()
    }
}

/// What a result says where the arguments do not fit the type of the step.
const UNREAD: &str = r#""The arguments are not valid: "#;

/// What a client is answered.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    Asked {
        /// The questions in the order of the wire.
        requests: Vec<(String, Value)>,
        /// The same as it was written.
        text: String,
        state: String,
    },
    Done(Ended),
}

/// An answer that ends the call: a result or an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    /// The `result` or the `error` as it was written, its name before it.
    pub(super) text: String,
    /// The whole response.
    pub(super) response: Value,
}

/// One message and all that came of it.
#[derive(Debug, Clone)]
pub(super) struct Round {
    pub(super) reply: Reply,
    pub(super) pushes: Vec<String>,
    pub(super) observations: Vec<Observation>,
    /// The journal as the run left it, opaque; `None` where the call goes on.
    pub(super) journal: Option<String>,
}

impl Round {
    /// What a client can see of it but for ids and states.
    pub(super) fn visible(&self) -> &str {
        match &self.reply {
            Reply::Asked { text, .. } => text,
            Reply::Done(ended) => &ended.text,
        }
    }

    pub(super) fn divergence(&self) -> Option<&Divergence> {
        self.observations
            .iter()
            .find_map(|observation| match observation {
                Observation::Diverged { divergence, .. } => Some(divergence),
                _ => None,
            })
    }

    /// Whether a step ran, and could read its arguments.
    pub(super) fn took_arguments(&self) -> bool {
        self.journal.is_some() && !self.visible().contains(UNREAD)
    }

    /// Whether the tool took the end of the round for an answer.
    pub(super) fn swallowed(&self) -> bool {
        let swallowed = |seen: &Observation| matches!(seen, Observation::HaltSwallowed { .. });
        self.observations.iter().any(swallowed)
    }

    /// Whether the core gave the call up because it was played too often.
    pub(super) fn gave_up(&self) -> bool {
        self.failure().is_some_and(|(kind, _)| {
            matches!(kind, FailureKind::TooManyAsks | FailureKind::TooManyRounds)
        })
    }

    pub(super) fn failure(&self) -> Option<(FailureKind, &str)> {
        self.observations
            .iter()
            .find_map(|observation| match observation {
                Observation::Failed { failure, cause, .. } => Some((*failure, &**cause)),
                _ => None,
            })
    }

    /// In a few words, what came back.
    pub(super) fn brief(&self) -> String {
        let brief = match &self.reply {
            Reply::Asked { requests, .. } => {
                let asked: Vec<String> = requests
                    .iter()
                    .map(|(key, request)| brief_request(key, request))
                    .collect();
                format!("asked {}", asked.join(" and "))
            }
            Reply::Done(ended) => format!("ended with {}", brief_ended(&ended.response)),
        };
        match self.failure() {
            Some((_, cause)) => format!("{brief} ({cause})"),
            None => brief,
        }
    }
}

fn brief_request(key: &str, request: &Value) -> String {
    match request["params"]["message"].as_str() {
        Some(words) => format!("{key:?}: {:?}", shorten(words)),
        None => format!("{key:?}: {}", request["method"].as_str().unwrap_or("?")),
    }
}

pub(super) fn brief_ended(response: &Value) -> String {
    if let Some(error) = response.get("error") {
        let words = error["message"].as_str().unwrap_or_default();
        return format!("error {}: {:?}", error["code"], shorten(words));
    }
    let result = &response["result"];
    let failed = if result["isError"] == true {
        "isError, "
    } else {
        ""
    };
    match result["content"].as_array().map(Vec::as_slice) {
        Some([block]) if block["type"] == "text" => {
            let words = block["text"].as_str().unwrap_or_default();
            format!("{failed}{:?}", shorten(words))
        }
        _ => format!("{failed}{}", shorten(&result["content"].to_string())),
    }
}

pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Sends a message, runs what is to be run on this thread, and gathers what comes back. Every
/// claim is granted: to play a round again is what the kit is for.
pub(super) fn play(server: &Server, caller: &Caller, body: &[u8], moment: &Moment) -> Round {
    let turn = server.receive(Exchange(1), caller.clone(), body, moment);
    gather(server, turn, |finished| server.finish(finished))
}

/// Runs the steps of a turn and gathers everything.
pub(super) fn gather(server: &Server, turn: Turn, finish: impl Fn(Finished) -> Turn) -> Round {
    let mut pushes = Vec::new();
    let mut observations = turn.observations;
    let mut journal = None;
    let mut reply = None;
    let mut steps = turn.steps;
    let mut actions = turn.actions;
    while !steps.is_empty() || !actions.is_empty() {
        for action in std::mem::take(&mut actions) {
            match action {
                Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
                    reply = Some(read(&response));
                }
                Action::Push { message, .. } => {
                    pushes.push(String::from_utf8_lossy(&message).into_owned());
                }
                Action::Claim(claim) => steps.push(claim.grant()),
                _ => {}
            }
        }
        for step in std::mem::take(&mut steps) {
            let sink = Sink::default();
            let finished = step.run(&sink);
            for report in sink.drain() {
                actions.extend(server.report(report).actions);
            }
            if !finished.is_asking() {
                journal = journal_of(&finished);
            }
            let turn = finish(finished);
            actions.extend(turn.actions);
            observations.extend(turn.observations);
        }
    }
    Round {
        reply: reply.expect("a server answers every request"),
        pushes,
        observations,
        journal,
    }
}

pub(super) fn journal_of(finished: &Finished) -> Option<String> {
    let data = serde_json::to_value(finished).ok()?;
    Some(data["call"]["journal"].as_str()?.to_owned())
}

fn read(response: &Response) -> Reply {
    let message = response.message.as_deref().unwrap_or(b"{}");
    let json = Json::read(message, &ReadLimits::default()).expect("a server writes sound JSON");
    let text = |name: &str| {
        json.get(name)
            .map(|member| format!("{name}: {}", member.text()))
    };
    let result = json.get("result");
    let requests = result.and_then(|result| result.get("inputRequests"));
    let state = result.and_then(|result| result.get("requestState")?.as_str());
    if let (Some(requests), Some(state)) = (requests, state) {
        return Reply::Asked {
            requests: requests
                .members()
                .map(|(key, request)| (key.into_owned(), request.parse().unwrap_or_default()))
                .collect(),
            text: requests.text().to_owned(),
            state: state.into_owned(),
        };
    }
    Reply::Done(Ended {
        text: text("result").or_else(|| text("error")).unwrap_or_default(),
        response: json.parse().unwrap_or_default(),
    })
}
