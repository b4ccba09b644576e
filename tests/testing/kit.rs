//! Requests, extractors, and one run in a scene.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp_reprise::protocol::{
    CallToolResult, ClientCapabilities, ElicitationCapability, Implementation, LoggingLevel,
};
use mcp_reprise::testing::{
    MirrorHeaders as _, Ran, action_request, audio_response, call_request, context, error_response,
    image_response, json_response, mirrored_headers, request, run_tool, text_response, unwrap_json,
    unwrap_single, unwrap_text,
};
use mcp_reprise::{
    Caller, Cx, Exchange, FailureKind, Form, Limits, Moment, Outcome, Server, Sink, Timestamp,
    Tool, ToolError,
};
use serde_json::{Map, Value, json};

/// What a panic says.
fn said<T>(run: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(run)) else {
        panic!("nothing was said");
    };
    match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => (*panic.downcast::<&str>().unwrap()).to_owned(),
    }
}

#[test]
fn a_malformed_body_can_be_built() {
    assert_eq!(request("x", json!(null))["params"], json!(null));
    let body = request("x", json!({ "_meta": 7, "a": 1 }));
    assert_eq!(body["params"], json!({ "_meta": 7, "a": 1 }));
}

#[test]
fn headers_mirror_the_body_and_nothing_else() {
    let odd = json!({ "method": 7, "params": { "_meta": "x", "name": ["a"] } });
    assert_eq!(mirrored_headers(&odd), []);
    assert_eq!(mirrored_headers(&json!([])), []);
    let read = request(
        "resources/read",
        json!({ "uri": "file:///a", "name": "no" }),
    );
    assert_eq!(mirrored_headers(&read)[2], ("mcp-name", "file:///a".into()));
    // No method of a list names anything.
    assert_eq!(
        mirrored_headers(&request("tools/list", json!({ "name": "a" }))).len(),
        2
    );
    for name in ["é", " a", "a\n", "=?base64?YQ==?="] {
        let headers = mirrored_headers(&call_request(name, json!({})));
        assert!(
            headers[2].1.starts_with("=?base64?"),
            "{name:?}: {headers:?}"
        );
    }
    let body = call_request("é", json!({}));
    let sent = http::Request::new(()).with_mirrored_headers(&body);
    assert_eq!(sent.headers()["mcp-name"], "=?base64?w6k=?=");
    // Put twice, they stand once.
    let sent = sent.with_mirrored_headers(&action_request("b", "c", json!({})));
    assert_eq!(sent.headers().get_all("mcp-name").iter().count(), 1);
}

#[test]
fn extractors_name_what_arrived() {
    let good = CallToolResult::text("fine");
    let bad = CallToolResult::error("broken");
    let two = CallToolResult::text("a").block("b");
    let refused =
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32602, "message": "no" } });
    let asked = json!({ "result": { "inputRequests": { "day": {} }, "requestState": "s" } });
    let words = [
        said(|| text_response(&bad)),
        said(|| error_response(&good)),
        said(|| text_response(&two)),
        said(|| text_response(&refused)),
        said(|| json_response(&asked)),
        said(|| json_response(&good)),
        said(|| image_response(&good)),
        said(|| audio_response(&json!({ "tools": [] }))),
        said(|| unwrap_single(&json!([]))),
        said(|| unwrap_single(&json!({}))),
        said(|| unwrap_text(&json!([{ "type": "image" }]))),
        said(|| unwrap_json(&good)),
        said(|| text_response(&Ran::InputRequired(Map::new()))),
    ];
    insta::assert_snapshot!(words.join("\n"));
}

#[test]
fn an_answer_is_taken_from_whatever_holds_it() {
    let tool = Tool::new("hello").step(|_: &mut Cx, _: Value| CallToolResult::text("Hello"));
    let server = Server::builder("s", "1").single_process([1; 32]).tool(tool);
    let server = server.build().unwrap();
    let body = call_request("hello", json!({})).to_string();
    let moment = Moment::new(Timestamp::from_millis(0), [2; 32]);
    let mut turn = server.receive(Exchange(1), Caller::anonymous(), body.as_bytes(), &moment);
    assert!(said(|| text_response(&turn)).ends_with("no answer yet but 1 steps to run"));
    let turn = server.finish(turn.steps.remove(0).run(&Sink::default()));
    assert_eq!(text_response(&turn), "Hello");
    assert_eq!(text_response(&turn.actions[0]), "Hello");
    let mcp_reprise::Action::Respond { response, .. } = &turn.actions[0] else {
        panic!("{turn:?}")
    };
    assert_eq!(text_response(response), "Hello");
}

