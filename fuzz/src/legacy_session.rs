//! Any sequence of moves in a session of an earlier revision.

use std::collections::{BTreeMap, BTreeSet};

use mcp_reprise::legacy::{Session, Transport};
use mcp_reprise::{Action, Caller, Change, Exchange, Moment, Server, Sink, Step, Timestamp, Turn};
use serde_json::{Value, json};

use super::fixture;
use super::input::Input;

const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

struct Scene {
    server: Server,
    session: Session,
    steps: Vec<Step>,
    /// How often each exchange was answered.
    answered: BTreeMap<u64, u32>,
    /// The events' ids and our questions, as the client saw them.
    marks: Vec<String>,
    asked: Vec<String>,
    ended: BTreeSet<u64>,
    clock: u64,
}

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let version = *input.of(&VERSIONS);
    let transport = *input.of(&[Transport::Http, Transport::Lines]);
    let Some(mut scene) = Scene::open(version, transport) else {
        panic!("{version} was refused");
    };
    for _ in 0..200 {
        if input.is_empty() {
            break;
        }
        scene.play(&mut input);
    }
    let turn = scene.session.end();
    scene.take(turn);
    assert!(scene.session.is_ended() && scene.session.deadline().is_none());
    let late =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "book"}});
    scene.send(late.to_string().as_bytes());
    let left = std::mem::take(&mut scene.steps);
    assert!(left.len() <= 200, "steps are handed out one by one");
    for step in left {
        let finished = step.run(&Sink::default());
        let moment = scene.moment();
        let turn = scene.session.finish(&scene.server, finished, &moment);
        assert!(turn.actions.is_empty() && turn.steps.is_empty(), "{turn:?}");
    }
    let twice = scene.answered.iter().find(|(_, times)| **times > 1);
    assert!(twice.is_none(), "answered twice: {twice:?}");
}

impl Scene {
    fn open(version: &str, transport: Transport) -> Option<Self> {
        let server = fixture::builder().legacy().build().ok()?;
        let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "clientInfo": {"name": "f", "version": "1"},
            "capabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}}});
        let (session, _) = Session::open(
            &server,
            transport,
            Exchange(0),
            &Caller::anonymous(),
            body.to_string().as_bytes(),
            &at(0),
        );
        Some(Self {
            server,
            session: session?,
            steps: Vec::new(),
            answered: BTreeMap::new(),
            marks: Vec::new(),
            asked: Vec::new(),
            ended: BTreeSet::new(),
            clock: 0,
        })
    }

