//! `Debug` shows nobody's secrets: a word that stands in arguments, in answers, in states, in
//! tokens and in session ids is printed by no type that carries one.
//!
//! What is left out here carries nothing of a client by itself. `protocol` has the shapes of the
//! wire, which are data as their reader made them; `Answer` and `Structured` show what the author's
//! own type shows; and a `Script` and what becomes of it are what a test made up.

use mcp_reprise::http::{Endpoint, Exchanges, Part, Reply};
use mcp_reprise::lines::Connection;
use mcp_reprise::protocol::{CallToolResult, CompleteResult, LoggingLevel};
use mcp_reprise::*;
use serde_json::{Value, json};

/// Stands in arguments, in answers, in results, in assigns: in all that is somebody's.
const CANARY: &str = "canary-4711";

fn ask(cx: &mut Cx, arguments: Value) -> Outcome {
    cx.progress(Progress::new(1).message(CANARY));
    cx.log(LoggingLevel::Info, CANARY);
    note(format!("{cx:?} {cx:#?}"));
    let form = Form::new(CANARY).text("word");
    let word: Value = cx
        .elicit("word", form)
        .inspect_err(|error| note(format!("{error:?}")))?
        .accepted()?;
    Ok(CallToolResult::text(format!("{word}{arguments}{CANARY}")))
}

#[derive(Debug, serde::Deserialize)]
struct Count {
    #[expect(dead_code, reason = "it is there to be misread")]
    count: u32,
}

fn strict(_: &mut Cx, _: Count) -> Outcome {
    Ok(CallToolResult::text(CANARY))
}

/// Reads the answer into a type that it does not fit.
fn misread(cx: &mut Cx, _: Value) -> Outcome {
    let count: Count = cx
        .elicit("word", Form::new("Which?").text("count"))?
        .accepted()?;
    note(format!("{count:?}"));
    Ok(CallToolResult::text("read"))
}

thread_local! {
    /// What steps have seen printed of what they hold.
    static NOTED: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

fn note(shown: String) {
    NOTED.with_borrow_mut(|noted| noted.push_str(&shown));
}

/// All that was printed.
#[derive(Default)]
struct Shown(String);

impl Shown {
    fn show(&mut self, shown: &impl std::fmt::Debug) {
        self.0.push_str(&format!("{shown:?}\n{shown:#?}\n"));
        // A message that is a list of bytes shows its text to whoever reads numbers.
        let bytes: Vec<String> = CANARY.bytes().map(|byte| byte.to_string()).collect();
        assert!(!self.0.contains(&bytes.join(", ")), "{}", self.0);
    }

    #[track_caller]
    fn is_clean(&self, secrets: &[&str]) {
        let noted = NOTED.take();
        for secret in secrets.iter().chain([&CANARY]) {
            for shown in [&self.0, &noted] {
                assert!(!shown.contains(secret), "{secret} in {shown}");
            }
        }
    }
}

fn builder() -> ServerBuilder {
    let prompt = Prompt::new("greet")
        .optional("city", "Where")
        .step(|_: &mut Cx, _: Value| mcp_reprise::protocol::GetPromptResult::new([]))
        .complete(
            "city",
            |_: &mut Cx, typed: Completing| -> Outcome<CompleteResult> {
                note(format!("{typed:?}"));
                Ok(CompleteResult::values([typed.value]))
            },
        );
    Server::builder("quiet", "1.0.0")
        .single_process([7; 32])
        .observe_calls()
        .tool(Tool::new("ask").step(ask))
        .tool(Tool::new("once").single_use().step(ask))
        .tool(Tool::new("strict").step(strict))
        .tool(Tool::new("misread").step(misread))
        .prompt(prompt)
}

fn moment() -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32])
}

fn caller() -> Caller {
    Caller::anonymous().assign("token", CANARY)
}

fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": "p",
        "secret": CANARY,
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn call(tool: &str, state: Option<&str>) -> Value {
    let mut params = json!({ "name": tool, "arguments": { "count": CANARY } });
    if let Some(state) = state {
        let answer = json!({ "word": CANARY, "count": CANARY });
        let answer = json!({ "action": "accept", "content": answer });
        params["inputResponses"] = json!({ "word": answer });
        params["requestState"] = state.into();
    }
    message("tools/call", params)
}

/// Plays a message through, shows all of it, and gives the state that came of it.
fn play(server: &Server, message: &Value, shown: &mut Shown) -> Option<String> {
    let body = message.to_string();
    let mut turn = server.receive(Exchange(1), caller(), body.as_bytes(), &moment());
    shown.show(&turn);
    let claimed = turn.actions.pop().map(|action| match action {
        Action::Claim(claim) => {
            shown.show(&claim);
            turn.steps.push(claim.grant());
        }
        action => turn.actions.push(action),
    });
    shown.show(&claimed);
    while let Some(step) = turn.steps.pop() {
        shown.show(&step);
        let data = step.into_data();
        shown.show(&data);
        let step = server.rejoin(data).unwrap();
        let sink = Sink::default();
        let finished = step.run(&sink);
        shown.show(&sink);
        shown.show(&finished);
        for report in sink.drain() {
            shown.show(&report);
            shown.show(&server.report(report));
        }
        turn = server.finish(finished);
        shown.show(&turn);
    }
    let Some(Action::InputRequired { response, .. }) = turn.actions.first() else {
        return None;
    };
    let message: Value = serde_json::from_slice(response.message.as_deref()?).ok()?;
    Some(message["result"]["requestState"].as_str()?.to_owned())
}

#[test]
fn of_a_call_in_the_core() {
    let server = builder().build().unwrap();
    let mut shown = Shown::default();
    shown.show(&caller());
    shown.show(&server);
    for tool in ["ask", "once"] {
        let state = play(&server, &call(tool, None), &mut shown).unwrap();
        assert_eq!(play(&server, &call(tool, Some(&state)), &mut shown), None);
        shown.is_clean(&[&state]);
    }
    // An answer and arguments that do not fit the author's types, which serde would quote.
    let state = play(&server, &call("misread", None), &mut shown).unwrap();
    assert_eq!(
        play(&server, &call("misread", Some(&state)), &mut shown),
        None
    );
    assert!(shown.0.contains("AnswerType"), "{}", shown.0);
    assert_eq!(play(&server, &call("strict", None), &mut shown), None);
    let complete = message(
        "completion/complete",
        json!({ "ref": { "type": "ref/prompt", "name": "greet" },
            "argument": { "name": "city", "value": CANARY } }),
    );
    assert_eq!(play(&server, &complete, &mut shown), None);
    let listen = message(
        "subscriptions/listen",
        json!({ "notifications": { "resourceSubscriptions": [format!("test://{CANARY}")] } }),
    );
    play(&server, &listen, &mut shown);
    shown.is_clean(&[&state]);
}

#[test]
fn of_a_connection_of_lines() {
    let mut shown = Shown::default();
    let mut connection = Connection::new(builder().build().unwrap());
    connection.feed(call("ask", None).to_string().as_bytes());
    shown.show(&connection);
    connection.feed(b"\n");
    let turn = connection.next_turn(Exchange(1), caller(), &moment());
    shown.show(&turn);
    shown.show(&connection);
    shown.show(&connection.listeners());
    shown.is_clean(&[]);
}

