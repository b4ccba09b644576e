//! Questions pushed on the stream of their call, and what the client says to them.

use mcp_reprise::legacy::Session;
use mcp_reprise::{Exchange, Limits};
use serde_json::json;

use crate::support::{Client, Said, able, accept, at, limited, text};

#[test]
fn a_question_goes_over_the_stream_of_its_call_and_its_answer_resumes_the_step() {
    let mut client = Client::open("2025-11-25", able());
    client.ask("logging/setLevel", json!({"level": "debug"}));
    let get = client.connect(None);
    let call = client.call("book");
    let (id, params) = client.last_question(call);
    assert_eq!(params["message"], "Which day?");
    let deadline = at(0).now.as_millis() + 15 * 60 * 1000;
    let Some(Said::Await(until)) = client.over_exchange(call).pop() else {
        panic!()
    };
    assert!(until >= deadline && until < deadline + 100);

    let answered = client.answer(&id, accept(json!({"day": "Friday"})));
    assert_eq!(client.over_exchange(answered), [Said::Empty(202)]);
    let (second, params) = client.last_question(call);
    assert_ne!(second, id);
    assert_eq!(params["message"], "How many?");
    client.answer(&second, accept(json!({"seats": 2})));
    assert_eq!(client.text(call), "2 seats on Friday");

    let logged = client
        .pushed(call)
        .into_iter()
        .filter(|push| push["method"] == "notifications/message");
    let logged: Vec<_> = logged.map(|push| push["params"]["data"].clone()).collect();
    assert_eq!(
        logged,
        ["asking", "asking again"],
        "the replayed part is silent"
    );
    assert!(client.pushed(get).is_empty());
}

#[test]
fn several_questions_of_one_round_are_several_requests_in_flight() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("both");
    let questions = client.questions(call);
    assert_eq!(questions.len(), 2);
    client.answer(&questions[1].0, accept(json!({"seats": 2})));
    assert!(client.steps.is_empty());
    // Once settled, a question is settled.
    client.answer(&questions[1].0, accept(json!({"seats": 9})));
    client.answer(&questions[0].0, accept(json!({"day": "Monday"})));
    assert_eq!(client.text(call), "2 on Monday");
}

#[test]
fn a_session_written_down_while_it_waits_answers_the_call_in_another_value() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("once");
    let (id, _) = client.last_question(call);
    let Some(Said::Mark(mark, _)) = client.over_exchange(call).first().cloned() else {
        panic!()
    };
    let written = serde_json::to_string(&client.session).unwrap();

    // Another process: no exchange of the first one is connected any more.
    let mut revived: Session = serde_json::from_str(&written).unwrap();
    let before = revived.revision();
    let turn = revived.revive(&client.server, &at(50));
    assert!(turn.actions.is_empty() && revived.revision() > before);
    client.session = revived;
    client.said.clear();
    client.answer(&id, accept(json!({"day": "Sunday"})));
    assert!(client.over_exchange(call).is_empty());
    let resumed = client.connect(Some(&mark));
    let pushed = client.pushed(resumed);
    assert_eq!(
        pushed[0]["id"], id,
        "what was said after the mark is said again"
    );
    assert_eq!(text(&pushed[1]), "order 7 for Sunday");
    assert_eq!(client.over_exchange(resumed).last(), Some(&Said::End));
}

#[test]
fn a_step_that_died_with_its_process_ends_its_call() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.request("tools/call", json!({"name": "steps"}));
    let Some(Said::Mark(mark, _)) = client.over_exchange(call).first().cloned() else {
        panic!()
    };
    client.steps.clear();
    client.through_paper();
    let turn = client.session.revive(&client.server, &at(50));
    client.take(turn);
    let resumed = client.connect(Some(&mark));
    assert_eq!(client.pushed(resumed)[0]["result"]["isError"], true);
}

#[test]
fn an_error_of_the_client_ends_the_call_with_one_sentence_and_the_cause_in_the_log() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("both");
    let questions = client.questions(call);
    client.send(&json!({"jsonrpc": "2.0", "id": questions[0].0,
        "error": {"code": -1, "message": "User rejected"}}));
    let response = client.response(call);
    assert_eq!(response["result"]["isError"], true);
    assert_eq!(
        text(&response),
        "The call was given up because its questions were not answered."
    );
    assert!(
        client
            .observed
            .iter()
            .any(|line| line.contains("AnswerError") && line.contains("User rejected"))
    );
    let taken_back: Vec<_> = client
        .pushed(call)
        .into_iter()
        .filter(|push| push["method"] == "notifications/cancelled")
        .collect();
    assert_eq!(taken_back.len(), 1, "the other question is taken back");
    assert_eq!(taken_back[0]["params"]["requestId"], questions[1].0);
    // Too late.
    let late = client.answer(&questions[1].0, accept(json!({"seats": 1})));
    assert_eq!(client.over_exchange(late), [Said::Empty(202)]);
}

