//! One event stream of a session: what was said on it, and who listens now.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::action::{Action, EventMark};
use crate::exchange::Exchange;

/// What a stream is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Purpose {
    /// The answer to a POST: it ends with the response.
    Answer,
    /// What belongs to no request: opened by a GET, or the one stream that lines are.
    Standing,
}

/// One event stream, whatever connections it went over.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Stream {
    pub(super) purpose: Purpose,
    /// The connection it goes over now.
    pub(super) exchange: Option<Exchange>,
    /// Whether its response has been said: nothing more will come.
    pub(super) done: bool,
    /// Whether a client could come back for it: only then are events kept.
    resumable: bool,
    next: u64,
    events: VecDeque<Event>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Event {
    place: u64,
    message: Box<str>,
}

/// Messages hold what users said: `Debug` counts them.
impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("purpose", &self.purpose)
            .field("exchange", &self.exchange)
            .field("done", &self.done)
            .field("events", &self.events.len())
            .finish_non_exhaustive()
    }
}

impl Stream {
    pub(super) fn new(purpose: Purpose, exchange: Exchange, resumable: bool) -> Self {
        Self {
            purpose,
            exchange: Some(exchange),
            done: false,
            resumable,
            next: 0,
            events: VecDeque::new(),
        }
    }

    pub(super) fn is_standing(&self) -> bool {
        self.purpose == Purpose::Standing
    }

    /// Says a message: keeps it for a client that comes back, and pushes it where one is there.
    pub(super) fn say(&mut self, number: u64, message: String, most: usize) -> Option<Action> {
        let event = self.keep(number, &message, most);
        Some(Action::Push {
            exchange: self.exchange?,
            message: message.into_bytes(),
            event,
        })
    }

    /// An event without data: its id is where a client can come back to.
    pub(super) fn mark(&mut self, number: u64, retry: Option<u64>) -> Option<Action> {
        let event = self.resumable.then(|| EventMark {
            retry,
            ..self.next_mark(number)
        });
        Some(Action::Push {
            exchange: self.exchange?,
            message: Vec::new(),
            event,
        })
    }

    /// Keeps an event, and gives its mark.
    pub(super) fn keep(&mut self, number: u64, message: &str, most: usize) -> Option<EventMark> {
        if !self.resumable {
            return None;
        }
        let mark = self.next_mark(number);
        self.events.push_back(Event {
            place: self.next - 1,
            message: message.into(),
        });
        while self.events.len() > most.max(1) {
            self.events.pop_front();
        }
        Some(mark)
    }

    fn next_mark(&mut self, number: u64) -> EventMark {
        let id = self.event_id(number, self.next);
        self.next = self.next.saturating_add(1);
        EventMark { id, retry: None }
    }

    /// An event's id names its stream, so that it is one of its own in the whole session.
    fn event_id(&self, number: u64, place: u64) -> String {
        let letter = if self.is_standing() { 'g' } else { 'p' };
        format!("{letter}{number}-{place}")
    }

    /// What came after an event, as pushes to the connection there is now.
    pub(super) fn after(&self, number: u64, place: u64) -> Vec<Action> {
        let Some(exchange) = self.exchange else {
            return Vec::new();
        };
        self.events
            .iter()
            .filter(|event| event.place > place)
            .map(|event| Action::Push {
                exchange,
                message: event.message.as_bytes().to_vec(),
                event: Some(EventMark {
                    id: self.event_id(number, event.place),
                    retry: None,
                }),
            })
            .collect()
    }

    /// Whether a client has an event's id to come back with.
    pub(super) fn is_marked(&self) -> bool {
        self.next > 0
    }

    /// How many bytes it keeps.
    pub(super) fn bytes(&self) -> usize {
        self.events.iter().map(|event| event.message.len()).sum()
    }

    /// Forgets the oldest event but for the last one. Gives whether there was one.
    pub(super) fn forget_oldest(&mut self) -> bool {
        self.events.len() > 1 && self.events.pop_front().is_some()
    }
}

/// What an event's id says: whether its stream was standing, its number, its place.
pub(super) fn read_event_id(text: &str) -> Option<(bool, u64, u64)> {
    let standing = match text.as_bytes().first()? {
        b'g' => true,
        b'p' => false,
        _ => return None,
    };
    let (number, place) = text.get(1..)?.split_once('-')?;
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(number) || !plain(place) {
        return None;
    }
    Some((standing, number.parse().ok()?, place.parse().ok()?))
}
