//! Transcripts are read, drawn and replayed.

use mcp_reprise::protocol::{CallToolResult, LoggingLevel};
use mcp_reprise::testing::{Grade, Recorder, Transcript, call_request};
use mcp_reprise::{Caller, Cx, Exchange, Form, Moment, Outcome, Server, Sink, Timestamp, Tool};
use serde_json::{Value, json};

fn book(cx: &mut Cx, arguments: Value) -> Outcome {
    let film = arguments["film"].as_str().unwrap_or("nothing").to_owned();
    cx.log(LoggingLevel::Info, format!("looking for {film}"));
    let form = Form::new(format!("Which day for {film}?")).choice("day", ["Friday", "Sunday"]);
    let day = cx.elicit::<Value>("day", form)?.accepted()?;
    cx.log(LoggingLevel::Info, "got a day");
    let seats = cx
        .elicit::<Value>("seats", Form::new("How many?").integer("seats"))?
        .accepted()?;
    Ok(CallToolResult::text(format!(
        "{film} {} {}",
        day["day"], seats["seats"]
    )))
}

fn server(key: u8, step: fn(&mut Cx, Value) -> Outcome) -> Server {
    let schema = json!({ "type": "object", "properties": { "film": { "type": "string" } }, "required": ["film"] });
    let tool = Tool::new("book").input_schema(schema).step(step);
    let server = Server::builder("cinema", "1.0.0").single_process([key; 32]);
    server.tool(tool).build().unwrap()
}

/// One message to a recorder, its step run and its reports given, as a driver does.
fn send(recorder: &Recorder, number: u64, params: Value) -> Option<String> {
    let mut body = call_request("book", json!({ "film": "Stalker" }));
    body["id"] = number.into();
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({ "elicitation": {} });
    body["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
    body["params"]["_meta"]["com.example/secret"] = json!("a secret");
    for (key, value) in params.as_object().unwrap() {
        body["params"][key] = value.clone();
    }
    let moment = Moment::new(Timestamp::from_millis(1_000 * number), [number as u8; 32]);
    let caller = Caller::principal("alice").assign("token", "hush");
    let mut turn = recorder.receive(
        Exchange(number),
        caller,
        body.to_string().as_bytes(),
        &moment,
    );
    for step in turn.steps.drain(..) {
        let sink = Sink::default();
        let finished = step.run(&sink);
        for report in sink.drain() {
            recorder.report(report);
        }
        turn.actions.extend(recorder.finish(finished).actions);
    }
    let answer = mcp_reprise::testing::Answered::answered(&turn.actions.pop()?).unwrap();
    answer["result"]["requestState"]
        .as_str()
        .map(ToOwned::to_owned)
}

fn recorded() -> Transcript {
    recorded_by(&Recorder::new(server(7, book)));
    let recorder = Recorder::new(server(7, book));
    recorded_by(&recorder)
}

fn recorded_by(recorder: &Recorder) -> Transcript {
    let first = send(recorder, 1, json!({})).unwrap();
    let friday = json!({ "action": "accept", "content": { "day": "Friday" } });
    let never = json!({ "action": "accept", "content": { "day": "Monday" } });
    let refused = send(
        recorder,
        2,
        json!({ "requestState": first, "inputResponses": { "day": never } }),
    )
    .unwrap();
    let second = send(
        recorder,
        3,
        json!({ "requestState": refused, "inputResponses": { "day": friday } }),
    )
    .unwrap();
    let seats = json!({ "action": "accept", "content": { "seats": 2 } });
    send(
        recorder,
        4,
        json!({ "requestState": second, "inputResponses": { "seats": seats } }),
    );
    // A state that was never sealed, and bytes that are no text.
    send(recorder, 5, json!({ "requestState": "AAAA" }));
    let moment = Moment::new(Timestamp::from_millis(9_000), [9; 32]);
    recorder.receive(Exchange(6), Caller::anonymous(), b"\xff{", &moment);
    recorder.transcript(Grade::Full)
}

#[test]
fn a_full_transcript_replays_byte_for_byte() {
    let transcript = recorded();
    transcript.replay(&server(7, book)).unwrap();
    transcript.rerun(&server(7, book)).unwrap();
    let letter = serde_json::to_string(&transcript).unwrap();
    let read: Transcript = serde_json::from_str(&letter).unwrap();
    read.replay(&server(7, book)).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), letter);
    // Another key opens nothing.
    let difference = transcript.replay(&server(8, book)).unwrap_err();
    assert!(
        difference
            .to_string()
            .starts_with("the replay differs at input"),
        "{difference}"
    );
}

#[test]
fn a_tool_that_has_changed_differs_when_it_is_run_again() {
    fn other(cx: &mut Cx, arguments: Value) -> Outcome {
        let mut result = book(cx, arguments)?;
        result = result.block("with popcorn");
        Ok(result)
    }
    let transcript = recorded();
    transcript.replay(&server(7, other)).unwrap();
    let difference = transcript.rerun(&server(7, other)).unwrap_err();
    let shown = difference.to_string();
    let (recorded, attempted) = shown.split_once("attempted:").unwrap();
    assert!(attempted.contains("popcorn"), "{shown}");
    assert!(!recorded.contains("popcorn"), "{shown}");
}

#[test]
fn a_shareable_transcript_shows_nothing_and_replays_in_shape() {
    let shared = recorded().shareable();
    let letter = serde_json::to_string(&shared).unwrap();
    let secrets = [
        "Stalker", "Friday", "Sunday", "Monday", "alice", "hush", "secret", "Which", "looking",
        "AAAA",
    ];
    for secret in secrets {
        assert!(!letter.contains(secret), "{secret} in {letter}");
    }
    shared.replay(&server(99, book)).unwrap();
    let read: Transcript = serde_json::from_str(&letter).unwrap();
    read.rerun(&server(98, book)).unwrap();
    assert_eq!(serde_json::to_string(&shared.shareable()).unwrap(), letter);
    // A tool with one question less has another shape.
    fn hasty(cx: &mut Cx, _: Value) -> Outcome {
        let form = Form::new("Which day?").choice("day", ["Friday"]);
        cx.elicit::<Value>("day", form)?.accepted()?;
        Ok(CallToolResult::text("done"))
    }
    shared.replay(&server(99, hasty)).unwrap_err();
}

#[test]
fn a_transcript_is_readable() {
    insta::assert_snapshot!(recorded());
    insta::assert_snapshot!(recorded().shareable());
}

#[test]
fn a_transcript_is_drawn() {
    insta::assert_snapshot!(recorded().mermaid());
    insta::assert_snapshot!(recorded().shareable().mermaid());
}

#[test]
fn a_name_cannot_break_a_drawing() {
    let recorder = Recorder::new(server(7, book));
    let body = call_request("a;b#<c>\n    C->>S: forged", json!({})).to_string();
    let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
    recorder.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment);
    let drawn = recorder.transcript(Grade::Full).mermaid();
    assert!(
        drawn.contains("tools/call a#59;b#35;#lt;c#gt;     C-#gt;#gt;S: forged"),
        "{drawn}"
    );
    assert_eq!(
        drawn
            .lines()
            .filter(|line| line.starts_with("    C->>"))
            .count(),
        1
    );
}
