//! A client in virtual time, and the tools it calls.

use std::collections::BTreeSet;

use mcp_reprise::protocol::{CallToolResult, LoggingLevel};
use mcp_reprise::*;
use serde_json::{Map, Value, json};

/// The instant at which every client wakes up.
pub const DAWN: u64 = 1_785_196_800_000;

/// A server of these tools, with the key and the name that all tests share.
pub fn server(tools: impl IntoIterator<Item = Tool>) -> Server {
    built(tools.into_iter().fold(blank(), ServerBuilder::tool))
}

/// A server that offers nothing yet.
pub fn blank() -> ServerBuilder {
    Server::builder("shop", "1.0.0").state_keys(KeyRing::new(key(1)))
}

pub fn built(builder: ServerBuilder) -> Server {
    builder.build().unwrap()
}

pub fn key(byte: u8) -> StateKey {
    StateKey::new(&[byte; 32]).unwrap()
}

/// A tool of a plain closure, whose arguments nobody reads.
pub fn tool(name: &str, step: impl Fn(&mut Cx) -> Outcome + Send + Sync + 'static) -> Tool {
    Tool::new(name).step(move |cx: &mut Cx, _: Value| step(cx))
}

/// A form of one text field, `v`.
pub fn form(words: &str) -> Form {
    Form::new(words).text("v")
}

/// Puts a form of one text field and gives what was typed.
pub fn ask(cx: &mut Cx, name: &str, words: &str) -> Outcome<String> {
    let answer: Value = cx.elicit(name, form(words))?.accepted()?;
    Ok(answer["v"].as_str().unwrap_or_default().to_owned())
}

/// A `once` that cannot fail and gives back its key.
pub fn stamp(cx: &mut Cx, name: &str) -> Outcome<String> {
    let kept = cx.once_blocking(name, Ok::<String, String>);
    kept.map_err(|error| match error {
        OnceError::Failed(error) => ToolError::internal(error),
        OnceError::Stopped(error) => error,
    })
}

pub fn text(words: impl Into<String>) -> Outcome {
    Ok(CallToolResult::text(words))
}

/// An accepted form.
pub fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

/// An accepted form of the one field `v`.
pub fn typed(words: &str) -> Value {
    accept(json!({"v": words}))
}

/// A client in virtual time: one principal, counting ids, each request a second after the last.
#[derive(Clone)]
pub struct Client {
    pub server: Server,
    pub caller: Caller,
    pub now: u64,
    pub throws: u64,
    pub next_id: u64,
    pub capabilities: Value,
    pub log_level: Option<LoggingLevel>,
    pub progress_token: Option<Value>,
    /// The claims that were granted, as the driver would keep them.
    pub claimed: BTreeSet<[u8; 16]>,
    /// Whether the step and what became of it travel through serde on their way.
    pub by_letter: bool,
}

/// What came of one request.
#[derive(Debug, Clone)]
pub struct Round {
    pub method: String,
    /// The params without state, answers and `_meta`.
    pub params: Value,
    pub status: u16,
    /// The bytes of the answer; empty where there is none.
    pub bytes: Vec<u8>,
    pub message: Value,
    pub pushes: Vec<Value>,
    pub observations: Vec<Observation>,
    /// Whether a step ran.
    pub ran: bool,
    /// The claim that was asked for.
    pub claim: Option<[u8; 16]>,
    pub dropped: u64,
}

impl Client {
    pub fn of(server: &Server) -> Self {
        Self {
            server: server.clone(),
            caller: Caller::anonymous(),
            now: DAWN,
            throws: 0,
            next_id: 1,
            capabilities: json!({
                "elicitation": {"form": {}, "url": {}},
                "sampling": {"tools": {}, "context": {}},
                "roots": {},
            }),
            log_level: None,
            progress_token: None,
            claimed: BTreeSet::new(),
            by_letter: false,
        }
    }

    pub fn named(server: &Server, principal: &str) -> Self {
        Self {
            caller: Caller::principal(principal),
            ..Self::of(server)
        }
    }

    /// The same client before another server: the next request goes there.
    pub fn moves_to(&mut self, server: &Server) -> &mut Self {
        self.server = server.clone();
        self
    }

    pub fn later(&mut self, millis: u64) -> &mut Self {
        self.now += millis;
        self
    }

    pub fn meta(&self) -> Value {
        let mut meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        if let Some(level) = self.log_level {
            meta["io.modelcontextprotocol/logLevel"] = serde_json::to_value(level).unwrap();
        }
        if let Some(token) = &self.progress_token {
            meta["progressToken"] = token.clone();
        }
        meta
    }

