//! Small tools, each a plain function.

use mcp_reprise::protocol::{CallToolResult, LoggingLevel};
use mcp_reprise::{Cx, Outcome, Progress, Structured, Tool, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::number::Whole;

pub fn all() -> Vec<Tool> {
    vec![
        Tool::new("echo")
            .description("Says the text again.")
            .input_schema(json!({
                "type": "object",
                "properties": { "text": { "type": "string" } },
                "required": ["text"],
            }))
            .step(echo),
        Tool::new("region")
            .description("Tells the region and the count it was given; both may come as headers.")
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "region": { "type": "string", "x-mcp-header": "Region" },
                    "count": { "type": "integer", "x-mcp-header": "Count" },
                },
            }))
            .step(region),
        Tool::new("sum")
            .description("Adds two numbers, and gives the sum as structured content.")
            .input_schema(json!({
                "type": "object",
                "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
                "required": ["a", "b"],
            }))
            .output_schema(json!({
                "type": "object",
                "properties": { "sum": { "type": "integer" } },
                "required": ["sum"],
            }))
            .step(sum),
        Tool::new("steps")
            .description("Reports progress: from 1 to n of n, or each of the values in turn.")
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "n": { "type": "integer", "minimum": 0, "maximum": 1_000_000 },
                    "values": { "type": "array", "items": { "type": "number" } },
                },
            }))
            .step(steps),
        Tool::new("logger")
            .description("Logs one message at each of the eight levels, the lowest first.")
            .step(logger),
    ]
}

#[derive(Deserialize)]
struct Echo {
    text: String,
}

fn echo(_: &mut Cx, args: Echo) -> CallToolResult {
    CallToolResult::text(args.text)
}

#[derive(Deserialize)]
struct Region {
    region: Option<String>,
    count: Option<Whole>,
}

fn region(_: &mut Cx, args: Region) -> CallToolResult {
    let region = args.region.unwrap_or_else(|| "-".to_owned());
    let count = args
        .count
        .map_or("-".to_owned(), |Whole(count)| count.to_string());
    CallToolResult::text(format!("region={region} count={count}"))
}

#[derive(Deserialize)]
struct Sum {
    a: Whole<i32>,
    b: Whole<i32>,
}

fn sum(_: &mut Cx, Sum { a, b }: Sum) -> Structured<Value> {
    Structured(json!({ "sum": i64::from(a.0) + i64::from(b.0) }))
}

#[derive(Deserialize)]
struct Steps {
    n: Option<Whole<u32>>,
    values: Option<Vec<f64>>,
}

fn steps(cx: &mut Cx, args: Steps) -> Outcome {
    match (args.n, args.values) {
        (Some(Whole(n)), None) => {
            for step in 1..=n {
                cx.progress(Progress::new(step).of(n));
            }
        }
        (None, Some(values)) => values.into_iter().for_each(|value| cx.progress(value)),
        _ => return Err(ToolError::say("Give me either n or values.")),
    }
    Ok(CallToolResult::text("done"))
}

fn logger(cx: &mut Cx, _: Value) -> CallToolResult {
    let messages = [
        (LoggingLevel::Debug, "the kettle is cold"),
        (LoggingLevel::Info, "the kettle is on"),
        (LoggingLevel::Notice, "the water is hot"),
        (LoggingLevel::Warning, "the milk is low"),
        (LoggingLevel::Error, "the milk is gone"),
        (LoggingLevel::Critical, "the kettle is dry"),
        (LoggingLevel::Alert, "the kettle is glowing"),
        (LoggingLevel::Emergency, "the kitchen is on fire"),
    ];
    for (level, message) in messages {
        cx.log_as("kitchen", level, message);
    }
    CallToolResult::text("done")
}
