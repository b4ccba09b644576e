//! Tools of the official conformance suite that give every kind of content.

use std::time::Duration;

use mcp_reprise::protocol::{
    CallToolResult, ContentBlock, CreateMessageRequestParams, EmbeddedResource, LoggingLevel,
    SamplingMessage, TextResourceContents,
};
use mcp_reprise::{Cx, Outcome, Progress, Tool};
use serde_json::{Value, json};

use crate::media::{PNG, WAV};
use crate::waiting::pause;

pub fn all() -> Vec<Tool> {
    let mut tools = content();
    tools.extend([
        Tool::new("test_tool_with_progress")
            .description("Reports progress three times.")
            .step(progress),
        Tool::new("test_tool_with_logging")
            .description("Logs three times, and takes its time.")
            .step(logging),
        Tool::new("test_logging_tool")
            .description("Logs once.")
            .step(|cx: &mut Cx, _: Value| {
                cx.log(LoggingLevel::Info, "This is a log message.");
                CallToolResult::text("Logged, if it was asked for.")
            }),
        Tool::new("test_missing_capability")
            .description("Works only with a client that has a model.")
            .step(missing_capability),
        Tool::new("json_schema_2020_12_tool")
            .description("Tool with JSON Schema 2020-12 features")
            .input_schema(schema())
            .step(|_: &mut Cx, args: Value| CallToolResult::text(args.to_string())),
    ]);
    tools
}

fn content() -> Vec<Tool> {
    vec![
        Tool::new("test_simple_text")
            .description("Gives a text.")
            .step(|_: &mut Cx, _: Value| {
                CallToolResult::text("This is a simple text response for testing.")
            }),
        Tool::new("test_image_content")
            .description("Gives an image.")
            .step(|_: &mut Cx, _: Value| {
                CallToolResult::content([ContentBlock::image(PNG, "image/png")])
            }),
        Tool::new("test_audio_content")
            .description("Gives a sound.")
            .step(|_: &mut Cx, _: Value| {
                CallToolResult::content([ContentBlock::audio(WAV, "audio/wav")])
            }),
        Tool::new("test_embedded_resource")
            .description("Gives a resource.")
            .step(|_: &mut Cx, _: Value| {
                CallToolResult::content([embedded(
                    "test://embedded-resource",
                    "text/plain",
                    "This is an embedded resource content.",
                )])
            }),
        Tool::new("test_multiple_content_types")
            .description("Gives a text, an image and a resource.")
            .step(|_: &mut Cx, _: Value| {
                CallToolResult::text("Multiple content types test:")
                    .block(ContentBlock::image(PNG, "image/png"))
                    .block(embedded(
                        "test://mixed-content-resource",
                        "application/json",
                        r#"{"test":"data","value":123}"#,
                    ))
            }),
        Tool::new("test_error_handling")
            .description("Fails, and says so.")
            .step(|_: &mut Cx, _: Value| {
                CallToolResult::error("This tool intentionally returns an error for testing")
            }),
    ]
}

fn embedded(uri: &str, mime_type: &str, text: &str) -> ContentBlock {
    EmbeddedResource::new(TextResourceContents::new(uri, text).mime_type(mime_type)).into()
}

fn progress(cx: &mut Cx, _: Value) -> Outcome {
    for done in [0, 50, 100] {
        cx.progress(Progress::new(done).of(100));
        pause(cx, Duration::from_millis(50))?;
    }
    Ok(CallToolResult::text("Progress was reported."))
}

fn logging(cx: &mut Cx, _: Value) -> Outcome {
    cx.log(LoggingLevel::Info, "Tool execution started");
    pause(cx, Duration::from_millis(50))?;
    cx.log(LoggingLevel::Info, "Tool processing data");
    pause(cx, Duration::from_millis(50))?;
    cx.log(LoggingLevel::Info, "Tool execution completed");
    Ok(CallToolResult::text("Logged three times."))
}

/// Asking a client that has no model ends the call with `-32021`.
fn missing_capability(cx: &mut Cx, _: Value) -> Outcome {
    let request = CreateMessageRequestParams::new([SamplingMessage::user("Say yes.")], 10);
    cx.sample("yes", request)?;
    Ok(CallToolResult::text("Success"))
}

fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"],
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
