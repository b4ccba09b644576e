//! Building a server: everything is checked here, so that a built one always works.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Server;
use super::fault::{self, BuildError};
use crate::limits::Limits;
use crate::offering::Offering;
use crate::protocol::{
    Implementation, JsonObject, ListChangedCapability, META_SERVER_INFO, Meta, ResourcesCapability,
    ServerCapabilities,
};
use crate::scope::Scopes;
use crate::seal::{KeyRing, StateKey};
use crate::step::{Shared, ToolListing};
use crate::tool::{Catalog, Prompt, Resource, ResourceTemplate, Tool};

/// Builds a [`Server`].
#[derive(Debug)]
#[must_use]
pub struct ServerBuilder {
    identity: Implementation,
    nameless: bool,
    instructions: Option<String>,
    tools: Vec<Tool>,
    prompts: Vec<Prompt>,
    resources: Vec<Resource>,
    templates: Vec<ResourceTemplate>,
    keys: Option<KeyRing>,
    limits: Limits,
    extensions: BTreeMap<String, JsonObject>,
    values: http::Extensions,
    scopes: Scopes,
    observes: bool,
    in_words: bool,
    sessions: bool,
    #[cfg(feature = "validate")]
    validate: bool,
}

impl ServerBuilder {
    pub(super) fn new(identity: Implementation) -> Self {
        Self {
            identity,
            nameless: false,
            instructions: None,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            keys: None,
            limits: Limits::default(),
            extensions: BTreeMap::new(),
            values: http::Extensions::new(),
            scopes: Scopes::default(),
            observes: false,
            in_words: false,
            sessions: false,
            #[cfg(feature = "validate")]
            validate: false,
        }
    }

    /// Replaces the whole identity: title, icons, website. The name stays what request state is
    /// bound to.
    pub fn identity(mut self, identity: Implementation) -> Self {
        self.identity = identity;
        self
    }

    /// Leaves the server's name out of its results, which the specification allows to a server
    /// that is configured so.
    pub fn without_server_info(mut self) -> Self {
        self.nameless = true;
        self
    }

    /// How to use the server, for the model.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Offers a tool, or an [action tool](crate::ActionTool).
    pub fn tool(mut self, tool: impl Into<Tool>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// Offers a prompt.
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompts.push(prompt);
        self
    }

    /// Offers a resource.
    pub fn resource(mut self, resource: Resource) -> Self {
        self.resources.push(resource);
        self
    }

    /// Offers the resources of a template. Where several fit a URI, the first offered is read.
    pub fn resource_template(mut self, template: ResourceTemplate) -> Self {
        self.templates.push(template);
        self
    }

    /// The keys that seal request state: the first seals, all open. Replicas that share them can
    /// take turns in one call.
    ///
    /// ```
    /// use mcp_reprise::{KeyRing, Server, StateKey};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let old = StateKey::new(&[1; 32])?;
    /// let new = StateKey::new(&[2; 32])?;
    /// let server = Server::builder("shop", "1.0.0").state_keys(KeyRing::new(new).and(old)?).build()?;
    /// # let _ = server;
    /// # Ok(())
    /// # }
    /// ```
    pub fn state_keys(mut self, keys: KeyRing) -> Self {
        self.keys = Some(keys);
        self
    }

    /// Seals request state with a key that this process alone knows: no other replica can go on
    /// with a call, nor can this one after a restart. `dice` are 32 bytes from the system's
    /// source of randomness.
    pub fn single_process(mut self, dice: [u8; 32]) -> Self {
        self.keys = StateKey::new(&dice).ok().map(KeyRing::new);
        self
    }

    /// The limits the server keeps.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Declares an extension of the protocol, with its settings.
    ///
    /// See [Extension negotiation](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation).
    pub fn extension(mut self, identifier: impl Into<String>, settings: JsonObject) -> Self {
        self.extensions.insert(identifier.into(), settings);
        self
    }

