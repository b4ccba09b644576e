//! What the core holds for those who stay: listeners, sessions, and a state that the client holds.

use mcp_reprise::http::Reply;
use mcp_reprise::{Action, Exchange, Listener, Server};
use serde_json::json;
use stats_alloc::Region;

use crate::ALLOCATOR;
use crate::driver::{Driver, NOW, body, post};
use crate::legacy::Client;
use crate::{offers, rounds};

/// How many listeners, and how many sessions.
pub const MANY: u32 = 10_000;

/// Each by its name, with what it takes and the most that is meant.
pub fn all() -> Vec<(&'static str, u64, u64)> {
    let state = u64::try_from(rounds::state_of_ten()).unwrap();
    vec![
        ("bytes of a listener", bytes_of_a_listener(), 512),
        (
            "bytes of a session without open calls",
            bytes_of_a_session(),
            2_048,
        ),
        ("characters of the state of ten answers", state, 1_200),
    ]
}

/// So many listeners to the list of tools, each with its stream open.
pub fn listeners(server: &Server, many: u32) -> Vec<(Listener, Reply)> {
    let driver = Driver::new(server.clone());
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    let method = "subscriptions/listen";
    let sent = post(method, None, body(method, wanted));
    let one = |_| {
        let mut turn = driver.receive(&sent);
        let Some(Action::Listen(listener)) = turn.actions.pop() else {
            panic!("{turn:?}");
        };
        let mut reply = driver.reply();
        reply.act(turn.actions.pop().unwrap(), NOW);
        (listener, reply)
    };
    (0..many).map(one).collect()
}

/// Bytes that stay allocated, besides the place of the listener itself in the driver's hands.
fn bytes_of_a_listener() -> u64 {
    let server = offers::server();
    let region = Region::new(ALLOCATOR);
    let mut listeners: Vec<Listener> = listeners(&server, MANY)
        .into_iter()
        .map(|(it, _)| it)
        .collect();
    listeners.shrink_to_fit();
    let change = region.change();
    assert_eq!(listeners[0].exchange(), Exchange(1));
    held(change) / u64::from(MANY)
}

/// Bytes in the table of sessions, the places in its maps included.
fn bytes_of_a_session() -> u64 {
    let mut client = Client::new(Driver::new(offers::server()));
    let region = Region::new(ALLOCATOR);
    (0..MANY).for_each(|_| client.open());
    let change = region.change();
    assert_eq!(client.sessions.len(), MANY as usize);
    held(change) / u64::from(MANY)
}

/// What was allocated and is there still. What a block grows or shrinks by counts as either.
fn held(change: stats_alloc::Stats) -> u64 {
    (change.bytes_allocated - change.bytes_deallocated) as u64
}
