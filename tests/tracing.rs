//! What is observed: the observations of calls and sessions, what they make of spans and events,
//! and what `Debug` never shows.

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{
    Action, CallEnd, Caller, Cx, ErrorKind, Exchange, Form, Moment, Observation, Outcome, Server,
    ServerBuilder, Sink, Timestamp, Tool, ToolError, Turn,
};
use serde_json::{Value, json};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const SECRETS: [&str; 4] = ["an-argument", "an-answer", "a-token", "a-question"];

fn ask(cx: &mut Cx, _: Value) -> Outcome {
    let form = Form::new("a-question").text("word");
    let word: Value = cx.elicit("word", form)?.accepted()?;
    let again: Value = cx
        .elicit("again", Form::new("a-question").text("word"))?
        .accepted()?;
    Ok(CallToolResult::text(format!("{word}, {again}")))
}

fn fail(_: &mut Cx, _: Value) -> Outcome {
    Err(ToolError::internal("the disk is full"))
}

fn builder() -> ServerBuilder {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string" } },
        "required": ["a"],
    });
    Server::builder("traced", "1.0.0")
        .single_process([7; 32])
        .tool(Tool::new("ask").input_schema(schema).step(ask))
        .tool(Tool::new("fail").step(fail))
}

fn server() -> Server {
    builder().observe_calls().build().unwrap()
}

fn moment() -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32])
}

fn call(tool: &str, more: Value) -> String {
    let mut params = json!({ "name": tool, "arguments": { "a": "an-argument" }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "traceparent": PARENT,
        "tracestate": "a=1",
    } });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    json!({ "jsonrpc": "2.0", "id": "one", "method": "tools/call", "params": params }).to_string()
}

/// A caller who brought something that is nobody's business.
fn caller() -> Caller {
    Caller::principal("alice").assign("token", "a-token")
}

fn receive(server: &Server, body: &str) -> Turn {
    server.receive(Exchange(1), caller(), body.as_bytes(), &moment())
}

/// Plays a call, and gives its observations and its state.
fn play(server: &Server, body: &str) -> (Vec<Observation>, Value) {
    let mut turn = receive(server, body);
    let mut observed = std::mem::take(&mut turn.observations);
    if let Some(step) = turn.steps.pop() {
        let finished = step.run(&Sink::default());
        turn = server.finish(finished);
        observed.append(&mut turn.observations);
    }
    let state = match &*turn.actions {
        [Action::InputRequired { response, .. }] => {
            let message = response.message.as_deref().unwrap();
            let message: Value = serde_json::from_slice(message).unwrap();
            message["result"]["requestState"].clone()
        }
        _ => Value::Null,
    };
    (observed, state)
}

fn answers(state: Value) -> Value {
    let answer = json!({ "action": "accept", "content": { "word": "an-answer" } });
    json!({ "requestState": state, "inputResponses": { "word": answer, "again": answer } })
}

#[test]
fn a_call_is_observed_from_its_beginning_to_its_end() {
    let server = server();
    let (observed, state) = play(&server, &call("ask", json!({})));
    let [
        Observation::CallStarted { call: start, .. },
        Observation::InputRequired { questions, .. },
        Observation::CallStopped {
            end: CallEnd::InputRequired,
            ..
        },
    ] = &*observed
    else {
        panic!("{observed:?}");
    };
    assert_eq!((start.method, &*start.name), ("tools/call", "ask"));
    assert_eq!(start.request_id, "\"one\"");
    assert_eq!(start.traceparent.as_deref(), Some(PARENT));
    assert_eq!(start.tracestate.as_deref(), Some("a=1"));
    assert_eq!((start.protocol_version, start.round), ("2026-07-28", 1));
    assert_eq!((questions.len(), &*questions[0].key), (1, "word"));

    let (observed, _) = play(&server, &call("ask", answers(state)));
    let [
        Observation::CallStarted { call: start, .. },
        Observation::Answered {
            questions: answered,
            ..
        },
        Observation::InputRequired {
            questions: asked, ..
        },
        Observation::CallStopped { .. },
    ] = &*observed
    else {
        panic!("{observed:?}");
    };
    assert_eq!(start.round, 2);
    assert_eq!((&*answered[0].key, &*asked[0].key), ("word", "again"));
    assert!(
        SECRETS
            .iter()
            .all(|secret| !format!("{observed:?}").contains(secret))
    );
}

