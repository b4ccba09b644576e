//! Changing JSON text of our own, member by member, in its order.

use std::borrow::Cow;

use super::super::version::LegacyVersion;
use crate::json::{Json, ReadLimits};

/// Reads text that we have written ourselves.
pub(super) fn read(text: &str) -> Option<Json<'_>> {
    let limits = ReadLimits {
        depth: 512,
        members: usize::MAX,
        string: usize::MAX,
    };
    Json::read(text.as_bytes(), &limits).ok()
}

/// The object with each member as `change` has it, `None` for one that is left out.
pub(super) fn members<'a>(
    object: Json<'a>,
    mut change: impl FnMut(&str, Json<'a>) -> Option<Cow<'a, str>>,
) -> String {
    let mut out = String::from("{");
    for (name, value) in object.members() {
        let Some(value) = change(&name, value) else {
            continue;
        };
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&quoted(&name));
        out.push(':');
        out.push_str(&value);
    }
    out.push('}');
    out
}

/// The array with each element as `change` has it: none, one or several, already joined.
pub(super) fn elements<'a>(array: Json<'a>, mut change: impl FnMut(Json<'a>) -> String) -> String {
    let mut out = String::from("[");
    for element in array.elements() {
        let element = change(element);
        if out.len() > 1 && !element.is_empty() {
            out.push(',');
        }
        out.push_str(&element);
    }
    out.push(']');
    out
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A notification of progress, without its message where there is none.
pub(in crate::legacy) fn progress(version: LegacyVersion, notification: &str) -> String {
    if version.has_audio() {
        return notification.to_owned();
    }
    let Some(json) = read(notification) else {
        return notification.to_owned();
    };
    members(json, |name, value| {
        if name != "params" {
            return Some(value.text().into());
        }
        let params = members(value, |name, value| {
            (name != "message").then(|| value.text().into())
        });
        Some(params.into())
    })
}
