//! A resource and a resource template, as their author offers them.

use std::sync::Arc;
use std::time::Duration;

use super::completion::Completions;
use crate::caller::Caller;
use crate::protocol::{
    self, Annotations, CacheScope, CompleteResult, Icon, Meta, ReadResourceResult,
};
use crate::step::{Function, IntoStep, Visible};

/// What a read result tells of its freshness where the step says nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CacheHint {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl Default for CacheHint {
    /// Stale at once and nobody else's: right for anything.
    fn default() -> Self {
        Self {
            ttl: Duration::ZERO,
            scope: CacheScope::Private,
        }
    }
}

/// A resource of one URI: what is listed of it, and the step that reads it. It may ask, as a tool
/// may.
///
/// See [Resources](https://modelcontextprotocol.io/specification/2026-07-28/server/resources).
///
/// ```
/// use mcp_reprise::{Cx, Outcome, Resource, protocol::ReadResourceResult};
///
/// let notes = Resource::new("file:///notes.txt", "notes")
///     .mime_type("text/plain")
///     .step(|cx: &mut Cx, _: serde_json::Value| -> Outcome<ReadResourceResult> {
///         Ok(ReadResourceResult::text(cx.name(), "Buy milk"))
///     });
/// # let _ = notes;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Resource {
    pub(super) definition: protocol::Resource,
    pub(super) function: Option<Function>,
    pub(super) visible: Option<Visible>,
    pub(super) scopes: Vec<Box<str>>,
    pub(super) revision: Box<str>,
    pub(super) cache: CacheHint,
    pub(super) unlisted: bool,
}

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Resource({:?})", self.definition.uri)
    }
}

impl Resource {
    /// A resource at this URI. Give it a [`Resource::step`].
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            definition: protocol::Resource::new(uri, name),
            function: None,
            visible: None,
            scopes: Vec::new(),
            revision: "".into(),
            cache: CacheHint::default(),
            unlisted: false,
        }
    }

    /// The name people are shown.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the resource is.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.description(description);
        self
    }

    /// The media type of its content.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.definition = self.definition.mime_type(mime_type);
        self
    }

    /// Whom it is for, and how much it matters.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.definition = self.definition.annotations(annotations);
        self
    }

    /// Its size in bytes.
    pub fn size(mut self, size: u64) -> Self {
        self.definition = self.definition.size(size);
        self
    }

    /// Icons to show.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.definition = self.definition.icons(icons);
        self
    }

    /// Metadata listed with the resource.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition = self.definition.meta(meta);
        self
    }

    /// What runs when the resource is read: see [`IntoStep`]. Its arguments are an empty object;
    /// the URI is [`Cx::name`](crate::Cx::name).
    pub fn step<M>(mut self, step: impl IntoStep<M, ReadResourceResult>) -> Self {
        self.function = Some(step.into_function());
        self
    }

    /// How long, and for whom, what was read may be kept. Without it: not at all.
    ///
    /// See [Caching](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching).
    pub fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = CacheHint { ttl, scope };
        self
    }

    /// Leaves the resource out of the list; it can be read all the same.
    pub fn unlisted(mut self) -> Self {
        self.unlisted = true;
        self
    }

    /// Who sees the resource: see [`Tool::visible_to`](crate::Tool::visible_to).
    pub fn visible_to(mut self, see: impl Fn(&Caller) -> bool + Send + Sync + 'static) -> Self {
        self.visible = Some(Arc::new(see));
        self
    }

    /// The scopes a caller's access token must allow: see [`Tool::scopes`](crate::Tool::scopes).
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let scopes = scopes.into_iter().map(|scope| scope.into().into());
        self.scopes.extend(scopes);
        self
    }

    /// The revision of the step's questions: see [`Tool::revision`](crate::Tool::revision).
    pub fn revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = revision.into().into();
        self
    }
}

/// Resources of many URIs, by an RFC 6570 template. Its variables are the step's arguments.
///
/// See [Resource templates](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates).
///
/// ```
/// use mcp_reprise::{Cx, Outcome, ResourceTemplate, protocol::ReadResourceResult};
///
/// #[derive(serde::Deserialize)]
/// struct User { id: String }
///
/// let users = ResourceTemplate::new("db:///users/{id}", "user")
///     .step(|cx: &mut Cx, user: User| -> Outcome<ReadResourceResult> {
///         Ok(ReadResourceResult::text(cx.name(), format!("user {}", user.id)))
///     });
/// # let _ = users;
/// ```
#[derive(Clone)]
#[must_use]
pub struct ResourceTemplate {
    pub(super) definition: protocol::ResourceTemplate,
    pub(super) function: Option<Function>,
    pub(super) completions: Completions,
    pub(super) visible: Option<Visible>,
    pub(super) scopes: Vec<Box<str>>,
    pub(super) revision: Box<str>,
    pub(super) cache: CacheHint,
}

impl std::fmt::Debug for ResourceTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ResourceTemplate({:?})", self.definition.uri_template)
    }
}

impl ResourceTemplate {
    /// Resources of this template. Give it a [`ResourceTemplate::step`].
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            definition: protocol::ResourceTemplate::new(uri_template, name),
            function: None,
            completions: Completions::default(),
            visible: None,
            scopes: Vec::new(),
            revision: "".into(),
            cache: CacheHint::default(),
        }
    }

    /// The name people are shown.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition = self.definition.title(title);
        self
    }

    /// What the resources are.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.description(description);
        self
    }

    /// The media type of their content, where all have one.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.definition = self.definition.mime_type(mime_type);
        self
    }

    /// Whom they are for, and how much they matter.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.definition = self.definition.annotations(annotations);
        self
    }

    /// Icons to show.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.definition = self.definition.icons(icons);
        self
    }

    /// Metadata listed with the template.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition = self.definition.meta(meta);
        self
    }

    /// What runs when one of the resources is read: see [`IntoStep`]. Its arguments are the
    /// template's variables, as strings; those the URI leaves out are absent.
    pub fn step<M>(mut self, step: impl IntoStep<M, ReadResourceResult>) -> Self {
        self.function = Some(step.into_function());
        self
    }

    /// Completes the values of a variable, with a step that takes a
    /// [`Completing`](crate::Completing).
    pub fn complete<M>(
        mut self,
        variable: impl Into<String>,
        step: impl IntoStep<M, CompleteResult>,
    ) -> Self {
        self.completions
            .insert(variable.into(), step.into_function());
        self
    }

    /// How long, and for whom, what was read may be kept: see [`Resource::cache`].
    pub fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = CacheHint { ttl, scope };
        self
    }

    /// Who sees the template and its resources: see
    /// [`Tool::visible_to`](crate::Tool::visible_to).
    pub fn visible_to(mut self, see: impl Fn(&Caller) -> bool + Send + Sync + 'static) -> Self {
        self.visible = Some(Arc::new(see));
        self
    }

    /// The scopes a caller's access token must allow: see [`Tool::scopes`](crate::Tool::scopes).
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let scopes = scopes.into_iter().map(|scope| scope.into().into());
        self.scopes.extend(scopes);
        self
    }

    /// The revision of the step's questions: see [`Tool::revision`](crate::Tool::revision).
    pub fn revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = revision.into().into();
        self
    }
}
