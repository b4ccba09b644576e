//! What an action tool says of itself: by its action `help`, and where a call goes wrong.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::HELP;
use super::check::Fault;
use super::compiled::Actions;
use crate::protocol::CallToolResult;
use crate::step::{Cx, ToolPages};

/// The most characters of a name that the client made up which are repeated to it.
const SHOWN: usize = 40;

/// What `help` is asked about: every tool, one tool, one action of it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct About {
    tool: Option<String>,
    action: Option<String>,
}

/// The step of the action `help` of a tool.
pub(super) fn help(cx: &mut Cx, own: &str, about: About) -> CallToolResult {
    let About { tool, action } = about;
    let Some(tool) = tool.or_else(|| action.is_some().then(|| own.to_owned())) else {
        return page(&index(cx, own));
    };
    let Some(pages) = cx.tool_pages().find(|pages| pages.tool == tool) else {
        return refusal(json!({
            "error": "unknown_tool",
            "message": format!("There is no tool {}", quoted(&tool)),
            "help": call(own, None, None),
        }));
    };
    let Some(action) = action else {
        return page(&pages.page);
    };
    match pages.actions.iter().find(|(name, _)| *name == action) {
        Some((_, found)) => page(found),
        None => refusal(json!({
            "error": "unknown_action",
            "message": format!("There is no action {} of {tool}", quoted(&action)),
            "help": call(own, Some(&tool), None),
        })),
    }
}

/// The tools that the caller sees.
fn index(cx: &Cx, own: &str) -> Value {
    let tools: Vec<&Value> = cx.tool_pages().map(|pages| &pages.entry).collect();
    let example = cx.tool_pages().next().map(|pages| pages.tool.as_str());
    json!({ "tools": tools, "help": call(own, example, None) })
}

fn page(page: &Value) -> CallToolResult {
    CallToolResult::text(page.to_string())
}

fn refusal(told: Value) -> CallToolResult {
    CallToolResult::error(told.to_string())
}

/// A call of `help` that is right as it stands.
pub(super) fn call(own: &str, tool: Option<&str>, action: Option<&str>) -> Value {
    let mut data = Map::new();
    for (name, value) in [("tool", tool), ("action", action)] {
        data.extend(value.map(|value| (name.to_owned(), Value::from(value))));
    }
    let mut arguments = Map::from_iter([("action".to_owned(), HELP.into())]);
    if !data.is_empty() {
        arguments.insert("data".to_owned(), data.into());
    }
    json!({ "tool": own, "arguments": arguments })
}

/// A name that the client made up, as it is repeated to it.
pub(super) fn quoted(name: &str) -> String {
    let shown: String = name.chars().take(SHOWN).collect();
    let cut = if shown.len() < name.len() { "…" } else { "" };
    format!("{shown:?}{cut}")
}

pub(super) fn unknown_argument(actions: &Actions, name: &str) -> String {
    let message = format!(
        "arguments: must not have {}; an action's own fields go into data",
        quoted(name)
    );
    told(actions, "unknown_argument", message)
}

pub(super) fn no_action(actions: &Actions, message: &str) -> String {
    told(actions, "missing_action", message.to_owned())
}

pub(super) fn unknown_action(actions: &Actions, name: &str) -> String {
    let message = format!("There is no action {} of {}", quoted(name), actions.tool);
    told(actions, "unknown_action", message)
}

/// An error that is about no action: it carries the summaries of all.
fn told(actions: &Actions, error: &str, message: String) -> String {
    let summaries: Vec<&str> = actions.summaries.lines().collect();
    let tool = &*actions.tool;
    json!({
        "error": error,
        "message": message,
        "actions": summaries,
        "help": call(tool, Some(tool), None),
    })
    .to_string()
}

pub(super) fn wrong_data(actions: &Actions, action: &str, summary: &str, fault: &Fault) -> String {
    let tool = &*actions.tool;
    json!({
        "error": fault.kind(),
        "message": fault.words(),
        "action": action,
        "summary": summary,
        "help": call(tool, Some(tool), Some(action)),
    })
    .to_string()
}

/// The pages of a tool that has no actions.
pub(in crate::tool) fn plain_pages(tool: &crate::protocol::Tool) -> ToolPages {
    let description = tool.description.as_deref().unwrap_or_default();
    ToolPages {
        tool: tool.name.clone(),
        entry: json!({ "tool": tool.name, "summary": first_line(description) }),
        page: json!({
            "tool": tool.name,
            "description": description,
            "input_schema": tool.input_schema,
        }),
        actions: Vec::new(),
    }
}

/// What stands on one line of a text.
pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
