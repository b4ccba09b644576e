use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bytes::{decode, encode};
use super::read::convert;
use super::{Annotations, BadBase64, Icon, Meta};

/// Something the client may read.
///
/// Schema: [`Resource`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resource).
/// Spec: [Resource](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource).
///
/// ```
/// use mcp_reprise::protocol::Resource;
///
/// let resource = Resource::new("file:///notes.md", "notes").mime_type("text/markdown");
/// assert_eq!(resource.uri, "file:///notes.md");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// Its URI.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Its size in bytes, before base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Icons a client may show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Metadata about this resource.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Resource {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            size: None,
            icons: None,
            meta: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `mimeType`.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `size`.
    pub fn size(mut self, size: u64) -> Self {
        self.size = Some(size);
        self
    }

    /// Sets `icons`.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.icons = Some(icons.into_iter().collect());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A family of resources whose URIs share a pattern.
///
/// Schema: [`ResourceTemplate`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resourcetemplate).
/// Spec: [Resource templates](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates).
///
/// ```
/// use mcp_reprise::protocol::ResourceTemplate;
///
/// let files = ResourceTemplate::new("file:///{path}", "files");
/// assert_eq!(files.name, "files");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The pattern, as an RFC 6570 template.
    pub uri_template: String,
    /// The family's name.
    pub name: String,
    /// Its name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What its members hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The MIME type they all have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints to the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Icons a client may show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Metadata about this template.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ResourceTemplate {
    /// With only what is required; every optional member is absent.
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri_template: uri_template.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `mimeType`.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `icons`.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.icons = Some(icons.into_iter().collect());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// What a resource of text holds.
///
/// Schema: [`TextResourceContents`](https://modelcontextprotocol.io/specification/2026-07-28/schema#textresourcecontents).
/// Spec: [Text content](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#text-content).
///
/// ```
/// use mcp_reprise::protocol::TextResourceContents;
///
/// let contents = TextResourceContents::new("file:///a", "hello");
/// assert_eq!(contents.text, "hello");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextResourceContents {
    /// The resource's URI.
    pub uri: String,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The text.
    pub text: String,
    /// Metadata about this contents.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl TextResourceContents {
    /// With only what is required; every optional member is absent.
    pub fn new(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            mime_type: None,
            text: text.into(),
            meta: None,
        }
    }

    /// Sets `mimeType`.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// What a resource of bytes holds.
///
/// Schema: [`BlobResourceContents`](https://modelcontextprotocol.io/specification/2026-07-28/schema#blobresourcecontents).
/// Spec: [Binary content](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#binary-content).
///
/// ```
/// use mcp_reprise::protocol::BlobResourceContents;
///
/// let contents = BlobResourceContents::new("file:///a", [1, 2, 3]);
/// assert_eq!(contents.blob, "AQID");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BlobResourceContents {
    /// The resource's URI.
    pub uri: String,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The bytes, as base64.
    pub blob: String,
    /// Metadata about this contents.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl BlobResourceContents {
    /// Contents from their bytes.
    pub fn new(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self {
            uri: uri.into(),
            mime_type: None,
            blob: encode(bytes),
            meta: None,
        }
    }

    /// The bytes.
    ///
    /// # Errors
    ///
    /// [`BadBase64`] when `blob` isn't base64.
    pub fn bytes(&self) -> Result<Vec<u8>, BadBase64> {
        decode(&self.blob)
    }

    /// Sets `mimeType`.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// What a resource holds: text or bytes.
///
/// Spec: [Resource contents](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-contents).
///
/// ```
/// use mcp_reprise::protocol::{ResourceContents, TextResourceContents};
///
/// let contents = ResourceContents::from(TextResourceContents::new("file:///a", "hello"));
/// assert_eq!(contents.uri(), "file:///a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ResourceContents {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
}

impl ResourceContents {
    /// The resource's URI.
    pub fn uri(&self) -> &str {
        match self {
            Self::Text(contents) => &contents.uri,
            Self::Blob(contents) => &contents.uri,
        }
    }

    /// Sets `mimeType`.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        let slot = match &mut self {
            Self::Text(contents) => &mut contents.mime_type,
            Self::Blob(contents) => &mut contents.mime_type,
        };
        *slot = Some(mime_type.into());
        self
    }
}

impl<'de> Deserialize<'de> for ResourceContents {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if value.get("text").is_some() {
            convert(value).map(Self::Text)
        } else if value.get("blob").is_some() {
            convert(value).map(Self::Blob)
        } else {
            Err(D::Error::custom("resource contents need `text` or `blob`"))
        }
    }
}

impl From<TextResourceContents> for ResourceContents {
    fn from(contents: TextResourceContents) -> Self {
        Self::Text(contents)
    }
}

impl From<BlobResourceContents> for ResourceContents {
    fn from(contents: BlobResourceContents) -> Self {
        Self::Blob(contents)
    }
}
