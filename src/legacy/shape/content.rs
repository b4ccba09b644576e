//! Results.

use serde::Serialize;
use serde_json::Value;

use super::super::version::LegacyVersion;
use crate::protocol::{
    Annotations, BlobResourceContents, CallToolResult, ContentBlock, EmbeddedResource, ErrorObject,
    ResourceContents, ResourceLink, TextContent,
};
use crate::step::Done;

/// The result of a call.
pub(in crate::legacy) fn done(version: LegacyVersion, done: Done) -> Result<String, ErrorObject> {
    match done {
        Done::Tool(result) => written(&tool(version, result)),
        Done::Prompt(mut result) => {
            result.result_type = None;
            let mut place = 0;
            for message in &mut result.messages {
                place += 1;
                let content = std::mem::replace(&mut message.content, text(String::new()));
                message.content = block(version, place, content);
            }
            written(&result)
        }
        Done::Resource(mut result) => {
            result.result_type = None;
            result.ttl_ms = None;
            result.cache_scope = None;
            for contents in &mut result.contents {
                resource(version, contents);
            }
            written(&result)
        }
        Done::Completion(mut result) => {
            result.result_type = None;
            written(&result)
        }
    }
}

fn written(result: &impl Serialize) -> Result<String, ErrorObject> {
    serde_json::to_string(result).map_err(|_| ErrorObject::internal_error("Internal error"))
}

fn tool(version: LegacyVersion, mut result: CallToolResult) -> CallToolResult {
    result.result_type = None;
    let structured = result.structured_content.take();
    let sayable = version.has_structured_content() && matches!(structured, Some(Value::Object(_)));
    result.content = result
        .content
        .into_iter()
        .enumerate()
        .map(|(place, content)| block(version, place + 1, content))
        .collect();
    if sayable {
        result.structured_content = structured;
    } else if let Some(structured) = structured.filter(|_| result.content.is_empty()) {
        result.content.push(text(structured.to_string()));
    }
    result
}

fn text(text: String) -> ContentBlock {
    ContentBlock::Text(TextContent::new(text))
}

fn block(version: LegacyVersion, place: usize, content: ContentBlock) -> ContentBlock {
    let mut content = match content {
        ContentBlock::Audio(audio) if !version.has_audio() => {
            let contents = BlobResourceContents::new(format!("audio:{place}"), "");
            let mut contents = contents.mime_type(audio.mime_type);
            contents.blob = audio.data;
            let mut embedded = EmbeddedResource::new(contents);
            embedded.annotations = audio.annotations;
            embedded.meta = audio.meta;
            ContentBlock::Resource(embedded)
        }
        ContentBlock::ResourceLink(link) if !version.has_structured_content() => text(named(&link)),
        content => content,
    };
    match &mut content {
        ContentBlock::Text(text) => parts(version, &mut text.annotations, &mut text.meta),
        ContentBlock::Image(image) => parts(version, &mut image.annotations, &mut image.meta),
        ContentBlock::Audio(audio) => parts(version, &mut audio.annotations, &mut audio.meta),
        ContentBlock::Resource(embedded) => {
            parts(version, &mut embedded.annotations, &mut embedded.meta);
            resource(version, &mut embedded.resource);
        }
        ContentBlock::ResourceLink(link) => {
            if !version.has_icons() {
                link.resource.icons = None;
            }
        }
    }
    content
}

/// A link in words.
fn named(link: &ResourceLink) -> String {
    let resource = &link.resource;
    let name = resource.title.as_ref().unwrap_or(&resource.name);
    match &resource.description {
        Some(description) => format!("{name}: {}\n{description}", resource.uri),
        None => format!("{name}: {}", resource.uri),
    }
}

fn resource(version: LegacyVersion, contents: &mut ResourceContents) {
    if version.has_structured_content() {
        return;
    }
    match contents {
        ResourceContents::Text(contents) => contents.meta = None,
        ResourceContents::Blob(contents) => contents.meta = None,
    }
}

fn parts<M>(version: LegacyVersion, annotations: &mut Option<Annotations>, meta: &mut Option<M>) {
    if version.has_structured_content() {
        return;
    }
    *meta = None;
    if let Some(annotations) = annotations {
        annotations.last_modified = None;
    }
}
