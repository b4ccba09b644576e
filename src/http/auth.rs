//! A protected endpoint: who has no good token is refused before anything else is looked at.
//!
//! See [Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization).

use std::sync::Arc;

use ::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use ::http::request::Parts;
use ::http::{HeaderMap, Response, StatusCode, Uri};

use super::bearer::{TWICE, token};
use super::endpoint::{Endpoint, Rejection};
use super::resource::ProtectedResource;
use crate::action::{Action, Turn};
use crate::caller::Caller;
use crate::challenge::{self, Challenge};
use crate::exchange::Exchange;

impl Endpoint {
    /// Protects the endpoint: it serves only callers whom the driver knows by their access token.
    ///
    /// The check of the token is the driver's: it may have to ask somebody, and it must make sure
    /// that the token was issued for this resource. What comes of it is a [`Caller`] with a
    /// [principal](Caller::principal) and its [scopes](Caller::scopes). A caller without a
    /// principal is one whose token was not good. No session is touched for it.
    ///
    /// ```
    /// use mcp_reprise::{Caller, Exchange, Moment, Server, Timestamp};
    /// use mcp_reprise::http::{Endpoint, Part, ProtectedResource, Reply};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// let resource = ProtectedResource::new("http://localhost:8000/mcp", ["https://auth.example.com"])?;
    /// let endpoint = Endpoint::new(server).protected(resource);
    ///
    /// let request = http::Request::post("/mcp").header("host", "localhost").body(Vec::new())?;
    /// let moment = Moment::new(Timestamp::from_millis(0), [1; 32]);
    /// let mut turn = endpoint.receive(Exchange(1), Caller::anonymous(), &request, &moment);
    /// # let mut reply = Reply::new(endpoint.server().limits().keep_alive);
    /// # let parts = reply.act(turn.actions.remove(0), moment.now);
    /// # let Some(Part::Whole(response)) = parts.into_iter().next() else { panic!("no response") };
    /// assert_eq!(response.status(), 401);
    /// assert_eq!(
    ///     response.headers()["www-authenticate"],
    ///     "Bearer resource_metadata=\"http://localhost:8000/.well-known/oauth-protected-resource/mcp\"",
    /// );
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn protected(mut self, resource: ProtectedResource) -> Self {
        self.protected = Some(Arc::new(resource));
        self
    }

    /// The protected resource that the endpoint is, where it is one.
    pub fn resource(&self) -> Option<&ProtectedResource> {
        self.protected.as_deref()
    }

    /// The response to a request for the metadata document of the protected resource; `None` for
    /// any other. Everybody may read it: it says how to get in.
    ///
    /// ```
    /// # use mcp_reprise::{Server, http::{Endpoint, ProtectedResource}};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// # let resource = ProtectedResource::new("http://localhost:8000/mcp", ["https://auth.example.com"])?;
    /// let endpoint = Endpoint::new(server).protected(resource);
    /// let request = http::Request::get("/.well-known/oauth-protected-resource/mcp").body(())?;
    /// let response = endpoint.metadata(&request.into_parts().0).ok_or("none")?;
    /// assert_eq!(response.headers()["content-type"], "application/json");
    /// # Ok(())
    /// # }
    /// ```
    pub fn metadata(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.resource()?.answer(head)
    }

    /// Refuses a caller whose token was not good, so that a driver need not read the body: on a
    /// protected endpoint, one without a principal.
    ///
    /// ```
    /// # use mcp_reprise::{Caller, Exchange, Server, http::{Endpoint, ProtectedResource}};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// # let resource = ProtectedResource::new("http://localhost:8000/mcp", ["https://auth.example.com"])?;
    /// let endpoint = Endpoint::new(server).protected(resource);
    /// assert!(endpoint.refuse_caller(Exchange(1), &Caller::anonymous()).is_some());
    /// assert!(endpoint.refuse_caller(Exchange(1), &Caller::principal("alice")).is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn refuse_caller(&self, exchange: Exchange, caller: &Caller) -> Option<Turn> {
        self.check_caller(caller)
            .err()
            .map(|rejection| rejection.into_turn(exchange))
    }

    /// Refuses a request by a challenge of the driver's own, such as a token that has expired.
    ///
    /// ```
    /// # use mcp_reprise::{Exchange, Server, http::Endpoint};
    /// use mcp_reprise::http::Challenge;
    ///
    /// # fn main() -> Result<(), mcp_reprise::BuildError> {
    /// # let server = Server::builder("demo", "1.0.0").single_process([7; 32]).build()?;
    /// # let endpoint = Endpoint::new(server);
    /// let turn = endpoint.challenge(Exchange(1), Challenge::invalid_token("The token has expired"));
    /// assert_eq!(turn.actions.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn challenge(&self, exchange: Exchange, challenge: Challenge) -> Turn {
        self.rejection(challenge).into_turn(exchange)
    }

    /// Checks how a request says its token. Two lines are refused also where no token is needed:
    /// what the driver reads and what a proxy has checked could be two things.
    pub(super) fn check_token(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Rejection> {
        if self.protected.is_none() {
            let twice = headers.get_all(AUTHORIZATION).iter().nth(1).is_some();
            return match twice {
                true => Err(Rejection::new(StatusCode::BAD_REQUEST, TWICE)),
                false => Ok(()),
            };
        }
        match token(uri, headers) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(self.rejection(Challenge::unauthorized())),
            Err(challenge) => Err(self.rejection(challenge)),
        }
    }

    pub(super) fn check_caller(&self, caller: &Caller) -> Result<(), Rejection> {
        if self.protected.is_some() && caller.principal.is_none() {
            return Err(self.rejection(Challenge::invalid_token("The access token is not valid")));
        }
        Ok(())
    }

    fn rejection(&self, challenge: Challenge) -> Rejection {
        let challenge = match self.resource() {
            Some(resource) => resource.challenge(challenge),
            None => challenge,
        };
        Rejection::new(challenge.status(), challenge.sentence().to_owned())
            .with(WWW_AUTHENTICATE, challenge.header())
    }

    /// Adds to the challenge that a lane has written, if it has, where the metadata document is.
    pub(super) fn pointed(&self, mut turn: Turn) -> Turn {
        let Some(resource) = self.resource() else {
            return turn;
        };
        for action in &mut turn.actions {
            if let Action::Respond { response, .. } = action {
                challenge::point(&mut response.headers, resource.url());
            }
        }
        turn
    }
}
