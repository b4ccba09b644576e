//! A tool that takes its time, and one that tells what became of it.

use std::time::{Duration, Instant};

use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Cx, Outcome, Tool, ToolError};
use serde::Deserialize;
use serde_json::json;

use crate::fates::Fates;
use crate::number::Whole;
use crate::server::shared;

pub fn all() -> [Tool; 3] {
    [
        Tool::new("slow")
            .description("Waits for so many milliseconds, unless it is cancelled.")
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "ms": { "type": "integer", "minimum": 0 },
                    "tag": { "type": "string", "maxLength": 200 },
                },
                "required": ["ms"],
            }))
            .step(slow),
        Tool::new("fate")
            .description("Tells what became of the slow call with this tag.")
            .input_schema(json!({
                "type": "object",
                "properties": { "tag": { "type": "string" } },
                "required": ["tag"],
            }))
            .step(fate),
        Tool::new("test_reconnection")
            .description("Lets the connection go, and answers when the client is back.")
            .step(reconnection),
    ]
}

#[derive(Deserialize)]
struct Slow {
    ms: Whole<u64>,
    tag: Option<String>,
}

fn slow(cx: &mut Cx, args: Slow) -> Outcome {
    let fates = shared::<Fates>(cx)?;
    let watch = args.tag.as_deref().map(|tag| fates.watch(tag));
    pause(cx, Duration::from_millis(args.ms.0))?;
    if let Some(watch) = watch {
        watch.finish();
    }
    Ok(CallToolResult::text(args.tag.unwrap_or("done".to_owned())))
}

fn reconnection(cx: &mut Cx, _: serde_json::Value) -> Outcome {
    cx.release();
    pause(cx, Duration::from_millis(100))?;
    Ok(CallToolResult::text("Back again."))
}

#[derive(Deserialize)]
struct Tagged {
    tag: String,
}

fn fate(cx: &mut Cx, args: Tagged) -> Outcome {
    Ok(CallToolResult::text(shared::<Fates>(cx)?.of(&args.tag)))
}

/// Waits in small slices, and gives up when nobody waits for the call any more.
///
/// A plain function keeps its thread while it waits, which every driver can bear: on the `tower`
/// and `tokio` adapters it has a thread for blocking work, on `stdio` one of its own.
pub fn pause(cx: &Cx, whole: Duration) -> Result<(), ToolError> {
    const SLICE: Duration = Duration::from_millis(20);
    let began = Instant::now();
    loop {
        if cx.is_cancelled() {
            return Err(ToolError::internal("nobody waits for this any more"));
        }
        let left = whole.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(SLICE));
    }
}
