//! From what an author offers to what is listed, looked up and told.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::HELP;
use super::check::{Data, Fault, schema_fault};
use super::compiled::{Actions, Compiled};
use super::error::ActionError;
use super::help::{self, About, first_line};
use super::offered::{ActionTool, ToolAction};
use crate::json::{Json, ReadLimits};
use crate::protocol::CallToolResult;
use crate::step::{Cx, ToolPages};
use crate::tool::arguments::FlatSchema;
use crate::tool::offered::{ActionParts, Tool};

/// The most characters of an action's name.
const NAME: usize = 64;

/// The tool as every other, with what is wrong with it if anything is.
pub(super) fn tool(offered: ActionTool) -> Tool {
    let mut tool = Tool::new(&offered.name);
    if let Some(description) = &offered.description {
        tool = tool.description(description);
    }
    match parts(offered) {
        Ok(parts) => tool.input_schema(schema(&parts.actions)).actions(Ok(parts)),
        Err(error) => tool.actions(Err(error)),
    }
}

fn parts(offered: ActionTool) -> Result<ActionParts, ActionError> {
    let ActionTool {
        name: tool,
        description,
        actions: offered,
    } = offered;
    if offered.is_empty() {
        return Err(ActionError::NoAction);
    }
    let explains = explains(&tool);
    let own = tool.clone();
    let helps = move |cx: &mut Cx, about: About| -> CallToolResult { help::help(cx, &own, about) };
    let explains = explains.step(helps);
    let mut by_name = BTreeMap::new();
    let mut summaries = Vec::new();
    let mut pages = Vec::new();
    for action in offered.iter().chain([&explains]) {
        if action.name == HELP && !std::ptr::eq(action, &explains) {
            let action = action.name.clone();
            return Err(ActionError::Reserved { action });
        }
        let compiled = compile(action)?;
        let summary = compiled.summary.clone();
        if by_name
            .insert(action.name.as_str().into(), compiled)
            .is_some()
        {
            let action = action.name.clone();
            return Err(ActionError::Twice { action });
        }
        summaries.push(format!("{}: {summary}", action.name));
    }
    for action in offered.iter().chain([&explains]) {
        pages.push((action.name.clone(), page(&tool, action, &by_name)?));
    }
    let names: Vec<&str> = offered.iter().map(|action| &*action.name).collect();
    let description = description.unwrap_or_default();
    let entry = json!({
        "tool": tool,
        "summary": first_line(&description),
        "actions": names,
    });
    let listed: Vec<Value> = offered
        .iter()
        .map(|action| json!({ "action": action.name, "summary": action.summary }))
        .collect();
    let help = offered
        .first()
        .map(|action| help::call(&tool, Some(&tool), Some(&action.name)));
    let page = json!({
        "tool": tool,
        "description": description,
        "actions": listed,
        "help": help,
    });
    Ok(ActionParts {
        actions: Actions {
            tool: tool.as_str().into(),
            by_name,
            summaries: summaries.join("\n").into(),
        },
        pages: ToolPages {
            tool,
            entry,
            page,
            actions: pages,
        },
    })
}

/// The action `help`, without its step.
fn explains(tool: &str) -> ToolAction {
    ToolAction::new(HELP, "Explains the tools and their actions")
        .property(
            "tool",
            json!({ "type": "string", "description": "A tool; all of them without it" }),
        )
        .property(
            "action",
            json!({ "type": "string", "description": "An action of the tool" }),
        )
        .example("Every tool", json!({}))
        .example("The actions of this tool", json!({ "tool": tool }))
}

/// The listed schema of the arguments. It is small whatever the actions take.
fn schema(actions: &Actions) -> Value {
    // In the order of the summaries, which is the author's.
    let names: Vec<&str> = actions
        .summaries
        .lines()
        .filter_map(|line| line.split_once(": ").map(|(name, _)| name))
        .collect();
    json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": names,
                "description": &*actions.summaries,
            },
            "data": {
                "type": "object",
                "description": "What the action takes, as the action help tells it",
            },
        },
        "required": ["action"],
        "additionalProperties": false,
    })
}

