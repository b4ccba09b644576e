use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::meta_key::*;
use super::{
    ClientCapabilities, Implementation, JsonObject, LoggingLevel, ProgressToken, RequestId,
};

/// A reserved `_meta` key holds a value of the wrong shape.
///
/// ```
/// use mcp_reprise::protocol::{META_LOG_LEVEL, Meta};
///
/// let meta = Meta::new().with(META_LOG_LEVEL, "loud");
/// assert_eq!(meta.log_level().map_err(|e| e.key), Err(META_LOG_LEVEL));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the `_meta` key {key} is malformed: {reason}")]
#[non_exhaustive]
pub struct BadMeta {
    /// The key.
    pub key: &'static str,
    /// What is wrong with its value.
    pub reason: String,
}

/// The `_meta` member of a request, notification, result or definition. It is
/// kept whole, whatever keys it has.
///
/// Reserved keys have accessors. Each gives `Ok(None)` where the key is absent
/// and [`BadMeta`] where its value has the wrong shape. Setters are named
/// `with_*`.
///
/// Schema: [`MetaObject`](https://modelcontextprotocol.io/specification/2026-07-28/schema#metaobject),
/// [`RequestMetaObject`](https://modelcontextprotocol.io/specification/2026-07-28/schema#requestmetaobject),
/// [`NotificationMetaObject`](https://modelcontextprotocol.io/specification/2026-07-28/schema#notificationmetaobject),
/// [`ResultMetaObject`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resultmetaobject).
/// Spec: [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta).
///
/// ```
/// use mcp_reprise::protocol::Meta;
///
/// let meta = Meta::new().with_progress_token("t").with("com.example/shard", 3);
/// assert_eq!(meta.progress_token(), Ok(Some("t".into())));
/// assert_eq!(meta.foreign().map(|(key, _)| key).collect::<Vec<_>>(), ["com.example/shard"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Meta(JsonObject);

impl Meta {
    /// No keys at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Sets a key, whatever it was before.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.0.insert(key.into(), value.into());
    }

    /// The same with one key set.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.insert(key, value);
        self
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole object.
    pub fn as_object(&self) -> &JsonObject {
        &self.0
    }

    /// The whole object, owned.
    pub fn into_object(self) -> JsonObject {
        self.0
    }

    /// The keys that MCP hasn't reserved, with their values.
    pub fn foreign(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), value))
            .filter(|(key, _)| !Self::is_reserved_key(key))
    }

    /// Whether a key has the form the spec asks for: an optional prefix of
    /// dotted labels and a slash, then a name.
    ///
    /// ```
    /// use mcp_reprise::protocol::Meta;
    ///
    /// assert!(Meta::is_valid_key("com.example/trace-id"));
    /// assert!(!Meta::is_valid_key("1com.example/trace-id"));
    /// ```
    pub fn is_valid_key(key: &str) -> bool {
        match key.split_once('/') {
            Some((prefix, name)) => prefix.split('.').all(is_label) && is_name(name),
            None => is_name(key),
        }
    }

    /// Whether a key is MCP's own: one of the bare keys it names, or one under
    /// a prefix whose second label is `modelcontextprotocol` or `mcp`.
    ///
    /// ```
    /// use mcp_reprise::protocol::Meta;
    ///
    /// assert!(Meta::is_reserved_key("dev.mcp/x"));
    /// assert!(!Meta::is_reserved_key("com.example.mcp/x"));
    /// ```
    pub fn is_reserved_key(key: &str) -> bool {
        match key.split_once('/') {
            Some((prefix, _)) => {
                matches!(
                    prefix.split('.').nth(1),
                    Some("modelcontextprotocol" | "mcp")
                )
            }
            None => matches!(
                key,
                META_PROGRESS_TOKEN | META_TRACEPARENT | META_TRACESTATE | META_BAGGAGE
            ),
        }
    }

    fn read<T: DeserializeOwned>(&self, key: &'static str) -> Result<Option<T>, BadMeta> {
        self.0
            .get(key)
            .map(|value| {
                T::deserialize(value).map_err(|error| BadMeta {
                    key,
                    reason: error.to_string(),
                })
            })
            .transpose()
    }

    fn read_text(&self, key: &'static str) -> Result<Option<&str>, BadMeta> {
        match self.0.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(BadMeta {
                key,
                reason: "expected a string".to_owned(),
            }),
        }
    }

    /// Sets a key to a shape of this module. Such a shape always has a JSON
    /// form; were there none, the key would stay as it was.
    fn with_shape(mut self, key: &'static str, value: &impl Serialize) -> Self {
        if let Ok(value) = serde_json::to_value(value) {
            self.insert(key, value);
        }
        self
    }
}

impl From<JsonObject> for Meta {
    fn from(object: JsonObject) -> Self {
        Self(object)
    }
}

