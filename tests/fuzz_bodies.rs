//! The bodies of the fuzz targets, run on their seed corpora and on random bytes.
//!
//! The fuzzer itself is in `fuzz/`; here every build holds what it holds.

#[path = "../fuzz/src/lib.rs"]
mod bodies;

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};

fn run(target: &str, cases: u32, check: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let mut seeds = 0;
    for seed in std::fs::read_dir(corpus).expect("a seed corpus") {
        check(&std::fs::read(seed.expect("a file").path()).expect("a seed"));
        seeds += 1;
    }
    assert!(seeds > 0, "the corpus of {target} is empty");
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&vec(any::<u8>(), 0..300), |data| {
            check(&data);
            Ok(())
        })
        .expect("the body holds");
}

#[test]
fn http_exchange() {
    run("http_exchange", 2_000, bodies::http_exchange::check);
}

#[test]
fn binding() {
    run("binding", 4_000, bodies::binding::check);
}

#[test]
fn json_reader() {
    run("json_reader", 4_000, bodies::json_reader::check);
}

#[test]
fn sentinel() {
    run("sentinel", 1_000, bodies::sentinel::check);
}

#[test]
fn request_state() {
    run("request_state", 500, bodies::request_state::check);
}

#[test]
fn rounds() {
    run("rounds", 300, bodies::rounds::check);
}

#[test]
fn lines() {
    run("lines", 500, bodies::lines::check);
}

#[test]
fn subscription() {
    run("subscription", 1_000, bodies::subscription::check);
}

#[cfg(feature = "legacy")]
#[test]
fn legacy_session() {
    run("legacy_session", 500, bodies::legacy_session::check);
}
