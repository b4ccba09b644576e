//! The revisions that begin with `initialize`, and what each of them has.

use serde::{Deserialize, Serialize};

/// A revision of the protocol that begins with `initialize`.
///
/// They are in order: a later one is greater.
///
/// ```
/// use mcp_reprise::legacy::LegacyVersion;
///
/// let version = LegacyVersion::parse("2025-06-18").ok_or("unknown")?;
/// assert!(version < LegacyVersion::LATEST);
/// assert!(version.has_elicitation() && !version.has_batches());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LegacyVersion {
    /// [2024-11-05](https://modelcontextprotocol.io/specification/2024-11-05), served over lines.
    #[serde(rename = "2024-11-05")]
    V2024_11_05,
    /// [2025-03-26](https://modelcontextprotocol.io/specification/2025-03-26)
    #[serde(rename = "2025-03-26")]
    V2025_03_26,
    /// [2025-06-18](https://modelcontextprotocol.io/specification/2025-06-18)
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    /// [2025-11-25](https://modelcontextprotocol.io/specification/2025-11-25)
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
}

impl LegacyVersion {
    /// All of them, the latest first.
    pub const ALL: [Self; 4] = [
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];

    /// The latest.
    pub const LATEST: Self = Self::V2025_11_25;

    /// The version as the wire has it.
    ///
    /// ```
    /// # use mcp_reprise::legacy::LegacyVersion;
    /// assert_eq!(LegacyVersion::LATEST.as_str(), "2025-11-25");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
        }
    }

    /// The version of this name.
    ///
    /// ```
    /// # use mcp_reprise::legacy::LegacyVersion;
    /// assert_eq!(LegacyVersion::parse("2026-07-28"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// Whether it may be spoken over Streamable HTTP, which came with 2025-03-26.
    pub fn has_streamable_http(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether a client may send [batches](https://modelcontextprotocol.io/specification/2025-03-26/basic#batching):
    /// 2025-03-26 alone has them.
    pub fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether tools have annotations, results audio, progress a message, and the server says that
    /// it completes.
    pub fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether there is [elicitation](https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation).
    pub fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether tools have output schemas and results structured content, resource links, titles
    /// and metadata of their parts.
    pub fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether forms have defaults and lists of choices.
    pub fn has_rich_forms(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether a user can be sent to a URL.
    pub fn has_url_elicitation(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether there are icons.
    pub fn has_icons(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether sampling has tools, and messages of several parts.
    pub fn has_sampling_tools(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether a stream begins with an event that has an id and no data.
    pub fn has_priming(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether an error that belongs to no request has no `id`; before, it has JSON-RPC's null.
    pub fn has_errors_without_id(self) -> bool {
        self >= Self::V2025_11_25
    }
}

impl std::fmt::Display for LegacyVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
