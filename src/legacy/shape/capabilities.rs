//! What each side says it can do, and who it says it is.

use super::super::version::LegacyVersion;
use crate::protocol::{
    ClientCapabilities, ElicitationCapability, Implementation, JsonObject, SamplingCapability,
    ServerCapabilities,
};

/// What the server says it can do.
pub(in crate::legacy) fn server(
    version: LegacyVersion,
    capabilities: &ServerCapabilities,
) -> ServerCapabilities {
    let mut capabilities = capabilities.clone();
    capabilities.extensions = None;
    if !version.has_audio() {
        capabilities.completions = None;
    }
    capabilities
}

/// Who the server says it is.
pub(in crate::legacy) fn identity(
    version: LegacyVersion,
    identity: &Implementation,
) -> Implementation {
    let mut identity = identity.clone();
    if !version.has_structured_content() {
        identity.title = None;
    }
    if !version.has_icons() {
        identity.description = None;
        identity.icons = None;
        identity.website_url = None;
    }
    identity
}

/// What a client can be asked: what it declared, as far as its revision has it.
///
/// A question that the revision does not have is thereby unaskable just as one whose capability
/// is missing, and a tool sees the same capabilities that the questions are held against.
pub(in crate::legacy) fn client(
    version: LegacyVersion,
    declared: ClientCapabilities,
) -> ClientCapabilities {
    let mut capabilities = declared;
    capabilities.extensions = None;
    if !version.has_elicitation() {
        capabilities.elicitation = None;
    } else if !version.has_url_elicitation() {
        // The capability had no members yet: declared is form mode.
        capabilities.elicitation = capabilities
            .elicitation
            .map(|_| ElicitationCapability::new());
    }
    if !version.has_sampling_tools() {
        // Context could be asked of every client, and tools of none.
        capabilities.sampling = capabilities
            .sampling
            .map(|_| SamplingCapability::new().context(JsonObject::new()));
    }
    capabilities
}