#[test]
fn a_failure_is_before_the_tool_or_in_it() {
    for (body, failed) in [
        (call("fail", json!({})), (ErrorKind::InTool, "error")),
        (
            call("ask", json!({ "arguments": {} })),
            (ErrorKind::BeforeTool, "invalid_arguments"),
        ),
    ] {
        let (observed, _) = play(&server(), &body);
        let Some(Observation::CallStopped {
            end:
                CallEnd::Failed {
                    error_kind,
                    error_type,
                },
            ..
        }) = observed.last()
        else {
            panic!("{observed:?}");
        };
        assert_eq!((*error_kind, *error_type), failed);
    }
}

#[test]
fn what_goes_well_is_observed_only_when_asked_for() {
    let (observed, _) = play(&builder().build().unwrap(), &call("ask", json!({})));
    assert!(observed.is_empty(), "{observed:?}");
}

/// Where the operator wants the words, they are there, escaped and cut.
#[test]
fn words_are_observed_only_when_asked_for() {
    fn long(cx: &mut Cx, _: Value) -> Outcome {
        let question = format!("a-question\n{}", "?".repeat(500));
        let _: Value = cx
            .elicit("word", Form::new(question).text("word"))?
            .accepted()?;
        Ok(CallToolResult::text("done"))
    }
    let tool = || Tool::new("long").step(long);
    let words = |server: Server| {
        let (mut observed, state) = play(&server, &call("long", json!({})));
        let long = format!("an-answer {}", "!".repeat(500));
        let answer = json!({ "action": "accept", "content": { "word": long } });
        let more = json!({ "requestState": state, "inputResponses": { "word": answer } });
        observed.extend(play(&server, &call("long", more)).0);
        observed
            .iter()
            .filter_map(|observation| match observation {
                Observation::InputRequired { words, .. } | Observation::Answered { words, .. } => {
                    Some(words.clone())
                }
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let without = words(builder().observe_calls().tool(tool()).build().unwrap());
    assert_eq!(without, [Vec::<String>::new(), Vec::new()]);
    let with = words(builder().observe_words().tool(tool()).build().unwrap());
    let [question, answer] = &*with else {
        panic!("{with:?}");
    };
    assert!(
        question[0].starts_with("a-question\\u{a}??"),
        "{question:?}"
    );
    assert!(answer[0].contains("an-answer !!"), "{answer:?}");
    for words in [question, answer] {
        assert_eq!(words.len(), 1);
        assert!(
            words[0].ends_with('…') && !words[0].contains('\n'),
            "{words:?}"
        );
        // 128 characters, one of them escaped as five, and the mark.
        assert!(words[0].chars().count() <= 128 + 5, "{words:?}");
    }
}

/// What does not fit the author's type is told to the log without being quoted.
#[test]
fn an_answer_that_is_misread_is_not_quoted() {
    fn misread(cx: &mut Cx, _: Value) -> Outcome {
        let form = Form::new("Which?").text("word");
        let _: std::collections::BTreeMap<String, u32> = cx.elicit("word", form)?.accepted()?;
        Ok(CallToolResult::text("done"))
    }
    let tool = Tool::new("misread").step(misread);
    let server = builder().tool(tool).observe_calls().build().unwrap();
    let (_, state) = play(&server, &call("misread", json!({})));
    let (observed, _) = play(&server, &call("misread", answers(state)));
    let shown = format!("{observed:?}");
    assert!(
        shown.contains("answer_type") || shown.contains("AnswerType"),
        "{shown}"
    );
    assert!(!shown.contains("an-answer"), "{shown}");
    assert!(shown.contains("expected u32"), "{shown}");
}

/// Arguments that the author's type does not take are refused before the author's code.
#[test]
fn arguments_of_another_type_fail_before_the_tool() {
    let strict = |_: &mut Cx, _: Vec<u8>| CallToolResult::text("done");
    let tool = Tool::new("strict").step(strict);
    let server = builder().tool(tool).observe_calls().build().unwrap();
    let (observed, _) = play(&server, &call("strict", json!({})));
    let failed = Some((ErrorKind::BeforeTool, "invalid_params"));
    assert_eq!(ended(&observed), failed);
    let cancelled = Sink::default();
    cancelled.cancel();
    let step = receive(&server, &call("fail", json!({}))).steps.remove(0);
    let turn = server.finish(step.run(&cancelled));
    let failed = Some((ErrorKind::BeforeTool, "cancelled"));
    assert_eq!(ended(&turn.observations), failed);
}

/// What a driver puts around a step may call it twice, leave it out, or panic: the first is one run,
/// and the others are failures of the call.
#[test]
fn what_is_put_around_a_step_is_no_part_of_it() {
    let server = server();
    let run = |body: &str, around: fn(&mut dyn FnMut())| {
        let step = receive(&server, body).steps.remove(0);
        let turn = server.finish(step.run(&Sink::around(|| {}, around)));
        let failed = turn.observations.iter().find_map(|seen| match seen {
            Observation::Failed { cause, .. } => Some(cause.clone()),
            _ => None,
        });
        (ended(&turn.observations), failed)
    };
    let (plain, asks) = (call("fail", json!({})), call("ask", json!({})));
    let twice = |run: &mut dyn FnMut()| {
        run();
        run();
    };
    assert_eq!(run(&asks, twice), (None, None));
    let disk = Some("the disk is full".to_owned());
    let in_tool = Some((ErrorKind::InTool, "error"));
    assert_eq!(run(&plain, twice), (in_tool, disk));
    let left_out = Some("what was put around the step left it out".to_owned());
    let before = Some((ErrorKind::BeforeTool, "error"));
    assert_eq!(run(&plain, |_| {}), (before, left_out));
    let panics = Some((ErrorKind::BeforeTool, "panic"));
    let words = Some("the span is gone".to_owned());
    assert_eq!(run(&plain, |_| panic!("the span is gone")), (panics, words));
}

/// How the last call that failed did.
fn ended(observed: &[Observation]) -> Option<(ErrorKind, &'static str)> {
    observed
        .iter()
        .rev()
        .find_map(|observation| match observation {
            Observation::CallStopped {
                end:
                    CallEnd::Failed {
                        error_kind,
                        error_type,
                    },
                ..
            } => Some((*error_kind, *error_type)),
            _ => None,
        })
}

/// Whatever is answered with an error leaves a line in the log.
#[test]
fn every_error_is_observed() {
    let (server, mut more) = (server(), json!({}));
    more["_meta"] = json!({});
    let bodies = [
        "{".to_owned(),
        "[]".to_owned(),
        json!({ "jsonrpc": "2.0", "id": 1 }).to_string(),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }).to_string(),
        call("ask", more),
        call("none", json!({})),
        call("ask", json!({ "arguments": 1 })),
        call("ask", json!({ "requestState": "forged" })),
        call("ask", json!({ "requestState": 1 })),
        call("ask", json!({})).replace("tools/call", "tools/none"),
        call("ask", json!({})).replace("tools/call", "prompts/get"),
        call("ask", json!({ "cursor": "none" })).replace("tools/call", "tools/list"),
    ];
    for body in bodies {
        let turn = receive(&server, &body);
        assert!(turn.steps.is_empty(), "{body}");
        assert!(!turn.observations.is_empty(), "{body}");
    }
}

/// What a client sends can neither break a line of the log nor fill it.
#[test]
fn text_of_the_client_is_escaped_and_cut() {
    let long = format!("a\n{}", "b".repeat(500));
    let meta = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "traceparent": "not one\n",
        "tracestate": "a=1",
    } });
    let mut body: Value = serde_json::from_str(&call("fail", meta)).unwrap();
    body["id"] = long.into();
    let (observed, _) = play(&server(), &body.to_string());
    let Observation::CallStarted { call, .. } = &observed[0] else {
        panic!("{observed:?}");
    };
    assert!(call.request_id.chars().count() <= 129 && !call.request_id.contains('\n'));
    assert_eq!((&call.traceparent, &call.tracestate), (&None, &None));
}

