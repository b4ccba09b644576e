use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bytes::{decode, encode};
use super::read::{convert, text_member};
use super::tag::{AudioTag, ImageTag, ResourceLinkTag, ResourceTag, TextTag};
use super::{Annotations, BadBase64, Meta, Resource, ResourceContents};

/// Text.
///
/// Schema: [`TextContent`](https://modelcontextprotocol.io/specification/2026-07-28/schema#textcontent).
/// Spec: [Text content](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#text-content).
///
/// ```
/// use mcp_reprise::protocol::TextContent;
///
/// assert_eq!(TextContent::new("hello").text, "hello");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextContent {
    #[serde(rename = "type")]
    kind: TextTag,
    /// The text.
    pub text: String,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata about this content.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl TextContent {
    /// With only what is required; every optional member is absent.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            kind: Default::default(),
            text: text.into(),
            annotations: None,
            meta: None,
        }
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A picture.
///
/// Schema: [`ImageContent`](https://modelcontextprotocol.io/specification/2026-07-28/schema#imagecontent).
/// Spec: [Image content](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#image-content).
///
/// ```
/// use mcp_reprise::protocol::ImageContent;
///
/// let image = ImageContent::new([137, 80, 78, 71], "image/png");
/// assert_eq!(image.data, "iVBORw==");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ImageContent {
    #[serde(rename = "type")]
    kind: ImageTag,
    /// The picture, as base64.
    pub data: String,
    /// Its MIME type.
    pub mime_type: String,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata about this content.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ImageContent {
    /// A picture from its bytes.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self {
            kind: Default::default(),
            data: encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
            meta: None,
        }
    }

    /// The bytes of the picture.
    ///
    /// # Errors
    ///
    /// [`BadBase64`] when `data` isn't base64.
    pub fn bytes(&self) -> Result<Vec<u8>, BadBase64> {
        decode(&self.data)
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A sound.
///
/// Schema: [`AudioContent`](https://modelcontextprotocol.io/specification/2026-07-28/schema#audiocontent).
/// Spec: [Audio content](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#audio-content).
///
/// ```
/// use mcp_reprise::protocol::AudioContent;
///
/// let sound = AudioContent::new(b"RIFF", "audio/wav");
/// assert_eq!(sound.bytes(), Ok(b"RIFF".to_vec()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AudioContent {
    #[serde(rename = "type")]
    kind: AudioTag,
    /// The sound, as base64.
    pub data: String,
    /// Its MIME type.
    pub mime_type: String,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata about this content.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl AudioContent {
    /// A sound from its bytes.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self {
            kind: Default::default(),
            data: encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
            meta: None,
        }
    }

    /// The bytes of the sound.
    ///
    /// # Errors
    ///
    /// [`BadBase64`] when `data` isn't base64.
    pub fn bytes(&self) -> Result<Vec<u8>, BadBase64> {
        decode(&self.data)
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A pointer to a resource the client may read.
///
/// Schema: [`ResourceLink`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourcelink).
/// Spec: [Resource links](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#resource-links).
///
/// ```
/// use mcp_reprise::protocol::{Resource, ResourceLink};
///
/// let link = ResourceLink::from(Resource::new("file:///a", "a").size(3));
/// assert_eq!(link.resource.size, Some(3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResourceLink {
    #[serde(rename = "type")]
    kind: ResourceLinkTag,
    /// The resource it points to. Its members stand beside `type`.
    #[serde(flatten)]
    pub resource: Resource,
}

impl ResourceLink {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Resource::new(uri, name).into()
    }
}

impl From<Resource> for ResourceLink {
    fn from(resource: Resource) -> Self {
        Self {
            kind: Default::default(),
            resource,
        }
    }
}

impl<'de> Deserialize<'de> for ResourceLink {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if text_member(&value, "type") != Some("resource_link") {
            return Err(D::Error::custom("expected the type \"resource_link\""));
        }
        convert::<Resource, _>(value).map(Self::from)
    }
}

/// What a resource holds, carried along.
///
/// Schema: [`EmbeddedResource`](https://modelcontextprotocol.io/specification/2026-07-28/schema#embeddedresource).
/// Spec: [Embedded resources](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#embedded-resources).
///
/// ```
/// use mcp_reprise::protocol::{EmbeddedResource, TextResourceContents};
///
/// let embedded = EmbeddedResource::new(TextResourceContents::new("file:///a", "hello"));
/// assert_eq!(embedded.resource.uri(), "file:///a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EmbeddedResource {
    #[serde(rename = "type")]
    kind: ResourceTag,
    /// The contents.
    pub resource: ResourceContents,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata about this content.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl EmbeddedResource {
    /// With only what is required; every optional member is absent.
    pub fn new(resource: impl Into<ResourceContents>) -> Self {
        Self {
            kind: Default::default(),
            resource: resource.into(),
            annotations: None,
            meta: None,
        }
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// One piece of what a tool or prompt says.
///
/// Schema: [`ContentBlock`](https://modelcontextprotocol.io/specification/2026-07-28/schema#contentblock).
/// Spec: [Tool result](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result).
///
/// ```
/// use mcp_reprise::protocol::ContentBlock;
///
/// let block = ContentBlock::text("hello");
/// assert_eq!(block.as_text(), Some("hello"));
/// assert_eq!(serde_json::to_string(&block)?, r#"{"type":"text","text":"hello"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// A sound.
    Audio(AudioContent),
    /// A pointer to a resource.
    ResourceLink(ResourceLink),
    /// A resource carried along.
    Resource(EmbeddedResource),
}
