//! Whether a caller's access token allows what a request calls.

use serde_json::json;

use crate::caller::Caller;
use crate::challenge::Challenge;
use crate::offering::Offering;
use crate::protocol::ErrorObject;
use crate::step::CallKind;

/// Why nothing is called.
#[derive(Debug)]
pub(crate) enum Uncallable {
    Error(ErrorObject),
    Forbidden(Forbidden),
}

impl From<ErrorObject> for Uncallable {
    fn from(error: ErrorObject) -> Self {
        Self::Error(error)
    }
}

impl From<Forbidden> for Uncallable {
    fn from(forbidden: Forbidden) -> Self {
        Self::Forbidden(forbidden)
    }
}

/// The caller's access token does not allow what is called.
#[derive(Debug, PartialEq)]
pub(crate) struct Forbidden {
    /// All scopes that are needed for it, those the caller has included.
    needed: Vec<Box<str>>,
}

impl Forbidden {
    /// The error of a message. No code of its own is left to an implementation among those of
    /// JSON-RPC, so the data says what it is, in the words of RFC 6750.
    pub(crate) fn error(&self) -> ErrorObject {
        let data = json!({ "error": "insufficient_scope", "scope": self.needed.join(" ") });
        ErrorObject::invalid_request("The access token does not allow this").data(data)
    }

    /// The challenge that tells a client which token to get.
    pub(crate) fn challenge(&self) -> Challenge {
        Challenge::insufficient_scope(&self.needed)
    }
}

/// Whether there is a resource at a URI that the caller may read: of no other is it told that it
/// has changed.
pub(crate) fn readable(offering: &Offering, caller: &Caller, uri: &str) -> bool {
    offering.catalog.at(uri, caller).is_some_and(|listed| {
        let method = CallKind::Resource.method();
        permitted(offering, caller, method, &listed.scopes).is_ok()
    })
}

/// Whether the caller has the scopes of a method, and those of what it calls.
///
/// # Errors
///
/// All scopes that are needed, where one is missing.
pub(crate) fn permitted(
    offering: &Offering,
    caller: &Caller,
    method: &str,
    own: &[Box<str>],
) -> Result<(), Forbidden> {
    let scopes = &offering.scopes;
    let of_method = scopes.of_method(method);
    let mut needed = of_method.iter().chain(own);
    if needed.all(|scope| scopes.grant(&caller.scopes, scope)) {
        return Ok(());
    }
    let mut needed = of_method.to_vec();
    for scope in own {
        if !needed.contains(scope) {
            needed.push(scope.clone());
        }
    }
    Err(Forbidden { needed })
}
