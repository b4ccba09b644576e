//! One HTTP response as it grows: whole, or a stream of events.

use std::borrow::Cow;
use std::time::Duration;

use ::http::Response;
use ::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};

use crate::action::{Action, EventMark};
use crate::exchange;
use crate::moment::Timestamp;
use crate::sse;

/// One HTTP response as it grows. The driver keeps one for each exchange, gives it that
/// exchange's actions in order, and writes the parts it gets.
///
/// An answer before which nothing was pushed is one whole response. The first push opens a stream
/// of events instead, and the answer is its last event.
///
/// ```
/// use std::time::Duration;
/// use mcp_reprise::http::Reply;
///
/// let reply = Reply::new(Duration::from_secs(15));
/// assert!(!reply.is_open());
/// ```
#[derive(Debug)]
pub struct Reply {
    keep_alive: Duration,
    state: State,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Begun,
    /// A stream, silent since then.
    Open {
        since: Timestamp,
    },
    Ended,
}

/// A part of a response, to be written in order.
#[non_exhaustive]
pub enum Part {
    /// The whole response.
    Whole(Response<Vec<u8>>),
    /// The head of a response whose body is a stream.
    Open(Response<()>),
    /// A piece of the stream: to be written at once.
    Data(Vec<u8>),
    /// The end of the stream.
    End,
}

/// A part holds what users said, and the head of one may name a session: `Debug` shows lengths.
impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(whole) => {
                let (status, length) = (whole.status().as_u16(), whole.body().len());
                write!(f, "Whole({status}, {length} bytes)")
            }
            Self::Open(head) => write!(f, "Open({})", head.status().as_u16()),
            Self::Data(data) => write!(f, "Data({} bytes)", data.len()),
            Self::End => f.write_str("End"),
        }
    }
}

impl Reply {
    /// A response before its first part. After `keep_alive` without an event its stream is due a
    /// comment; with less than a millisecond of it, which is no time to wait, never.
    pub fn new(keep_alive: Duration) -> Self {
        Self {
            keep_alive,
            state: State::Begun,
        }
    }

    /// Whether it is a stream that is open.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open { .. })
    }

    /// Whether it has ended.
    pub fn is_ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    /// Does an action of this exchange. Actions that are no part of a response give nothing.
    pub fn act(&mut self, action: Action, now: Timestamp) -> Vec<Part> {
        if self.is_ended() {
            return Vec::new();
        }
        match action {
            Action::Respond { response, .. } | Action::InputRequired { response, .. } => {
                self.respond(response)
            }
            Action::Push { message, event, .. } => self.push(&message, event.as_ref(), now),
            Action::End { .. } | Action::Cancel { .. } => {
                self.state = State::Ended;
                vec![Part::End]
            }
            _ => Vec::new(),
        }
    }

    fn respond(&mut self, response: exchange::Response) -> Vec<Part> {
        let was_open = self.is_open();
        self.state = State::Ended;
        if !was_open {
            return vec![Part::Whole(whole(response))];
        }
        let mut parts: Vec<Part> = response
            .message
            .iter()
            .map(|message| Part::Data(event(message, None)))
            .collect();
        parts.push(Part::End);
        parts
    }

    fn push(&mut self, message: &[u8], mark: Option<&EventMark>, now: Timestamp) -> Vec<Part> {
        let mut parts = Vec::new();
        if !self.is_open() {
            parts.push(Part::Open(head()));
        }
        self.state = State::Open { since: now };
        if !message.is_empty() || mark.is_some() {
            parts.push(Part::Data(event(message, mark)));
        }
        parts
    }

    /// When a comment is due that keeps the stream open: then call [`Reply::tick`].
    pub fn deadline(&self) -> Option<Timestamp> {
        match self.state {
            State::Open { since } if self.keep_alive.as_millis() > 0 => {
                Some(since.after(self.keep_alive))
            }
            State::Begun | State::Open { .. } | State::Ended => None,
        }
    }

    /// The comment, where it is due.
    pub fn tick(&mut self, now: Timestamp) -> Option<Part> {
        self.deadline().filter(|deadline| *deadline <= now)?;
        self.state = State::Open { since: now };
        let mut comment = Vec::new();
        sse::comment(&mut comment);
        Some(Part::Data(comment))
    }
}

/// The head of a stream. Proxies are told to hold nothing back.
fn head() -> Response<()> {
    const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
    let mut head = Response::new(());
    let headers = head.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    head
}

fn whole(response: exchange::Response) -> Response<Vec<u8>> {
    let has_message = response.message.is_some();
    let mut whole = Response::new(response.message.unwrap_or_default());
    *whole.status_mut() = response.status;
    *whole.headers_mut() = response.headers;
    if has_message {
        let json = HeaderValue::from_static("application/json");
        whole.headers_mut().insert(CONTENT_TYPE, json);
    }
    whole
}

