use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::JsonObject;

/// What a client can do. It is declared anew with every request.
///
/// Schema: [`ClientCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities).
///
/// ```
/// use mcp_reprise::protocol::{ClientCapabilities, ElicitationCapability};
///
/// let client = ClientCapabilities::new().elicitation(ElicitationCapability::new());
/// assert!(client.elicitation.is_some_and(|elicitation| elicitation.allows_form()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// Capabilities outside the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<BTreeMap<String, JsonObject>>,
    /// Present when the client can list its roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roots: Option<RootsCapability>,
    /// Present when the client can ask a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SamplingCapability>,
    /// Present when the client can ask its user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<ElicitationCapability>,
    /// Extensions by their identifier, each with its settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<BTreeMap<String, JsonObject>>,
}

impl ClientCapabilities {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `experimental`.
    pub fn experimental(mut self, experimental: BTreeMap<String, JsonObject>) -> Self {
        self.experimental = Some(experimental);
        self
    }

    /// Sets `roots`.
    pub fn roots(mut self, roots: RootsCapability) -> Self {
        self.roots = Some(roots);
        self
    }

    /// Sets `sampling`.
    pub fn sampling(mut self, sampling: SamplingCapability) -> Self {
        self.sampling = Some(sampling);
        self
    }

    /// Sets `elicitation`.
    pub fn elicitation(mut self, elicitation: ElicitationCapability) -> Self {
        self.elicitation = Some(elicitation);
        self
    }

    /// Sets `extensions`.
    pub fn extensions(mut self, extensions: BTreeMap<String, JsonObject>) -> Self {
        self.extensions = Some(extensions);
        self
    }
}

/// The capability to list roots. It has no settings.
///
/// Schema: [`ClientCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities).
/// Spec: [Capabilities](https://modelcontextprotocol.io/specification/2026-07-28/client/roots#capabilities).
///
/// ```
/// use mcp_reprise::protocol::RootsCapability;
///
/// assert_eq!(serde_json::to_string(&RootsCapability::new())?, "{}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RootsCapability {}

impl RootsCapability {
    /// The capability.
    pub fn new() -> Self {
        Self::default()
    }
}

/// What a client that can ask a model can do with it.
///
/// Schema: [`ClientCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities).
/// Spec: [Capabilities](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#capabilities).
///
/// ```
/// use mcp_reprise::protocol::SamplingCapability;
///
/// assert!(SamplingCapability::new().tools.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplingCapability {
    /// Present when the client can add context from servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<JsonObject>,
    /// Present when the model may use tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<JsonObject>,
}

impl SamplingCapability {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `context`.
    pub fn context(mut self, context: JsonObject) -> Self {
        self.context = Some(context);
        self
    }

    /// Sets `tools`.
    pub fn tools(mut self, tools: JsonObject) -> Self {
        self.tools = Some(tools);
        self
    }
}

/// The ways in which a client can ask its user.
///
/// Schema: [`ClientCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities).
/// Spec: [Capabilities](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities).
///
/// ```
/// use mcp_reprise::protocol::ElicitationCapability;
///
/// let neither_named: ElicitationCapability = serde_json::from_str("{}")?;
/// assert!(neither_named.allows_form() && !neither_named.allows_url());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitationCapability {
    /// Present when the client can show a form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<JsonObject>,
    /// Present when the client can send its user to a URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<JsonObject>,
}

impl ElicitationCapability {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a form may be sent: it is named, or nothing is.
    pub fn allows_form(&self) -> bool {
        self.form.is_some() || self.url.is_none()
    }

    /// Whether a URL may be sent.
    pub fn allows_url(&self) -> bool {
        self.url.is_some()
    }

    /// Sets `form`.
    pub fn form(mut self, form: JsonObject) -> Self {
        self.form = Some(form);
        self
    }

    /// Sets `url`.
    pub fn url(mut self, url: JsonObject) -> Self {
        self.url = Some(url);
        self
    }
}

/// What a server offers.
///
/// Schema: [`ServerCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#servercapabilities).
/// Spec: [Discovery](https://modelcontextprotocol.io/specification/2026-07-28/server/discover).
///
/// ```
/// use mcp_reprise::protocol::{ListChangedCapability, ServerCapabilities};
///
/// let server = ServerCapabilities::new().tools(ListChangedCapability::new().list_changed(true));
/// assert_eq!(serde_json::to_string(&server)?, r#"{"tools":{"listChanged":true}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// Capabilities outside the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<BTreeMap<String, JsonObject>>,
    /// Present when the server sends log messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logging: Option<JsonObject>,
    /// Present when the server completes arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<JsonObject>,
    /// Present when the server has prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<ListChangedCapability>,
    /// Present when the server has resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourcesCapability>,
    /// Present when the server has tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ListChangedCapability>,
    /// Extensions by their identifier, each with its settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<BTreeMap<String, JsonObject>>,
}

impl ServerCapabilities {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `experimental`.
    pub fn experimental(mut self, experimental: BTreeMap<String, JsonObject>) -> Self {
        self.experimental = Some(experimental);
        self
    }

    /// Sets `logging`.
    pub fn logging(mut self, logging: JsonObject) -> Self {
        self.logging = Some(logging);
        self
    }

    /// Sets `completions`.
    pub fn completions(mut self, completions: JsonObject) -> Self {
        self.completions = Some(completions);
        self
    }

    /// Sets `prompts`.
    pub fn prompts(mut self, prompts: ListChangedCapability) -> Self {
        self.prompts = Some(prompts);
        self
    }

    /// Sets `resources`.
    pub fn resources(mut self, resources: ResourcesCapability) -> Self {
        self.resources = Some(resources);
        self
    }

    /// Sets `tools`.
    pub fn tools(mut self, tools: ListChangedCapability) -> Self {
        self.tools = Some(tools);
        self
    }

    /// Sets `extensions`.
    pub fn extensions(mut self, extensions: BTreeMap<String, JsonObject>) -> Self {
        self.extensions = Some(extensions);
        self
    }
}

/// What a server with tools or prompts can do besides listing them.
///
/// Schema: [`ServerCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#servercapabilities).
/// Spec: [Capabilities](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities).
///
/// ```
/// use mcp_reprise::protocol::ListChangedCapability;
///
/// assert_eq!(ListChangedCapability::new().list_changed, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListChangedCapability {
    /// Whether the server tells when the list changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

impl ListChangedCapability {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `listChanged`.
    pub fn list_changed(mut self, list_changed: bool) -> Self {
        self.list_changed = Some(list_changed);
        self
    }
}

/// What a server with resources can do besides listing and reading them.
///
/// Schema: [`ServerCapabilities`](https://modelcontextprotocol.io/specification/2026-07-28/schema#servercapabilities).
/// Spec: [Capabilities](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#capabilities).
///
/// ```
/// use mcp_reprise::protocol::ResourcesCapability;
///
/// assert_eq!(ResourcesCapability::new().subscribe(true).subscribe, Some(true));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourcesCapability {
    /// Whether the server tells when one resource changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscribe: Option<bool>,
    /// Whether the server tells when the list changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

impl ResourcesCapability {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `subscribe`.
    pub fn subscribe(mut self, subscribe: bool) -> Self {
        self.subscribe = Some(subscribe);
        self
    }

    /// Sets `listChanged`.
    pub fn list_changed(mut self, list_changed: bool) -> Self {
        self.list_changed = Some(list_changed);
        self
    }
}
