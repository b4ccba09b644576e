use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::present;
use super::{ClientCapabilities, error_codes};

/// Why a request failed: the `error` of a JSON-RPC error response.
///
/// Schema: [`Error`](https://modelcontextprotocol.io/specification/2026-07-28/schema#error).
/// Spec: [Error responses](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-responses).
///
/// ```
/// use mcp_reprise::protocol::ErrorObject;
///
/// let error = ErrorObject::invalid_params("no such tool");
/// assert_eq!(error.to_string(), "no such tool (-32602)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ErrorObject {
    /// What kind of failure it is.
    pub code: i64,
    /// What happened, in a sentence.
    pub message: String,
    /// More about it. `Some(Value::Null)` is an explicit `null`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// With only what is required; every optional member is absent.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// A [`PARSE_ERROR`](error_codes::PARSE_ERROR).
    pub fn parse_error(message: impl Into<String>) -> Self {
        Self::new(error_codes::PARSE_ERROR, message)
    }

    /// An [`INVALID_REQUEST`](error_codes::INVALID_REQUEST).
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(error_codes::INVALID_REQUEST, message)
    }

    /// A [`METHOD_NOT_FOUND`](error_codes::METHOD_NOT_FOUND).
    pub fn method_not_found(message: impl Into<String>) -> Self {
        Self::new(error_codes::METHOD_NOT_FOUND, message)
    }

    /// An [`INVALID_PARAMS`](error_codes::INVALID_PARAMS).
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(error_codes::INVALID_PARAMS, message)
    }

    /// An [`INTERNAL_ERROR`](error_codes::INTERNAL_ERROR).
    pub fn internal_error(message: impl Into<String>) -> Self {
        Self::new(error_codes::INTERNAL_ERROR, message)
    }

    /// A [`HEADER_MISMATCH`](error_codes::HEADER_MISMATCH).
    pub fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(error_codes::HEADER_MISMATCH, message)
    }

    /// An [`UNSUPPORTED_PROTOCOL_VERSION`](error_codes::UNSUPPORTED_PROTOCOL_VERSION), with its data.
    pub fn unsupported_protocol_version(data: &UnsupportedProtocolVersionData) -> Self {
        Self::new(
            error_codes::UNSUPPORTED_PROTOCOL_VERSION,
            "the protocol version is not supported",
        )
        .shape(data)
    }

    /// A [`MISSING_REQUIRED_CLIENT_CAPABILITY`](error_codes::MISSING_REQUIRED_CLIENT_CAPABILITY), with its data.
    pub fn missing_required_client_capability(
        message: impl Into<String>,
        data: &MissingRequiredClientCapabilityData,
    ) -> Self {
        Self::new(error_codes::MISSING_REQUIRED_CLIENT_CAPABILITY, message).shape(data)
    }

    /// The data of an [`UNSUPPORTED_PROTOCOL_VERSION`](error_codes::UNSUPPORTED_PROTOCOL_VERSION), where this is one.
    pub fn unsupported_protocol_version_data(&self) -> Option<UnsupportedProtocolVersionData> {
        self.read(error_codes::UNSUPPORTED_PROTOCOL_VERSION)
    }

    /// The data of a [`MISSING_REQUIRED_CLIENT_CAPABILITY`](error_codes::MISSING_REQUIRED_CLIENT_CAPABILITY), where this is one.
    pub fn missing_required_client_capability_data(
        &self,
    ) -> Option<MissingRequiredClientCapabilityData> {
        self.read(error_codes::MISSING_REQUIRED_CLIENT_CAPABILITY)
    }

    /// Sets the data to a shape of this module. Such a shape always has a JSON
    /// form; were there none, there would be no data.
    fn shape(mut self, data: &impl Serialize) -> Self {
        self.data = serde_json::to_value(data).ok();
        self
    }

    fn read<T: serde::de::DeserializeOwned>(&self, code: i64) -> Option<T> {
        let data = self.data.as_ref().filter(|_| self.code == code)?;
        T::deserialize(data).ok()
    }

    /// Sets `data`.
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

impl std::fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for ErrorObject {}

/// What an [`UNSUPPORTED_PROTOCOL_VERSION`](error_codes::UNSUPPORTED_PROTOCOL_VERSION) error tells the client.
///
/// Schema: [`UnsupportedProtocolVersionError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#unsupportedprotocolversionerror).
/// Spec: [Protocol version negotiation](https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation).
///
/// ```
/// use mcp_reprise::protocol::{ErrorObject, UnsupportedProtocolVersionData};
///
/// let data = UnsupportedProtocolVersionData::new(["2026-07-28"], "1900-01-01");
/// let error = ErrorObject::unsupported_protocol_version(&data);
/// assert_eq!(error.unsupported_protocol_version_data(), Some(data));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UnsupportedProtocolVersionData {
    /// The revisions the server speaks.
    pub supported: Vec<String>,
    /// The revision the client asked for.
    pub requested: String,
}

impl UnsupportedProtocolVersionData {
    /// With only what is required; every optional member is absent.
    pub fn new(
        supported: impl IntoIterator<Item = impl Into<String>>,
        requested: impl Into<String>,
    ) -> Self {
        Self {
            supported: supported.into_iter().map(Into::into).collect(),
            requested: requested.into(),
        }
    }
}

/// What a [`MISSING_REQUIRED_CLIENT_CAPABILITY`](error_codes::MISSING_REQUIRED_CLIENT_CAPABILITY) error tells the client.
///
/// Schema: [`MissingRequiredClientCapabilityError`](https://modelcontextprotocol.io/specification/2026-07-28/schema#missingrequiredclientcapabilityerror).
///
/// ```
/// use mcp_reprise::protocol::{ClientCapabilities, ErrorObject, MissingRequiredClientCapabilityData};
///
/// let data = MissingRequiredClientCapabilityData::new(ClientCapabilities::new());
/// let error = ErrorObject::missing_required_client_capability("roots, please", &data);
/// assert_eq!(error.missing_required_client_capability_data(), Some(data));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MissingRequiredClientCapabilityData {
    /// What the request needs and the client hasn't declared.
    pub required_capabilities: ClientCapabilities,
}

impl MissingRequiredClientCapabilityData {
    /// With only what is required; every optional member is absent.
    pub fn new(required_capabilities: ClientCapabilities) -> Self {
        Self {
            required_capabilities,
        }
    }
}
