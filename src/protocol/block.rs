use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;

use super::read::{convert, text_member};
use super::{
    Annotations, AudioContent, BlobResourceContents, ContentBlock, EmbeddedResource, ImageContent,
    Meta, ResourceLink, TextContent, TextResourceContents,
};

impl ContentBlock {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        TextContent::new(text).into()
    }

    /// A picture from its bytes.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        ImageContent::new(bytes, mime_type).into()
    }

    /// A sound from its bytes.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        AudioContent::new(bytes, mime_type).into()
    }

    /// A pointer to a resource.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        ResourceLink::new(uri, name).into()
    }

    /// A resource of text, carried along.
    pub fn embedded_text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        EmbeddedResource::new(TextResourceContents::new(uri, text)).into()
    }

    /// A resource of bytes, carried along.
    pub fn embedded_blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        EmbeddedResource::new(BlobResourceContents::new(uri, bytes)).into()
    }

    /// The text, where the block is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(content) => Some(&content.text),
            _ => None,
        }
    }

    /// Sets `annotations`, whatever the block is.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        let slot = match &mut self {
            Self::Text(content) => &mut content.annotations,
            Self::Image(content) => &mut content.annotations,
            Self::Audio(content) => &mut content.annotations,
            Self::ResourceLink(content) => &mut content.resource.annotations,
            Self::Resource(content) => &mut content.annotations,
        };
        *slot = Some(annotations);
        self
    }

    /// Sets `_meta`, whatever the block is.
    pub fn meta(mut self, meta: Meta) -> Self {
        let slot = match &mut self {
            Self::Text(content) => &mut content.meta,
            Self::Image(content) => &mut content.meta,
            Self::Audio(content) => &mut content.meta,
            Self::ResourceLink(content) => &mut content.resource.meta,
            Self::Resource(content) => &mut content.meta,
        };
        *slot = Some(meta);
        self
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        match text_member(&value, "type") {
            Some("text") => convert(value).map(Self::Text),
            Some("image") => convert(value).map(Self::Image),
            Some("audio") => convert(value).map(Self::Audio),
            Some("resource_link") => convert(value).map(Self::ResourceLink),
            Some("resource") => convert(value).map(Self::Resource),
            _ => Err(D::Error::custom("content of an unknown type")),
        }
    }
}

impl From<TextContent> for ContentBlock {
    fn from(content: TextContent) -> Self {
        Self::Text(content)
    }
}

impl From<ImageContent> for ContentBlock {
    fn from(content: ImageContent) -> Self {
        Self::Image(content)
    }
}

impl From<AudioContent> for ContentBlock {
    fn from(content: AudioContent) -> Self {
        Self::Audio(content)
    }
}

impl From<ResourceLink> for ContentBlock {
    fn from(content: ResourceLink) -> Self {
        Self::ResourceLink(content)
    }
}

impl From<EmbeddedResource> for ContentBlock {
    fn from(content: EmbeddedResource) -> Self {
        Self::Resource(content)
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Role;

    #[test]
    fn every_kind_prints_its_type_and_parses_again() {
        for (block, kind) in [
            (ContentBlock::text("t"), "text"),
            (ContentBlock::image(b"i", "image/png"), "image"),
            (ContentBlock::audio(b"a", "audio/wav"), "audio"),
            (
                ContentBlock::resource_link("file:///a", "a"),
                "resource_link",
            ),
            (ContentBlock::embedded_text("file:///a", "t"), "resource"),
            (ContentBlock::embedded_blob("file:///a", b"b"), "resource"),
        ] {
            let block = block
                .annotations(Annotations::new().audience([Role::User]).priority(1))
                .meta(Meta::new().with("k", 1));
            let value = serde_json::to_value(&block).unwrap();
            assert_eq!(text_member(&value, "type"), Some(kind));
            assert_eq!(value["_meta"]["k"], 1);
            assert_eq!(value["annotations"]["priority"], 1);
            assert_eq!(ContentBlock::deserialize(&value).unwrap(), block);
        }
    }

    #[test]
    fn the_type_is_checked() {
        for text in [
            r#"{"type":"video","text":"t"}"#,
            r#"{"text":"t"}"#,
            r#"{"type":"text"}"#,
            r#"{"type":1}"#,
            "\"text\"",
        ] {
            assert!(
                serde_json::from_str::<ContentBlock>(text).is_err(),
                "{text}"
            );
        }
        let image = r#"{"type":"image","data":"","mimeType":"m"}"#;
        assert!(serde_json::from_str::<AudioContent>(image).is_err());
        assert!(serde_json::from_str::<ImageContent>(image).is_ok());
        let plain = r#"{"uri":"file:///a","name":"a"}"#;
        assert!(serde_json::from_str::<ResourceLink>(plain).is_err());
    }
}
