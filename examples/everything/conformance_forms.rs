//! Tools of the official conformance suite that show every kind of field.

use mcp_reprise::protocol::{CallToolResult, CreateMessageRequestParams, SamplingMessage};
use mcp_reprise::{Answer, Cx, Field, Form, Outcome, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::conformance_asks::words;

pub fn all() -> [Tool; 4] {
    [
        Tool::new("test_sampling")
            .description("Asks the client's model what it is told to ask.")
            .input_schema(one_text("prompt"))
            .step(sampling),
        Tool::new("test_elicitation")
            .description("Asks the user what it is told to ask.")
            .input_schema(one_text("message"))
            .step(elicitation),
        Tool::new("test_elicitation_sep1034_defaults")
            .description("Shows a form with a default in every field.")
            .step(|cx: &mut Cx, _: Value| show(cx, defaults())),
        Tool::new("test_elicitation_sep1330_enums")
            .description("Shows a form with every kind of choice.")
            .step(|cx: &mut Cx, _: Value| show(cx, choices())),
    ]
}

fn one_text(name: &str) -> Value {
    json!({
        "type": "object",
        "properties": { name: { "type": "string" } },
        "required": [name],
    })
}

#[derive(Deserialize)]
struct Prompted {
    prompt: String,
}

fn sampling(cx: &mut Cx, args: Prompted) -> Outcome {
    let message = SamplingMessage::user(args.prompt);
    let result = cx.sample("answer", CreateMessageRequestParams::new([message], 100))?;
    Ok(CallToolResult::text(format!(
        "LLM response: {}",
        words(&result)
    )))
}

#[derive(Deserialize)]
struct Told {
    message: String,
}

fn elicitation(cx: &mut Cx, args: Told) -> Outcome {
    let form = Form::new(args.message)
        .field("username", Field::text().description("User's response"))
        .field("email", Field::email().description("User's email address"));
    show(cx, form)
}

fn defaults() -> Form {
    Form::new("Please look through these defaults.")
        .field("name", Field::text().default("John Doe"))
        .field("age", Field::integer().default(30))
        .field("score", Field::number().default(95.5))
        .field(
            "status",
            Field::choice(["active", "inactive", "pending"]).default("active"),
        )
        .field("verified", Field::boolean().default(true))
}

fn choices() -> Form {
    let plain = ["option1", "option2", "option3"];
    let titled = [
        ("value1", "First Option"),
        ("value2", "Second Option"),
        ("value3", "Third Option"),
    ];
    let legacy = [
        ("opt1", "Option One"),
        ("opt2", "Option Two"),
        ("opt3", "Option Three"),
    ];
    Form::new("Please choose.")
        .choice("untitledSingle", plain)
        .titled_choice("titledSingle", titled)
        .field("legacyEnum", Field::titled_choice(legacy).legacy_names())
        .choices("untitledMulti", plain)
        .titled_choices("titledMulti", titled)
}

/// Tells the model what the user did.
fn show(cx: &mut Cx, form: Form) -> Outcome {
    Ok(CallToolResult::text(match cx.elicit("form", form)? {
        Answer::<Value>::Accepted(content) => format!("User response: {content}"),
        Answer::Declined => "User response: declined".to_owned(),
        Answer::Cancelled => "User response: cancelled".to_owned(),
    }))
}
