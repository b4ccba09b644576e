//! A call as the log sees it: how it began, and how it ended.

/// What a call is, for whoever traces it.
///
/// Text that came from the client is escaped and cut at 128 characters.
///
/// ```
/// use mcp_reprise::{CallStart, Observation};
///
/// fn called(observation: &Observation) -> Option<&CallStart> {
///     match observation {
///         Observation::CallStarted { call, .. } => Some(call),
///         _ => None,
///     }
/// }
/// # let _ = called;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallStart {
    /// The JSON-RPC method.
    pub method: &'static str,
    /// The name of the tool or prompt, the URI of the resource, the argument that is completed.
    pub name: String,
    /// The JSON-RPC id of the request, as JSON text.
    pub request_id: String,
    /// The revision of the protocol.
    pub protocol_version: &'static str,
    /// The session, by a fingerprint of its id: the id itself lets people in.
    pub session: Option<String>,
    /// The round of the call, counted from 1.
    pub round: u32,
    /// The client's `traceparent`, where it is well made.
    pub traceparent: Option<String>,
    /// The client's `tracestate`, where it came with a parent and is not too long.
    pub tracestate: Option<String>,
}

/// How a call ended, or this round of it.
///
/// ```
/// use mcp_reprise::{CallEnd, Observation};
///
/// fn failed(observation: &Observation) -> bool {
///     matches!(observation, Observation::CallStopped { end: CallEnd::Failed { .. }, .. })
/// }
/// # let _ = failed;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEnd {
    /// It came to a result.
    Completed,
    /// It is answered with questions, and the client will call again.
    InputRequired,
    /// It came to an error.
    Failed {
        /// Where.
        error_kind: ErrorKind,
        /// What kind of error, in a word.
        error_type: &'static str,
    },
}

impl CallEnd {
    /// The arguments were refused, so that nothing ran.
    pub(crate) const INVALID_ARGUMENTS: Self = Self::Failed {
        error_kind: ErrorKind::BeforeTool,
        error_type: "invalid_arguments",
    };
}

/// Where a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Before the tool ran: its arguments were not good, or there was no room.
    BeforeTool,
    /// In the tool.
    InTool,
}

impl ErrorKind {
    /// The kind as one word.
    ///
    /// ```
    /// assert_eq!(mcp_reprise::ErrorKind::BeforeTool.as_str(), "before_tool");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BeforeTool => "before_tool",
            Self::InTool => "in_tool",
        }
    }
}

/// Whether a text is a `traceparent` as the [Trace Context](https://www.w3.org/TR/trace-context/#traceparent-header)
/// has it: version, trace, parent and flags, in lower-case hexadecimal.
pub(crate) fn is_traceparent(text: &str) -> bool {
    let hex = |part: &str| {
        let mut bytes = part.bytes();
        bytes.all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let mut ids = text.split('-').skip(1).take(2);
    lengths == [2, 32, 16, 2]
        && text.split('-').all(hex)
        && !text.starts_with("ff")
        && !ids.any(zero)
}

#[cfg(test)]
mod tests {
    use super::is_traceparent;

    #[test]
    fn parents() {
        assert!(is_traceparent(
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        ));
        for bad in [
            "",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        ] {
            assert!(!is_traceparent(bad), "{bad}");
        }
    }
}