    /// The body of a request; its id is counted.
    pub fn body(&mut self, method: &str, params: &Value) -> String {
        let id = self.next_id;
        self.next_id += 1;
        let mut params = params.clone();
        params["_meta"] = self.meta();
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
    }

    pub fn moment(&mut self) -> Moment {
        self.now += 1_000;
        self.throws += 1;
        let mut dice = [0x5a; 32];
        dice[..8].copy_from_slice(&self.throws.to_be_bytes());
        Moment::new(Timestamp::from_millis(self.now), dice)
    }

    /// What the server says to one message, before any step is run.
    pub fn receive(&mut self, body: &[u8]) -> Turn {
        let moment = self.moment();
        let exchange = Exchange(self.throws);
        self.server
            .receive(exchange, self.caller.clone(), body, &moment)
    }

    /// Any request, to its end.
    pub fn request(&mut self, method: &str, params: Value) -> Round {
        let body = self.body(method, &params);
        let mut round = self.send(body.as_bytes());
        round.method = method.to_owned();
        round.params = params;
        let params = round.params.as_object_mut().unwrap();
        params.remove("requestState");
        params.remove("inputResponses");
        round
    }

    /// Any message, to its end.
    pub fn send(&mut self, body: &[u8]) -> Round {
        let mut turn = self.receive(body);
        let mut round = Round::empty();
        round.observations.append(&mut turn.observations);
        let mut steps = std::mem::take(&mut turn.steps);
        let mut answers = Vec::new();
        for action in turn.actions {
            match action {
                Action::Claim(claim) => {
                    round.claim = Some(claim.id());
                    if self.claimed.insert(claim.id()) {
                        steps.push(claim.grant());
                    } else {
                        let mut refused = claim.refuse();
                        round.observations.append(&mut refused.observations);
                        answers.append(&mut refused.actions);
                    }
                }
                action => answers.push(action),
            }
        }
        for step in steps {
            round.ran = true;
            let mut turn = self.run(step, &mut round);
            round.observations.append(&mut turn.observations);
            assert!(turn.steps.is_empty());
            answers.append(&mut turn.actions);
        }
        round.take(answers);
        round
    }

    fn run(&self, step: Step, round: &mut Round) -> Turn {
        let sink = Sink::default();
        let step = if self.by_letter {
            let letter = serde_json::to_string(&step.into_data()).unwrap();
            let data: StepData = serde_json::from_str(&letter).unwrap();
            self.server.rejoin(data).unwrap()
        } else {
            step
        };
        let mut finished = step.run(&sink);
        if self.by_letter {
            let letter = serde_json::to_string(&finished).unwrap();
            finished = serde_json::from_str(&letter).unwrap();
        }
        for report in sink.drain() {
            for action in self.server.report(report).actions {
                round.push(action);
            }
        }
        round.dropped = sink.dropped();
        self.server.finish(finished)
    }

    pub fn tool(&mut self, name: &str, arguments: Value) -> Round {
        self.request("tools/call", json!({"name": name, "arguments": arguments}))
    }

    pub fn call(&mut self, name: &str) -> Round {
        self.request("tools/call", json!({"name": name}))
    }

    /// Calls again with the answers to what was asked.
    pub fn answer(&mut self, asked: &Round, answers: Value) -> Round {
        let mut params = asked.params.clone();
        params["requestState"] = asked.state().into();
        params["inputResponses"] = answers;
        self.request(&asked.method, params)
    }

    /// Calls again without an answer.
    pub fn refresh(&mut self, asked: &Round) -> Round {
        let mut params = asked.params.clone();
        params["requestState"] = asked.state().into();
        self.request(&asked.method, params)
    }

    /// Calls again, answering each question of one field by its key: `v-KEY`.
    pub fn answer_all(&mut self, asked: &Round) -> Round {
        let answers: Map<String, Value> = asked
            .keys()
            .into_iter()
            .map(|key| (key.clone(), typed(&format!("v-{key}"))))
            .collect();
        self.answer(asked, answers.into())
    }
}

impl Round {
    fn empty() -> Self {
        Self {
            method: String::new(),
            params: json!({}),
            status: 0,
            bytes: Vec::new(),
            message: Value::Null,
            pushes: Vec::new(),
            observations: Vec::new(),
            ran: false,
            claim: None,
            dropped: 0,
        }
    }

