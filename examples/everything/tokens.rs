//! Access tokens, and what stands in front of a service that asks for them.
//!
//! The table is in memory, and a token is a word of the command line. A real server asks its
//! authorization server here, or checks a signature, and makes sure that the token was issued for
//! this very server: one that was issued for another must not be taken, however good it is.

use std::collections::BTreeMap;

use http::Request;
use mcp_reprise::adapters::{Live, tower};
use mcp_reprise::http::{ProtectedResource, ResourceError, bearer};
use mcp_reprise::protocol::CallToolResult;
use mcp_reprise::{Caller, Cx, Tool};

/// Who issues the tokens. This one does not exist: the tokens come from the command line.
const AUTHORIZATION_SERVER: &str = "https://auth.example.com";

/// The scope that the one tool here needs.
const PROFILE: &str = "profile";

/// Which token is whose, and what it allows.
#[derive(Debug, Default)]
pub struct Tokens(BTreeMap<String, Caller>);

impl Tokens {
    /// Adds a token, written as `PRINCIPAL:TOKEN` or `PRINCIPAL:TOKEN:SCOPE,SCOPE`.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut parts = text.splitn(3, ':');
        let (principal, token) = (parts.next(), parts.next());
        match (principal, token) {
            (Some(principal), Some(token)) if !principal.is_empty() && !token.is_empty() => {
                let scopes = parts.next().into_iter().flat_map(|part| part.split(','));
                let caller = Caller::principal(principal).scopes(scopes);
                self.0.insert(token.to_owned(), caller);
                Ok(())
            }
            _ => Err(format!("{text:?} is not PRINCIPAL:TOKEN")),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whose a token is. It need not wait here, and a real one would.
    async fn check(&self, token: &str) -> Option<Caller> {
        self.0.get(token).cloned()
    }

    /// Puts who is calling into the request. Whoever has no good token stays anonymous, and the
    /// service tells what is wrong.
    pub async fn identify<B>(&self, request: Request<B>) -> Request<B> {
        let (mut head, body) = request.into_parts();
        let caller = match bearer(&head) {
            Ok(Some(token)) => self.check(token).await,
            Ok(None) | Err(_) => None,
        };
        head.extensions.insert(caller.unwrap_or_default());
        Request::from_parts(head, body)
    }
}

/// A service for those alone who have a token. `url` is what clients know it under.
pub fn service(live: Live, url: &str) -> Result<tower::McpService, ResourceError> {
    let resource = ProtectedResource::new(url, [AUTHORIZATION_SERVER])?
        .resource_name("A little of everything");
    Ok(tower::McpService::builder(live)
        .guards(|endpoint| endpoint.protected(resource))
        .caller(|head| head.extensions.get::<Caller>().cloned().unwrap_or_default())
        .observe(|observation| eprintln!("{observation:?}"))
        .build())
}

/// A tool that not every token allows.
pub fn tool() -> Tool {
    Tool::new("who_am_i")
        .description("Tells whose the access token is, and what it allows.")
        .scopes([PROFILE])
        .step(|cx: &mut Cx, _: serde_json::Value| {
            let scopes: Vec<&str> = cx.scopes().iter().map(String::as_str).collect();
            let name = cx.principal().unwrap_or("nobody");
            CallToolResult::text(format!("{name}, with {}", scopes.join(" ")))
        })
}
