//! Who is calling, as far as the driver's own checks have shown.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the driver knows of the caller of one request: nothing here was said by the client.
///
/// ```
/// use mcp_reprise::Caller;
///
/// let caller = Caller::principal("alice").assign("tenant", "north");
/// assert_eq!(caller.principal.as_deref(), Some("alice"));
/// ```
#[derive(Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Caller {
    /// The authenticated user or client; request state is bound to it. `None` is nobody in
    /// particular, which is a principal of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// What the caller's access token allows. What a broad scope implies need not be here: see
    /// [`ServerBuilder::scope_implies`](crate::ServerBuilder::scope_implies).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub scopes: BTreeSet<String>,
    /// The endpoint the request came in by, where one server stands behind several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// What the driver's middleware learned, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub assigns: Map<String, Value>,
    /// What the driver's middleware learned, by type. It stays in this process: a step that is
    /// written down loses it.
    #[serde(skip)]
    pub extensions: http::Extensions,
}

/// What middleware learned may be a token: `Debug` shows the names it has for it.
impl std::fmt::Debug for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let assigns: Vec<&String> = self.assigns.keys().collect();
        f.debug_struct("Caller")
            .field("principal", &self.principal)
            .field("scopes", &self.scopes)
            .field("endpoint", &self.endpoint)
            .field("assigns", &assigns)
            .finish_non_exhaustive()
    }
}

impl Caller {
    /// Nobody in particular.
    ///
    /// ```
    /// assert!(mcp_reprise::Caller::anonymous().principal.is_none());
    /// ```
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// An authenticated caller.
    ///
    /// ```
    /// let caller = mcp_reprise::Caller::principal("alice");
    /// assert_eq!(caller.principal.as_deref(), Some("alice"));
    /// ```
    pub fn principal(name: impl Into<String>) -> Self {
        Self {
            principal: Some(name.into()),
            ..Self::default()
        }
    }

    /// Adds scopes that the caller's access token allows.
    ///
    /// ```
    /// let caller = mcp_reprise::Caller::principal("alice").scopes(["files:read", "files:write"]);
    /// assert!(caller.scopes.contains("files:read"));
    /// ```
    #[must_use]
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Names the endpoint the request came in by.
    ///
    /// ```
    /// let caller = mcp_reprise::Caller::anonymous().at_endpoint("admin");
    /// assert_eq!(caller.endpoint.as_deref(), Some("admin"));
    /// ```
    #[must_use]
    pub fn at_endpoint(mut self, name: impl Into<String>) -> Self {
        self.endpoint = Some(name.into());
        self
    }

    /// Adds a named value for steps to read.
    ///
    /// ```
    /// let caller = mcp_reprise::Caller::anonymous().assign("tenant", "north");
    /// assert_eq!(caller.assigns["tenant"], "north");
    /// ```
    #[must_use]
    pub fn assign(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.assigns.insert(name.into(), value.into());
        self
    }

    /// Adds a typed value for steps to read.
    ///
    /// ```
    /// #[derive(Clone)]
    /// struct Tenant(u32);
    /// let caller = mcp_reprise::Caller::anonymous().extend(Tenant(7));
    /// assert_eq!(caller.extensions.get::<Tenant>().map(|t| t.0), Some(7));
    /// ```
    #[must_use]
    pub fn extend<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }
}
