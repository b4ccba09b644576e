//! The items of the four lists.

use std::borrow::Cow;

use super::super::version::LegacyVersion;
use super::text::{elements, members, read};
use crate::json::{Json, Kind};

/// The items of a list; `member` is the member of the result that holds them.
pub(in crate::legacy) fn items(version: LegacyVersion, member: &str, items: String) -> String {
    let tools = member == "tools";
    // Only the output schema of a tool can need a change in the latest of these revisions.
    if version == LegacyVersion::LATEST && !tools {
        return items;
    }
    let Some(json) = read(&items) else {
        return items;
    };
    elements(json, |item| {
        members(item, |name, value| {
            let kept = match name {
                "title" | "_meta" => version.has_structured_content(),
                "icons" => version.has_icons(),
                "outputSchema" => version.has_structured_content() && is_of_object(value),
                "annotations" if tools => version.has_audio(),
                "annotations" => return Some(annotations(version, value)),
                "arguments" => return Some(arguments(version, value).into()),
                _ => true,
            };
            kept.then(|| value.text().into())
        })
    })
}

/// These revisions know output schemas of objects alone.
fn is_of_object(schema: Json<'_>) -> bool {
    let kind = schema.get("type").and_then(Json::as_str);
    kind.as_deref() == Some("object")
}

fn annotations(version: LegacyVersion, value: Json<'_>) -> Cow<'_, str> {
    if version.has_structured_content() || value.kind() != Kind::Object {
        return value.text().into();
    }
    members(value, |name, value| {
        (name != "lastModified").then(|| value.text().into())
    })
    .into()
}

/// The arguments of a prompt.
fn arguments(version: LegacyVersion, value: Json<'_>) -> String {
    elements(value, |argument| {
        members(argument, |name, value| {
            (name != "title" || version.has_structured_content()).then(|| value.text().into())
        })
    })
}
