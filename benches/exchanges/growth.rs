//! What grows: cases of any size, whose cost the script draws over their size.

use std::hint::black_box;

use mcp_reprise::Change;
use serde_json::json;

use crate::cases::{self, Once};
use crate::driver::{Driver, NOW, body, post};
use crate::{memory, offers, rounds};

pub struct Growth {
    pub name: &'static str,
    pub what: &'static str,
    pub sizes: &'static [u32],
    pub set_up: fn(u32) -> Once,
}

pub const GROWTH: &[Growth] = &[
    Growth {
        name: "questions",
        what: "the last round of a call that asks so many questions, one a round",
        sizes: &[1, 2, 4, 8, 16, 32],
        set_up: |size| cases::exchange(rounds::round(size, size)),
    },
    Growth {
        name: "tools",
        what: "tools/list of so many tools",
        sizes: &[10, 30, 100, 300, 1_000],
        set_up: tools,
    },
    Growth {
        name: "call among tools",
        what: "a call of echo beside so many tools",
        sizes: &[10, 30, 100, 300, 1_000],
        set_up: call_among,
    },
    Growth {
        name: "listeners",
        what: "one change told to so many listeners",
        sizes: &[10, 100, 1_000, 10_000],
        set_up: listeners,
    },
    Growth {
        name: "body",
        what: "a call whose body is so many bytes, nearly all of it one string",
        sizes: &[1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20],
        set_up: |size| cases::exchange(cases::long(size as usize)),
    },
];

fn tools(size: u32) -> Once {
    let driver = Driver::new(offers::server_of(size));
    let sent = post("tools/list", None, body("tools/list", json!({})));
    Box::new(move || drop(black_box(driver.play(black_box(&sent)))))
}

fn call_among(size: u32) -> Once {
    let driver = Driver::new(offers::server_of(size));
    let sent = cases::echo();
    Box::new(move || drop(black_box(driver.play(black_box(&sent)))))
}

pub fn listeners(size: u32) -> Once {
    let mut listeners = memory::listeners(&offers::server(), size);
    Box::new(move || {
        for (listener, reply) in &mut listeners {
            assert!(listener.note(black_box(&Change::ToolsList)));
            let push = listener.next_push().unwrap();
            drop(black_box(reply.act(push, NOW)));
        }
    })
}
