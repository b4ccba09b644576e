//! Tools of the official conformance suite that ask, in one round or in several.

use mcp_reprise::protocol::{
    CallToolResult, CreateMessageRequestParams, CreateMessageResult, LoggingLevel, Root,
    SamplingMessage,
};
use mcp_reprise::{Answer, Cx, Form, Outcome, Progress, Question, Tool};
use serde::Deserialize;
use serde_json::Value;

pub fn all() -> [Tool; 9] {
    [
        Tool::new("test_input_required_result_elicitation")
            .description("Asks the user for a name.")
            .step(name),
        Tool::new("test_input_required_result_sampling")
            .description("Asks the client's model a question.")
            .step(sampling),
        Tool::new("test_input_required_result_list_roots")
            .description("Asks the client for its roots.")
            .step(roots),
        Tool::new("test_input_required_result_request_state")
            .description("Asks to confirm, and carries state.")
            .step(confirm),
        Tool::new("test_input_required_result_tampered_state")
            .description("Asks to confirm, and refuses state that was tampered with.")
            .step(confirm),
        Tool::new("test_input_required_result_multiple_inputs")
            .description("Asks for three things in one round.")
            .step(three),
        Tool::new("test_input_required_result_multi_round")
            .description("Asks twice, a round each.")
            .step(rounds),
        Tool::new("test_input_required_result_capabilities")
            .description("Asks only what the client says it can be asked.")
            .step(capabilities),
        Tool::new("test_streaming_elicitation")
            .description("Reports, and then asks.")
            .step(streaming),
    ]
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

#[derive(Deserialize)]
struct Color {
    color: String,
}

#[derive(Deserialize)]
struct Confirmed {
    ok: bool,
}

fn name(cx: &mut Cx, _: Value) -> Outcome {
    let Name { name } = cx.ask(user_name())?.accepted()?;
    Ok(CallToolResult::text(format!("Hello, {name}!")))
}

fn sampling(cx: &mut Cx, _: Value) -> Outcome {
    let result = cx.ask(capital())?;
    Ok(CallToolResult::text(words(&result)))
}

fn roots(cx: &mut Cx, _: Value) -> Outcome {
    let roots = cx.list_roots("client_roots")?;
    Ok(CallToolResult::text(uris(&roots)))
}

fn confirm(cx: &mut Cx, _: Value) -> Outcome {
    let form = Form::new("Please confirm.").boolean("ok");
    let Confirmed { ok } = cx.elicit("confirm", form)?.accepted()?;
    Ok(CallToolResult::text(if ok {
        "state-ok"
    } else {
        "not confirmed"
    }))
}

fn three(cx: &mut Cx, _: Value) -> Outcome {
    let greeting = SamplingMessage::user("Generate a greeting");
    let (name, greeting, roots) = cx.ask((
        user_name(),
        Question::sample("greeting", CreateMessageRequestParams::new([greeting], 50)),
        Question::roots("client_roots"),
    ))?;
    let Name { name } = name.accepted()?;
    let (greeting, roots) = (words(&greeting), uris(&roots.roots));
    Ok(CallToolResult::text(format!("{greeting} {name}, {roots}")))
}

fn rounds(cx: &mut Cx, _: Value) -> Outcome {
    let form = Form::new("Step 1: What is your name?").text("name");
    let Name { name } = cx.elicit("step1", form)?.accepted()?;
    let form = Form::new("Step 2: What is your favorite color?").text("color");
    let Color { color } = cx.elicit("step2", form)?.accepted()?;
    Ok(CallToolResult::text(format!("{name} likes {color}.")))
}

fn capabilities(cx: &mut Cx, _: Value) -> Outcome {
    let client = cx.client_capabilities();
    let mut said = String::new();
    if client.elicitation.is_some() {
        let Name { name } = cx.ask(user_name())?.accepted()?;
        said.push_str(&name);
    }
    if client.sampling.is_some() {
        said.push_str(&words(&cx.ask(capital())?));
    }
    Ok(CallToolResult::text(said))
}

fn streaming(cx: &mut Cx, _: Value) -> Outcome {
    cx.progress(Progress::new(1).of(2));
    cx.log(LoggingLevel::Info, "About to ask.");
    let Name { name } = cx.ask(user_name())?.accepted()?;
    cx.progress(Progress::new(2).of(2));
    Ok(CallToolResult::text(format!("Hello, {name}!")))
}

fn user_name() -> Question<Answer<Name>> {
    Question::form("user_name", Form::new("What is your name?").text("name"))
}

fn capital() -> Question<CreateMessageResult> {
    let question = SamplingMessage::user("What is the capital of France?");
    let request = CreateMessageRequestParams::new([question], 100);
    Question::sample("capital_question", request)
}

/// What a model said, without whatever else it gave.
pub fn words(result: &CreateMessageResult) -> String {
    let texts = result
        .content
        .blocks()
        .iter()
        .filter_map(|block| block.as_text());
    texts.collect::<Vec<_>>().join(" ")
}

fn uris(roots: &[Root]) -> String {
    let uris = roots.iter().map(|root| root.uri.as_str());
    uris.collect::<Vec<_>>().join(" ")
}
