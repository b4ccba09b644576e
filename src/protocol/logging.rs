use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{JsonRpcNotification, Meta};

/// How severe a log message is. Levels compare by severity.
///
/// Schema: [`LoggingLevel`](https://modelcontextprotocol.io/specification/2026-07-28/schema#logginglevel).
/// Spec: [Log levels](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-levels).
///
/// ```
/// use mcp_reprise::protocol::LoggingLevel;
///
/// assert!(LoggingLevel::Warning < LoggingLevel::Error);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggingLevel {
    /// For whoever looks for a mistake.
    Debug,
    /// All is well.
    Info,
    /// All is well, but worth a look.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A part of the system failed.
    Critical,
    /// Somebody must act now.
    Alert,
    /// Nothing works.
    Emergency,
}

/// A log message.
///
/// Schema: [`LoggingMessageNotificationParams`](https://modelcontextprotocol.io/specification/2026-07-28/schema#loggingmessagenotificationparams).
/// Spec: [Log message notifications](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-message-notifications).
///
/// ```
/// use mcp_reprise::protocol::{LoggingLevel, LoggingMessageNotificationParams};
///
/// let message = LoggingMessageNotificationParams::new(LoggingLevel::Info, "started".into());
/// assert_eq!(message.level, LoggingLevel::Info);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LoggingMessageNotificationParams {
    /// Metadata about this notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// How severe it is.
    pub level: LoggingLevel,
    /// Which part of the server says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logger: Option<String>,
    /// What it says: text, or any other JSON.
    pub data: Value,
}

impl LoggingMessageNotificationParams {
    /// With only what is required; every optional member is absent.
    pub fn new(level: LoggingLevel, data: Value) -> Self {
        Self {
            meta: None,
            level,
            logger: None,
            data,
        }
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets `logger`.
    pub fn logger(mut self, logger: impl Into<String>) -> Self {
        self.logger = Some(logger.into());
        self
    }
}

/// A log message on its way to the client.
///
/// Schema: [`LoggingMessageNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#loggingmessagenotification).
pub type LoggingMessageNotification = JsonRpcNotification<LoggingMessageNotificationParams>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered() {
        use LoggingLevel::*;
        let levels = [
            Debug, Info, Notice, Warning, Error, Critical, Alert, Emergency,
        ];
        assert!(levels.is_sorted());
        assert_eq!(serde_json::to_string(&Emergency).unwrap(), "\"emergency\"");
    }

    #[test]
    fn data_is_required_and_may_be_null() {
        type Params = LoggingMessageNotificationParams;
        assert!(serde_json::from_str::<Params>(r#"{"level":"info"}"#).is_err());
        let null: Params = serde_json::from_str(r#"{"level":"info","data":null}"#).unwrap();
        assert_eq!(null.data, Value::Null);
    }
}