/// The keys that the protocol defines.
impl Meta {
    /// The token the client wants its progress notifications to carry.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn progress_token(&self) -> Result<Option<ProgressToken>, BadMeta> {
        self.read(META_PROGRESS_TOKEN)
    }

    /// Sets [`META_PROGRESS_TOKEN`].
    pub fn with_progress_token(self, progress_token: impl Into<ProgressToken>) -> Self {
        self.with_shape(META_PROGRESS_TOKEN, &progress_token.into())
    }

    /// The protocol revision of the request.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn protocol_version(&self) -> Result<Option<&str>, BadMeta> {
        self.read_text(META_PROTOCOL_VERSION)
    }

    /// Sets [`META_PROTOCOL_VERSION`].
    pub fn with_protocol_version(self, protocol_version: impl Into<String>) -> Self {
        self.with(META_PROTOCOL_VERSION, protocol_version.into())
    }

    /// The client's software.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn client_info(&self) -> Result<Option<Implementation>, BadMeta> {
        self.read(META_CLIENT_INFO)
    }

    /// Sets [`META_CLIENT_INFO`].
    pub fn with_client_info(self, client_info: &Implementation) -> Self {
        self.with_shape(META_CLIENT_INFO, client_info)
    }

    /// What the client can do for this request.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn client_capabilities(&self) -> Result<Option<ClientCapabilities>, BadMeta> {
        self.read(META_CLIENT_CAPABILITIES)
    }

    /// Sets [`META_CLIENT_CAPABILITIES`].
    pub fn with_client_capabilities(self, client_capabilities: &ClientCapabilities) -> Self {
        self.with_shape(META_CLIENT_CAPABILITIES, client_capabilities)
    }

    /// The least severe log message the client wants. Absent: none at all.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn log_level(&self) -> Result<Option<LoggingLevel>, BadMeta> {
        self.read(META_LOG_LEVEL)
    }

    /// Sets [`META_LOG_LEVEL`].
    pub fn with_log_level(self, log_level: LoggingLevel) -> Self {
        self.with_shape(META_LOG_LEVEL, &log_level)
    }

    /// The id of the `subscriptions/listen` request this belongs to.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn subscription_id(&self) -> Result<Option<RequestId>, BadMeta> {
        self.read(META_SUBSCRIPTION_ID)
    }

    /// Sets [`META_SUBSCRIPTION_ID`].
    pub fn with_subscription_id(self, subscription_id: impl Into<RequestId>) -> Self {
        self.with_shape(META_SUBSCRIPTION_ID, &subscription_id.into())
    }

    /// The server's software.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn server_info(&self) -> Result<Option<Implementation>, BadMeta> {
        self.read(META_SERVER_INFO)
    }

    /// Sets [`META_SERVER_INFO`].
    pub fn with_server_info(self, server_info: &Implementation) -> Self {
        self.with_shape(META_SERVER_INFO, server_info)
    }

    /// The W3C `traceparent`, unread.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn traceparent(&self) -> Result<Option<&str>, BadMeta> {
        self.read_text(META_TRACEPARENT)
    }

    /// Sets [`META_TRACEPARENT`].
    pub fn with_traceparent(self, traceparent: impl Into<String>) -> Self {
        self.with(META_TRACEPARENT, traceparent.into())
    }

    /// The W3C `tracestate`, unread.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn tracestate(&self) -> Result<Option<&str>, BadMeta> {
        self.read_text(META_TRACESTATE)
    }

    /// Sets [`META_TRACESTATE`].
    pub fn with_tracestate(self, tracestate: impl Into<String>) -> Self {
        self.with(META_TRACESTATE, tracestate.into())
    }

    /// The W3C baggage, unread.
    ///
    /// # Errors
    ///
    /// [`BadMeta`] when the value has the wrong shape.
    pub fn baggage(&self) -> Result<Option<&str>, BadMeta> {
        self.read_text(META_BAGGAGE)
    }

    /// Sets [`META_BAGGAGE`].
    pub fn with_baggage(self, baggage: impl Into<String>) -> Self {
        self.with(META_BAGGAGE, baggage.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_shape_is_told_from_an_absent_key() {
        let meta: Meta = serde_json::from_str(
            r#"{"progressToken":1.5,"traceparent":7,"io.modelcontextprotocol/clientInfo":null}"#,
        )
        .unwrap();
        assert_eq!(meta.progress_token().unwrap_err().key, META_PROGRESS_TOKEN);
        assert_eq!(meta.traceparent().unwrap_err().key, META_TRACEPARENT);
        assert_eq!(meta.client_info().unwrap_err().key, META_CLIENT_INFO);
        assert_eq!(meta.log_level(), Ok(None));
        assert_eq!(meta.protocol_version(), Ok(None));
    }

    #[test]
    fn what_is_set_is_read() {
        let meta = Meta::new()
            .with_progress_token(4)
            .with_protocol_version("2026-07-28")
            .with_client_info(&Implementation::new("c", "1"))
            .with_client_capabilities(&ClientCapabilities::new())
            .with_log_level(LoggingLevel::Notice)
            .with_subscription_id("s")
            .with_server_info(&Implementation::new("s", "2"))
            .with_traceparent("00-a-b-01")
            .with_tracestate("v=1")
            .with_baggage("k=v");
        assert_eq!(meta.progress_token(), Ok(Some(ProgressToken::Integer(4))));
        assert_eq!(meta.protocol_version(), Ok(Some("2026-07-28")));
        assert_eq!(meta.client_info(), Ok(Some(Implementation::new("c", "1"))));
        assert_eq!(
            meta.client_capabilities(),
            Ok(Some(ClientCapabilities::new()))
        );
        assert_eq!(meta.log_level(), Ok(Some(LoggingLevel::Notice)));
        assert_eq!(meta.subscription_id(), Ok(Some(RequestId::from("s"))));
        assert_eq!(meta.server_info(), Ok(Some(Implementation::new("s", "2"))));
        assert_eq!(meta.traceparent(), Ok(Some("00-a-b-01")));
        assert_eq!(meta.tracestate(), Ok(Some("v=1")));
        assert_eq!(meta.baggage(), Ok(Some("k=v")));
        assert_eq!(meta.foreign().count(), 0);
    }
}