    fn play(&mut self, input: &mut Input<'_>) {
        let before = self.session.revision();
        match input.pick(13) {
            0 => {
                let name = *input.of(&["region", "book", "both", "none"]);
                let id = self.clock;
                self.request(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                    "params": {"name": name, "_meta": {"progressToken": id}}}));
            }
            1 => {
                let id = self.pick_asked(input);
                let result = input.of(&ANSWERS).to_owned();
                let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},{result}}}"#);
                self.send(answer.as_bytes());
            }
            2 => {
                let id = u64::from(input.byte());
                self.request(
                    json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                    "params": {"requestId": id}}),
                );
            }
            3 => self.connect(None),
            4 => {
                let mark = self.marks.get(usize::from(input.byte())).cloned();
                self.connect(Some(mark.unwrap_or_else(|| input.text())));
            }
            5 => {
                let (exchange, moment) = (u64::from(input.byte()), self.moment());
                self.session.disconnected(Exchange(exchange), &moment);
            }
            6 => {
                let id = self.clock;
                let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                    "params": {"name": "book"}});
                self.request(json!([call, {"jsonrpc": "2.0", "id": "p", "method": "ping"}, 5]));
            }
            7 => self.run(),
            8 => {
                let written = serde_json::to_string(&self.session).expect("it can be written");
                assert!(written.len() < 8 << 20, "{} bytes", written.len());
                self.session = serde_json::from_str(&written).expect("it can be read");
                assert_eq!(
                    serde_json::to_string(&self.session).expect("again"),
                    written
                );
            }
            9 => {
                let method = *input.of(&[
                    "notifications/initialized",
                    "ping",
                    "tools/list",
                    "logging/setLevel",
                    "resources/subscribe",
                    "initialize",
                ]);
                let id = self.clock;
                self.request(json!({"jsonrpc": "2.0", "id": id, "method": method,
                    "params": {"level": "debug", "uri": "test://a"}}));
            }
            10 => {
                let change = input
                    .of(&[Change::ToolsList, Change::resource("test://a")])
                    .clone();
                self.session.notify(&change);
                let turn = self.session.flush();
                self.take(turn);
            }
            11 => {
                self.clock += 60_000 * u64::from(input.byte());
                let moment = self.moment();
                let turn = self.session.tick(&self.server, &moment);
                self.take(turn);
            }
            _ => {
                let body = input.bytes().to_vec();
                self.send(&body);
            }
        }
        assert!(self.session.revision() >= before);
    }

    fn pick_asked(&self, input: &mut Input<'_>) -> String {
        let place = usize::from(input.byte());
        self.asked
            .get(place)
            .cloned()
            .unwrap_or_else(|| "\"ask-1\"".to_owned())
    }

    fn request(&mut self, message: Value) {
        self.send(message.to_string().as_bytes());
    }

    fn send(&mut self, body: &[u8]) {
        let moment = self.moment();
        let exchange = Exchange(self.clock);
        let caller = Caller::anonymous();
        let turn = self
            .session
            .receive(&self.server, exchange, caller, body, &moment);
        self.take(turn);
    }

    fn connect(&mut self, last: Option<String>) {
        let moment = self.moment();
        let exchange = Exchange(self.clock);
        let turn = self
            .session
            .connect(&self.server, exchange, last.as_deref(), &moment);
        self.take(turn);
    }

    fn run(&mut self) {
        let Some(step) = self.steps.pop() else { return };
        let sink = Sink::default();
        let finished = step.run(&sink);
        for report in sink.drain() {
            let turn = self.session.report(&self.server, report);
            self.take(turn);
        }
        let moment = self.moment();
        let turn = self.session.finish(&self.server, finished, &moment);
        self.take(turn);
    }

    fn moment(&mut self) -> Moment {
        self.clock += 1;
        at(self.clock)
    }

    fn take(&mut self, turn: Turn) {
        for action in turn.actions {
            let exchange = action.exchange().0;
            // What is cancelled or awaited is a call, and may go on after its first connection.
            let says = !matches!(action, Action::Cancel { .. } | Action::AwaitAnswer { .. });
            let over = says && self.ended.contains(&exchange);
            assert!(!over, "said after the end: {action:?}");
            match action {
                Action::Respond { response, .. } => {
                    *self.answered.entry(exchange).or_default() += 1;
                    self.ended.insert(exchange);
                    if let Some(message) = response.message {
                        serde_json::from_slice::<Value>(&message).expect("a message is JSON");
                    }
                }
                Action::Push { message, event, .. } => {
                    self.marks.extend(event.map(|event| event.id));
                    if !message.is_empty() {
                        let message: Value = serde_json::from_slice(&message).expect("JSON");
                        if message["method"].is_string() && message["id"].is_string() {
                            self.asked.push(message["id"].to_string());
                        }
                    }
                }
                Action::End { .. } | Action::Cancel { .. } => drop(self.ended.insert(exchange)),
                _ => {}
            }
        }
        self.steps.extend(turn.steps);
    }
}

const ANSWERS: [&str; 5] = [
    r#""result":{"action":"accept","content":{"day":"d","seats":1,"sure":true}}"#,
    r#""result":{"action":"accept","content":{"sure":true}}"#,
    r#""result":{"action":"decline"}"#,
    r#""result":7"#,
    r#""error":{"code":1,"message":"no"}"#,
];

fn at(millis: u64) -> Moment {
    let mut dice = [3; 32];
    dice[..8].copy_from_slice(&millis.to_be_bytes());
    Moment::new(Timestamp::from_millis(millis), dice)
}
