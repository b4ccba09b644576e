//! A protected resource: what a client must know to get a token for this server.
//!
//! See [RFC 9728](https://www.rfc-editor.org/rfc/rfc9728).

use ::http::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use ::http::request::Parts;
use ::http::{Method, Response, StatusCode};
use iri_string::types::UriStr;
use serde_json::{Map, Value};

use super::guard::is_web;
use crate::challenge::Challenge;
use crate::scope::is_scope;

/// Where the metadata document of a resource is, between its host and its path.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// A description of a protected resource that no client could use.
///
/// ```
/// use mcp_reprise::http::{ProtectedResource, ResourceError};
///
/// let refused = ProtectedResource::new("http://mcp.example.com", ["https://auth.example.com"]);
/// assert!(matches!(refused, Err(ResourceError::Resource(_))), "not without TLS");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResourceError {
    /// Not the URL of a resource: `https`, or `http` on loopback, without a fragment or a user.
    #[error("{0:?} is not the URL of a resource, as in https://mcp.example.com/mcp")]
    Resource(String),
    /// No authorization server, and clients need at least one.
    #[error("a protected resource names at least one authorization server")]
    NoAuthorizationServer,
    /// Not the issuer of tokens: a URL as that of a resource, without a query.
    #[error("{0:?} is not an authorization server, as in https://auth.example.com")]
    AuthorizationServer(String),
    /// Not a scope.
    #[error("{0:?} is not a scope: visible ASCII without quotes and backslashes")]
    Scope(String),
    /// `offline_access`, which is the client's to ask for: no resource needs it.
    #[error("offline_access is no scope of a resource")]
    OfflineAccess,
    /// A member that has a method of its own here.
    #[error("{0:?} is not for you to set")]
    Member(String),
}

/// An MCP server as an OAuth 2.1 resource server: what its metadata document says, and with that
/// what its challenges point to.
///
/// ```
/// use mcp_reprise::http::ProtectedResource;
///
/// # fn main() -> Result<(), mcp_reprise::http::ResourceError> {
/// let resource = ProtectedResource::new("https://mcp.example.com/mcp", ["https://auth.example.com"])?
///     .scopes_supported(["mail:read"])?
///     .resource_name("Mail");
/// assert_eq!(resource.path(), "/.well-known/oauth-protected-resource/mcp");
/// assert_eq!(
///     resource.url(),
///     "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
/// );
/// let document: serde_json::Value = serde_json::from_slice(resource.document().body()).unwrap();
/// assert_eq!(document["resource"], "https://mcp.example.com/mcp");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProtectedResource {
    url: String,
    /// Where the path begins in `url`.
    path: usize,
    scopes: Vec<String>,
    members: Map<String, Value>,
}