fn compile(action: &ToolAction) -> Result<Compiled, ActionError> {
    let name = || action.name.clone();
    let letter = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let is_name =
        !action.name.is_empty() && action.name.len() <= NAME && action.name.chars().all(letter);
    if !is_name {
        return Err(ActionError::Name { action: name() });
    }
    if action.summary.trim().is_empty() || action.summary.contains(['\n', '\r']) {
        return Err(ActionError::Summary { action: name() });
    }
    let mut properties = Map::new();
    for (property, schema) in &action.properties {
        if let Some(fault) = schema_fault(schema) {
            return Err(ActionError::Schema {
                action: name(),
                property: property.clone(),
                fault,
            });
        }
        if properties
            .insert(property.clone(), schema.clone())
            .is_some()
        {
            return Err(ActionError::PropertyTwice {
                action: name(),
                property: property.clone(),
            });
        }
    }
    let grouped = action.groups.iter().flatten();
    let named = action
        .required
        .iter()
        .map(|property| ("required", property));
    let named = named
        .chain(grouped.map(|property| ("required_one_of", property)))
        .chain(action.defaults.keys().map(|property| ("default", property)));
    for (list, property) in named {
        if !properties.contains_key(property) {
            return Err(ActionError::NoProperty {
                action: name(),
                list,
                property: property.clone(),
            });
        }
    }
    if let Some(group) = action.groups.iter().find(|group| group.len() < 2) {
        let of = group.len();
        return Err(ActionError::Group { action: name(), of });
    }
    let boxed = |names: &[String]| names.iter().map(|name| name.as_str().into()).collect();
    let member = |(name, value): (&String, &Value)| {
        let member = format!("{}:{value}", Value::from(name.as_str()));
        (name.as_str().into(), member.into())
    };
    let data = Data {
        schema: FlatSchema::new(&Map::from_iter([(
            "properties".to_owned(),
            properties.into(),
        )])),
        properties: action
            .properties
            .iter()
            .map(|(name, _)| name.as_str().into())
            .collect(),
        required: boxed(&action.required),
        groups: action.groups.iter().map(|group| boxed(group)).collect(),
        defaults: action.defaults.iter().map(member).collect(),
    };
    check_own(action, &data)?;
    let function = action.function.clone();
    Ok(Compiled {
        summary: action.summary.as_str().into(),
        data,
        function: function.ok_or_else(|| ActionError::NoStep { action: name() })?,
    })
}

/// What the author wrote as data must be such as the action takes.
fn check_own(action: &ToolAction, data: &Data) -> Result<(), ActionError> {
    let name = || action.name.clone();
    let defaults = Value::Object(action.defaults.clone()).to_string();
    if let Ok(json) = Json::read(defaults.as_bytes(), &ReadLimits::default()) {
        data.schema
            .check(json)
            .map_err(|error| ActionError::Refused {
                action: name(),
                what: "a default".to_owned(),
                error,
            })?;
    }
    for example in &action.examples {
        let text = example.data.to_string();
        let what = format!("the example {:?}", example.description);
        let taken = match Json::read(text.as_bytes(), &ReadLimits::default()) {
            Ok(json) if example.data.is_object() => data.take(json).map(drop),
            _ => Err(Fault::NoObject),
        };
        match taken {
            Ok(()) => {}
            Err(Fault::Rule(error)) => {
                let action = name();
                return Err(ActionError::Refused {
                    action,
                    what,
                    error,
                });
            }
            Err(fault) => {
                return Err(ActionError::Lacking {
                    action: name(),
                    what,
                    fault: fault.words(),
                });
            }
        }
    }
    Ok(())
}

/// The page of one action, as the author wrote it.
fn page(
    tool: &str,
    action: &ToolAction,
    all: &BTreeMap<Box<str>, Compiled>,
) -> Result<Value, ActionError> {
    let mut page = Map::from_iter([
        ("tool".to_owned(), tool.into()),
        ("action".to_owned(), action.name.as_str().into()),
        ("summary".to_owned(), action.summary.as_str().into()),
        (
            "properties".to_owned(),
            Map::from_iter(action.properties.clone()).into(),
        ),
    ]);
    let mut related = Vec::new();
    for other in &action.related {
        let found = all
            .get(other.as_str())
            .ok_or_else(|| ActionError::Related {
                action: action.name.clone(),
                related: other.clone(),
            })?;
        related.push(json!({ "action": other, "summary": &*found.summary }));
    }
    let examples: Vec<Value> = action
        .examples
        .iter()
        .map(|example| {
            json!({
                "description": example.description,
                "arguments": { "action": action.name, "data": example.data },
            })
        })
        .collect();
    let rest = [
        ("description", json!(action.description)),
        ("required", json!(action.required)),
        ("required_one_of", json!(action.groups)),
        ("defaults", json!(action.defaults)),
        ("notes", json!(action.notes)),
        ("related", Value::Array(related)),
        ("examples", Value::Array(examples)),
    ];
    // What there is nothing of is left out.
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let rest = rest.into_iter().filter(|(_, value)| !empty(value));
    page.extend(rest.map(|(name, value)| (name.to_owned(), value)));
    Ok(page.into())
}