#[test]
fn of_an_exchange_over_http() {
    let mut shown = Shown::default();
    let endpoint = Endpoint::new(builder().build().unwrap());
    shown.show(&endpoint);
    let mut exchanges = Exchanges::new(endpoint);
    let request = ::http::Request::post("http://localhost/mcp")
        .header("authorization", format!("Bearer {CANARY}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "ask")
        .body(call("ask", None).to_string())
        .unwrap();
    let mut todo = exchanges.receive(Exchange(1), caller(), &request, &moment());
    shown.show(&todo);
    shown.show(&exchanges);
    let sink = Sink::default();
    let finished = todo.steps.remove(0).run(&sink);
    for report in sink.drain() {
        let todo = exchanges.report(report, &moment());
        assert!(
            todo.parts
                .iter()
                .any(|(_, part)| matches!(part, Part::Data(_)))
        );
        shown.show(&todo);
    }
    shown.show(&exchanges.finish(finished, &moment()));
    let mut reply = Reply::new(std::time::Duration::from_secs(1));
    let body = call("strict", None).to_string();
    let refused = mcp_reprise::Server::receive(
        exchanges.endpoint().server(),
        Exchange(2),
        caller(),
        body.as_bytes(),
        &moment(),
    );
    for step in refused.steps {
        let turn = exchanges
            .endpoint()
            .server()
            .finish(step.run(&Sink::default()));
        for action in turn.actions {
            let parts = reply.act(action, moment().now);
            assert!(matches!(&*parts, [Part::Whole(_)]));
            shown.show(&parts);
        }
    }
    shown.show(&reply);
    shown.is_clean(&[]);
}

#[cfg(feature = "testing")]
#[test]
fn of_a_transcript_that_holds_everything() {
    use mcp_reprise::testing::{Grade, Recorder};
    let mut shown = Shown::default();
    let recorder = Recorder::new(builder().build().unwrap());
    let body = call("ask", None).to_string();
    let mut turn = recorder.receive(Exchange(1), caller(), body.as_bytes(), &moment());
    let sink = Sink::default();
    let finished = turn.steps.remove(0).run(&sink);
    sink.drain()
        .into_iter()
        .for_each(|report| drop(recorder.report(report)));
    recorder.finish(finished);
    shown.show(&recorder);
    let transcript = recorder.transcript(Grade::Full);
    let written = serde_json::to_string(&transcript).unwrap();
    assert!(written.contains(CANARY));
    let [.., last] = &*transcript.entries else {
        panic!()
    };
    assert_eq!(last.outputs.len(), 1);
    shown.show(&transcript);
    shown.is_clean(&[]);
}

#[cfg(feature = "legacy")]
#[test]
fn of_a_session() {
    use mcp_reprise::legacy::{Session, Sessions, Transport};
    let server = builder().legacy().build().unwrap();
    let mut shown = Shown::default();
    let at = moment();
    let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-03-26", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": CANARY, "version": CANARY } } })
    .to_string();
    let over = Transport::Http;
    let opened = Session::open(&server, over, Exchange(1), &caller(), body.as_bytes(), &at);
    shown.show(&opened);
    let mut session = opened.0.unwrap();
    let id = session.id().to_owned();
    let request = |id: u32, tool: &str| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": tool, "arguments": { "word": CANARY }, "_meta": { "progressToken": CANARY } } })
    };
    let batch = json!([request(1, "ask"), request(2, "ask"), request(3, "strict")]).to_string();
    let mut turn = session.receive(&server, Exchange(2), caller(), batch.as_bytes(), &at);
    shown.show(&turn);
    shown.show(&session);
    let sink = Sink::default();
    let finished = turn.steps.remove(0).run(&sink);
    for report in sink.drain() {
        shown.show(&session.report(&server, report));
    }
    shown.show(&session.finish(&server, finished, &at));
    shown.show(&session);

    let mut sessions = Sessions::default();
    let request = ::http::Request::post("http://localhost/mcp")
        .body(body)
        .unwrap();
    let turn = sessions.receive(&server, Exchange(1), &caller(), &request, &at);
    shown.show(&turn);
    shown.show(&sessions);
    let mut reply = Reply::new(std::time::Duration::from_secs(1));
    for action in turn.unwrap().actions {
        shown.show(&reply.act(action, at.now));
    }
    shown.is_clean(&[&id]);
}