    /// Puts a typed value where every step finds it: a database, a client, a configuration. See
    /// [`Cx::extension`](crate::Cx::extension).
    pub fn value<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.values.insert(value);
        self
    }

    /// The scopes that a method needs, such as `tools/list`, whatever it is about; those of a tool
    /// or of a resource are [its own](Tool::scopes). `initialize` needs none.
    ///
    /// ```
    /// use mcp_reprise::Server;
    ///
    /// let builder = Server::builder("shop", "1.0.0").method_scopes("tools/call", ["shop"]);
    /// # let _ = builder;
    /// ```
    pub fn method_scopes(
        mut self,
        method: impl Into<String>,
        scopes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let scopes = scopes.into_iter().map(|scope| scope.into().into());
        self.scopes.need(method.into().into(), scopes.collect());
        self
    }

    /// Says that whoever has a broad scope has these narrower ones too, and what they imply.
    ///
    /// ```
    /// use mcp_reprise::Server;
    ///
    /// let builder = Server::builder("files", "1.0.0")
    ///     .scope_implies("files", ["files:write"])
    ///     .scope_implies("files:write", ["files:read"]);
    /// # let _ = builder;
    /// ```
    pub fn scope_implies(
        mut self,
        broad: impl Into<String>,
        narrow: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let narrow = narrow.into_iter().map(|scope| scope.into().into());
        self.scopes.imply(broad.into().into(), narrow.collect());
        self
    }

    /// Has what goes well observed too: calls as they begin and end, questions, answers and
    /// sessions. Without it only what is worth a line in a log is.
    ///
    /// ```
    /// use mcp_reprise::Server;
    ///
    /// let builder = Server::builder("shop", "1.0.0").observe_calls();
    /// # let _ = builder;
    /// ```
    pub fn observe_calls(mut self) -> Self {
        self.observes = true;
        self
    }

    /// Has the words of questions and answers observed as well, each escaped and cut at 128
    /// characters: what users said in confidence is in the log then. It has calls observed, as
    /// [`ServerBuilder::observe_calls`] does; there questions are fingerprints, and answers are
    /// left out.
    ///
    /// ```
    /// use mcp_reprise::Server;
    ///
    /// let builder = Server::builder("shop", "1.0.0").observe_words();
    /// # let _ = builder;
    /// ```
    pub fn observe_words(mut self) -> Self {
        self.in_words = true;
        self.observe_calls()
    }

    /// Serves clients of revision 2025-11-25 and earlier as well, which open sessions.
    ///
    /// ```
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// let server = mcp_reprise::Server::builder("demo", "1.0.0")
    ///     .single_process([7; 32])
    ///     .legacy()
    ///     .build()?;
    /// # let _ = server;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "legacy")]
    pub fn legacy(mut self) -> Self {
        self.sessions = true;
        self
    }

    /// Checks arguments against the whole of each tool's `inputSchema`, and structured content
    /// against its `outputSchema`, as JSON Schema 2020-12. Without it, arguments are checked
    /// against the flat parts of the schema alone: see [`Tool::input_schema`].
    ///
    /// Schemas are compiled when the server is built, and nothing is ever fetched for them: a
    /// `$ref` to somewhere else cannot be registered. Arguments that break a rule are told to the
    /// model; structured content that does is the tool's fault, which the log is told.
    ///
    /// ```
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// let server = mcp_reprise::Server::builder("demo", "1.0.0")
    ///     .single_process([7; 32])
    ///     .validate()
    ///     .build()?;
    /// # let _ = server;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "validate")]
    pub fn validate(mut self) -> Self {
        self.validate = true;
        self
    }

    /// Checks everything and builds the server.
    ///
    /// # Errors
    ///
    /// [`BuildError`] for a missing key, for limits that contradict each other, and for every offer
    /// that a client could not use.
    pub fn build(self) -> Result<Server, BuildError> {
        let keys = self.keys.ok_or(BuildError::NoStateKey)?;
        let foreign = |key: &&String| !Meta::is_valid_key(key) || !key.contains('/');
        if let Some(identifier) = self.extensions.keys().find(foreign) {
            return Err(BuildError::Extension {
                identifier: identifier.clone(),
            });
        }
        if let Some(scope) = self.scopes.malformed() {
            return Err(BuildError::Scope {
                scope: scope.to_owned(),
            });
        }
        let mut catalog = Catalog::default();
        for tool in self.tools {
            catalog.add_tool(tool)?;
        }
        #[cfg(feature = "validate")]
        if self.validate {
            for entry in &mut catalog.tools {
                entry.checks = crate::tool::validate::checks(entry)?;
            }
        }
        for prompt in self.prompts {
            catalog.add_prompt(prompt)?;
        }
        for resource in self.resources {
            catalog.add_resource(resource)?;
        }
        for template in self.templates {
            catalog.add_template(template)?;
        }
        fault::check(&self.limits, &catalog, self.sessions)?;
        catalog.write_lists(self.limits.page_items);
        let server_info = if self.nameless {
            String::new()
        } else {
            let identity = serde_json::to_string(&self.identity).map_err(BuildError::Identity)?;
            format!("\"{META_SERVER_INFO}\":{identity}")
        };
        let tools = catalog
            .tools
            .iter()
            .map(|entry| ToolListing {
                definition: entry.definition.clone(),
                visible: entry.listed.visible.clone(),
                pages: entry.pages.clone(),
            })
            .collect();
        Ok(Server {
            offering: Arc::new(Offering {
                identity: self.identity,
                server_info: server_info.into(),
                instructions: self.instructions,
                capabilities: capabilities(&catalog, self.extensions),
                catalog,
                keys,
                scopes: self.scopes,
                observes: self.observes,
                in_words: self.in_words,
                sessions: self.sessions,
                shared: Arc::new(Shared {
                    limits: self.limits,
                    tools,
                    extensions: self.values,
                }),
            }),
        })
    }
}

/// What the server can do follows from what it offers.
fn capabilities(catalog: &Catalog, extensions: BTreeMap<String, JsonObject>) -> ServerCapabilities {
    let listed = || ListChangedCapability::new().list_changed(true);
    let mut capabilities = ServerCapabilities::new()
        .logging(JsonObject::new())
        .tools(listed());
    if !catalog.prompts.is_empty() {
        capabilities = capabilities.prompts(listed());
    }
    if !catalog.resources.is_empty() || !catalog.templates.is_empty() {
        capabilities = capabilities.resources(
            ResourcesCapability::new()
                .subscribe(true)
                .list_changed(true),
        );
    }
    let completes = catalog
        .prompts
        .iter()
        .any(|entry| !entry.completions.is_empty())
        || catalog
            .templates
            .iter()
            .any(|entry| !entry.completions.is_empty());
    if completes {
        capabilities = capabilities.completions(JsonObject::new());
    }
    if !extensions.is_empty() {
        capabilities = capabilities.extensions(extensions);
    }
    capabilities
}