#[test]
fn a_question_that_nobody_answers_ends_its_call_at_the_deadline() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("book");
    let deadline = client.session.deadline().unwrap().as_millis();
    let turn = client.session.tick(&client.server, &at(deadline - 1));
    assert!(turn.actions.is_empty());
    let turn = client.session.tick(&client.server, &at(deadline));
    client.take(turn);
    assert_eq!(client.response(call)["result"]["isError"], true);
    assert!(
        client
            .observed
            .iter()
            .any(|line| line.contains("Unanswered"))
    );
}

#[test]
fn an_invalid_answer_is_asked_again_within_the_limit() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("book");
    for _ in 0..3 {
        let (id, _) = client.last_question(call);
        client.answer(&id, accept(json!({"day": 5})));
    }
    assert_eq!(client.questions(call).len(), 3);
    assert_eq!(
        client.text(call),
        "The call was given up because its questions were not answered."
    );
}

#[test]
fn rounds_are_bounded() {
    let server = limited(Limits {
        rounds: 1,
        ..Limits::default()
    });
    let mut client = Client::over(
        mcp_reprise::legacy::Transport::Http,
        server,
        "2025-11-25",
        able(),
    );
    let call = client.call("book");
    let (id, _) = client.last_question(call);
    client.answer(&id, accept(json!({"day": "Friday"})));
    assert_eq!(client.response(call)["result"]["isError"], true);
}

#[test]
fn a_cancelled_call_takes_its_questions_with_it() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("book");
    let (id, _) = client.last_question(call);
    let request = client.session.clone();
    client.notify("notifications/cancelled", json!({"requestId": 1}));
    assert_eq!(client.over_exchange(call).last(), Some(&Said::Cancel));
    client.answer(&id, accept(json!({"day": "Friday"})));
    assert!(client.steps.is_empty());
    assert_eq!(request.version(), client.session.version());
    assert!(!client.session.knows(Exchange(call)));
}

#[test]
fn servers_must_not_ask_what_the_client_has_not_declared() {
    let mut client = Client::open("2025-11-25", json!({"elicitation": {"form": {}}}));
    for tool in ["sample", "roots"] {
        let call = client.call(tool);
        assert!(client.questions(call).is_empty());
        assert_eq!(client.response(call)["result"]["isError"], true);
        assert!(client.text(call).starts_with("The call needs a capability"));
    }
    let call = client.call("url");
    let error = client.response(call)["error"].clone();
    assert_eq!(error["code"], -32042);
    let elicitation = &error["data"]["elicitations"][0];
    assert_eq!(elicitation["mode"], "url");
    assert_eq!(elicitation["url"], "https://example.com/connect");
    assert!(elicitation["elicitationId"].is_string());
}

#[test]
fn a_revision_without_elicitation_is_a_capability_that_is_missing() {
    let mut client = Client::open("2025-03-26", able());
    let call = client.call("book");
    assert!(client.questions(call).is_empty());
    assert!(client.text(call).starts_with("The call needs a capability"));
    let call = client.call("polite");
    assert_eq!(client.text(call), "any day");
    let call = client.call("sample");
    assert_eq!(client.questions(call).len(), 1);
}

#[test]
fn url_mode_is_of_2025_11_25_alone() {
    let mut client = Client::open("2025-06-18", able());
    let call = client.call("url");
    assert!(client.questions(call).is_empty());
    assert!(client.text(call).starts_with("The call needs a capability"));
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("url");
    let (id, params) = client.last_question(call);
    assert!(params["elicitationId"].is_string());
    client.answer(&id, json!({"action": "accept"}));
    assert_eq!(client.text(call), "connected");
}

#[test]
fn sampling_and_roots_are_asked_too() {
    let mut client = Client::open("2025-11-25", able());
    let call = client.call("sample");
    let (id, _) = client.last_question(call);
    client.answer(
        &id,
        json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "hi"}}),
    );
    assert_eq!(client.text(call), "m");
    let call = client.call("roots");
    let (id, _) = client.last_question(call);
    client.answer(&id, json!({"roots": [{"uri": "file:///a"}]}));
    assert_eq!(client.text(call), "1 roots");
}

fn slow_start(cx: &mut mcp_reprise::Cx, _: serde_json::Value) -> mcp_reprise::Outcome {
    cx.progress(5);
    let _: serde_json::Value = cx
        .elicit("day", mcp_reprise::Form::new("Which day?").text("day"))?
        .accepted()?;
    cx.progress(3);
    cx.progress(6);
    Ok(mcp_reprise::protocol::CallToolResult::text("done"))
}

#[test]
fn progress_must_increase_over_all_rounds_of_a_call() {
    let server = crate::support::builder()
        .tool(mcp_reprise::Tool::new("slow_start").step(slow_start))
        .build()
        .unwrap();
    let transport = mcp_reprise::legacy::Transport::Http;
    let mut client = Client::over(transport, server, "2025-11-25", able());
    let params = json!({"name": "slow_start", "_meta": {"progressToken": 1}});
    let call = client.request("tools/call", params);
    client.run();
    let (id, _) = client.last_question(call);
    client.answer(&id, accept(json!({"day": "Friday"})));
    let told: Vec<_> = client
        .pushed(call)
        .into_iter()
        .filter(|push| push["method"] == "notifications/progress")
        .map(|push| push["params"]["progress"].clone())
        .collect();
    assert_eq!(told, [5, 6]);
}
