//! The `_meta` keys the protocol defines, and the form of a key.

/// Asks for progress notifications: see [`Meta::progress_token`](super::Meta::progress_token).
///
/// Spec: [Progress flow](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress#progress-flow).
pub const META_PROGRESS_TOKEN: &str = "progressToken";
/// The protocol revision of a request: see [`Meta::protocol_version`](super::Meta::protocol_version).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The client's software: see [`Meta::client_info`](super::Meta::client_info).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// What the client can do: see [`Meta::client_capabilities`](super::Meta::client_capabilities).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The least severe log message the client wants: see [`Meta::log_level`](super::Meta::log_level).
///
/// Spec: [Per-request log level](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#per-request-log-level).
pub const META_LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The subscription a notification belongs to: see [`Meta::subscription_id`](super::Meta::subscription_id).
///
/// Spec: [Receiving notifications](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#receiving-notifications).
pub const META_SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The server's software: see [`Meta::server_info`](super::Meta::server_info).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The W3C trace context: see [`Meta::traceparent`](super::Meta::traceparent).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_TRACEPARENT: &str = "traceparent";
/// The vendors' part of the W3C trace context: see [`Meta::tracestate`](super::Meta::tracestate).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_TRACESTATE: &str = "tracestate";
/// The W3C baggage: see [`Meta::baggage`](super::Meta::baggage).
///
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
pub const META_BAGGAGE: &str = "baggage";

/// Whether this is one label of a key's prefix.
pub(super) fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Whether this is the name of a key, the part after any prefix.
pub(super) fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.is_empty()
        || (bytes.first().is_some_and(u8::is_ascii_alphanumeric)
            && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte)))
}

#[cfg(test)]
mod tests {
    use crate::protocol::Meta;

    #[test]
    fn keys_by_the_grammar() {
        for key in [
            "",
            "a",
            "a.b_c-d",
            "com.example/",
            "com.example/x",
            "a/1",
            "io.modelcontextprotocol/x",
            "x-y.z9/n",
        ] {
            assert!(Meta::is_valid_key(key), "{key}");
        }
        for key in [
            "-a", "a-", "a b", "/x", ".a/x", "a./x", "a..b/x", "1a/x", "a-/x", "-a/x", "a/b/c",
            "a_b/x", "a/-", "é", "a/é",
        ] {
            assert!(!Meta::is_valid_key(key), "{key}");
        }
    }

    #[test]
    fn keys_by_reservation() {
        for key in [
            "io.modelcontextprotocol/",
            "dev.mcp/x",
            "org.modelcontextprotocol.api/x",
            "com.mcp.tools/x",
            "progressToken",
            "traceparent",
            "tracestate",
            "baggage",
        ] {
            assert!(Meta::is_reserved_key(key), "{key}");
        }
        for key in [
            "com.example.mcp/x",
            "mcp/x",
            "mcp.example/x",
            "x",
            "com.mcp",
            "io.mcpx/x",
        ] {
            assert!(!Meta::is_reserved_key(key), "{key}");
        }
    }
}
