//! Prompts, one of which asks.

use mcp_reprise::protocol::{
    CompleteResult, ContentBlock, EmbeddedResource, GetPromptResult, PromptMessage,
    TextResourceContents,
};
use mcp_reprise::{Completing, Cx, Form, Outcome, Prompt};
use serde::Deserialize;
use serde_json::Value;

use crate::media::PNG;

pub fn all() -> Vec<Prompt> {
    vec![
        Prompt::new("greet")
            .description("Greets whoever is named, or you.")
            .optional("name", "Whom to greet")
            .step(greet),
        Prompt::new("greet_named")
            .description("Greets whoever is named.")
            .required("name", "Whom to greet")
            .step(greet),
        Prompt::new("test_simple_prompt")
            .description("A prompt without arguments.")
            .step(|_: &mut Cx, _: Value| said(["This is a simple prompt for testing."])),
        Prompt::new("test_prompt_with_arguments")
            .description("A prompt with two arguments.")
            .required("arg1", "The first argument")
            .required("arg2", "The second argument")
            .complete("arg1", complete)
            .step(with_arguments),
        Prompt::new("test_prompt_with_embedded_resource")
            .description("A prompt with a resource in it.")
            .required("resourceUri", "The URI of the resource")
            .step(with_resource),
        Prompt::new("test_prompt_with_image")
            .description("A prompt with an image in it.")
            .step(with_image),
        Prompt::new("test_input_required_result_prompt")
            .description("A prompt that asks for its context.")
            .step(with_context),
    ]
}

#[derive(Deserialize)]
struct Greet {
    name: Option<String>,
}

fn greet(_: &mut Cx, args: Greet) -> GetPromptResult {
    let name = args.name.as_deref().unwrap_or("you");
    said([format!("Hello, {name}")])
}

#[derive(Deserialize)]
struct Two {
    arg1: String,
    arg2: String,
}

fn with_arguments(_: &mut Cx, args: Two) -> GetPromptResult {
    let Two { arg1, arg2 } = args;
    said([format!(
        "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"
    )])
}

fn complete(_: &mut Cx, typed: Completing) -> CompleteResult {
    let known = ["tea", "test", "testing", "toast"].into_iter();
    CompleteResult::values(known.filter(|word| word.starts_with(&typed.value)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Embed {
    resource_uri: String,
}

fn with_resource(_: &mut Cx, args: Embed) -> GetPromptResult {
    let text = "Embedded resource content for testing.";
    let contents = TextResourceContents::new(args.resource_uri, text).mime_type("text/plain");
    said([
        EmbeddedResource::new(contents).into(),
        ContentBlock::text("Please process the embedded resource above."),
    ])
}

fn with_image(_: &mut Cx, _: Value) -> GetPromptResult {
    said([
        ContentBlock::image(PNG, "image/png"),
        ContentBlock::text("Please analyze the image above."),
    ])
}

#[derive(Deserialize)]
struct Context {
    context: String,
}

fn with_context(cx: &mut Cx, _: Value) -> Outcome<GetPromptResult> {
    let form = Form::new("What context should the prompt use?").text("context");
    let Context { context } = cx.elicit("user_context", form)?.accepted()?;
    Ok(said([format!("Use this context: {context}")]))
}

/// Messages of the user, one a block.
fn said<B: Into<ContentBlock>>(blocks: impl IntoIterator<Item = B>) -> GetPromptResult {
    GetPromptResult::new(blocks.into_iter().map(PromptMessage::user))
}