/// A step, what came of it, and what the driver may print of them show no secret.
#[test]
fn debug_of_a_step_shows_no_secret() {
    let server = server();
    let (_, state) = play(&server, &call("ask", json!({})));
    let state = state.as_str().unwrap().to_owned();
    let mut turn = receive(&server, &call("ask", answers(state.clone().into())));
    let step = turn.steps.remove(0);
    let mut shown = format!("{step:?} {step:#?}");
    let finished = step.run(&Sink::default());
    shown.push_str(&format!("{finished:?}"));
    let data = receive(&server, &call("ask", answers(state.clone().into())));
    let data = data.steps.into_iter().next().unwrap().into_data();
    shown.push_str(&format!("{data:?}"));
    for secret in SECRETS.iter().copied().chain([&*state]) {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}

#[cfg(feature = "legacy")]
mod in_sessions {
    use super::*;
    use mcp_reprise::legacy::{Session, Sessions, Transport};

    fn initialize() -> String {
        let params = json!({ "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "client", "version": "1" } });
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string()
    }

    fn legacy() -> Server {
        builder().observe_calls().legacy().build().unwrap()
    }

    fn kinds(observed: &[Observation]) -> Vec<String> {
        let word = |observation| {
            let shown = format!("{observation:?}");
            shown.split(' ').next().unwrap_or_default().to_owned()
        };
        observed.iter().map(word).collect()
    }

    #[test]
    fn a_session_is_observed_and_shows_no_secret() {
        let (server, at) = (legacy(), moment());
        let body = initialize();
        let (session, turn) = Session::open(
            &server,
            Transport::Http,
            Exchange(1),
            &caller(),
            body.as_bytes(),
            &at,
        );
        let mut session = session.unwrap();
        assert_eq!(kinds(&turn.observations), ["SessionStarted"]);
        let id = session.id().to_owned();
        assert!(!format!("{:?}", turn.observations).contains(&id));

        let params = json!({ "name": "ask", "arguments": { "a": "an-argument" } });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let body = body.to_string();
        let mut turn = session.receive(&server, Exchange(2), caller(), body.as_bytes(), &at);
        assert_eq!(kinds(&turn.observations), ["CallStarted"]);
        let finished = turn.steps.remove(0).run(&Sink::default());
        let turn = session.finish(&server, finished, &at);
        assert_eq!(kinds(&turn.observations), ["InputRequired"]);
        let content = json!({ "action": "accept", "content": { "word": "an-answer" } });
        let answer = json!({ "jsonrpc": "2.0", "id": "ask-1", "result": content }).to_string();
        let mut turn = session.receive(&server, Exchange(3), caller(), answer.as_bytes(), &at);
        assert_eq!(kinds(&turn.observations), ["Answered"]);
        let finished = turn.steps.remove(0).run(&Sink::default());
        session.finish(&server, finished, &at);
        let shown = format!("{session:?} {session:#?}");
        for secret in SECRETS.iter().copied().chain([&*id]) {
            assert!(!shown.contains(secret), "{secret} in {shown}");
        }
        let turn = session.end();
        assert_eq!(kinds(&turn.observations), ["CallCancelled", "SessionEnded"]);
    }

    #[test]
    fn arguments_that_are_not_good_are_observed_before_the_tool() {
        let (server, at) = (legacy(), moment());
        let body = initialize();
        let over = Transport::Lines;
        let opened = Session::open(&server, over, Exchange(1), &caller(), body.as_bytes(), &at);
        let mut session = opened.0.unwrap();
        let params = json!({ "name": "ask", "arguments": {} });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let body = body.to_string();
        let turn = session.receive(&server, Exchange(2), caller(), body.as_bytes(), &at);
        assert_eq!(kinds(&turn.observations), ["CallStarted", "CallStopped"]);
    }

    /// A session that speaks a version, and its server.
    fn opened(server: &Server, version: &str, over: Transport) -> Session {
        let body = initialize().replace("2025-11-25", version);
        let (at, body) = (moment(), body.as_bytes());
        let opened = Session::open(server, over, Exchange(1), &caller(), body, &at);
        opened.0.unwrap()
    }

    fn request(id: u32, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    }

    /// Of a batch nothing is lost: neither what was refused before a step, nor after it.
    #[test]
    fn a_batch_is_observed_as_its_messages_are() {
        let (server, at) = (legacy(), moment());
        let mut session = opened(&server, "2025-03-26", Transport::Http);
        let batch = json!([
            1,
            request(1, "ask", json!({})),
            request(2, "none", json!({})),
            request(3, "fail", json!({})),
            request(4, "ask", json!({})),
            request(5, "none", json!({})),
        ]);
        let batch = batch.to_string();
        let mut turn = session.receive(&server, Exchange(2), caller(), batch.as_bytes(), &at);
        let (unreadable, refused) = ("Rejected", ["CallStarted", "CallStopped"]);
        let mut before = vec![unreadable];
        before.extend(refused);
        before.extend(["Rejected", "CallStarted"]);
        assert_eq!(kinds(&turn.observations), before);
        let finished = turn.steps.remove(0).run(&Sink::default());
        let turn = session.finish(&server, finished, &at);
        let mut after = kinds(&turn.observations);
        after.sort();
        let mut told = vec!["CallStopped", "Failed", "Rejected"];
        told.extend(refused);
        told.sort();
        assert_eq!(after, told);
    }

    /// A round that is refused before its tool runs is told so, also where a round before it ran.
    #[test]
    fn a_round_that_is_not_run_fails_before_the_tool() {
        let server = legacy();
        let mut session = opened(&server, "2025-11-25", Transport::Http);
        let at = moment();
        let body = request(1, "ask", json!({ "a": "an-argument" })).to_string();
        let mut turn = session.receive(&server, Exchange(2), caller(), body.as_bytes(), &at);
        let finished = turn.steps.remove(0).run(&Sink::default());
        session.finish(&server, finished, &at);
        // Meanwhile the tool was taken away.
        let other = Server::builder("traced", "1.0.0")
            .single_process([7; 32])
            .legacy();
        let other = other.observe_calls().build().unwrap();
        let content = json!({ "action": "accept", "content": { "word": "an-answer" } });
        let answer = json!({ "jsonrpc": "2.0", "id": "ask-1", "result": content }).to_string();
        let mut unanswered = session.clone();
        let turn = session.receive(&other, Exchange(3), caller(), answer.as_bytes(), &at);
        let failed = Some((ErrorKind::BeforeTool, "diverged"));
        assert_eq!(ended(&turn.observations), failed, "{turn:?}");
        // Nobody answers: the call has come to its question, and fails there.
        let late = Moment::new(at.now.after(std::time::Duration::from_secs(3_600)), [8; 32]);
        let turn = unanswered.tick(&server, &late);
        let failed = Some((ErrorKind::InTool, "unanswered"));
        assert_eq!(ended(&turn.observations), failed, "{turn:?}");
    }

    /// Whatever a session or a connection of lines answers with an error leaves a line in the log.
    #[test]
    fn every_error_is_observed_here_too() {
        let server = legacy();
        let bodies = [
            "{".to_owned(),
            "[]".to_owned(),
            initialize(),
            request(1, "none", json!({})).to_string(),
            request(1, "ask", json!(1)).to_string(),
            request(1, "ask", json!({})).to_string(),
            request(1, "ask", json!({}))
                .to_string()
                .replace("tools/call", "none"),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "logging/setLevel" }).to_string(),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe" }).to_string(),
        ];
        for body in bodies {
            let mut session = opened(&server, "2025-06-18", Transport::Http);
            let turn = session.receive(&server, Exchange(2), caller(), body.as_bytes(), &moment());
            assert!(turn.steps.is_empty(), "{body}");
            assert!(!turn.observations.is_empty(), "{body}");
        }
        let mut connection = mcp_reprise::lines::Connection::new(server);
        let twice = request(1, "ask", json!({ "a": "an-argument" }));
        connection.feed(format!("{}\n{twice}\n{twice}\n", initialize()).as_bytes());
        let turn = |connection: &mut mcp_reprise::lines::Connection, exchange| {
            let turn = connection.next_turn(Exchange(exchange), caller(), &moment());
            let turn = turn.unwrap();
            let observed = kinds(&turn.observations);
            let mut out = Vec::new();
            for action in turn.actions {
                connection.write(action, &mut out);
            }
            observed
        };
        assert_eq!(turn(&mut connection, 1), ["SessionStarted"]);
        assert_eq!(turn(&mut connection, 2), ["CallStarted"]);
        assert_eq!(turn(&mut connection, 3), ["Rejected"]);
    }

    #[test]
    fn a_session_that_there_is_not_is_a_miss() {
        let (server, at) = (legacy(), moment());
        let mut sessions = Sessions::default();
        let open = http::Request::post("/mcp").body(initialize()).unwrap();
        sessions.receive(&server, Exchange(1), &caller(), &open, &at);
        assert_eq!(format!("{sessions:?}"), "Sessions(1)");
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
        let request = http::Request::post("/mcp").header("mcp-session-id", "none");
        let request = request.body(ping).unwrap();
        let turn = sessions.receive(&server, Exchange(2), &caller(), &request, &at);
        let observed = turn.unwrap().observations;
        assert_eq!(kinds(&observed), ["Rejected", "SessionMissed"]);
    }
}

#[cfg(feature = "tracing")]
mod spans {
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use mcp_reprise::tracing::{Tracer, observer};
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    /// Fields by their names.
    #[derive(Debug, Default, Clone)]
    struct Fields(BTreeMap<String, String>);

    impl Visit for Fields {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            self.0.insert(field.name().to_owned(), format!("{value:?}"));
        }

        fn record_str(&mut self, field: &Field, value: &str) {
            self.0.insert(field.name().to_owned(), value.to_owned());
        }
    }

    #[derive(Debug, Default)]
    struct Seen {
        spans: Vec<Fields>,
        closed: usize,
        current: Vec<u64>,
        /// Each event with the span it is in, counted from 1; 0 is none.
        events: Vec<(u64, Fields)>,
    }

    /// Keeps all it is told.
    #[derive(Clone, Default)]
    struct Keeper(Arc<Mutex<Seen>>);

    impl Subscriber for Keeper {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            let mut fields = Fields::default();
            span.record(&mut fields);
            let mut seen = self.0.lock().unwrap();
            seen.spans.push(fields);
            Id::from_u64(seen.spans.len() as u64)
        }

        fn record(&self, span: &Id, values: &Record<'_>) {
            let at = span.into_u64() as usize - 1;
            values.record(&mut self.0.lock().unwrap().spans[at]);
        }

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            let mut fields = Fields::default();
            event.record(&mut fields);
            let mut seen = self.0.lock().unwrap();
            let span = seen.current.last().copied().unwrap_or_default();
            seen.events.push((span, fields));
        }

        fn enter(&self, span: &Id) {
            self.0.lock().unwrap().current.push(span.into_u64());
        }

        fn exit(&self, _: &Id) {
            self.0.lock().unwrap().current.pop();
        }

        fn clone_span(&self, span: &Id) -> Id {
            span.clone()
        }

        fn try_close(&self, _: Id) -> bool {
            self.0.lock().unwrap().closed += 1;
            true
        }
    }

    fn traced(observed: &[Observation]) -> Seen {
        let keeper = Keeper::default();
        tracing::subscriber::with_default(keeper.clone(), || {
            observed.iter().for_each(observer());
        });
        let mut seen = keeper.0.lock().unwrap();
        std::mem::take(&mut *seen)
    }

    fn messages(seen: &Seen) -> Vec<(u64, &str)> {
        let events = seen.events.iter();
        events
            .map(|(span, event)| (*span, &*event.0["message"]))
            .collect()
    }

    #[test]
    fn a_call_is_one_span_with_the_fields_of_the_conventions() {
        let (observed, _) = play(&server(), &call("ask", json!({})));
        let seen = traced(&observed);
        let [span] = &*seen.spans else {
            panic!("{seen:?}");
        };
        for (name, value) in [
            ("otel.name", "tools/call ask"),
            ("otel.kind", "server"),
            ("mcp.method.name", "tools/call"),
            ("mcp.protocol.version", "2026-07-28"),
            ("jsonrpc.request.id", "one"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "ask"),
            ("traceparent", PARENT),
            ("tracestate", "a=1"),
            ("mcp_reprise.round", "1"),
        ] {
            assert_eq!(span.0.get(name).map(String::as_str), Some(value), "{name}");
        }
        assert!(!span.0.contains_key("mcp.session.id"));
        assert!(!span.0.contains_key("error.type"));
        let said = messages(&seen);
        assert_eq!(
            said,
            [
                (1, "started"),
                (1, "input required"),
                (1, "stopped for input")
            ]
        );
        let shown = format!("{seen:?}");
        assert!(
            SECRETS.iter().all(|secret| !shown.contains(secret)),
            "{shown}"
        );
    }

    #[test]
    fn a_failure_is_named_on_its_span() {
        let (observed, _) = play(&server(), &call("fail", json!({})));
        let seen = traced(&observed);
        assert_eq!(seen.spans[0].0["error.type"], "error");
        let said = messages(&seen);
        assert_eq!(said, [(1, "started"), (1, "failed"), (1, "stopped")]);
        assert_eq!(seen.events[2].1.0["error_kind"], "in_tool");
        assert!(seen.closed > 0);
    }

    #[test]
    fn a_refused_state_is_told_with_its_true_reason() {
        let state = json!({ "requestState": "forged" });
        let (observed, _) = play(&server(), &call("ask", state));
        let seen = traced(&observed);
        assert_eq!(messages(&seen), [(0, "request state refused")]);
        let reason = &seen.events[0].1.0["reason"];
        assert_eq!(reason, "the request state was not sealed for this request");
        let turn = receive(&server(), "{");
        assert_eq!(messages(&traced(&turn.observations)), [(0, "rejected")]);
    }

    /// A driver runs the step in the span of its call; the span is there until the call ends.
    #[test]
    fn a_driver_finds_the_span_of_a_call() {
        let keeper = Keeper::default();
        tracing::subscriber::with_default(keeper, || {
            let (tracer, server) = (Tracer::default(), server());
            let turn = receive(&server, &call("fail", json!({})));
            turn.observations.iter().for_each(|o| tracer.observe(o));
            assert!(tracer.span(Exchange(1)).id().is_some());
            let step = turn.steps.into_iter().next().unwrap();
            let finished = tracer
                .span(Exchange(1))
                .in_scope(|| step.run(&Sink::default()));
            let turn = server.finish(finished);
            turn.observations.iter().for_each(|o| tracer.observe(o));
            assert!(tracer.span(Exchange(1)).id().is_none());
        });
    }
}

/// A client that hangs up is the end of its call, and is told as such.
#[cfg(feature = "tower")]
#[tokio::test]
async fn a_client_that_hangs_up_is_observed() {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use http_body_util::Full;
    use hyper::body::Bytes;
    use mcp_reprise::adapters::tower::McpService;
    use tower_service::Service;

    async fn wait(_: &mut Cx, _: Value) -> Outcome {
        std::future::pending().await
    }
    let tool = Tool::new("wait").step(wait);
    let server = builder().tool(tool).observe_calls().build().unwrap();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&told);
    let mut service = McpService::builder(server)
        .observe(move |observation| kept.lock().unwrap().push(format!("{observation:?}")))
        .build();
    let request = http::Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "wait")
        .body(Full::new(Bytes::from(call("wait", json!({})))))
        .unwrap();
    let calling = service.call(request);
    let hung_up = tokio::time::timeout(Duration::from_millis(50), calling).await;
    assert!(hung_up.is_err());
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("CallStarted") && told[1].starts_with("CallCancelled"));
}
