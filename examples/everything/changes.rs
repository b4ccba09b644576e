//! Tools that tell listeners of changes. What they say changed is as it was.

use mcp_reprise::adapters::Notifier;
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Change, Cx, Outcome, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::server::shared;

pub fn all() -> [Tool; 4] {
    [
        Tool::new("touch")
            .description("Announces that the resource of this URI was updated.")
            .input_schema(json!({
                "type": "object",
                "properties": { "uri": { "type": "string" } },
                "required": ["uri"],
            }))
            .step(touch),
        Tool::new("hang_up")
            .description("Ends every subscription, as a shutdown would.")
            .step(hang_up),
        Tool::new("test_trigger_tool_change")
            .description("Announces that the list of tools changed.")
            .step(|cx: &mut Cx, _: Value| announce(cx, Change::ToolsList)),
        Tool::new("test_trigger_prompt_change")
            .description("Announces that the list of prompts changed.")
            .step(|cx: &mut Cx, _: Value| announce(cx, Change::PromptsList)),
    ]
}

#[derive(Deserialize)]
struct Touch {
    uri: String,
}

fn touch(cx: &mut Cx, args: Touch) -> Outcome {
    shared::<Notifier>(cx)?.notify(Change::resource(args.uri));
    Ok(CallToolResult::text("touched"))
}

fn hang_up(cx: &mut Cx, _: Value) -> Outcome {
    shared::<Notifier>(cx)?.close_listeners();
    Ok(CallToolResult::text("hung up"))
}

fn announce(cx: &mut Cx, change: Change) -> Outcome {
    shared::<Notifier>(cx)?.notify(change);
    Ok(CallToolResult::text("announced"))
}
