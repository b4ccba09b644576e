use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::JsonNumber;

/// A JSON object.
///
/// Schema: [`JSONObject`](https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonobject).
///
/// ```
/// use mcp_reprise::protocol::JsonObject;
///
/// let mut object = JsonObject::new();
/// object.insert("city".to_owned(), "Paris".into());
/// ```
pub type JsonObject = Map<String, Value>;

/// Who a message is from, or who content is meant for.
///
/// Schema: [`Role`](https://modelcontextprotocol.io/specification/2026-07-28/schema#role).
///
/// ```
/// use mcp_reprise::protocol::Role;
///
/// assert_eq!(serde_json::to_string(&Role::Assistant)?, "\"assistant\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints to the client about who content is for and how much it matters.
///
/// Schema: [`Annotations`](https://modelcontextprotocol.io/specification/2026-07-28/schema#annotations).
/// Spec: [Resource annotations](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations).
///
/// ```
/// use mcp_reprise::protocol::{Annotations, Role};
///
/// let hints = Annotations::new().audience([Role::User]).priority(0.8);
/// assert_eq!(hints.priority.and_then(|p| p.as_f64()), Some(0.8));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// Who should see the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Role>>,
    /// How much the content matters, from 0 (can be left out) to 1 (needed).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<JsonNumber>,
    /// When the content last changed, as ISO 8601 text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `audience`.
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = Some(audience.into_iter().collect());
        self
    }

    /// Sets `priority`.
    pub fn priority(mut self, priority: impl Into<JsonNumber>) -> Self {
        self.priority = Some(priority.into());
        self
    }

    /// Sets `lastModified`.
    pub fn last_modified(mut self, last_modified: impl Into<String>) -> Self {
        self.last_modified = Some(last_modified.into());
        self
    }
}

/// The background an icon is drawn for.
///
/// Schema: [`Icon`](https://modelcontextprotocol.io/specification/2026-07-28/schema#icon).
///
/// ```
/// use mcp_reprise::protocol::{Icon, IconTheme};
///
/// let icon = Icon::new("https://example.com/moon.svg").theme(IconTheme::Dark);
/// assert_eq!(icon.theme, Some(IconTheme::Dark));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IconTheme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

/// A picture a client may show beside a name.
///
/// Schema: [`Icon`](https://modelcontextprotocol.io/specification/2026-07-28/schema#icon).
/// Spec: [Icons](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#icons).
///
/// ```
/// use mcp_reprise::protocol::Icon;
///
/// let icon = Icon::new("https://example.com/i.png").mime_type("image/png").sizes(["48x48"]);
/// assert_eq!(icon.src, "https://example.com/i.png");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// Where the picture is: an HTTP(S) or `data:` URI.
    pub src: String,
    /// The MIME type, where the source doesn't tell it well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Sizes the picture suits, such as `48x48`, or `any`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Vec<String>>,
    /// The background the picture is drawn for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<IconTheme>,
}

impl Icon {
    /// With only what is required; every optional member is absent.
    pub fn new(src: impl Into<String>) -> Self {
        Self {
            src: src.into(),
            mime_type: None,
            sizes: None,
            theme: None,
        }
    }

    /// Sets `mimeType`.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets `sizes`.
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.sizes = Some(sizes.into_iter().map(Into::into).collect());
        self
    }

    /// Sets `theme`.
    pub fn theme(mut self, theme: IconTheme) -> Self {
        self.theme = Some(theme);
        self
    }
}

/// The name and version of a client's or server's software. Whoever sends it
/// wrote it: nothing vouches for it.
///
/// Schema: [`Implementation`](https://modelcontextprotocol.io/specification/2026-07-28/schema#implementation).
///
/// ```
/// use mcp_reprise::protocol::Implementation;
///
/// let server = Implementation::new("weather", "1.2.0").title("Weather");
/// assert_eq!(server.version, "1.2.0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Implementation {
    /// The name, for programs.
    pub name: String,
    /// The name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The version.
    pub version: String,
    /// What the software does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Icons a client may show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Its web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
}

impl Implementation {
    /// With only what is required; every optional member is absent.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
            description: None,
            icons: None,
            website_url: None,
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

    /// Sets `icons`.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.icons = Some(icons.into_iter().collect());
        self
    }

    /// Sets `websiteUrl`.
    pub fn website_url(mut self, website_url: impl Into<String>) -> Self {
        self.website_url = Some(website_url.into());
        self
    }
}