    /// Takes the one answer and what was pushed.
    fn take(&mut self, actions: Vec<Action>) {
        let mut answers = 0;
        for action in actions {
            let response = match action {
                Action::Respond { response, .. } => response,
                Action::InputRequired { response, .. } => {
                    let text = String::from_utf8_lossy(response.message.as_deref().unwrap());
                    assert!(text.contains(r#""resultType":"input_required""#));
                    response
                }
                push @ Action::Push { .. } => {
                    self.push(push);
                    continue;
                }
                action => panic!("a test that does not look at it got {action:?}"),
            };
            answers += 1;
            self.status = response.status.as_u16();
            if let Some(message) = response.message {
                self.message = serde_json::from_slice(&message).unwrap();
                self.bytes = message;
            }
        }
        assert_eq!(answers, 1, "one message has one answer");
    }

    fn push(&mut self, action: Action) {
        let Action::Push { message, .. } = action else {
            panic!("not a push: {action:?}");
        };
        assert!(!message.contains(&b'\n') && !message.contains(&b'\r'));
        self.pushes.push(serde_json::from_slice(&message).unwrap());
    }

    pub fn result(&self) -> &Value {
        assert!(self.message.get("error").is_none(), "{}", self.message);
        &self.message["result"]
    }

    pub fn is_asking(&self) -> bool {
        self.message["result"]["resultType"] == "input_required"
    }

    pub fn state(&self) -> &str {
        let state = self.result()["requestState"].as_str();
        state.unwrap_or_else(|| panic!("nothing was asked: {}", self.message))
    }

    /// The keys of what was asked, sorted.
    pub fn keys(&self) -> Vec<String> {
        let asked = self.result()["inputRequests"].as_object();
        let asked = asked.unwrap_or_else(|| panic!("nothing was asked: {}", self.message));
        asked.keys().cloned().collect()
    }

    /// The words of one question.
    pub fn words(&self, key: &str) -> &str {
        let words = self.result()["inputRequests"][key]["params"]["message"].as_str();
        words.unwrap_or_else(|| panic!("{key} was not asked: {}", self.message))
    }

    /// The text of a tool's good result.
    pub fn text(&self) -> &str {
        assert_eq!(self.result()["isError"], Value::Null, "{}", self.message);
        self.any_text()
    }

    /// The text of a tool's failure.
    pub fn failure(&self) -> &str {
        assert_eq!(self.result()["isError"], true, "{}", self.message);
        self.any_text()
    }

    fn any_text(&self) -> &str {
        let text = self.result()["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("no text: {}", self.message))
    }

    pub fn error(&self) -> &Value {
        let error = self.message.get("error");
        error.unwrap_or_else(|| panic!("no error: {}", self.message))
    }

    pub fn code(&self) -> i64 {
        self.error()["code"].as_i64().unwrap()
    }

    /// The only failure among the observations, with its cause.
    pub fn cause(&self) -> (FailureKind, &str) {
        let mut failures = self.observations.iter().filter_map(|seen| match seen {
            Observation::Failed { failure, cause, .. } => Some((*failure, cause.as_str())),
            _ => None,
        });
        let failure = failures.next().expect("a failure");
        assert_eq!(failures.next(), None);
        failure
    }

    pub fn divergence(&self) -> Option<&Divergence> {
        self.observations.iter().find_map(|seen| match seen {
            Observation::Diverged { divergence, .. } => Some(divergence),
            _ => None,
        })
    }

    /// The question whose answer was refused, and why.
    pub fn refused(&self) -> Option<String> {
        self.observations.iter().find_map(|seen| match seen {
            Observation::AnswerRefused { question, why, .. } => Some(format!("{question}: {why}")),
            _ => None,
        })
    }

    pub fn state_refusal(&self) -> Option<StateRefusal> {
        self.observations.iter().find_map(|seen| match seen {
            Observation::StateRefused { reason, .. } => Some(*reason),
            _ => None,
        })
    }

    /// The text of each log message, in order.
    pub fn logs(&self) -> Vec<String> {
        self.pushes
            .iter()
            .filter(|push| push["method"] == "notifications/message")
            .map(|push| push["params"]["data"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Each progress, in order.
    pub fn progress(&self) -> Vec<f64> {
        self.pushes
            .iter()
            .filter(|push| push["method"] == "notifications/progress")
            .map(|push| push["params"]["progress"].as_f64().unwrap())
            .collect()
    }
}
