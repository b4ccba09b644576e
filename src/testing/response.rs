//! Taking answers apart: each extractor gives the one thing it is named after, and otherwise
//! panics with what arrived and which branch was wrong.

use serde_json::Value;

use crate::action::{Action, Turn};
use crate::exchange::Response;
use crate::protocol::{CallToolResult, ContentBlock};

/// Longest piece of what arrived in a panic, in characters.
const SHOWN: usize = 600;

/// What an answer can be taken from: a JSON-RPC message or a bare result as a [`Value`], a
/// [`Response`], an [`Action`], a [`Turn`] with one answer in it, or a [`CallToolResult`].
pub trait Answered {
    /// The JSON-RPC message, or the bare result. Where there is none, what there is instead.
    ///
    /// # Errors
    ///
    /// In words, what arrived instead of an answer.
    fn answered(&self) -> Result<Value, String>;
}

impl<T: Answered + ?Sized> Answered for &T {
    fn answered(&self) -> Result<Value, String> {
        (**self).answered()
    }
}

impl Answered for Value {
    fn answered(&self) -> Result<Value, String> {
        Ok(self.clone())
    }
}

impl Answered for CallToolResult {
    fn answered(&self) -> Result<Value, String> {
        serde_json::to_value(self).map_err(|error| format!("a result that is no JSON: {error}"))
    }
}

impl Answered for Response {
    fn answered(&self) -> Result<Value, String> {
        let status = self.status;
        let Some(message) = &self.message else {
            return Err(format!("{status} without a message"));
        };
        serde_json::from_slice(message)
            .map_err(|error| format!("{status} and a message that is no JSON: {error}"))
    }
}

impl Answered for Action {
    fn answered(&self) -> Result<Value, String> {
        match self {
            Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
                response.answered()
            }
            other => Err(format!("no answer but the action {other:?}")),
        }
    }
}

impl Answered for Turn {
    fn answered(&self) -> Result<Value, String> {
        let mut answers = self.actions.iter().filter(|action| {
            matches!(
                action,
                Action::Respond { .. } | Action::InputRequired { .. }
            )
        });
        match (answers.next(), answers.next()) {
            (Some(answer), None) => answer.answered(),
            (None, _) if !self.steps.is_empty() => Err(format!(
                "no answer yet but {} steps to run",
                self.steps.len()
            )),
            (None, _) => Err(format!("no answer among the actions {:?}", self.actions)),
            (Some(_), Some(_)) => Err(format!("several answers: {:?}", self.actions)),
        }
    }
}

/// The text of a successful answer with one text in it.
///
/// ```
/// use mcp_reprise::{protocol::CallToolResult, testing::text_response};
///
/// assert_eq!(text_response(&CallToolResult::text("done")), "done");
/// ```
///
/// # Panics
///
/// When something else arrived: says what.
#[track_caller]
pub fn text_response(answer: &impl Answered) -> String {
    text_of(&single_of(&success(answer, "text"), "text"), "text")
}

/// The text of a successful answer with one text in it, read as JSON.
///
/// ```
/// use mcp_reprise::{protocol::CallToolResult, testing::json_response};
///
/// assert_eq!(json_response(&CallToolResult::json(&[1, 2])), serde_json::json!([1, 2]));
/// ```
///
/// # Panics
///
/// When something else arrived: says what.
#[track_caller]
pub fn json_response(answer: &impl Answered) -> Value {
    let text = text_of(
        &single_of(&success(answer, "JSON as text"), "JSON as text"),
        "JSON as text",
    );
    parsed(&text)
}

/// The text of an answer with `isError` and one text in it: the mirror of [`text_response`].
///
/// ```
/// use mcp_reprise::{protocol::CallToolResult, testing::error_response};
///
/// assert_eq!(error_response(&CallToolResult::error("closed on Mondays")), "closed on Mondays");
/// ```
///
/// # Panics
///
/// When something else arrived, a success above all: says what.
#[track_caller]
pub fn error_response(answer: &impl Answered) -> String {
    let result = complete(answer, "a result with isError");
    if result.get("isError") != Some(&Value::Bool(true)) {
        wrong("a result with isError", "a successful result", &result);
    }
    text_of(
        &single_of(&result, "a result with isError"),
        "a result with isError",
    )
}

/// The one image of a successful answer, with its `data` and its `mimeType`.
///
/// ```
/// use mcp_reprise::protocol::{CallToolResult, ImageContent};
/// use mcp_reprise::testing::image_response;
///
/// let result = CallToolResult::content([ImageContent::new([1], "image/png")]);
/// assert_eq!(image_response(&result)["mimeType"], "image/png");
/// ```
///
/// # Panics
///
/// When something else arrived: says what.
#[track_caller]
pub fn image_response(answer: &impl Answered) -> Value {
    typed(single_of(&success(answer, "an image"), "an image"), "image")
}

/// The one piece of audio of a successful answer: as [`image_response`].
///
/// ```
/// use mcp_reprise::protocol::{AudioContent, CallToolResult};
/// use mcp_reprise::testing::audio_response;
///
/// let result = CallToolResult::content([AudioContent::new([1], "audio/wav")]);
/// assert_eq!(audio_response(&result)["mimeType"], "audio/wav");
/// ```
///
/// # Panics
///
/// When something else arrived: says what.
#[track_caller]
pub fn audio_response(answer: &impl Answered) -> Value {
    typed(single_of(&success(answer, "audio"), "audio"), "audio")
}

