//! What an exchange costs: time, allocations, and what the core holds for those who stay.
//!
//! `cargo bench --bench exchanges` prints a table. `benches/instructions.py` prints the better one:
//! time differs from run to run and from machine to machine, a count of instructions does not.
//!
//! - `--case NAME --count N` does a case so many times and nothing else.
//! - `--growth NAME --size S --count N` does the same for a case of a size.
//! - `--facts` prints all that is no time as one JSON object, for the script.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod cases;
mod driver;
mod growth;
mod legacy;
mod memory;
mod offers;
mod rounds;

use std::alloc::System;
use std::time::{Duration, Instant};

use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use cases::{CASES, Case};
use growth::GROWTH;

#[global_allocator]
pub static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    let times = |mut once: cases::Once| {
        let count = value("--count").map_or(1, |count| count.parse().unwrap());
        (0..count).for_each(|_| once());
    };
    if let Some(name) = value("--case") {
        let case = CASES.iter().find(|case| case.name == name);
        times((case.expect("no such case").set_up)());
    } else if let Some(name) = value("--growth") {
        let growth = GROWTH.iter().find(|growth| growth.name == name);
        let size = value("--size").expect("a size").parse().unwrap();
        times((growth.expect("nothing of that name grows").set_up)(size));
    } else if arguments.iter().any(|argument| argument == "--facts") {
        facts();
    } else {
        table();
    }
}

/// Allocations and bytes of one unit of a case.
///
/// What is reallocated counts as an allocation, and the bytes it grows by as bytes.
fn allocations(case: &Case) -> (u64, u64) {
    const TIMES: u64 = 10;
    let mut once = (case.set_up)();
    (0..3).for_each(|_| once());
    let region = Region::new(ALLOCATOR);
    (0..TIMES).for_each(|_| once());
    let change = region.change();
    let units = TIMES * case.units;
    let count = change.allocations + change.reallocations;
    (count as u64 / units, change.bytes_allocated as u64 / units)
}

/// The shortest of many times: what is longer was disturbed.
fn time(case: &Case) -> Duration {
    const LONG_ENOUGH: Duration = Duration::from_millis(300);
    const OFTEN_ENOUGH: u32 = 1_000;
    let mut once = (case.set_up)();
    let begin = Instant::now();
    let mut shortest = Duration::MAX;
    let mut samples = 0;
    while samples < 5 || (begin.elapsed() < LONG_ENOUGH && samples < OFTEN_ENOUGH) {
        // A clock is too coarse for one short exchange.
        let begin = Instant::now();
        (0..case.batch).for_each(|_| once());
        let took = begin.elapsed() / case.batch;
        shortest = shortest.min(took / u32::try_from(case.units).unwrap());
        samples += 1;
    }
    shortest
}

fn table() {
    println!(
        "{:16}{:>12}{:>8}{:>8}{:>10}  what it is",
        "case", "ns", "ratio", "allocs", "bytes"
    );
    let mut times = Vec::new();
    for case in CASES {
        let took = time(case);
        let (count, bytes) = allocations(case);
        times.push((case.name, took));
        let floor = times.iter().find(|(name, _)| *name == case.floor).unwrap();
        let ratio = took.as_secs_f64() / floor.1.as_secs_f64();
        println!(
            "{:16}{:>12}{ratio:>8.2}{count:>8}{bytes:>10}  {}",
            case.name,
            took.as_nanos(),
            case.what
        );
    }
    println!();
    for (name, held, bar) in memory::all() {
        println!("{name:44}{held:>8}, bar {bar}");
    }
}

fn facts() {
    let cases: Vec<_> = CASES
        .iter()
        .map(|case| {
            let (allocations, bytes) = allocations(case);
            json!({
                "name": case.name, "what": case.what, "floor": case.floor, "units": case.units,
                "bar": case.bar, "few": case.counts.0, "many": case.counts.1,
                "allocations": allocations, "bytes": bytes,
            })
        })
        .collect();
    let held: Vec<_> = memory::all()
        .into_iter()
        .map(|(name, held, bar)| json!({ "name": name, "held": held, "bar": bar }))
        .collect();
    let growth: Vec<_> = GROWTH
        .iter()
        .map(|it| json!({ "name": it.name, "what": it.what, "sizes": it.sizes }))
        .collect();
    println!(
        "{}",
        json!({ "cases": cases, "held": held, "growth": growth })
    );
}
