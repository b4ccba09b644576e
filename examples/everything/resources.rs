//! Resources, one of which cannot be read.

use mcp_reprise::protocol::ReadResourceResult;
use mcp_reprise::{Cx, Outcome, Resource, ResourceTemplate, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::media::PNG;

pub fn all() -> Vec<Resource> {
    vec![
        text("test://a", "a", "This is resource a."),
        text(
            "test://static-text",
            "static-text",
            "This is the content of the static text resource.",
        ),
        Resource::new("test://static-binary", "static-binary")
            .description("An image of one pixel.")
            .mime_type("image/png")
            .step(|cx: &mut Cx, _: Value| {
                ReadResourceResult::blob(cx.name(), PNG).mime_type("image/png")
            }),
        text(
            "test://watched-resource",
            "watched-resource",
            "This resource is one to watch.",
        ),
        Resource::new("test://nil", "nil")
            .description("Reading it fails.")
            .step(|_: &mut Cx, _: Value| -> Outcome<ReadResourceResult> {
                Err(ToolError::internal("there is nothing to return"))
            }),
    ]
}

fn text(uri: &str, name: &str, text: &'static str) -> Resource {
    Resource::new(uri, name)
        .description("A text that stays as it is.")
        .mime_type("text/plain")
        .step(move |cx: &mut Cx, _: Value| {
            ReadResourceResult::text(cx.name(), text).mime_type("text/plain")
        })
}

pub fn template() -> ResourceTemplate {
    ResourceTemplate::new("test://template/{id}/data", "data")
        .description("Data of any id.")
        .mime_type("application/json")
        .step(data)
}

#[derive(Deserialize)]
struct Data {
    id: String,
}

fn data(cx: &mut Cx, args: Data) -> ReadResourceResult {
    let id = args.id;
    let data = format!("Data for ID: {id}");
    let json = json!({ "id": id, "templateTest": true, "data": data });
    ReadResourceResult::text(cx.name(), json.to_string()).mime_type("application/json")
}
