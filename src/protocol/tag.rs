//! Members whose value is one fixed word, such as the `type` of a content
//! block. Each is a type of its own, so a wrong word fails to parse.

use serde::{Deserialize, Serialize};

/// Always `"2.0"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum JsonRpcTag {
    #[default]
    #[serde(rename = "2.0")]
    Only,
}

/// Always `"text"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TextTag {
    #[default]
    #[serde(rename = "text")]
    Only,
}

/// Always `"image"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ImageTag {
    #[default]
    #[serde(rename = "image")]
    Only,
}

/// Always `"audio"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum AudioTag {
    #[default]
    #[serde(rename = "audio")]
    Only,
}

/// Always `"resource"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ResourceTag {
    #[default]
    #[serde(rename = "resource")]
    Only,
}

/// Always `"resource_link"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ResourceLinkTag {
    #[default]
    #[serde(rename = "resource_link")]
    Only,
}

/// Always `"tool_use"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ToolUseTag {
    #[default]
    #[serde(rename = "tool_use")]
    Only,
}

/// Always `"tool_result"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ToolResultTag {
    #[default]
    #[serde(rename = "tool_result")]
    Only,
}

/// Always `"object"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ObjectTag {
    #[default]
    #[serde(rename = "object")]
    Only,
}

/// Always `"array"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ArrayTag {
    #[default]
    #[serde(rename = "array")]
    Only,
}

/// Always `"string"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum StringTag {
    #[default]
    #[serde(rename = "string")]
    Only,
}

/// Always `"boolean"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BooleanTag {
    #[default]
    #[serde(rename = "boolean")]
    Only,
}

/// Always `"url"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UrlTag {
    #[default]
    #[serde(rename = "url")]
    Only,
}

/// Always `"ref/prompt"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PromptRefTag {
    #[default]
    #[serde(rename = "ref/prompt")]
    Only,
}

/// Always `"ref/resource"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ResourceRefTag {
    #[default]
    #[serde(rename = "ref/resource")]
    Only,
}

/// Always `"elicitation/create"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ElicitTag {
    #[default]
    #[serde(rename = "elicitation/create")]
    Only,
}

/// Always `"sampling/createMessage"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CreateMessageTag {
    #[default]
    #[serde(rename = "sampling/createMessage")]
    Only,
}

/// Always `"roots/list"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ListRootsTag {
    #[default]
    #[serde(rename = "roots/list")]
    Only,
}
