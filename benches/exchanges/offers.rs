//! The server that is measured.

use std::future::poll_fn;
use std::sync::LazyLock;
use std::task::Poll;

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Cx, Form, Outcome, Progress, Server, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Ask {
    questions: u32,
}

#[derive(Deserialize)]
struct Steps {
    steps: u32,
}

#[derive(Deserialize)]
struct Mirrored {
    region: String,
    tenant: String,
    shard: u32,
    dry: bool,
    locale: String,
}

#[derive(Deserialize)]
struct Word {
    word: String,
}

fn echo(_: &mut Cx, echo: Text) -> CallToolResult {
    CallToolResult::text(echo.text)
}

fn measure(_: &mut Cx, measured: Text) -> CallToolResult {
    CallToolResult::text(measured.text.len().to_string())
}

fn mirrored(_: &mut Cx, it: Mirrored) -> CallToolResult {
    let (shard, dry) = (it.shard, it.dry);
    CallToolResult::text(format!(
        "{} {} {shard} {dry} {}",
        it.region, it.tenant, it.locale
    ))
}

/// The names of the questions, made once, as those that an author writes are.
pub fn name(number: u32) -> &'static str {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| (0..=100).map(|number| format!("word{number}")).collect());
    &NAMES[number as usize]
}

/// Asks for so many words, one a round.
fn ask(cx: &mut Cx, ask: Ask) -> Outcome {
    let mut words = Vec::new();
    for number in 1..=ask.questions {
        let form = Form::new("Which word comes next?").text("word");
        let Word { word } = cx.elicit(name(number), form)?.accepted()?;
        words.push(word);
    }
    Ok(CallToolResult::text(words.join(" ")))
}

/// Tells of every step, and gives way after it.
async fn steps(cx: &mut Cx, steps: Steps) -> Outcome {
    for step in 1..=steps.steps {
        cx.progress(Progress::new(step).of(steps.steps));
        let mut waited = false;
        poll_fn(|_| match std::mem::replace(&mut waited, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
    Ok(CallToolResult::text("done"))
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn text(name: &str) -> Tool {
    let properties = json!({ "text": { "type": "string", "description": "The text." } });
    Tool::new(name)
        .title("A tool of the benchmark")
        .description("Takes a text and gives an answer to it, as tools do.")
        .input_schema(object(properties, &["text"]))
}

fn number(name: &str, argument: &str) -> Tool {
    let properties = json!({ argument: { "type": "integer", "minimum": 1 } });
    Tool::new(name).input_schema(object(properties, &[argument]))
}

/// A hundred tools.
pub fn server() -> Server {
    server_of(100)
}

/// Five tools with steps of their own, and as many more as make so many.
pub fn server_of(tools: u32) -> Server {
    let mirrored_schema = object(
        json!({
            "region": { "type": "string", "x-mcp-header": "Region" },
            "tenant": { "type": "string", "x-mcp-header": "Tenant" },
            "shard": { "type": "integer", "x-mcp-header": "Shard" },
            "dry": { "type": "boolean", "x-mcp-header": "Dry" },
            "locale": { "type": "string", "x-mcp-header": "Locale" },
        }),
        &["region"],
    );
    let mut builder = Server::builder("bench", "1.0.0")
        .single_process([7; 32])
        .legacy()
        .tool(text("echo").step(echo))
        .tool(text("measure").step(measure))
        .tool(number("ask", "questions").step(ask))
        .tool(number("steps", "steps").step(steps))
        .tool(
            Tool::new("mirrored")
                .input_schema(mirrored_schema)
                .step(mirrored),
        );
    for other in 6..=tools {
        builder = builder.tool(text(&format!("tool-{other}")).step(echo));
    }
    builder.build().unwrap()
}
