//! The server the targets talk to.

use mcp_reprise::protocol::{CallToolResult, GetPromptResult, PromptMessage, ReadResourceResult};
use mcp_reprise::{
    Answer, Caller, Cx, Exchange, Form, Limits, Moment, Outcome, Prompt, Question, Resource,
    ResourceTemplate, Server, ServerBuilder, Sink, Timestamp, Tool, Turn,
};
use serde_json::{Value, json};

pub const VERSION: &str = "2026-07-28";

/// A server with one of everything that can go wrong.
pub fn server() -> Server {
    builder().build().expect("the fixture is sound")
}

/// The same, to be added to.
pub fn builder() -> ServerBuilder {
    let region = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "count": { "type": "integer", "x-mcp-header": "Count" },
            "deep": {
                "type": "object",
                "properties": { "dry": { "type": "boolean", "x-mcp-header": "Dry" } },
            },
        },
    });
    Server::builder("fuzzed", "1.0.0")
        .single_process([7; 32])
        .limits(Limits {
            body_bytes: 64 << 10,
            journal_bytes: 32 << 10,
            ..Limits::default()
        })
        .tool(Tool::new("region").input_schema(region).step(region_step))
        .tool(Tool::new("book").step(book))
        .tool(Tool::new("both").step(both))
        .prompt(Prompt::new("greet").optional("name", "Whom").step(greet))
        .resource(Resource::new("test://a", "a").step(read))
        .resource_template(ResourceTemplate::new("test://t/{id}", "t").step(read))
}

fn region_step(_: &mut Cx, arguments: Value) -> CallToolResult {
    CallToolResult::text(arguments.to_string())
}

async fn book(cx: &mut Cx, _: Value) -> Outcome {
    let form = Form::new("Which day?").text("day").integer("seats");
    let day = cx.elicit::<Value>("day", form)?;
    let Answer::Accepted(day) = day else {
        return Ok(CallToolResult::text("no day"));
    };
    let order: String = cx
        .once("order", async |key| Ok::<_, Never>(format!("order {key}")))
        .await
        .map_err(|_| mcp_reprise::ToolError::internal("no order"))?;
    let sure = cx
        .elicit::<Value>(
            "sure",
            Form::new(format!("Sure about {day}?")).boolean("sure"),
        )?
        .accepted()?;
    Ok(CallToolResult::text(format!("{order} {day} {sure}")))
}

#[derive(Debug)]
struct Never;

impl serde::Serialize for Never {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> serde::Deserialize<'de> for Never {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Self)
    }
}

fn both(cx: &mut Cx, _: Value) -> Outcome {
    let (one, other) = cx.ask((
        Question::form::<Value>("one", Form::new("One?").text("one")),
        Question::form::<Value>("other", Form::new("Other?").choices("other", ["a", "b"])),
    ))?;
    Ok(CallToolResult::text(format!("{one:?} {other:?}")))
}

fn greet(_: &mut Cx, _: Value) -> GetPromptResult {
    GetPromptResult::new([PromptMessage::user("Hello")])
}

fn read(cx: &mut Cx, _: Value) -> ReadResourceResult {
    ReadResourceResult::text(cx.name(), "text")
}

pub fn moment() -> Moment {
    Moment::new(Timestamp::from_millis(1_785_196_800_000), [9; 32])
}

/// The fields every request carries; the client can be asked everything.
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {},
        },
    })
}

/// Plays a message to its end: its steps are run, and the actions of all turns are one list.
pub fn play(server: &Server, body: &[u8]) -> Turn {
    let mut turn = server.receive(Exchange(1), Caller::anonymous(), body, &moment());
    finish(server, &mut turn);
    turn
}

/// Runs the steps of a turn and adds what came of them.
pub fn finish(server: &Server, turn: &mut Turn) {
    while let Some(step) = turn.steps.pop() {
        let finished = step.run(&Sink::default());
        turn.extend(server.finish(finished));
    }
}