/// What has content blocks: an array of them as a [`Value`] or a slice, or a [`CallToolResult`].
pub trait Contents {
    /// The blocks as JSON.
    ///
    /// # Errors
    ///
    /// In words, what is there instead of blocks.
    fn contents(&self) -> Result<Vec<Value>, String>;
}

impl Contents for Value {
    fn contents(&self) -> Result<Vec<Value>, String> {
        match self.as_array().or(self["content"].as_array()) {
            Some(blocks) => Ok(blocks.clone()),
            None => Err(format!("no content blocks but {}", cut(&self.to_string()))),
        }
    }
}

impl Contents for [Value] {
    fn contents(&self) -> Result<Vec<Value>, String> {
        Ok(self.to_vec())
    }
}

impl Contents for [ContentBlock] {
    fn contents(&self) -> Result<Vec<Value>, String> {
        let blocks = self.iter().map(serde_json::to_value);
        blocks
            .collect::<Result<_, _>>()
            .map_err(|error| format!("a block that is no JSON: {error}"))
    }
}

impl Contents for Vec<ContentBlock> {
    fn contents(&self) -> Result<Vec<Value>, String> {
        self.as_slice().contents()
    }
}

impl Contents for CallToolResult {
    fn contents(&self) -> Result<Vec<Value>, String> {
        self.content.contents()
    }
}

/// The one block of some content.
///
/// ```
/// use mcp_reprise::testing::unwrap_single;
/// use serde_json::json;
///
/// assert_eq!(unwrap_single(&json!([{ "type": "image" }])), json!({ "type": "image" }));
/// ```
///
/// # Panics
///
/// When there is none, or more than one: shows them all.
#[track_caller]
pub fn unwrap_single(content: &(impl Contents + ?Sized)) -> Value {
    match content.contents() {
        Ok(blocks) => one(&blocks, "content"),
        Err(arrived) => panic!("wanted content with one block; arrived: {arrived}"),
    }
}

/// The text of content that is one text.
///
/// ```
/// use mcp_reprise::testing::unwrap_text;
/// use serde_json::json;
///
/// assert_eq!(unwrap_text(&json!([{ "type": "text", "text": "done" }])), "done");
/// ```
///
/// # Panics
///
/// When it is anything else: shows it.
#[track_caller]
pub fn unwrap_text(content: &(impl Contents + ?Sized)) -> String {
    text_of(&unwrap_single(content), "content")
}

/// The text of content that is one text, read as JSON.
///
/// ```
/// use mcp_reprise::testing::unwrap_json;
/// use serde_json::json;
///
/// assert_eq!(unwrap_json(&json!([{ "type": "text", "text": r#"{"id": 7}"# }])), json!({ "id": 7 }));
/// ```
///
/// # Panics
///
/// When it is anything else: shows it.
#[track_caller]
pub fn unwrap_json(content: &(impl Contents + ?Sized)) -> Value {
    parsed(&unwrap_text(content))
}

/// The result of an answer that is complete, whether the tool failed or not.
#[track_caller]
fn complete(answer: &impl Answered, wanted: &str) -> Value {
    let message = match answer.answered() {
        Ok(message) => message,
        Err(arrived) => panic!("wanted {wanted}; arrived: {arrived}"),
    };
    if let Some(error) = message.get("error") {
        wrong(wanted, "a JSON-RPC error", error);
    }
    let result = message.get("result").unwrap_or(&message);
    if result.get("inputRequests").is_some() {
        wrong(
            wanted,
            "questions to the client (inputRequests)",
            &result["inputRequests"],
        );
    }
    if result.get("content").is_none() {
        wrong(wanted, "no result of a tool", result);
    }
    result.clone()
}

#[track_caller]
fn success(answer: &impl Answered, wanted: &str) -> Value {
    let wanted = format!("a successful result with {wanted}");
    let result = complete(answer, &wanted);
    if result.get("isError") == Some(&Value::Bool(true)) {
        wrong(&wanted, "a result with isError", &result["content"]);
    }
    result
}

#[track_caller]
fn single_of(result: &Value, wanted: &str) -> Value {
    match result["content"].as_array() {
        Some(blocks) => one(blocks, wanted),
        None => wrong(wanted, "content that is no array", &result["content"]),
    }
}

#[track_caller]
fn one(blocks: &[Value], wanted: &str) -> Value {
    match blocks {
        [block] => block.clone(),
        blocks => wrong(
            &format!("{wanted} in one block"),
            &format!("{} blocks", blocks.len()),
            &Value::from(blocks),
        ),
    }
}

#[track_caller]
fn text_of(block: &Value, wanted: &str) -> String {
    match (block["type"].as_str(), block["text"].as_str()) {
        (Some("text"), Some(text)) => text.to_owned(),
        _ => wrong(
            &format!("{wanted} in a text block"),
            "a block of another type",
            block,
        ),
    }
}

#[track_caller]
fn typed(block: Value, wanted: &str) -> Value {
    if block["type"] != wanted {
        wrong(
            &format!("a block of type {wanted}"),
            "a block of another type",
            &block,
        );
    }
    block
}

#[track_caller]
fn parsed(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!(
            "wanted JSON as text; arrived: text that is no JSON ({error}): {}",
            cut(text)
        ),
    }
}

#[track_caller]
fn wrong(wanted: &str, branch: &str, arrived: &Value) -> ! {
    panic!(
        "wanted {wanted}; arrived: {branch}: {}",
        cut(&arrived.to_string())
    )
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