/// Messages are JSON text in UTF-8, by our own hands.
fn event(message: &[u8], mark: Option<&EventMark>) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(retry) = mark.and_then(|mark| mark.retry) {
        sse::retry(retry, &mut out);
    }
    let data = match std::str::from_utf8(message) {
        Ok(data) => Cow::Borrowed(data),
        Err(_) => String::from_utf8_lossy(message),
    };
    sse::event(&data, mark.map(|mark| &*mark.id), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Exchange;

    const EXCHANGE: Exchange = Exchange(1);

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000)
    }

    fn reply(seconds: u64) -> Reply {
        Reply::new(Duration::from_secs(seconds))
    }

    fn push(message: &[u8]) -> Action {
        Action::push(EXCHANGE, message.to_vec())
    }

    fn respond(response: exchange::Response) -> Action {
        Action::Respond {
            exchange: EXCHANGE,
            response,
        }
    }

    #[test]
    fn an_answer_alone_is_one_whole_response() {
        let mut reply = reply(15);
        let answer = || respond(exchange::Response::ok(b"{}".to_vec()));
        let parts = reply.act(answer(), at(0));
        let [Part::Whole(whole)] = parts.as_slice() else {
            panic!("{parts:?}");
        };
        assert_eq!(whole.headers()["content-type"], "application/json");
        assert_eq!(whole.body(), b"{}");
        assert!(reply.is_ended());
        assert!(reply.act(answer(), at(0)).is_empty());
        assert!(reply.act(push(b"{}"), at(0)).is_empty());
    }

    #[test]
    fn what_is_accepted_has_no_body_and_no_type() {
        let parts = reply(15).act(respond(exchange::Response::accepted()), at(0));
        let [Part::Whole(whole)] = parts.as_slice() else {
            panic!("{parts:?}");
        };
        assert_eq!(whole.status(), 202);
        assert!(whole.body().is_empty() && whole.headers().is_empty());
    }

    #[test]
    fn a_push_opens_a_stream_that_the_answer_ends() {
        let mut reply = reply(15);
        let parts = reply.act(push(b"{\"a\":1}"), at(0));
        let [Part::Open(head), Part::Data(data)] = parts.as_slice() else {
            panic!("{parts:?}");
        };
        assert_eq!(head.status(), 200);
        assert_eq!(head.headers()["content-type"], "text/event-stream");
        assert_eq!(head.headers()["cache-control"], "no-cache");
        assert_eq!(head.headers()["x-accel-buffering"], "no");
        assert_eq!(data, b"data: {\"a\":1}\n\n");
        assert!(matches!(
            reply.act(push(b"{}"), at(0)).as_slice(),
            [Part::Data(_)]
        ));
        let parts = reply.act(respond(exchange::Response::ok(b"{}".to_vec())), at(0));
        let [Part::Data(data), Part::End] = parts.as_slice() else {
            panic!("{parts:?}");
        };
        assert_eq!(data, b"data: {}\n\n");
        assert!(reply.is_ended());
    }

    #[test]
    fn a_cancelled_response_ends_and_says_nothing_more() {
        let mut reply = reply(15);
        reply.act(push(b"{}"), at(0));
        let cancel = Action::Cancel { exchange: EXCHANGE };
        assert!(matches!(reply.act(cancel, at(1)).as_slice(), [Part::End]));
        assert!(reply.deadline().is_none() && reply.tick(at(99)).is_none());
    }

    #[test]
    fn a_silent_stream_is_kept_open() {
        let mut reply = reply(15);
        assert!(reply.deadline().is_none(), "nothing is open yet");
        assert!(reply.tick(at(99)).is_none());
        reply.act(push(b"{}"), at(10));
        assert_eq!(reply.deadline(), Some(at(25)));
        reply.act(push(b"{}"), at(20));
        assert_eq!(reply.deadline(), Some(at(35)), "a push is a sign of life");
        assert!(reply.tick(at(34)).is_none());
        let Some(Part::Data(comment)) = reply.tick(at(35)) else {
            panic!("a comment is due");
        };
        assert_eq!(comment, b":\n\n");
        assert_eq!(reply.deadline(), Some(at(50)));
    }

    #[test]
    fn no_time_to_wait_is_no_comment_at_all() {
        for keep_alive in [Duration::ZERO, Duration::from_micros(999)] {
            let mut reply = Reply::new(keep_alive);
            reply.act(push(b"{}"), at(0));
            assert!(reply.deadline().is_none());
            assert!(reply.tick(at(9)).is_none());
        }
    }
}
