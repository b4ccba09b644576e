/// The protocol revision these shapes follow.
///
/// Spec: [Versioning and compatibility](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning).
///
/// ```
/// use mcp_reprise::protocol::PROTOCOL_VERSION;
///
/// assert_eq!(PROTOCOL_VERSION, "2026-07-28");
/// ```
pub const PROTOCOL_VERSION: &str = "2026-07-28";

/// The earlier revisions, newest first. They open with an `initialize`
/// handshake.
///
/// Spec: [Terminology](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#terminology).
///
/// ```
/// use mcp_reprise::protocol::LEGACY_PROTOCOL_VERSIONS;
///
/// assert!(LEGACY_PROTOCOL_VERSIONS.contains(&"2025-06-18"));
/// ```
pub const LEGACY_PROTOCOL_VERSIONS: [&str; 4] =
    ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
