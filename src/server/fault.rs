//! What keeps a server from being built.

use crate::limits::Limits;
use crate::request_state;
use crate::tool::{Catalog, RegisterError};

/// The deepest nesting that the parsers read which come after ours.
const PARSED: usize = 127;

/// A server that cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Neither [`state_keys`](crate::ServerBuilder::state_keys) nor
    /// [`single_process`](crate::ServerBuilder::single_process) was called.
    #[error(
        "no state key: call state_keys with a key that all replicas share, or single_process with fresh dice"
    )]
    NoStateKey,
    /// An offer that cannot be registered.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// An extension whose identifier is not a prefixed name.
    #[error("{identifier:?} does not name an extension: it needs a prefix, as in com.example/name")]
    Extension {
        /// The identifier.
        identifier: String,
    },
    /// A scope that no access token can have.
    #[error("{scope:?} is no scope: visible ASCII without quotes and backslashes")]
    Scope {
        /// The scope.
        scope: String,
    },
    /// A limit with which nothing could be served, or which contradicts another.
    #[error("the limit {limit}: {fault}")]
    Limit {
        /// The field of [`Limits`].
        limit: &'static str,
        /// What is wrong with it.
        fault: String,
    },
    /// The server's own description cannot be written as JSON.
    #[error("the server's identity cannot be written: {0}")]
    Identity(serde_json::Error),
}

/// Checks that limits let something through, and what one of them lets out the others let in again.
///
/// # Errors
///
/// [`BuildError::Limit`] for the first that does not.
pub(super) fn check(limits: &Limits, catalog: &Catalog, sessions: bool) -> Result<(), BuildError> {
    let fault = |limit, fault: &str| {
        Err(BuildError::Limit {
            limit,
            fault: fault.to_owned(),
        })
    };
    let counts = [
        ("body_bytes", limits.body_bytes),
        ("depth", limits.depth),
        ("members", limits.members),
        ("string_bytes", limits.string_bytes),
        ("headers", limits.headers),
        ("asks_per_question", limits.asks_per_question as usize),
        ("rounds", limits.rounds as usize),
        ("page_items", limits.page_items),
        ("open_requests", limits.open_requests),
        ("sessions", if sessions { limits.sessions } else { 1 }),
    ];
    if let Some((limit, _)) = counts.iter().find(|(_, count)| *count == 0) {
        return fault(limit, "with none of it nothing is served");
    }
    let idle = limits.session_idle;
    let times = [
        ("state_ttl", limits.state_ttl.is_zero()),
        ("call_age", limits.call_age.is_zero()),
        ("session_idle", sessions && idle.is_zero()),
    ];
    if let Some((limit, _)) = times.iter().find(|(_, over)| *over) {
        return fault(limit, "what ends at once cannot be gone on with");
    }
    if limits.depth > PARSED {
        let deeper = format!("what is nested deeper than {PARSED} no author's type is read from");
        return fault("depth", &deeper);
    }
    let uris = catalog
        .resources
        .iter()
        .map(|entry| entry.listed.name.len());
    if let Some(bytes) = uris.max().filter(|bytes| *bytes > limits.uri_bytes) {
        let unread = format!("a resource with a URI of {bytes} bytes could not be read");
        return fault("uri_bytes", &unread);
    }
    let longest = request_state::longest(limits.journal_bytes, longest_revision(catalog));
    let most = limits
        .state_chars
        .min(limits.string_bytes)
        .min(limits.body_bytes);
    if longest > most {
        let lost = format!(
            "the request state of a full journal has {longest} characters, and at most {most} are \
             taken, by state_chars, string_bytes and body_bytes"
        );
        return fault("journal_bytes", &lost);
    }
    Ok(())
}

/// How long the longest revision of what is offered is, in bytes.
fn longest_revision(catalog: &Catalog) -> usize {
    let tools = catalog.tools.iter().map(|entry| &entry.listed);
    let prompts = catalog.prompts.iter().map(|entry| &entry.listed);
    let resources = catalog.resources.iter().map(|entry| &entry.listed);
    let templates = catalog.templates.iter().map(|entry| &entry.listed);
    let listed = tools.chain(prompts).chain(resources).chain(templates);
    let revisions = listed.map(|listed| listed.revision.len());
    revisions.max().unwrap_or_default()
}
