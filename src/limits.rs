//! How much of anything the core takes: one field a limit, each with its default and its reason.

use std::time::Duration;

/// Every bound the core keeps.
///
/// The defaults suit a server that talks to people: a call may wait for an answer over lunch, and
/// no single client can make the server hold more than a few megabytes.
///
/// ```
/// use mcp_reprise::Limits;
///
/// let limits = Limits { body_bytes: 128 * 1024, ..Limits::default() };
/// assert_eq!(limits.rounds, 32);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Longest body or line, in bytes, checked before anything is parsed. Default 4 MiB: room for
    /// an image in an argument.
    pub body_bytes: usize,
    /// Deepest nesting of arrays and objects in a body. Default 64, and at most 127: the JSON parsers
    /// that read the arguments after us stop there.
    pub depth: usize,
    /// Most members and elements in one body, over all its objects and arrays. Default 100,000.
    pub members: usize,
    /// Longest single string in a body, in bytes as written. Default 4 MiB: no less than the body.
    pub string_bytes: usize,
    /// Most header lines looked at in one HTTP request. Default 128.
    pub headers: usize,
    /// Longest `arguments` object, in bytes as written. Default 4 MiB.
    pub arguments_bytes: usize,
    /// Most questions one round may put. Default 16: a client shows them to one person.
    pub questions_per_round: usize,
    /// How often one question is put before the call fails, counting the first time. Default 3.
    pub asks_per_question: u32,
    /// Most rounds in one call. Default 32: automatic clients give up after about ten.
    pub rounds: u32,
    /// Longest value one `once` may record, in bytes of JSON. Default 16 KiB: it travels in every
    /// later round.
    pub outcome_bytes: usize,
    /// Longest journal, in bytes before sealing. Default 64 KiB. What a full one is sealed into must
    /// be within [`Limits::state_chars`], [`Limits::string_bytes`] and [`Limits::body_bytes`], or
    /// the server is not built.
    pub journal_bytes: usize,
    /// Longest `requestState` taken from a client, in characters, checked before it is decoded.
    /// Default 96 KiB: a full journal and its seal.
    pub state_chars: usize,
    /// How long one request state may wait for its answer. Default 15 minutes.
    pub state_ttl: Duration,
    /// How long a whole call may take, whatever was resealed since it began. Default 24 hours.
    pub call_age: Duration,
    /// Most reports waiting to be pushed for one running step. Default 64.
    pub pending_reports: usize,
    /// Most resource URIs one `subscriptions/listen` may name, or one session may be subscribed to.
    /// Default 256. All together they may be eight times as long as [`Limits::uri_bytes`].
    pub subscription_uris: usize,
    /// Longest resource URI looked at, in bytes. Default 8 KiB.
    pub uri_bytes: usize,
    /// Most items in one page of a list. Default 1,000: small catalogs come in one page.
    pub page_items: usize,
    /// Most requests open at once on one connection of lines, and most threads that the `stdio`
    /// adapter runs steps on. Default 256. Each holds its arguments, so a connection may hold as
    /// many times [`Limits::arguments_bytes`]: lower either for clients you do not trust.
    pub open_requests: usize,
    /// Silence on an event stream after which a keep-alive comment is due. Default 15 seconds.
    pub keep_alive: Duration,
    /// How long a session (revision 2025-11-25 and earlier) may be silent before it ends. Default
    /// one hour: longer than a question may wait.
    pub session_idle: Duration,
    /// Most sessions an adapter keeps; past it the one silent the longest ends. Default 10,000.
    pub sessions: usize,
    /// Most streams one session may have opened by GET at once. Default 4.
    pub session_streams: usize,
    /// Most events one stream of a session keeps for a client that comes back. Default 256.
    pub stream_events: usize,
    /// Most bytes of events all streams of one session keep together. Default 1 MiB. The newest
    /// event of a stream is kept whatever its size: it may be a question, or the answer.
    pub stream_bytes: usize,
    /// How long a client is told to wait before it comes back for the rest of a stream. Default
    /// half a second.
    pub stream_retry: Duration,
    /// Most bytes of JSON the assigns of one session may take. Default 64 KiB: what would go
    /// beyond is not kept.
    pub session_assigns: usize,
    /// Freshness of lists and of `server/discover` told to clients as `ttlMs`. Default zero:
    /// always ask again.
    pub list_ttl: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 4 << 20,
            depth: 64,
            members: 100_000,
            string_bytes: 4 << 20,
            headers: 128,
            arguments_bytes: 4 << 20,
            questions_per_round: 16,
            asks_per_question: 3,
            rounds: 32,
            outcome_bytes: 16 << 10,
            journal_bytes: 64 << 10,
            state_chars: 96 << 10,
            state_ttl: Duration::from_secs(15 * 60),
            call_age: Duration::from_secs(24 * 60 * 60),
            pending_reports: 64,
            subscription_uris: 256,
            uri_bytes: 8 << 10,
            page_items: 1_000,
            open_requests: 256,
            keep_alive: Duration::from_secs(15),
            session_idle: Duration::from_secs(60 * 60),
            sessions: 10_000,
            session_streams: 4,
            stream_events: 256,
            stream_bytes: 1 << 20,
            stream_retry: Duration::from_millis(500),
            session_assigns: 64 << 10,
            list_ttl: Duration::ZERO,
        }
    }
}