impl ProtectedResource {
    /// The server of this URL, which is the audience of its tokens, and who issues them.
    ///
    /// # Errors
    ///
    /// [`ResourceError`] when the URL is none that a client could be sent to.
    pub fn new(
        resource: &str,
        authorization_servers: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, ResourceError> {
        let wrong = || ResourceError::Resource(resource.to_owned());
        let uri = url(resource).ok_or_else(wrong)?;
        let servers: Vec<String> = authorization_servers.into_iter().map(Into::into).collect();
        if servers.is_empty() {
            return Err(ResourceError::NoAuthorizationServer);
        }
        let foreign = |server: &&String| url(server).is_none_or(|url| url.query_str().is_some());
        if let Some(server) = servers.iter().find(foreign) {
            return Err(ResourceError::AuthorizationServer(server.clone()));
        }
        let mut members = Map::new();
        members.insert("resource".to_owned(), resource.into());
        members.insert("authorization_servers".to_owned(), servers.into());
        // The other two ways of RFC 6750 are none in MCP.
        let methods = vec![Value::from("header")];
        members.insert("bearer_methods_supported".to_owned(), methods.into());
        let (scheme, authority) = (uri.scheme_str(), uri.authority_str().unwrap_or_default());
        let origin = format!("{scheme}://{authority}");
        let path = match uri.path_str() {
            "/" => "",
            path => path,
        };
        let query = uri.query_str().map(|query| format!("?{query}"));
        let query = query.unwrap_or_default();
        Ok(Self {
            url: format!("{origin}{WELL_KNOWN}{path}{query}"),
            path: origin.len(),
            scopes: Vec::new(),
            members,
        })
    }

    /// The scopes that basic use needs. A client without a token is told to ask for these; what a
    /// tool needs beyond them it learns when it calls.
    ///
    /// # Errors
    ///
    /// [`ResourceError::Scope`] and [`ResourceError::OfflineAccess`].
    pub fn scopes_supported(
        mut self,
        scopes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, ResourceError> {
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        if let Some(scope) = scopes.iter().find(|scope| !is_scope(scope)) {
            return Err(ResourceError::Scope(scope.clone()));
        }
        if scopes.iter().any(|scope| scope == "offline_access") {
            return Err(ResourceError::OfflineAccess);
        }
        let listed = scopes.clone().into();
        self.members.insert("scopes_supported".to_owned(), listed);
        self.scopes = scopes;
        Ok(self)
    }

    /// The name that users are shown.
    #[must_use]
    pub fn resource_name(mut self, name: impl Into<String>) -> Self {
        let name = Value::String(name.into());
        self.members.insert("resource_name".to_owned(), name);
        self
    }

    /// Where developers can read how to use it.
    #[must_use]
    pub fn resource_documentation(mut self, url: impl Into<String>) -> Self {
        let url = Value::String(url.into());
        let name = "resource_documentation".to_owned();
        self.members.insert(name, url);
        self
    }

    /// Sets another member of the document, such as `resource_policy_uri`.
    ///
    /// ```
    /// # use mcp_reprise::http::{ProtectedResource, ResourceError};
    /// # fn main() -> Result<(), ResourceError> {
    /// # let resource = ProtectedResource::new("https://mcp.example.com", ["https://auth.example.com"])?;
    /// let resource = resource.member("resource_policy_uri", "https://example.com/policy")?;
    /// let wrong = resource.member("bearer_methods_supported", "query");
    /// assert_eq!(wrong, Err(ResourceError::Member("bearer_methods_supported".to_owned())));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ResourceError::Member`] for one that is checked when it is set otherwise.
    pub fn member(mut self, name: &str, value: impl Into<Value>) -> Result<Self, ResourceError> {
        const CHECKED: [&str; 4] = [
            "resource",
            "authorization_servers",
            "bearer_methods_supported",
            "scopes_supported",
        ];
        if CHECKED.contains(&name) {
            return Err(ResourceError::Member(name.to_owned()));
        }
        self.members.insert(name.to_owned(), value.into());
        Ok(self)
    }

    /// The URL of the metadata document, which challenges name.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The path of the metadata document on the resource's host, with the query where the
    /// resource's URL has one.
    pub fn path(&self) -> &str {
        self.url.get(self.path..).unwrap_or_default()
    }

    /// The metadata document, for whoever asks.
    pub fn document(&self) -> Response<Vec<u8>> {
        let body = serde_json::to_vec(&self.members).unwrap_or_default();
        let mut response = Response::new(body);
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        response
    }

    /// The response to a request for the metadata document; `None` for any other.
    ///
    /// ```
    /// # use mcp_reprise::http::{ProtectedResource, ResourceError};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let resource = ProtectedResource::new("https://mcp.example.com", ["https://auth.example.com"])?;
    /// let request = http::Request::get("/.well-known/oauth-protected-resource").body(())?;
    /// let response = resource.answer(&request.into_parts().0).ok_or("none")?;
    /// assert_eq!(response.status(), 200);
    /// let request = http::Request::get("/mcp").body(())?;
    /// assert!(resource.answer(&request.into_parts().0).is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn answer(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        let path = head.uri.path_and_query()?.as_str();
        if path != self.path() {
            return None;
        }
        let mut response = self.document();
        if head.method == Method::HEAD {
            response.body_mut().clear();
        } else if head.method != Method::GET {
            response = Response::new(Vec::new());
            *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
            let allowed = HeaderValue::from_static("GET, HEAD");
            response.headers_mut().insert(ALLOW, allowed);
        }
        Some(response)
    }

    /// A challenge of this resource: it says where the metadata document is and, to a client
    /// without a good token, which scopes to ask for.
    ///
    /// ```
    /// use mcp_reprise::http::{Challenge, ProtectedResource};
    ///
    /// # fn main() -> Result<(), mcp_reprise::http::ResourceError> {
    /// let resource = ProtectedResource::new("https://mcp.example.com", ["https://auth.example.com"])?
    ///     .scopes_supported(["mail:read"])?;
    /// assert_eq!(
    ///     resource.challenge(Challenge::unauthorized()).to_string(),
    ///     "Bearer scope=\"mail:read\", \
    ///      resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource\"",
    /// );
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn challenge(&self, challenge: Challenge) -> Challenge {
        let challenge = if challenge.status() == StatusCode::UNAUTHORIZED {
            challenge.scopes(&self.scopes)
        } else {
            challenge
        };
        challenge.metadata(&self.url)
    }
}

/// Reads a URL that clients may be sent to. What travels without TLS stays on the machine.
fn url(text: &str) -> Option<&UriStr> {
    let uri = UriStr::new(text).ok()?;
    let origin = format!("{}://{}", uri.scheme_str(), uri.authority_str()?);
    let good = is_web(&origin) && uri.fragment_str().is_none();
    good.then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(url: &str) -> Result<ProtectedResource, ResourceError> {
        ProtectedResource::new(url, ["https://auth.example.com"])
    }

    #[test]
    fn the_document_stands_between_host_and_path() {
        for (url, path) in [
            ("https://a.example", ""),
            ("https://a.example/", ""),
            ("https://a.example:8443/mcp", "/mcp"),
            ("https://a.example/mcp/", "/mcp/"),
            ("https://a.example/public/mcp", "/public/mcp"),
            ("https://a.example?k=v", "?k=v"),
            ("https://a.example/?k=v", "?k=v"),
            ("https://a.example/a?k=v", "/a?k=v"),
            ("http://localhost:8000/mcp", "/mcp"),
            ("http://127.0.0.1:8000/mcp", "/mcp"),
            ("http://[::1]:8000/mcp", "/mcp"),
            ("HTTPS://A.example/mcp", "/mcp"),
        ] {
            let resource = resource(url).unwrap();
            assert_eq!(resource.path(), format!("{WELL_KNOWN}{path}"), "{url}");
            let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
            let origin = origin.split('?').next().unwrap_or_default();
            assert_eq!(resource.url(), format!("{origin}{WELL_KNOWN}{path}"));
        }
    }

    #[test]
    fn what_is_no_url_of_a_resource_is_refused() {
        for url in [
            "",
            "a.example",
            "https://",
            "https:///mcp",
            "https://a.example#f",
            "https://a.example/mcp#",
            "https://user@a.example",
            "http://a.example",
            "ftp://localhost",
            "https://a.example/\"",
            "https://a.example:x",
            "/mcp",
        ] {
            let wrong = ResourceError::Resource(url.to_owned());
            assert_eq!(resource(url), Err(wrong), "{url}");
        }
    }

    #[test]
    fn an_authorization_server_is_named_and_an_issuer() {
        let none: [&str; 0] = [];
        let unnamed = ProtectedResource::new("https://a.example", none);
        assert_eq!(unnamed, Err(ResourceError::NoAuthorizationServer));
        for issuer in ["https://b.example?x", "http://b.example", "b.example"] {
            let wrong = ResourceError::AuthorizationServer(issuer.to_owned());
            let refused =
                ProtectedResource::new("https://a.example", ["https://c.example", issuer]);
            assert_eq!(refused, Err(wrong), "{issuer}");
        }
    }
}