/// Everything a scene can hold, as a tool sees it.
#[test]
fn a_scene_reaches_the_tool() {
    #[derive(Clone)]
    struct Own(&'static str);
    #[derive(Clone)]
    struct Servers(&'static str);

    let look = |cx: &mut Cx, arguments: Value| -> Outcome {
        Ok(CallToolResult::json(&json!([
            cx.principal(),
            cx.endpoint(),
            cx.assigns(),
            cx.client_capabilities(),
            cx.client_info().map(|info| info.name),
            cx.meta().get("com.example/trace"),
            cx.now(),
            cx.began(),
            cx.request_id(),
            cx.tools().map(|tool| tool.name.clone()).collect::<Vec<_>>(),
            cx.extension::<Own>().map(|own| own.0),
            cx.extension::<Servers>().map(|own| own.0),
            arguments,
        ])))
    };
    let other = Tool::new("other").step(|_: &mut Cx, _: Value| CallToolResult::text(""));
    let mut assigns = Map::new();
    assigns.insert("a".into(), json!(1));
    let scene = context()
        .principal("alice")
        .endpoint("admin")
        .assigns(assigns)
        .assign("b", 2)
        .capabilities(&ClientCapabilities::new().elicitation(ElicitationCapability::new()))
        .client_info(&Implementation::new("kit", "1"))
        .meta("com.example/trace", 7)
        .log_level(LoggingLevel::Debug)
        .progress_token(3)
        .now(Timestamp::from_millis(5))
        .request_id("one")
        .extend(Own("mine"))
        .value(Servers("ours"))
        .limits(Limits::default())
        .tool(other);
    let ran = run_tool(look, scene.clone(), json!({ "x": 1 }));
    assert_eq!(
        json_response(&ran),
        json!([
            "alice", "admin", { "a": 1, "b": 2 }, { "elicitation": {} }, "kit", 7, 5, 5, "one",
            ["tool", "other"], "mine", "ours", { "x": 1 },
        ])
    );
    let dice = |cx: &mut Cx, _: Value| CallToolResult::text(format!("{:?}", cx.dice()));
    let thrown =
        |dice_of: [u8; 32]| text_response(&run_tool(dice, context().dice(dice_of), json!({})));
    assert_eq!(thrown([1; 32]), thrown([1; 32]));
    assert_ne!(thrown([1; 32]), thrown([2; 32]));
    let caller = Caller::principal("bob");
    let whose = |cx: &mut Cx, _: Value| CallToolResult::text(cx.principal().unwrap_or("nobody"));
    assert_eq!(
        text_response(&run_tool(whose, scene.caller(caller), json!({}))),
        "bob"
    );
}

async fn two(cx: &mut Cx, _: Value) -> Outcome {
    let form = |key: &str| Form::new(format!("Which {key}?")).text(key);
    let day = cx.elicit::<Value>("day", form("day"))?.accepted()?;
    let seats = cx.elicit::<Value>(None, form("seats"))?.accepted()?;
    Ok(CallToolResult::text(format!(
        "{} {}",
        day["day"], seats["seats"]
    )))
}

#[test]
fn a_run_stops_where_the_scene_is_silent() {
    let scene = context().elicitation();
    let asked = run_tool(two, scene.clone(), json!({})).input_required();
    assert_eq!(asked.keys().collect::<Vec<_>>(), ["day"]);
    let scene = scene.accept("day", json!({ "day": "Friday" }));
    let asked = run_tool(two, scene.clone(), json!({})).input_required();
    assert_eq!(asked["elicit-1"]["params"]["message"], "Which seats?");
    let done = scene.clone().accept("elicit-1", json!({ "seats": "2" }));
    assert_eq!(
        text_response(&run_tool(two, done, json!({}))),
        "\"Friday\" \"2\""
    );
    let no = scene.decline("elicit-1");
    let no = run_tool(two, no, json!({}));
    assert_eq!(error_response(&no), "The user declined to answer.");
    assert_eq!(
        no.outcome(),
        CallToolResult::error("The user declined to answer.")
    );
}

#[test]
fn an_answer_that_nobody_asked_for_is_loud() {
    let scene = context().elicitation().cancel("seats");
    let words = said(|| run_tool(two, scene, json!({})));
    assert_eq!(
        words,
        r#"the scene answers ["seats"], which the tool never asked: it asked "day": "Which day?""#
    );
    // A client that has declared nothing is never asked.
    let scene = context().accept("day", json!({ "day": "Friday" }));
    let words = said(|| run_tool(two, scene, json!({})));
    assert!(words.contains("-32021"), "{words}");
    let scene = context().elicitation().accept("day", json!({ "day": 7 }));
    let words = said(|| run_tool(two, scene, json!({})));
    assert!(
        words.starts_with(r#"the scene's answer to "day" was refused"#),
        "{words}"
    );
}

#[test]
fn failures_are_told_apart() {
    let unaskable = run_tool(two, context(), json!({}));
    assert!(matches!(unaskable, Ran::Error(error) if error.code == -32021));
    let broken = |_: &mut Cx, _: Value| -> Outcome { Err(ToolError::internal("the disk is full")) };
    assert_eq!(
        run_tool(broken, context(), json!({})),
        Ran::Failed {
            kind: FailureKind::Error,
            cause: "the disk is full".into()
        }
    );
    let words = said(|| run_tool(broken, context(), json!({})).outcome());
    assert!(words.contains("the disk is full"), "{words}");
    let words = said(|| run_tool(Tool::new("x"), context(), json!({})));
    assert!(words.contains("has no step"), "{words}");
}

/// A `Cx` cannot be built by hand, so a question can only be put in a round. What an author can
/// do is to keep the end of one run for another: that is a failure and no question.
#[test]
fn the_end_of_another_round_is_no_question() {
    let kept = std::sync::Mutex::new(None);
    let step = move |cx: &mut Cx, _: Value| -> Outcome {
        let mut kept = kept.lock().unwrap();
        match kept.take() {
            Some(halt) => Err(halt),
            None => {
                *kept = cx
                    .elicit::<Value>("day", Form::new("Which day?").text("day"))
                    .err();
                Ok(CallToolResult::text("kept"))
            }
        }
    };
    let scene = context().elicitation().decline("day");
    let ran = run_tool(step, scene, json!({}));
    let cause = "a halt of another round".to_owned();
    assert_eq!(
        ran,
        Ran::Failed {
            kind: FailureKind::Error,
            cause
        }
    );
}
