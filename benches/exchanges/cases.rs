//! The cases: each has a name, and a set-up that gives what is done once.

use std::hint::black_box;

use mcp_reprise::Exchange;
use serde_json::{Value, json};

use crate::driver::{Driver, body, call, post};
use crate::memory::MANY;
use crate::{growth, legacy, offers, rounds};

pub type Once = Box<dyn FnMut()>;

pub struct Case {
    pub name: &'static str,
    pub what: &'static str,
    /// The case whose cost is one: for a floor, itself.
    pub floor: &'static str,
    /// The most its ratio to the floor is meant to be.
    pub bar: Option<f64>,
    /// How many units of what is counted are in one `once`.
    pub units: u64,
    /// How many are timed together.
    pub batch: u32,
    /// The two counts whose difference is taken, so that what is done before cancels out.
    pub counts: (u32, u32),
    pub set_up: fn() -> Once,
}

const PLAIN: Case = Case {
    name: "",
    what: "",
    floor: "floor",
    bar: None,
    units: 1,
    batch: 100,
    counts: (10, 60),
    set_up: floor,
};

/// A floor stands before what is measured against it.
pub const CASES: &[Case] = &[
    Case {
        name: "floor",
        what: "the body of echo read as serde_json::Value, its answer printed from one",
        ..PLAIN
    },
    Case {
        name: "echo",
        what: "a tools/call of 291 bytes with its headers, through the binding of HTTP",
        bar: Some(1.25),
        set_up: || exchange(echo()),
        ..PLAIN
    },
    Case {
        name: "params-floor",
        what: "the body of params read, its answer printed",
        floor: "params-floor",
        set_up: || floor_of(params()),
        ..PLAIN
    },
    Case {
        name: "params",
        what: "the same with five parameters that headers mirror",
        floor: "params-floor",
        set_up: || exchange(params()),
        ..PLAIN
    },
    Case {
        name: "list-floor",
        what: "the body of list read as serde_json::Value, the bytes of its answer copied",
        floor: "list-floor",
        set_up: list_floor,
        ..PLAIN
    },
    Case {
        name: "list",
        what: "tools/list of 100 tools",
        floor: "list-floor",
        bar: Some(1.5),
        set_up: || exchange(list()),
        ..PLAIN
    },
    Case {
        name: "question",
        what: "the first round of a question",
        bar: Some(3.0),
        set_up: || exchange(rounds::round(1, 1)),
        ..PLAIN
    },
    Case {
        name: "answered",
        what: "the round that answers it",
        bar: Some(4.0),
        set_up: || exchange(rounds::round(1, 2)),
        ..PLAIN
    },
    Case {
        name: "tenth",
        what: "the tenth round of ten questions, against the first",
        floor: "question",
        bar: Some(3.0),
        set_up: || exchange(rounds::round(10, 10)),
        ..PLAIN
    },
    Case {
        name: "body-4k-floor",
        what: "the body of body-4k read, its answer printed",
        floor: "body-4k-floor",
        set_up: || floor_of(long(4 << 10)),
        ..PLAIN
    },
    Case {
        name: "body-4k",
        what: "a call whose body is 4 KiB, nearly all of it one string",
        floor: "body-4k-floor",
        set_up: || exchange(long(4 << 10)),
        ..PLAIN
    },
    Case {
        name: "body-1m-floor",
        what: "the body of body-1m read, its answer printed",
        floor: "body-1m-floor",
        batch: 1,
        counts: (1, 3),
        set_up: || floor_of(long(1 << 20)),
        ..PLAIN
    },
    Case {
        name: "body-1m",
        what: "a call whose body is 1 MiB, nearly all of it one string",
        floor: "body-1m-floor",
        bar: Some(1.2),
        batch: 1,
        counts: (1, 3),
        set_up: || exchange(long(1 << 20)),
        ..PLAIN
    },
    Case {
        name: "progress",
        what: "one event of progress pushed as SSE, the 200th part of a call with 200",
        bar: Some(0.5),
        units: 200,
        batch: 1,
        counts: (2, 6),
        set_up: progress,
        ..PLAIN
    },
    Case {
        name: "legacy-call",
        what: "a tools/call in a session of 2025-11-25",
        set_up: legacy::call,
        ..PLAIN
    },
    Case {
        name: "legacy-question",
        what: "a question in a session and the POST that answers it",
        set_up: legacy::question,
        ..PLAIN
    },
    Case {
        name: "listeners",
        what: "one change told to one of 10,000 listeners",
        units: MANY as u64,
        batch: 1,
        counts: (1, 2),
        set_up: || growth::listeners(MANY),
        ..PLAIN
    },
];

/// A request of HTTP, ready to be sent.
pub type Sent = http::Request<Vec<u8>>;

pub fn echo() -> Sent {
    let sent = call("echo", json!({ "text": "Hello, MCP" }), json!({}));
    assert_eq!(sent.body().len(), 291);
    sent
}

fn params() -> Sent {
    let arguments = json!({
        "region": "eu-west-1", "tenant": "north", "shard": 17, "dry": true, "locale": "en-GB",
    });
    let mut sent = call("mirrored", arguments, json!({}));
    for (name, value) in [
        ("mcp-param-region", "eu-west-1"),
        ("mcp-param-tenant", "north"),
        ("mcp-param-shard", "17"),
        ("mcp-param-dry", "true"),
        ("mcp-param-locale", "en-GB"),
    ] {
        let value = http::HeaderValue::from_static(value);
        sent.headers_mut().insert(name, value);
    }
    sent
}

fn list() -> Sent {
    post("tools/list", None, body("tools/list", json!({})))
}

pub fn long(bytes: usize) -> Sent {
    let call = |text: &str| call("measure", json!({ "text": text }), json!({}));
    let room = bytes - call("").body().len();
    let sent = call(&"All work and no play. ".repeat(room / 22 + 1)[..room]);
    assert_eq!(sent.body().len(), bytes);
    sent
}

/// A whole exchange, from its request to its response.
pub fn exchange(sent: Sent) -> Once {
    let driver = Driver::new(offers::server());
    Box::new(move || drop(black_box(driver.play(black_box(&sent)))))
}

fn floor() -> Once {
    floor_of(echo())
}

/// What no server can do without: to read the body and to print the answer. The answer is there
/// beforehand.
fn floor_of(sent: Sent) -> Once {
    let response = Driver::new(offers::server()).play(&sent);
    let answer: Value = serde_json::from_slice(response.body()).unwrap();
    Box::new(move || {
        let request: Value = serde_json::from_slice(black_box(sent.body())).unwrap();
        drop(black_box(request));
        drop(black_box(serde_json::to_vec(black_box(&answer)).unwrap()));
    })
}

fn list_floor() -> Once {
    let sent = list();
    let response = Driver::new(offers::server()).play(&sent);
    Box::new(move || {
        let request: Value = serde_json::from_slice(black_box(sent.body())).unwrap();
        drop(black_box(request));
        drop(black_box(black_box(response.body()).clone()));
    })
}

fn progress() -> Once {
    let driver = Driver::new(offers::server());
    let mut sent = call("steps", json!({ "steps": 200 }), json!({}));
    let mut body: Value = serde_json::from_slice(sent.body()).unwrap();
    body["params"]["_meta"]["progressToken"] = json!(7);
    *sent.body_mut() = body.to_string().into_bytes();
    Box::new(move || assert_eq!(driver.stream(black_box(&sent)), 201))
}

/// The driver's own name of every exchange here: none is open beside another.
pub const EXCHANGE: Exchange = Exchange(1);
