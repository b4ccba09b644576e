//! The params of questions.

use std::borrow::Cow;

use super::super::version::LegacyVersion;
use super::text::{elements, members, quoted, read};
use crate::json::{Json, Kind};
use crate::step::Asked;

/// The params of a question, or `None` when the revision has no way to put it.
///
/// `elicitation` names the question to the user, where the revision wants it named.
pub(in crate::legacy) fn question(
    version: LegacyVersion,
    asked: &Asked,
    elicitation: &str,
) -> Option<String> {
    let params = read(&asked.params)?;
    match &*asked.method {
        "elicitation/create" if is_url(params) => Some(url_question(&asked.params, elicitation)),
        "elicitation/create" if !version.has_rich_forms() => form(params),
        "sampling/createMessage" if !version.has_sampling_tools() => {
            Some(sampling(version, params))
        }
        _ => Some(asked.params.to_string()),
    }
}

fn is_url(params: Json<'_>) -> bool {
    params.get("mode").and_then(Json::as_str).as_deref() == Some("url")
}

/// The params of a URL put to the user, with the name that these revisions ask for.
pub(in crate::legacy) fn url_question(params: &str, elicitation: &str) -> String {
    let rest = params.strip_prefix('{').unwrap_or("}");
    format!(r#"{{"elicitationId":"{elicitation}",{rest}"#)
}

/// A form of 2025-06-18: no mode, and fields that are text, numbers, booleans and named values.
fn form(params: Json<'_>) -> Option<String> {
    let mut sayable = true;
    let params = members(params, |name, value| match name {
        "mode" => None,
        "requestedSchema" => Some(
            members(value, |name, value| match name {
                "properties" => Some(
                    members(value, |_, property| {
                        sayable &= kind_of(property).as_deref() != Some("array");
                        Some(field(property).into())
                    })
                    .into(),
                ),
                _ => Some(value.text().into()),
            })
            .into(),
        ),
        _ => Some(value.text().into()),
    });
    sayable.then_some(params)
}

fn kind_of(schema: Json<'_>) -> Option<Cow<'_, str>> {
    schema.get("type").and_then(Json::as_str)
}

fn field(schema: Json<'_>) -> String {
    let boolean = kind_of(schema).as_deref() == Some("boolean");
    let mut options = None;
    let mut written = members(schema, |name, value| match name {
        "default" if !boolean => None,
        "oneOf" => {
            options = Some(value);
            None
        }
        _ => Some(value.text().into()),
    });
    if let Some(options) = options {
        let each = |member| move |option: Json<'_>| member_text(option, member);
        written.pop();
        written.push_str(&format!(
            r#","enum":{},"enumNames":{}}}"#,
            elements(options, each("const")),
            elements(options, each("title")),
        ));
    }
    written
}

fn member_text(object: Json<'_>, name: &str) -> String {
    object
        .get(name)
        .map_or_else(|| "\"\"".to_owned(), |value| value.text().to_owned())
}

/// Sampling before 2025-11-25: each message has one part, and there are no tools.
fn sampling(version: LegacyVersion, params: Json<'_>) -> String {
    members(params, |name, value| match name {
        "tools" | "toolChoice" => None,
        "messages" => Some(elements(value, |each| message(version, each)).into()),
        _ => Some(value.text().into()),
    })
}

/// A message as one or several, with a comma between them.
fn message(version: LegacyVersion, message: Json<'_>) -> String {
    let Some(content) = message.get("content") else {
        return message.text().to_owned();
    };
    let parts: Vec<Json<'_>> = match content.kind() {
        Kind::Array => content.elements().collect(),
        _ => vec![content],
    };
    let each: Vec<String> = parts
        .into_iter()
        .map(|content| {
            members(message, |name, value| match name {
                "content" => Some(part(version, content).into()),
                "_meta" => None,
                _ => Some(value.text().into()),
            })
        })
        .collect();
    each.join(",")
}

/// One part of a message; what the revision does not have is said as text.
fn part(version: LegacyVersion, content: Json<'_>) -> String {
    let kind = kind_of(content);
    let known = match kind.as_deref() {
        Some("text" | "image") => true,
        Some("audio") => version.has_audio(),
        _ => false,
    };
    if !known {
        return format!(r#"{{"type":"text","text":{}}}"#, quoted(content.text()));
    }
    members(content, |name, value| {
        (name != "_meta" || version.has_structured_content()).then(|| value.text().into())
    })
}
