//! The codes of errors.
//!
//! Spec: [Error codes](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes).
//!
//! ```
//! use mcp_reprise::protocol::error_codes;
//!
//! assert_eq!(error_codes::INVALID_PARAMS, -32602);
//! ```

/// The message isn't JSON.
///
/// Schema: [`ParseError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#parseerror).
pub const PARSE_ERROR: i64 = -32700;
/// The JSON isn't a JSON-RPC message.
///
/// Schema: [`InvalidRequestError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#invalidrequesterror).
pub const INVALID_REQUEST: i64 = -32600;
/// The server has no such method, or doesn't offer it.
///
/// Schema: [`MethodNotFoundError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#methodnotfounderror).
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The params are wrong for the method.
///
/// Schema: [`InvalidParamsError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#invalidparamserror).
pub const INVALID_PARAMS: i64 = -32602;
/// Something went wrong within.
///
/// Schema: [`InternalError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#internalerror).
pub const INTERNAL_ERROR: i64 = -32603;
/// The HTTP headers and the body say different things.
///
/// Schema: [`HEADER_MISMATCH`](https://modelcontextprotocol.io/specification/2026-07-28/schema#header_mismatch).
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a capability that the client hasn't declared.
///
/// Schema: [`MISSING_REQUIRED_CLIENT_CAPABILITY`](https://modelcontextprotocol.io/specification/2026-07-28/schema#missing_required_client_capability).
pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i64 = -32021;
/// The server doesn't speak the request's protocol revision.
///
/// Schema: [`UNSUPPORTED_PROTOCOL_VERSION`](https://modelcontextprotocol.io/specification/2026-07-28/schema#unsupported_protocol_version).
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
/// The resource doesn't exist, in revisions before 2026-07-28. Now it is
/// [`INVALID_PARAMS`].
///
/// Spec: [Error codes](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes).
pub const LEGACY_RESOURCE_NOT_FOUND: i64 = -32002;
/// The client must visit a URL first, in revision 2025-11-25 only.
///
/// Spec: [Error codes](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes).
pub const LEGACY_URL_ELICITATION_REQUIRED: i64 = -32042;
